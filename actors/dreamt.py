"""What is found out about memories while nobody is looking: writes, messages, what can be read.

``actors.writes`` takes the writes into its union; ``daemon.storage.dreaming`` and ``dreams``
carry them out. Times are seconds since the epoch, UTC.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from actors.mailbox import Reply
from actors.policy.dreams.connection_graph import Connection
from actors.policy.dreams.dreaming import Occasion
from actors.policy.dreams.insights import InsightKind

Finder = Literal["dreaming", "consolidation"]
Stage = Literal["replay", "cross_reference", "strengthen", "prune", "transfer"]
STAGES: tuple[Stage, ...] = ("replay", "cross_reference", "strengthen", "prune", "transfer")
Part = Stage | Literal["gather"]  # what is attempted: a stage, or the reading before them all
Outcome = Literal["finished", "cancelled", "failed"]
Figures = Mapping[str, int | float | str]


# ---- writes


@dataclass(frozen=True, slots=True)
class ConnectionsDrawn:
    """Connections were found, or found again: the stronger of old and new stands.

    Outcome: how many are new. One whose memory is gone by now is left out.
    """

    connections: tuple[Connection, ...]
    found_by: Finder
    at: float


@dataclass(frozen=True, slots=True)
class ConnectionsStrengthened:
    """Connections between these pairs, of whatever kind, are stronger by that much (I05)."""

    gains: tuple[tuple[int, int, float], ...]  # one, other, by how much
    cap: float
    at: float


@dataclass(frozen=True, slots=True)
class ConnectionsFaded:
    """All connections that this finder made fade; the weakest go (I06). Outcome: how many went."""

    found_by: Finder
    factor: float
    floor: float
    kept: int = 20_000  # at most: the strongest (I13)


@dataclass(frozen=True, slots=True)
class ConnectionsSettled:
    """A night in four phases is over for the connections that a finder made (I15).

    The ``weaker`` lose a part of their strength and those ``gone`` leave; of all others the
    strongest stay. Each is named by its ends, in their order, and its kind. Outcome: how many
    went.
    """

    found_by: Finder
    weaker: tuple[tuple[int, int, str], ...]
    factor: float
    gone: tuple[tuple[int, int, str], ...]
    kept: int = 20_000  # at most (I13)


@dataclass(frozen=True, slots=True)
class DreamBegun:
    """A dream over these memories begins. Outcome: its number."""

    why: str
    memory_ids: tuple[int, ...]
    at: float


@dataclass(frozen=True, slots=True)
class DreamAdvanced:
    """A stage is done: the last write of the unit that holds all that it did.

    Outcome: 1, or 0 when the dream has ended or was further already.
    """

    dream_id: int
    stage: Stage
    figures: Figures  # what it did, in numbers
    at: float


@dataclass(frozen=True, slots=True)
class DreamAttempted:
    """A part of a dream begins, or is at an end.

    ``begun`` is written before anything of the part is done and stands until the part is done. A
    part that was ``left`` in good order counts as not begun. After a ``fault`` it stands, with
    the name of the fault; so it does when nobody could write any more. ``done`` forgets all of
    it, as ``DreamAdvanced`` does for a stage. Outcome: 1, or 0 when the dream has ended.
    """

    dream_id: int
    part: Part
    how: Literal["begun", "left", "fault", "done"]
    fault: str = ""  # the error's type, never its text


@dataclass(frozen=True, slots=True)
class StageLeftOut:
    """A stage that does not come to its end is passed over; what is known of its attempts stays.

    Outcome: 1, or 0 when the dream has ended or was further already.
    """

    dream_id: int
    stage: Stage


@dataclass(frozen=True, slots=True)
class DreamEnded:
    """A dream is over; what is beyond the last so many leaves (I13).

    Dreams are dropped unless insights of theirs are there, then only the list of what they went
    over goes; insights expire unless they are pinned or of a protected tier.
    """

    dream_id: int
    outcome: Outcome
    at: float
    kept: int = 100  # dreams
    insights: int = 500


@dataclass(frozen=True, slots=True)
class InsightFound:
    """A dream noticed something: a memory of its own, which names its sources.

    Outcome: the new memory's id, or 0: a person took one like it for useless, the same stands
    already, or a source is gone. One that tells of most of the same memories is superseded,
    unless it is pinned or of a protected tier; then it stays, and nothing is made.
    """

    dream_id: int
    kind: InsightKind
    text: str
    title: str
    content_hash: bytes
    sources: tuple[int, ...]
    project: str | None  # of all of its sources
    novelty: float
    confidence: float
    evidence: tuple[str, ...]
    at: float


@dataclass(frozen=True, slots=True)
class EpisodesDrawn:
    """These memories belong together; what was drawn before is gone (I09)."""

    episodes: tuple[tuple[int, ...], ...]


# ---- messages of the actor


@dataclass(frozen=True, slots=True)
class DreamStep:
    """How far a dream has come."""

    stage: Stage
    done: int  # stages that are done
    total: int
    memories: int  # of the whole dream


@dataclass(frozen=True, slots=True)
class DreamReport:
    """What came of a dream."""

    dream_id: int  # 0: there was nothing to dream of
    outcome: Outcome
    why: str


@dataclass(frozen=True, slots=True)
class Dream:
    """Dream now. One that was cut off is gone on with (I18).

    A *patient* dream stops at its next checkpoint when somebody comes, and is gone on with the
    next time; another one, which a person ordered, only lets others pass.
    """

    why: str
    at: float
    patient: bool
    seen: Callable[[DreamStep], None]  # told how far it is; must not wait
    reply: Reply[DreamReport]
    # Asked when nobody waits for it any more: whether it is gone on with the next time, as when
    # the daemon stops, or over, as when a person left.
    outlasts: Callable[[], bool] = lambda: False


@dataclass(frozen=True, slots=True)
class CancelDream:
    """Whoever dreams stops at the next checkpoint. The answer is whether somebody did."""

    reply: Reply[bool]


@dataclass(frozen=True, slots=True)
class WouldDream:
    """Would a dream be worth it now? The answer says what is missing; empty when nothing is."""

    at: float
    reply: Reply[str]
    occasion: Occasion = Occasion.TICK


DreamingMessage = Dream | CancelDream | WouldDream


# ---- reading


@dataclass(frozen=True, slots=True)
class DreamtMemory:
    """A memory as a dream takes it."""

    id: int
    at: float
    text: str
    title: str
    kind: str
    memory_type: str
    tier: str
    project: str | None
    uses: int
    last_use: float | None
    importance: float
    pinned: bool
    content_hash: bytes


@dataclass(frozen=True, slots=True)
class DreamRow:
    """A dream as it is stored."""

    id: int
    why: str
    began_at: float
    ended_at: float | None
    outcome: Outcome | None
    stage: str  # the last one that is done, "" before the first
    memory_ids: tuple[int, ...]  # empty once it has left the history and its insights stand
    # By stage: what it did. And by what is known of attempts, then by part: ``tried``, ``faults``
    # (counts), ``fault`` (the last one's type), ``left_out``.
    figures: Mapping[str, Figures] = field(default_factory=dict[str, Figures])


@dataclass(frozen=True, slots=True)
class InsightRow:
    """An insight with what people and agents made of it (I17)."""

    memory_id: int
    dream_id: int
    kind: InsightKind
    title: str
    text: str
    sources: tuple[int, ...]
    novelty: float
    confidence: float
    evidence: tuple[str, ...]
    made_at: float
    ended: str | None
    accepted: int  # times a person found it useful
    rejected: int  # times a person did not
    applied: int  # times an agent used it


class DreamReader(Protocol):
    """What dreaming asks the store."""

    async def dreamable(self, limit: int) -> list[DreamtMemory]:
        """The newest living memories that are no insights, in the order of ids."""
        ...

    async def dreamt_memories(self, ids: Sequence[int]) -> list[DreamtMemory]:
        """Those of these that live, in the order of ids."""
        ...

    async def first_vectors(self, ids: Sequence[int]) -> list[tuple[int, bytes]]:
        """The first vector of each of these that has one."""
        ...

    async def causal_pairs(self, ids: Sequence[int]) -> list[tuple[int, int]]:
        """Causes and effects among these, as people and texts declare them."""
        ...

    async def connections_of(self, ids: Sequence[int], limit: int) -> list[Connection]:
        """The connections of these memories, the strongest first."""
        ...

    async def uses_of(self, ids: Sequence[int]) -> list[tuple[int, int, int]]:
        """Of those of these that were used: the id, how often they helped, how often not."""
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
        """How many memories were made since then, insights left out."""
        ...
