"""Nearness in time: what was remembered around the same moment belongs together.

Contiguity lends to results that were made close to each other (G04), neighbours and timelines
list them (G05), and recency prefers what is new (G06). Moments are seconds UTC.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

DAY: Final = 86_400.0  # seconds


@dataclass(frozen=True, slots=True)
class Settings:
    """Windows and weights (G04, G06, C21)."""

    window: float = 3600.0  # seconds, kept within the two below
    least_window: float = 1.0
    most_window: float = 86_400.0
    boost: float = 0.15  # for two memories of the same moment
    ceiling: float = 0.5  # of all boosts of one memory together
    recency: float = 0.95  # a day
    recency_days: float = 30.0  # older than this is no worse
    recency_share: float = 0.15  # of the blended score


DEFAULT: Final = Settings()


@dataclass(frozen=True, slots=True)
class Result:
    """One result of a search and the moment its memory was made."""

    memory_id: str
    score: float
    at: float


@dataclass(frozen=True, slots=True)
class Boosted:
    """A result after contiguity: score times 1 + boost, so it may pass 1."""

    memory_id: str
    score: float
    boost: float


def pair_boost(seconds: float, settings: Settings = DEFAULT) -> float:
    """What two memories so many seconds apart lend each other (G04).

    (1 - seconds / window) * .15; 30 minutes in the window of an hour give .075.
    """
    window = min(settings.most_window, max(settings.least_window, settings.window))
    return max(0.0, 1 - abs(seconds) / window) * settings.boost


def contiguous(results: Sequence[Result], settings: Settings = DEFAULT) -> list[Boosted]:
    """The results with what their neighbours in time lend them, best first (G04, C21).

    Boosts of a memory add up to .5 at most and multiply its score: .85 beside one 30 minutes away
    becomes .91375.
    """
    window = min(settings.most_window, max(settings.least_window, settings.window))
    by_time = sorted(results, key=lambda result: result.at)
    boosts = [0.0] * len(by_time)
    for number, one in enumerate(by_time):
        for further in range(number + 1, len(by_time)):
            apart = by_time[further].at - one.at
            if apart > window:
                break
            lent = pair_boost(apart, settings)
            boosts[number] += lent
            boosts[further] += lent
    boosted = [
        Boosted(result.memory_id, result.score * (1 + capped), capped)
        for result, boost in zip(by_time, boosts, strict=True)
        for capped in (min(settings.ceiling, boost),)
    ]
    return sorted(boosted, key=lambda result: (-result.score, result.memory_id))


def neighbours(
    memory_id: str, moments: Mapping[str, float], window: float = DEFAULT.window
) -> list[tuple[str, float]]:
    """Ids of what was remembered within ``window`` seconds, and the seconds, nearest first (G05).

    Seconds are negative for what came before. Nobody knows a memory that is not in ``moments``:
    then the list is empty.
    """
    at = moments.get(memory_id)
    if at is None:
        return []
    near = [
        (other, moment - at)
        for other, moment in moments.items()
        if other != memory_id and abs(moment - at) <= window
    ]
    return sorted(near, key=lambda pair: (abs(pair[1]), pair[0]))


def timeline(moments: Iterable[tuple[str, float]], limit: int | None = None) -> list[str]:
    """Ids by their moments, newest first (G05); of one moment, the greater id first."""
    newest = sorted(moments, key=lambda pair: (pair[1], pair[0]), reverse=True)
    return [memory_id for memory_id, _ in newest[:limit]]


def recency(days: float, settings: Settings = DEFAULT) -> float:
    """.95 a day, for at most 30 days (G06): 1 today, .2146 from the thirtieth day on."""
    counted = min(settings.recency_days, max(0.0, days))
    return math.pow(settings.recency, counted)


def blended(
    relevance: float, days: float, validity_boost: float, settings: Settings = DEFAULT
) -> float:
    """Relevance and time, 85 to 15, at most 1; 0 for what is not valid (G06).

    ``validity_boost`` is ``validity.boost``.
    """
    if validity_boost <= 0:
        return 0.0
    timely = recency(days, settings) * validity_boost
    share = settings.recency_share
    return min(1.0, (1 - share) * relevance + share * timely)
