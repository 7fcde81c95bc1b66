"""Replay: when a dream is due, and the memories that it goes through."""

import math
from collections.abc import Iterable
from enum import Enum
from typing import Final

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
