"""Nearness in time: what was remembered around the same moment. Moments are seconds UTC."""

from collections.abc import Iterable, Mapping


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
