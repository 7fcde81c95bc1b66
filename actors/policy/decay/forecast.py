"""Forecast: memories faded by a day to come, if nothing is used until then.

A state (``states``) falls as retrievability passes a border or as days without use do; both follow
from the stored facts, so the moment of the next fall is a formula and nobody has to look day by
day. The curve is the one of ``fsrs``, with the decay of the settings.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from actors.policy.decay.fsrs import days_until, retrievability
from actors.policy.decay.states import (
    COLD_DAYS,
    DORMANT_DAYS,
    HOT_DAYS,
    WARM_DAYS,
    Lifecycle,
    LifeStage,
    Settings,
    life_stage,
)

DAY: Final = 86_400.0  # seconds
ARCHIVABLE: Final = "archivable"  # name of a DORMANT memory past its last border
STATES: Final = ("HOT", "WARM", "COLD", "DORMANT", ARCHIVABLE)  # the liveliest first


@dataclass(frozen=True, slots=True)
class Rules:
    """Rules of fading: the borders of the states, and the exponent of the curve."""

    borders: Settings
    decay: float  # the last of the weights


@dataclass(frozen=True, slots=True)
class Fading:
    """Facts of a memory for its fading."""

    memory_id: int
    stability: float  # days, effective
    reviewed_at: float  # seconds UTC: the last review, or when it was made
    used_at: float  # seconds UTC: the last use, or when it was made
    factor: float = 1.0  # ``fsrs.classification_factor``
    protected: bool = False  # constitutional, critical or pinned


@dataclass(frozen=True, slots=True)
class Fall:
    """A memory in another state by then."""

    memory_id: int
    now: str
    then: str
    at: float  # seconds UTC: when it leaves the state it is in now


@dataclass(frozen=True, slots=True)
class Forecast:
    """Counts of memories in each state now and then, and which fall, soonest first."""

    now: Mapping[str, int]
    then: Mapping[str, int]
    falls: tuple[Fall, ...]


def named(found: LifeStage) -> str:
    """The state's name as people see it: HOT … DORMANT, or archivable."""
    return ARCHIVABLE if found.archivable else found.state.name


def standing_at(fading: Fading, at: float, rules: Rules) -> LifeStage:
    """Lifecycle state of a memory at ``at`` seconds UTC if it is not used until then."""
    return life_stage(
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
    now, borders = standing_at(fading, at, rules), rules.borders
    if fading.protected or now.archivable:
        return math.inf
    retention, idle = {
        Lifecycle.HOT: (borders.hot, HOT_DAYS),
        Lifecycle.WARM: (borders.warm, WARM_DAYS),
        Lifecycle.COLD: (borders.cold, COLD_DAYS),
    }.get(now.state, (borders.dormant, DORMANT_DAYS))
    return min(
        fading.reviewed_at + days_until(retention, fading.stability, rules.decay) * DAY,
        fading.used_at + idle * fading.factor * DAY,
    )


def forecast(fadings: Iterable[Fading], now: float, days: float, rules: Rules) -> Forecast:
    """Forecast of memories fading in so many days if nothing is used until then."""
    before: Counter[str] = Counter()
    after: Counter[str] = Counter()
    falls: list[Fall] = []
    for one in fadings:
        state = named(standing_at(one, now, rules))
        later = named(standing_at(one, now + days * DAY, rules))
        before[state] += 1
        after[later] += 1
        if state != later:
            falls.append(Fall(one.memory_id, state, later, falls_at(one, now, rules)))
    return _forecast(before, after, falls)


def joined(parts: Iterable[Forecast]) -> Forecast:
    """Forecasts of parts of a store as one of the whole."""
    before: Counter[str] = Counter()
    after: Counter[str] = Counter()
    falls: list[Fall] = []
    for part in parts:
        before.update(part.now)
        after.update(part.then)
        falls += part.falls
    return _forecast(before, after, falls)


def _forecast(before: Counter[str], after: Counter[str], falls: list[Fall]) -> Forecast:
    falls.sort(key=lambda fall: (fall.at, fall.memory_id))
    counts = [{state: each[state] for state in STATES} for each in (before, after)]
    return Forecast(counts[0], counts[1], tuple(falls))
