"""Importance tiers: set by people and by promotion; what each is worth, and for how long.

The boost multiplies a search score and is applied once, at fusion (C39); the importance is a
factor of the composite score. Two numbers for two purposes.
"""

import math
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

TEMPORARY_LIFETIME: Final = 7 * 86_400.0  # seconds, B08

# B08: multiplier of a search score, in the order of the tiers; 0 is left out.
BOOSTS: Final[Mapping[str, float]] = MappingProxyType(
    {
        "constitutional": 3.0,
        "critical": 2.0,
        "important": 1.5,
        "normal": 1.0,
        "temporary": 0.5,
        "deprecated": 0.0,
    }
)
TIERS: Final = tuple(BOOSTS)
# C11: the importance factor of the composite score.
IMPORTANCE: Final[Mapping[str, float]] = MappingProxyType(
    {
        "constitutional": 1.0,
        "critical": 1.0,
        "important": 0.8,
        "normal": 0.5,
        "temporary": 0.2,
        "deprecated": 0.1,
    }
)
# B09: the losing rule, a multiplier of a base weight, halved.
IMPORTANCE_MULTIPLIERS: Final[Mapping[str, float]] = MappingProxyType(
    {
        "constitutional": 2.0,
        "critical": 1.5,
        "important": 1.3,
        "normal": 1.0,
        "temporary": 0.6,
        "deprecated": 0.1,
    }
)


def boost(tier: str | None) -> float:
    """What a tier multiplies a search score by; an unknown tier counts as normal (B08)."""
    return BOOSTS.get(tier or "", 1.0)


def importance(tier: str | None) -> float:
    """The importance factor of a tier: 1, 1, .8, .5, .2, .1 (B09, C11)."""
    return IMPORTANCE.get(tier or "", IMPORTANCE["normal"])


def importance_by_multiplier(tier: str | None, base: float = 0.5) -> float:
    """The importance factor by the rule that lost: min(1, base * multiplier / 2) (B09, C11).

    With base .5: .5, .375, .325, .25, .15, .025.
    """
    multiplier = IMPORTANCE_MULTIPLIERS.get(tier or "", IMPORTANCE_MULTIPLIERS["normal"])
    return min(1.0, base * multiplier / 2)


def expires_at(tier: str | None, created_at: float) -> float:
    """When a memory's tier ends it, in seconds UTC: temporary after 7 days, else never (B08)."""
    return created_at + TEMPORARY_LIFETIME if tier == "temporary" else math.inf


def ranked(found: Iterable[tuple[str, str | None, float]]) -> list[tuple[str, float]]:
    """Ids and boosted scores of (id, tier, score), best first, without the deprecated (B08).

    Ties go to the higher tier, then to the smaller id.
    """
    places = {tier: place for place, tier in enumerate(TIERS)}
    boosted = [
        (score * boost(tier), places.get(tier or "", places["normal"]), memory_id)
        for memory_id, tier, score in found
        if boost(tier) > 0
    ]
    boosted.sort(key=lambda row: (-row[0], row[1], row[2]))
    return [(memory_id, score) for score, _, memory_id in boosted]
