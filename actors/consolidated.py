"""What consolidation is told, answers, reads and writes (rows J01 to J13).

``actors.writes`` takes the write here into its union; ``daemon.storage.consolidating`` carries it
out. Times are seconds since the epoch, UTC.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

from actors.mailbox import Reply

Cycle = Literal["decay", "associations", "forgetting"]
CYCLES: tuple[Cycle, ...] = ("decay", "associations", "forgetting")  # in the order of a whole run


# ---- the write


@dataclass(frozen=True, slots=True)
class RelevanceComputed:
    """How relevant memories are now (J02). Never their importance. Outcome: how many there are."""

    values: tuple[tuple[int, float], ...]  # memory, relevance
    at: float


# ---- messages


@dataclass(frozen=True, slots=True)
class Step:
    """How far a cycle has come."""

    cycle: Cycle
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class CycleReport:
    """What a cycle did, in figures."""

    cycle: Cycle
    looked_at: int  # memories
    changed: int  # relevances that are others now, connections that are new, memories proposed
    seconds: float
    skipped: str = ""  # why nothing was done, in words
    kinds: tuple[tuple[str, int], ...] = ()  # associations: connections of each kind
    plan_id: int | None = None  # forgetting: the plan that waits for a person
    memory_ids: tuple[int, ...] = ()  # forgetting: the memories that it names
    unvectored: int = 0  # associations: memories of the sample without vectors


@dataclass(frozen=True, slots=True)
class Consolidate:
    """A person wants these cycles run now, one after the other; the first error ends it (J10)."""

    cycles: tuple[Cycle, ...]
    at: float
    dry_run: bool  # nothing is written
    seen: Callable[[Step], None]  # told how far it is; must not wait
    reply: Reply[tuple[CycleReport, ...]]


@dataclass(frozen=True, slots=True)
class CycleDue:
    """The schedule says that a cycle is due (J01)."""

    cycle: Cycle
    at: float
    reply: Reply[CycleReport]


ConsolidationMessage = Consolidate | CycleDue


# ---- reading


@dataclass(frozen=True, slots=True)
class UseRow:
    """What relevance is computed of, and what it was before."""

    memory_id: int
    created_at: float
    last_use: float | None
    importance: float
    relations: int
    confidence: float | None  # mean strength of its relations, 0..1
    relevance: float | None


@dataclass(frozen=True, slots=True)
class ObservationRow:
    """A memory as the association rules read it."""

    memory_id: int
    kind: str
    at: float
    project: str | None
    title: str
    text: str
    phrases: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FadedRow:
    """A memory that may have to go."""

    memory_id: int
    kind: str
    tier: str
    pinned: bool
    created_at: float
    last_use: float | None
    importance: float
    relevance: float | None
    content_hash: bytes
    source: str
    text: str
    uses: int
    exposures: int
    confidence: float


class ConsolidationReader(Protocol):
    """What consolidation asks the store."""

    async def uses_of_living(self, after: int, limit: int) -> list[UseRow]:
        """Living memories with an id over ``after``, in the order of ids."""
        ...

    async def projects_of_living(self, limit: int) -> list[str | None]:
        """Projects with living memories, those with the newest first; ``None``: the user's own."""
        ...

    async def newest_and_older(
        self, project: str | None, newest: int, older: int
    ) -> tuple[list[ObservationRow], list[ObservationRow]]:
        """The newest living memories of exactly this project, and some spread over the others."""
        ...

    async def own_vectors(self, memory_id: int, limit: int) -> list[bytes]:
        """The first vectors of a memory."""
        ...

    async def faded(
        self, before: float, threshold: float, after: int, limit: int
    ) -> list[FadedRow]:
        """Living memories made before then whose relevance is lower, in the order of ids."""
        ...

    async def living_count(self) -> int:
        """How many memories live."""
        ...
