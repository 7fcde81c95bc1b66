"""Encoding context: how alike now is to when a memory was made.

After Tulving and Thomson (1973): a memory comes back more easily in the circumstances it was made
in. Four likenesses, each 0..1: of time, topic, session and mood. ``datetime`` appears only as the
value that carries hour and weekday; the moment is always an argument.
"""

from dataclasses import astuple, dataclass
from datetime import UTC, datetime, tzinfo
from typing import Final

DAY: Final = 86_400.0  # seconds
BOOST: Final = 0.3  # What a perfect match adds to a score

# Choice: the hours at which night, morning, afternoon and evening begin; they go round.
PARTS_OF_DAY: Final = (5, 12, 17, 22)
# Choice: ages in seconds at which a memory leaves the hour, day, week and month.
AGES: Final = (3600.0, DAY, 7 * DAY, 30 * DAY)


@dataclass(frozen=True, slots=True)
class Mood:
    """Valence -1..1, arousal and dominance 0..1."""

    valence: float = 0.0
    arousal: float = 0.0
    dominance: float = 0.5


@dataclass(frozen=True, slots=True)
class Situation:
    """The circumstances of a moment; None where something is not known."""

    at: float  # seconds UTC
    topics: frozenset[str] = frozenset()
    session: str | None = None
    project: str | None = None
    activity: str | None = None
    branch: str | None = None
    file: str | None = None
    mood: Mood = Mood()


@dataclass(frozen=True, slots=True)
class Likeness:
    """Likeness of two situations, each 0..1, or the weights of that, which the defaults are."""

    temporal: float = 0.20
    topical: float = 0.40
    session: float = 0.25
    emotional: float = 0.15


WEIGHTS: Final = Likeness()


def temporal(then: Situation, now: Situation, zone: tzinfo = UTC) -> float:
    """Likeness in time.

    Part of the day .3 (the next one .15), weekday .2 (both workdays or both at the weekend .1),
    age of the memory .5 within the hour (.25 within the day).
    """
    made, seen = datetime.fromtimestamp(then.at, zone), datetime.fromtimestamp(now.at, zone)
    apart = (_part_of_day(made.hour) - _part_of_day(seen.hour)) % len(PARTS_OF_DAY)
    hours = {0: 0.3, 1: 0.15, len(PARTS_OF_DAY) - 1: 0.15}.get(apart, 0.0)
    age = sum(now.at - then.at >= limit for limit in AGES)
    recency = {0: 0.5, 1: 0.25}.get(age, 0.0)
    return hours + _weekdays(made.weekday(), seen.weekday()) + recency


def topical(then: Situation, now: Situation) -> float:
    """Likeness of topics: shared over all; two without topics are alike."""
    union = then.topics | now.topics
    return len(then.topics & now.topics) / len(union) if union else 1.0


def session(then: Situation, now: Situation) -> float:
    """Likeness of the work.

    The same session 1; else project .4, activity .3, branch .2 and active file .1, each when it
    is known and the same.
    """
    if _same(then.session, now.session):
        return 1.0
    return (
        0.4 * _same(then.project, now.project)
        + 0.3 * _same(then.activity, now.activity)
        + 0.2 * _same(then.branch, now.branch)
        + 0.1 * _same(then.file, now.file)
    )


def emotional(then: Situation, now: Situation) -> float:
    """Likeness of mood: valence .5, arousal .3, dominance .2, less the distances."""
    one, other = then.mood, now.mood
    return (
        0.5 * (1 - abs(one.valence - other.valence) / 2)
        + 0.3 * (1 - abs(one.arousal - other.arousal))
        + 0.2 * (1 - abs(one.dominance - other.dominance))
    )


def likeness(then: Situation, now: Situation, zone: tzinfo = UTC) -> Likeness:
    """The four likenesses."""
    return Likeness(
        temporal=temporal(then, now, zone),
        topical=topical(then, now),
        session=session(then, now),
        emotional=emotional(then, now),
    )


def context_match(alike: Likeness) -> float:
    """The four likenesses in one, 0..1: .2, .4, .25 and .15 of them."""
    parts = zip(astuple(alike), astuple(WEIGHTS), strict=True)
    return float(sum(one * weight for one, weight in parts))


def context_boosted(score: float, match: float) -> float:
    """A search score times 1 + .3 * match."""
    return score * (1 + BOOST * match)


def _part_of_day(hour: int) -> int:
    return sum(hour >= begins for begins in PARTS_OF_DAY) % len(PARTS_OF_DAY)


def _weekdays(one: int, other: int) -> float:
    if one == other:
        return 0.2
    saturday = 5
    return 0.1 if (one >= saturday) == (other >= saturday) else 0.0


def _same(one: str | None, other: str | None) -> bool:
    return one is not None and one == other
