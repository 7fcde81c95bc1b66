"""How a tier alone slows or hastens fading: two older rules, kept as presets.

Neither goes together with ``fsrs.classification_factor`` (A23), which is what the product uses:
applied twice, a tier would count twice.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

FULLY_DECAYED: Final = 0.001  # A26

# A22: the time that passes for a memory, per day on the calendar.
ELAPSED_FACTORS: Final[Mapping[str, float]] = MappingProxyType(
    {
        "constitutional": 0.1,
        "critical": 0.3,
        "important": 0.5,
        "normal": 1.0,
        "temporary": 2.0,
        "scratch": 3.0,
    }
)
# A25: what a turn of the conversation leaves of a score.
TURN_FACTORS: Final[Mapping[str, float]] = MappingProxyType(
    {
        "constitutional": 1.0,
        "critical": 1.0,
        "important": 1.0,
        "normal": 0.80,
        "temporary": 0.60,
        "deprecated": 1.0,
    }
)


def felt_days(elapsed_days: float, tier: str | None) -> float:
    """Days that count as elapsed for a tier: 10 are 1 for a constitutional memory (A22)."""
    return elapsed_days * ELAPSED_FACTORS.get(tier or "", 1.0)


def after_turns(score: float, tier: str | None, turns: int) -> float:
    """A score after so many turns without use: normal keeps .8 of it each turn (A25, A26, C10).

    For trigger matches within one session. An unknown tier counts as normal.
    """
    factor = TURN_FACTORS.get(tier or "", TURN_FACTORS["normal"])
    return floored(score * factor ** max(0, turns))


def floored(score: float) -> float:
    """The score, or 0 when it is below .001: then nothing is left of it (A26)."""
    return score if score >= FULLY_DECAYED else 0.0
