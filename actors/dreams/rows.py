"""Rows that a dream reads beside memories: earlier dreams, insights."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from actors.dreams.writes import Figures, Outcome
from actors.memory.rows import Memory
from actors.policy.decay.relevance import Use
from actors.policy.dreams.connection_graph import Connection
from actors.policy.dreams.insights import Feedback, InsightKind
from actors.policy.dreams.repetition import Said


@dataclass(frozen=True, slots=True)
class DreamRow:
    """A dream as it is stored."""

    id: int
    why: str
    began_at: float
    ended_at: float | None
    outcome: Outcome | None
    stage: str  # the last one that is done, "" before the first
    memories: int  # that it began over
    # By stage: what it did.
    figures: Mapping[str, Figures] = field(default_factory=dict[str, Figures])


@dataclass(frozen=True, slots=True)
class InsightRow:
    """An insight with what people and agents made of it."""

    memory_id: int
    dream_id: int
    kind: InsightKind
    text: str
    sources: tuple[int, ...]
    novelty: float
    confidence: float
    evidence: tuple[str, ...]
    ended: str | None
    accepted: int  # times a person found it useful
    rejected: int  # times a person did not
    applied: int  # times an agent used it

    @property
    def feedback(self) -> Feedback:
        """Tell what people and agents made of it."""
        return Feedback(self.accepted, self.rejected, self.applied)


class DreamReader(Protocol):
    """Questions of dreaming to the store."""

    async def dreamable(self, limit: int) -> list[int]:
        """The newest living memories that are no insights, in the order of ids."""
        ...

    async def dreamt_memories(self, ids: Sequence[int]) -> list[Memory]:
        """Those of these that live, in the order of ids."""
        ...

    async def first_vectors(self, ids: Sequence[int]) -> list[tuple[int, bytes]]:
        """The first vector of each of these that has one."""
        ...

    async def connections_of(self, ids: Sequence[int], limit: int) -> list[Connection]:
        """The connections of these memories, the strongest first."""
        ...

    async def said(self, limit: int) -> list[Said]:
        """The newest prompts of the archive, in the order of ids, by their first words."""
        ...

    async def prompts(self, seqs: Sequence[int]) -> list[tuple[int, str]]:
        """Return those of these events that are prompts and still in the journal, as typed."""
        ...

    async def uses_of_living(self, now: float, after: int, limit: int) -> list[tuple[int, Use]]:
        """Living memories with an id over ``after``, in order, as relevance is computed of them."""
        ...

    async def unfinished_dream(self) -> DreamRow | None:
        """The dream that was cut off, if there is one."""
        ...

    async def dreams(self, limit: int) -> list[DreamRow]:
        """The last dreams, the newest first."""
        ...

    async def insights(self, dream_id: int | None, limit: int) -> list[InsightRow]:
        """The insights of a dream, or the last ones of all, the newest first."""
        ...

    async def saved_since(self, at: float) -> int:
        """Count the memories made since then, insights left out."""
        ...
