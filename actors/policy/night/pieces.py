"""Long computations in pieces: whoever runs one decides how long it goes on before others have a turn.

A computation is a generator: it yields wherever it may be interrupted and returns its value at the
end. Dreaming runs it for some milliseconds at a time.
"""

from collections.abc import Callable, Generator, Iterable
from heapq import merge
from typing import Any, Final, TypeVar

Value = TypeVar("Value")
Item = TypeVar("Item")
Key = TypeVar("Key", bound=tuple[Any, ...])
Pieces = Generator[None, None, Value]
RUN: Final = 2_000  # values sorted in one piece: 2 ms


def in_order(values: Iterable[Item], key: Callable[[Item], Key]) -> Pieces[list[Item]]:
    """``sorted`` in pieces: a long list is sorted in runs, which are merged."""
    runs: list[list[tuple[Key, int, Item]]] = [[]]
    for place, value in enumerate(values):
        if len(runs[-1]) == RUN:
            runs[-1].sort(key=_keyed)
            runs.append([])
        runs[-1].append((key(value), place, value))
        yield
    runs[-1].sort(key=_keyed)
    merged: list[Item] = []
    for _, _, value in merge(*runs, key=_keyed):
        merged.append(value)
        yield
    return merged


def _keyed(entry: tuple[Key, int, Item]) -> tuple[Key, int]:
    return entry[:2]
