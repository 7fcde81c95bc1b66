"""Nearness in time: what was remembered around the same moment belongs together.

Contiguity lends to results that were made close to each other, neighbours and timelines
list them. Moments are seconds UTC.
"""

from collections.abc import Iterable, Mapping
from typing import Final

# How near, and how much it counts.
WINDOW: Final = 3600.0  # seconds
BOOST: Final = 0.15  # for two memories of the same moment
CEILING: Final = 0.5  # of all boosts of one memory together


def contiguity(moments: Mapping[int, float]) -> dict[int, float]:
    """Shares of their scores that results lend each other by being made close in time.

    A pair (1 - seconds / window) * .15 each, .075 for 30 minutes; .5 for one result at most.
    """
    by_time = sorted(moments.items(), key=lambda one: one[1])
    lent = dict.fromkeys(moments, 0.0)
    for place, (one, at) in enumerate(by_time):
        for other, later in by_time[place + 1 :]:
            if later - at >= WINDOW:
                break
            share = (1 - (later - at) / WINDOW) * BOOST
            lent[one] += share
            lent[other] += share
    return {one: min(CEILING, share) for one, share in lent.items()}


def neighbours(
    memory_id: int, moments: Mapping[int, float], window: float
) -> list[tuple[int, float]]:
    """Ids of what was remembered within ``window`` seconds, and the seconds, nearest first.

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


def timeline(moments: Iterable[tuple[int, float]]) -> list[int]:
    """Ids by their moments, newest first; of one moment, the greater id first."""
    newest = sorted(moments, key=lambda pair: (pair[1], pair[0]), reverse=True)
    return [memory_id for memory_id, _ in newest]
