"""Replay: when a dream is due, the memories that it goes through, and its computations in pieces."""

import math
from collections.abc import Callable, Generator, Iterable
from enum import Enum
from heapq import merge
from typing import Any, Final, TypeVar

from msgspec import Struct

# ---- when a dream is due, and why not yet
#
# One is due when enough has happened since the last (50 saves, or a day), never sooner than six hours
# after it. At the start of a session it takes a day. A person gets one at once on request. The
# schedule sees whether nobody is looking (``actors.policy.times.recurrence``).


HOUR: Final = 3_600.0  # seconds
SAVES: Final = 50  # since the last dream that make one due: what VE dreams after
HOURS: Final = 24.0  # since the last dream that make one due, when anything was saved
GAP: Final = 6.0  # hours at least between two dreams
OVER: Final = 24.0  # hours after which a dream that came to no end is given up


class Occasion(Enum):
    """Occasion on which it is asked whether a dream is due."""

    TICK = "tick"  # the clock
    SESSION_START = "session_start"


def hours_since(last: float | None, now: float) -> float:
    """Hours since the last dream began, times in seconds UTC; without end when there was none.

    A clock set back by more than the gap says nothing, so it counts as none.
    """
    hours = math.inf if last is None else (now - last) / HOUR
    return math.inf if hours < -GAP else max(0.0, hours)


def missing(hours: float, saves: int, occasion: Occasion = Occasion.TICK) -> str:
    """Reason for a dream to wait, so many hours and saves after the last; empty when it is due."""
    if hours < GAP:
        return "the last dream was only just"
    late = hours >= HOURS and saves > 0
    many = saves >= SAVES and occasion is Occasion.TICK
    return "" if late or many else "too little is new"


# ---- memories as a dream sees them, and their order


RECENT: Final = 100  # memories of one replay


class Replayed(Struct, frozen=True):
    """A memory as dreaming sees it."""

    id: int
    at: float  # seconds UTC, when what it tells happened or was stored
    text: str
    kind: str = ""
    project: str | None = None
    session: str | None = None  # its own


def sequence(memories: Iterable[Replayed]) -> list[Replayed]:
    """Memories to go through in order of time: at most the latest 100."""
    return sorted(memories, key=lambda one: (one.at, one.id))[-RECENT:]


# ---- long computations in pieces: whoever runs one decides how long it goes on before others have a turn
#
# A computation is a generator: it yields wherever it may be interrupted and returns its value at the
# end. Dreaming runs it for some milliseconds at a time.


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
