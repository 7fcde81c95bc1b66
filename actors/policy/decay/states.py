"""Lifecycle states: how far a memory has faded, and how much of it is shown.

One of two axes: this one goes by forgetting and disuse (HOT ... ARCHIVED); accessibility
(active ... unavailable) is the other (``accessibility``).
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import Final

from actors.policy.decay.curve import days_until, retrievability

SUMMARY_CHARACTERS: Final = 150
PROTECTED_TIERS: Final = frozenset({"constitutional", "critical"})


class Lifecycle(IntEnum):
    """Lifecycle state by fading; a higher value is livelier."""

    ARCHIVED = 0
    DORMANT = 1
    COLD = 2
    WARM = 3
    HOT = 4


class Detail(Enum):
    """Amount of a memory shown in a state."""

    FULL = "full"
    SUMMARY = "summary"
    METADATA = "metadata"
    NOTHING = "nothing"


# Days without use up to which, and with which, a memory is in a state at best; the borders of R
# are what a person turns, as they say how much of a memory is shown.
HOT_DAYS: Final = 2.0
WARM_DAYS: Final = 14.0
COLD_DAYS: Final = 60.0
DORMANT_DAYS: Final = 90.0  # after which it is archivable


@dataclass(frozen=True, slots=True)
class Settings:
    """Borders of the states: R at or above."""

    hot: float = 0.80
    warm: float = 0.25
    cold: float = 0.05
    dormant: float = 0.02


@dataclass(frozen=True, slots=True)
class LifeStage:
    """A memory's place in its life."""

    state: Lifecycle
    archivable: bool = False  # past the last border; the archivist goes by evidence


_DETAIL: Final = {
    Lifecycle.HOT: Detail.FULL,
    Lifecycle.WARM: Detail.SUMMARY,
    Lifecycle.COLD: Detail.METADATA,
    Lifecycle.DORMANT: Detail.METADATA,
    Lifecycle.ARCHIVED: Detail.NOTHING,
}


def validated(settings: Settings) -> Settings:
    """The settings when HOT > WARM > COLD > DORMANT, else the defaults."""
    in_order = 1 >= settings.hot > settings.warm > settings.cold > settings.dormant >= 0
    return settings if in_order else Settings()


def is_protected(tier: str | None, *, pinned: bool) -> bool:
    """Return whether a memory never leaves HOT: constitutional, critical or pinned."""
    return pinned or tier in PROTECTED_TIERS


def band_of_strength(retrievability: float, settings: Settings) -> Lifecycle:
    """State by retrievability alone; borders belong to the livelier state."""
    if retrievability >= settings.hot:
        return Lifecycle.HOT
    if retrievability >= settings.warm:
        return Lifecycle.WARM
    if retrievability >= settings.cold:
        return Lifecycle.COLD
    if retrievability >= settings.dormant:
        return Lifecycle.DORMANT
    return Lifecycle.ARCHIVED


def band_of_idleness(idle_days: float, factor: float) -> Lifecycle:
    """State by days without use alone; ``factor`` (of type and importance) stretches the borders."""
    if not idle_days > HOT_DAYS * factor:
        return Lifecycle.HOT
    if idle_days <= WARM_DAYS * factor:
        return Lifecycle.WARM
    if idle_days <= COLD_DAYS * factor:
        return Lifecycle.COLD
    if idle_days <= DORMANT_DAYS * factor:
        return Lifecycle.DORMANT
    return Lifecycle.ARCHIVED


def life_stage(
    retrievability: float,
    idle_days: float,
    *,
    factor: float = 1.0,
    protected: bool = False,
    settings: Settings | None = None,
) -> LifeStage:
    """The lower of the band of R and the idle band.

    ``retrievability``: of ``curve``, the figure shown beside the state; ``factor`` is
    ``curve.classification_factor``. A memory past the last border stays DORMANT and shows
    ``archivable``: only the archivist or a person archives it. A protected memory is always HOT.
    """
    settings = settings or Settings()
    if protected:
        return LifeStage(Lifecycle.HOT)
    by_strength = band_of_strength(retrievability, settings)
    by_idleness = band_of_idleness(idle_days, factor)
    lower = min(by_strength, by_idleness)
    if lower is Lifecycle.ARCHIVED:
        return LifeStage(Lifecycle.DORMANT, archivable=True)
    return LifeStage(lower)


def detail(state: Lifecycle) -> Detail:
    """Amount shown of a memory in this state."""
    return _DETAIL[state]


def summary(text: str, characters: int = SUMMARY_CHARACTERS) -> str:
    """The first ``characters`` of a text, cut at a word, with an ellipsis when cut."""
    flat = " ".join(text.split())
    if len(flat) <= characters:
        return flat
    cut = flat[: characters - 1]
    at_word = cut.rpartition(" ")[0]
    return (at_word or cut).rstrip(" ,;:") + "…"


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


# ---- forecast: what has faded by a day to come, if nothing is used until then
#
# A state falls as retrievability passes a border or as days without use do; both follow
# from the stored facts, so the moment of the next fall is a formula and nobody has to look day by
# day. The curve is the one of ``curve``, with the decay of the settings.


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
    factor: float = 1.0  # ``curve.classification_factor``
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
