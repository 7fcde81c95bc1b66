"""Importance tiers: set by people and by promotion; the worth of each, and its duration."""

import math
from collections.abc import Mapping
from typing import Final

TEMPORARY_LIFETIME: Final = 7 * 86_400.0  # seconds

# The importance factor of the composite score.
IMPORTANCE: Final[Mapping[str, float]] = {
    "constitutional": 1.0,
    "critical": 1.0,
    "important": 0.8,
    "normal": 0.5,
    "temporary": 0.2,
    "deprecated": 0.1,
}


def importance(tier: str | None) -> float:
    """The importance factor of a tier: 1, 1, .8, .5, .2, .1."""
    return IMPORTANCE.get(tier or "", IMPORTANCE["normal"])


def expires_at(tier: str | None, created_at: float) -> float:
    """End of a memory by its tier, in seconds UTC: temporary after 7 days, else never."""
    return created_at + TEMPORARY_LIFETIME if tier == "temporary" else math.inf
