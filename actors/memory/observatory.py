"""Observatory: recent events, for watchers.

A ring of the last observations with rising numbers. Followers ask for the observations after their
last number; a slow one finds the oldest gone, and is told how many. So no watcher can delay the
watched. It lives on the event loop: keeping an observation is a line of a deque.

An observation holds ids, numbers and names of rules, never a memory's text: a view for a person
looks the titles up. The kinds are the ones of seed 004's event stream with a counterpart here.
"""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from itertools import islice
from typing import Any

import trio

KEPT = 1_000  # observations

Data = Mapping[str, "int | float | str | None"]


class ObservationKind(Enum):
    """Kind of an observation."""

    MEMORY_CREATED = "MemoryCreated"
    MEMORY_UPDATED = "MemoryUpdated"
    MEMORY_DELETED = "MemoryDeleted"  # it left recall, in whatever way; ``how`` says which
    MEMORY_RESTORED = "MemoryRestored"
    MEMORY_PROMOTED = "MemoryPromoted"
    MEMORY_DEMOTED = "MemoryDemoted"
    MEMORY_SUPPRESSED = "MemorySuppressed"
    MEMORY_UNSUPPRESSED = "MemoryUnsuppressed"
    NOTE_READ = "NoteRead"  # the reader wrote it
    NOTE_JUDGED = "NoteJudged"  # a person kept, edited or dropped one, or took that back
    SEARCH_PERFORMED = "SearchPerformed"
    DREAM_STARTED = "DreamStarted"
    DREAM_PROGRESS = "DreamProgress"
    DREAM_COMPLETED = "DreamCompleted"
    CONNECTION_DISCOVERED = "ConnectionDiscovered"
    PLAN_PROPOSED = "PlanProposed"
    PLAN_DECIDED = "PlanDecided"
    HEARTBEAT = "Heartbeat"


@dataclass(frozen=True, slots=True)
class Observation:
    """An event at a time; ``data`` holds the facts of this kind."""

    kind: ObservationKind
    at: float  # seconds since the epoch, UTC
    data: Data = field(default_factory=dict[str, "int | float | str | None"])


@dataclass(frozen=True, slots=True)
class Observations:
    """Page for a follower: the next observations, and how many it came too late for."""

    observations: tuple[tuple[int, Observation], ...]  # with their numbers, rising
    last: int  # the number to go on from
    dropped: int  # since the last answer: they were there and are not kept any more


@dataclass(slots=True)
class Observatory:
    """Keeps the ring, and wakes followers waiting at its end."""

    last: int = 0  # the number of the newest observation
    _ring: deque[Observation] = field(default_factory=lambda: deque(maxlen=KEPT))
    _news: trio.Event = field(default_factory=trio.Event)

    def statistics(self) -> dict[str, Any]:
        """Counts of observations made and kept, and of waiting followers."""
        followers = self._news.statistics().tasks_waiting
        return {"observed": self.last, "kept": len(self._ring), "followers": followers}

    def keep(self, *observations: Observation) -> None:
        """Keep these, in this order. Returns at once."""
        if observations:
            self._ring.extend(observations)
            self.last += len(observations)
            news, self._news = self._news, trio.Event()
            news.set()

    async def after(self, number: int, limit: int) -> Observations:
        """Wait for observations after a number, and return at most ``limit`` of them; -1: from now on."""
        if number < 0:
            return Observations((), self.last, 0)
        while number >= self.last:
            await self._news.wait()
        first = self.last - len(self._ring) + 1  # the number of the oldest that is kept
        begin = max(number + 1, first)
        chosen = islice(self._ring, begin - first, begin - first + limit)
        numbered = tuple(enumerate(chosen, start=begin))
        return Observations(numbered, numbered[-1][0], begin - number - 1)
