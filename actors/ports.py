"""What actors need from the outside, as Protocols that the composition root fills.

``Store`` writes, ``Reader`` reads, ``Embedding`` makes vectors, ``Clock`` tells the
time of day. The rows a reader returns are values; nothing here touches a disk.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from actors.writes import Raised, Unit

Role = Literal["query", "document"]


class Unwritable(Exception):
    """The store cannot be written: full disk, read-only, or broken. The text says which."""


class Conflicting(Exception):
    """What was to be written no longer fits the store: look again and decide anew."""


class Unreadable(Exception):
    """The store cannot be read."""


class EmbeddingUnavailable(Exception):
    """There are no vectors now; the text says why. Words go on."""


@dataclass(frozen=True, slots=True)
class Memory:
    """One memory as it is stored."""

    id: int
    key: str | None
    text: str
    title: str
    kind: str
    tier: str
    memory_type: str
    context_type: str
    project: str | None
    created_at: float
    updated_at: float
    content_hash: bytes
    stability: float
    difficulty: float
    importance: float
    confidence: float
    last_review: float | None
    reviews: int
    lapses: int
    phase: str
    last_implicit: float | None  # the daily cap of C06 counts from here
    last_use: float | None
    uses: int
    exposures: int
    pinned: bool
    ended: str | None
    superseded_by: int | None
    versions: int
    unjudged: bool
    source: str
    session: str | None
    triggers: tuple[str, ...]  # phrases that a person set
    derived: tuple[str, ...]  # phrases that its text offers


@dataclass(frozen=True, slots=True)
class Scope:
    """Whose memories are asked for: a project's and the user's, or everyone's."""

    project: str | None = None
    everywhere: bool = False


@dataclass(frozen=True, slots=True)
class WordHit:
    """A memory that the words found; ``score`` is bm25 turned so that more is better."""

    memory_id: int
    score: float


@dataclass(frozen=True, slots=True)
class VectorHit:
    """A memory that its vectors found: the best cosine of its chunks."""

    memory_id: int
    cosine: float


@dataclass(frozen=True, slots=True)
class JournalRow:
    """A journaled event; ``body`` is the cut and redacted event as MessagePack."""

    seq: int
    event_id: bytes
    agent: str
    received_at: float
    kind: str
    session: str
    project: str | None
    body: bytes
    done: bool


@dataclass(frozen=True, slots=True)
class Waiting:
    """A memory whose vectors are missing."""

    memory_id: int
    text: str
    title: str
    content_hash: bytes


@dataclass(frozen=True, slots=True)
class SessionRow:
    """What is known of a session."""

    session: str
    agent: str
    project: str | None
    started_at: float
    seen_at: float
    status: str
    task: str
    summary: str
    transcript: str | None
    silent: bool = False  # a person wants no notes in it


@dataclass(frozen=True, slots=True)
class HeldRow:
    """A trace of working memory as it is stored."""

    memory_id: int
    anchor: float
    anchor_event: int
    mentions: int
    focus: int


@dataclass(frozen=True, slots=True)
class Counts:
    """The size of the store."""

    memories: int  # that live
    ended: int
    undone: int  # journaled events not derived yet
    unvectored: int
    chunks: int


@dataclass(frozen=True, slots=True)
class TagRow:
    """A memory's tag as it is stored, with what decides which events reach it."""

    memory_id: int
    at: float
    strength: float
    captured_at: float | None
    captured_by: str | None
    project: str | None
    session: str | None


@dataclass(frozen=True, slots=True)
class CaptureRow:
    """A memory that an event captured."""

    memory_id: int
    event_id: str
    score: float
    hours: float  # from the memory to the event; negative: it was encoded after the event
    importance: float
    before: float  # importance until then
    at: float


@dataclass(frozen=True, slots=True)
class CaptureTotals:
    """How much of tagging and capture is stored (H13)."""

    tags: int
    captured_tags: int
    events: int
    captures: int
    episodes: int
    average_score: float
    average_importance: float


class Clock(Protocol):
    """The time of day."""

    def now(self) -> float:
        """Seconds since the epoch, UTC."""
        ...


class Store(Protocol):
    """The writing side."""

    async def commit(self, units: Sequence[Unit]) -> list[list[int] | Exception]:
        """Carry out each unit whole or not at all, all in one durable transaction.

        One outcome a unit: the numbers its writes produced, or why it failed. Raises
        ``Unwritable`` when nothing can be written.
        """
        ...

    async def checkpoint(self, *, truncate: bool) -> None:
        """Move the write-ahead log into the database, off the commit path."""
        ...

    async def scrub(self) -> None:
        """Leave no byte of erased text in any file of the database."""
        ...

    async def mark(self, memories: int) -> None:
        """Write down how many memories there are, beside the database."""
        ...


class Reader(Protocol):
    """The reading side; every call keeps the caller's deadline."""

    async def memories(self, ids: Sequence[int]) -> dict[int, Memory]: ...

    async def living(self, after: int, limit: int) -> list[Memory]:
        """Living memories with an id over ``after``, in the order of ids."""
        ...

    async def words(self, expression: str, scope: Scope, limit: int) -> list[WordHit]:
        """The best full-text matches, best first."""
        ...

    async def nearest(self, vector: bytes, scope: Scope, limit: int) -> list[VectorHit]:
        """The nearest memories by cosine, best first."""
        ...

    async def cosines(self, vector: bytes, ids: Sequence[int]) -> dict[int, float]:
        """The best cosine of each of these memories that has vectors."""
        ...

    async def document_frequencies(self, terms: Sequence[str]) -> tuple[int, dict[str, int]]:
        """How many memories there are, and in how many each index term stands."""
        ...

    async def around(self, ids: Sequence[int], reach: int) -> list[list[int]]:
        """Each of these with the living memories before and after it in its project's time."""
        ...

    async def same_content(self, content_hash: bytes, scope: Scope) -> list[int]:
        """Living memories with this content hash."""
        ...

    async def undone(self, after: int, limit: int) -> list[JournalRow]:
        """Journaled events whose derivation is not finished, oldest first."""
        ...

    async def unvectored(self, model: str, limit: int) -> list[Waiting]:
        """Living memories without vectors of this model, newest first."""
        ...

    async def unjudged(self, limit: int) -> list[Memory]:
        """Living memories that have vectors and that the gate has yet to judge, oldest first."""
        ...

    async def decided(self, seq: int) -> frozenset[tuple[str, int]]:
        """The rule and ordinal of each proposal of this event that was decided already."""
        ...

    async def cached_vectors(self, model: str, hashes: Sequence[bytes]) -> Mapping[bytes, bytes]:
        """Vectors made before, by the hash of the chunk's text."""
        ...

    async def delivered(self, session: str, since: float) -> list[tuple[bytes, float]]:
        """The session's ledger: content hash and time."""
        ...

    async def session(self, session: str) -> SessionRow | None: ...

    async def held(self, session: str) -> tuple[int, list[HeldRow]]:
        """The session's working memory: its event counter and its traces."""
        ...

    async def constitutional(self, scope: Scope, limit: int) -> list[Memory]:
        """Living constitutional memories, most important first."""
        ...

    async def tags(self, ids: Sequence[int] | None) -> list[TagRow]:
        """The tags of these memories, or all there are; of living memories only."""
        ...

    async def importance_events(self, begin: float, end: float) -> list[Raised]:
        """The important moments from ``begin`` to ``end``, oldest first."""
        ...

    async def capture_totals(self) -> CaptureTotals: ...

    async def counts(self) -> Counts: ...

    async def due(self) -> dict[str, tuple[float, float | None]]:
        """When each background job is due and last ran."""
        ...


@dataclass(frozen=True, slots=True)
class EmbeddingState:
    """Whether there are vectors to be had, from which model, and why not."""

    state: Literal["ready", "starting", "off"]
    reason: str
    model: str
    dimensions: int


class Embedding(Protocol):
    """Makes vectors: float32, little-endian, of length 1."""

    @property
    def state(self) -> EmbeddingState: ...

    async def embed(self, texts: Sequence[str], *, role: Role, interactive: bool) -> list[bytes]:
        """One vector a text. Raises ``EmbeddingUnavailable``."""
        ...


class Files(Protocol):
    """Reads of files that are not ours, on their own thread."""

    async def last_lines(self, path: str, limit: int) -> list[str]:
        """The last lines of a file, at most ``limit`` bytes of them; [] when absent."""
        ...


@dataclass(frozen=True, slots=True)
class SpooledEvent:
    """An event that a hook redacted and spooled while nobody answered it."""

    agent: str
    event_id: bytes
    at: float
    event: Mapping[str, object]


class Spool(Protocol):
    """The events that hooks left, oldest first."""

    async def waiting(self, limit: int) -> list[str]:
        """The names of the oldest ones."""
        ...

    async def read(self, name: str) -> SpooledEvent | None:
        """The event, or ``None`` when the file is not one."""
        ...

    async def drop(self, name: str) -> None:
        """Remove it: its event is durable."""
        ...

    async def set_aside(self, name: str) -> None:
        """Keep it where it is not read again."""
        ...
