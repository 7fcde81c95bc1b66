"""Observatory: a ring of the last events, for watchers.

Followers ask for the observations after their last number; a slow one finds the oldest gone, and is
told how many, so no watcher can delay the watched. An observation holds ids, numbers and names of
rules, never a memory's text. The kinds are the ones of seed 004's event stream with a counterpart here.
"""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from itertools import islice
from typing import Any

import trio
from msgspec import Struct, field

from actors.memory.commit import StoreWrite, Unit
from actors.memory.use import Retiered, Suppressed
from actors.memory.writes import Connected, Created, Ended, Revived, Rewritten
from actors.night.shapes import (
    SOURCE,
    ConnectionsDrawn,
    DreamBegun,
    DreamEnded,
    InsightFound,
    PlanApplied,
    PlanDismissed,
    PlanProposed,
    PlanUndone,
)
from actors.reader.messages import NoteJudged, NoteRead

KEPT = 1_000  # observations

Data = Mapping[str, "int | float | str | None"]


class ObservationKind(Enum):
    """Kind of an observation."""

    MEMORY_CREATED = "MemoryCreated"
    MEMORY_UPDATED = "MemoryUpdated"
    MEMORY_DELETED = "MemoryDeleted"  # it left recall, in whatever way; ``how`` says which
    MEMORY_RESTORED = "MemoryRestored"
    MEMORY_SUPPRESSED = "MemorySuppressed"
    MEMORY_UNSUPPRESSED = "MemoryUnsuppressed"
    NOTE_READ = "NoteRead"  # the reader wrote it
    NOTE_JUDGED = "NoteJudged"  # a person kept, edited or dropped one, or took that back
    SEARCH_PERFORMED = "SearchPerformed"
    DREAM_STARTED = "DreamStarted"
    DREAM_COMPLETED = "DreamCompleted"
    CONNECTION_DISCOVERED = "ConnectionDiscovered"
    PLAN_PROPOSED = "PlanProposed"
    PLAN_DECIDED = "PlanDecided"


class Observation(Struct, frozen=True):
    """An event at a time; ``data`` holds the facts of this kind."""

    kind: ObservationKind
    at: float  # seconds since the epoch, UTC
    data: Data


class Observations(Struct, frozen=True):
    """Page for a follower: the next observations, and how many it came too late for."""

    observations: tuple[tuple[int, Observation], ...]  # with their numbers, rising
    last: int  # the number to go on from
    dropped: int  # since the last answer: they were there and are not kept any more


class Observatory(Struct):
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


# ---- what of a carried-out write is worth watching


SHOWN_CONNECTIONS = 50  # of one write: the rest is in its count


def noticed(unit: Unit, outcome: Sequence[int], at: float) -> list[Observation]:
    """Observations of a carried-out unit, in its order; ``outcome`` has a number a write."""
    seen: list[Observation] = []
    made = 0  # the memory that the unit made last, which what follows it belongs to
    for write, number in zip(unit, outcome, strict=True):
        made = number if isinstance(write, Created) else made
        seen += [Observation(kind, at, data) for kind, data in _shown(write, number, made)]
    return seen


def _shown(write: StoreWrite, number: int, made: int) -> Iterator[tuple[ObservationKind, Data]]:
    kinds = ObservationKind
    data: Data
    match write:
        case Created(draft):
            rule = draft.origin.rule
            data = {"id": number, "kind": draft.kind, "tier": draft.tier, "rule": rule}
            yield kinds.MEMORY_CREATED, data
        case Rewritten(memory_id=memory_id, reason=reason):
            yield kinds.MEMORY_UPDATED, {"id": memory_id, "why": reason}
        case Retiered(memory_id, tier, _):
            yield kinds.MEMORY_UPDATED, {"id": memory_id, "tier": tier}
        case Ended(memory_id, how, _) if number:
            yield kinds.MEMORY_DELETED, {"id": memory_id, "how": how}
        case Revived(memory_id, _) if number:
            yield kinds.MEMORY_RESTORED, {"id": memory_id}
        case Suppressed(memory_id, when):
            moved = kinds.MEMORY_SUPPRESSED if when is not None else kinds.MEMORY_UNSUPPRESSED
            yield moved, {"id": memory_id, "times": number}
        case NoteRead(memory_id=memory_id, session=session, said_by=said_by) if number:
            data = {"id": memory_id or made, "session": session, "said_by": said_by}
            yield kinds.NOTE_READ, data
        case NoteJudged(memory_id=memory_id, verdict=verdict) if number:
            yield kinds.NOTE_JUDGED, {"id": memory_id, "verdict": verdict}
        case Connected(source, target, relation, strength) if number:
            yield kinds.CONNECTION_DISCOVERED, _joined(source, target, relation, strength)
        case ConnectionsDrawn(connections) if number:
            for one in connections[:SHOWN_CONNECTIONS]:
                data = _joined(one.one, one.other, one.kind.value, one.strength)
                yield kinds.CONNECTION_DISCOVERED, {**data, "found_by": SOURCE}
        case InsightFound(insight=told) if number:
            data = {"id": number, "kind": "insight", "rule": told.kind.value}
            yield kinds.MEMORY_CREATED, data
        case DreamBegun(why, memories):
            yield kinds.DREAM_STARTED, {"dream": number, "why": why, "memories": memories}
        case DreamEnded(dream_id, outcome, _) if number:
            yield kinds.DREAM_COMPLETED, {"dream": dream_id, "outcome": outcome}
        case PlanProposed(source=proposer, steps=steps) if number:
            data = {"plan": number, "source": proposer, "memories": len(steps)}
            yield kinds.PLAN_PROPOSED, data
        case PlanApplied(plan_id, _) if number:
            yield kinds.PLAN_DECIDED, {"plan": plan_id, "decision": "applied"}
        case PlanUndone(plan_id) if number:
            yield kinds.PLAN_DECIDED, {"plan": plan_id, "decision": "undone"}
        case PlanDismissed(plan_id) if number:
            yield kinds.PLAN_DECIDED, {"plan": plan_id, "decision": "dismissed"}
        case _:
            pass


def _joined(one: int, other: int, kind: str, strength: float) -> Data:
    return {"one": one, "other": other, "kind": kind, "strength": round(strength, 3)}
