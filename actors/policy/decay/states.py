"""Lifecycle states: how far a memory has faded, by forgetting and disuse (HOT ... DORMANT)."""

import math
from collections.abc import Mapping
from enum import IntEnum
from typing import Final

from msgspec import Struct

from actors.policy.decay.curve import days_until, retrievability

PROTECTED_TIERS: Final = frozenset({"constitutional", "critical"})


class Lifecycle(IntEnum):
    """Lifecycle state by fading; a higher value is livelier."""

    ARCHIVABLE = 0  # past the last border; only the archivist or a person archives it
    DORMANT = 1
    COLD = 2
    WARM = 3
    HOT = 4


# Days without use up to which, and with which, a memory is in a state at best; the borders of R
# are what a person turns, as they say how much of a memory is shown.
HOT_DAYS: Final = 2.0
WARM_DAYS: Final = 14.0
COLD_DAYS: Final = 60.0
DORMANT_DAYS: Final = 90.0  # after which it is archivable


class Settings(Struct, frozen=True):
    """Borders of the states: R at or above."""

    hot: float = 0.80
    warm: float = 0.25
    cold: float = 0.05
    dormant: float = 0.02


def validated(settings: Settings) -> Settings:
    """The settings when HOT > WARM > COLD > DORMANT, else the defaults."""
    in_order = 1 >= settings.hot > settings.warm > settings.cold > settings.dormant >= 0
    return settings if in_order else Settings()


def is_protected(tier: str | None, *, pinned: bool) -> bool:
    """Return whether a memory never leaves HOT: constitutional, critical or pinned."""
    return pinned or tier in PROTECTED_TIERS


def lifecycle(
    retrievability: float,
    idle_days: float,
    *,
    factor: float = 1.0,
    protected: bool = False,
    settings: Settings | None = None,
) -> Lifecycle:
    """The liveliest state of which both borders hold; a protected memory is always HOT.

    ``retrievability``: of ``curve``, the figure shown beside the state; ``factor`` is
    ``curve.classification_factor`` and stretches the days without use. A border belongs to the
    livelier state.
    """
    for state, (least, days) in _borders(settings or Settings()).items():
        if protected or (retrievability >= least and not idle_days > days * factor):
            return state
    return Lifecycle.ARCHIVABLE


def _borders(settings: Settings) -> dict[Lifecycle, tuple[float, float]]:
    """Least R and most days without use of each state, the liveliest first."""
    return {
        Lifecycle.HOT: (settings.hot, HOT_DAYS),
        Lifecycle.WARM: (settings.warm, WARM_DAYS),
        Lifecycle.COLD: (settings.cold, COLD_DAYS),
        Lifecycle.DORMANT: (settings.dormant, DORMANT_DAYS),
    }


# ---- importance tiers, set by people and by promotion: the worth of each, and its duration


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


# ---- the state at a moment, and the moment of its next fall if nothing is used until then
#
# A state falls as retrievability passes a border or as days without use do; both follow
# from the stored facts, so the moment of the next fall is a formula and nobody has to look day by
# day. The curve is the one of ``curve``, with the decay of the settings.


DAY: Final = 86_400.0  # seconds
ARCHIVABLE: Final = "archivable"  # name of a DORMANT memory past its last border
STATES: Final = ("HOT", "WARM", "COLD", "DORMANT", ARCHIVABLE)  # the liveliest first


class Rules(Struct, frozen=True):
    """Rules of fading: the borders of the states, and the exponent of the curve."""

    borders: Settings
    decay: float  # the last of the weights


class Fading(Struct, frozen=True):
    """Facts of a memory for its fading."""

    memory_id: int
    stability: float  # days, effective
    reviewed_at: float  # seconds UTC: the last review, or when it was made
    used_at: float  # seconds UTC: the last use, or when it was made
    factor: float = 1.0  # ``curve.classification_factor``
    protected: bool = False  # constitutional, critical or pinned


def named(state: Lifecycle) -> str:
    """The state's name as people see it: HOT … DORMANT, or archivable."""
    return ARCHIVABLE if state is Lifecycle.ARCHIVABLE else state.name


def standing_at(fading: Fading, at: float, rules: Rules) -> Lifecycle:
    """Lifecycle state of a memory at ``at`` seconds UTC if it is not used until then."""
    return lifecycle(
        retrievability(fading.stability, (at - fading.reviewed_at) / DAY, rules.decay),
        (at - fading.used_at) / DAY,
        factor=fading.factor,
        protected=fading.protected,
        settings=rules.borders,
    )


def falls_at(fading: Fading, at: float, rules: Rules) -> float:
    """Moment of leaving the state held at ``at``, in seconds UTC.

    The earlier of two borders: of retrievability and of days without use. At the border it is still
    in the state, the moment after no more. Infinite for a memory protected, unfading or archivable
    already: the next step is the archivist's alone.
    """
    state = standing_at(fading, at, rules)
    if fading.protected or state is Lifecycle.ARCHIVABLE:
        return math.inf
    retention, idle = _borders(rules.borders)[state]
    return min(
        fading.reviewed_at + days_until(retention, fading.stability, rules.decay) * DAY,
        fading.used_at + idle * fading.factor * DAY,
    )
