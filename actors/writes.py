"""What may be written to the store: a closed union of values.

Actors build these and hand them to ``long_term``, the one owner of the writing
connection; ``daemon.storage.writes`` carries each out. A *unit* is a tuple of writes
that happen together or not at all. Times are seconds since the epoch, UTC; stability
is in days.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Ending = Literal["deprecated", "expired", "refuted", "archived", "forgotten"]
Relation = Literal["related", "supersedes", "contradicts"]


@dataclass(frozen=True, slots=True)
class Journaled:
    """An event arrived. Outcome: its sequence number, 0 when it was known already."""

    event_id: bytes
    agent: str
    received_at: float
    kind: str
    session: str
    project: str | None
    body: bytes  # the cut and redacted event as MessagePack
    done: bool = False  # nothing will be derived from it


@dataclass(frozen=True, slots=True)
class Derived:
    """Everything that follows from this event is in the store with this unit."""

    seq: int


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a memory comes from; (seq, rule, ordinal) happens once."""

    source: str  # "hand", "import", or the rule's name
    session: str | None = None
    seq: int | None = None  # the journaled event
    rule: str | None = None
    ordinal: int = 0
    tool: str | None = None
    call_id: str | None = None
    redacted: bool = False


@dataclass(frozen=True, slots=True)
class Created:
    """A new memory. Outcome: its id, or the id that this origin produced before."""

    text: str
    title: str
    kind: str
    tier: str
    memory_type: str
    context_type: str
    project: str | None
    at: float
    content_hash: bytes
    stability: float
    difficulty: float
    importance: float
    origin: Origin
    triggers: tuple[str, ...] = ()  # phrases that a person set
    derived: tuple[str, ...] = ()  # phrases that its text offers
    key: str | None = None
    unjudged: bool = False  # the gate waits for vectors
    supersedes: int | None = None
    linked_to: int | None = None
    similarity: float | None = None


@dataclass(frozen=True, slots=True)
class Rewritten:
    """A memory has a new version; the old one is kept."""

    memory_id: int
    text: str
    title: str
    triggers: tuple[str, ...]
    derived: tuple[str, ...]
    content_hash: bytes
    at: float
    reason: str


@dataclass(frozen=True, slots=True)
class Ended:
    """A memory leaves the indexes and recall, reversibly."""

    memory_id: int
    how: Ending
    at: float
    superseded_by: int | None = None


@dataclass(frozen=True, slots=True)
class Revived:
    """An ended memory is back. Outcome: 1, or 0 when it had not ended."""

    memory_id: int
    at: float


@dataclass(frozen=True, slots=True)
class Linked:
    """Two memories are related."""

    source_id: int
    target_id: int
    relation: Relation
    similarity: float | None
    at: float


@dataclass(frozen=True, slots=True)
class Judged:
    """The gate no longer waits for this memory's vectors."""

    memory_id: int


@dataclass(frozen=True, slots=True)
class Audited:
    """A decision of the gate (row C-04). ``memory_id`` 0 means the one just created."""

    action: str
    memory_id: int
    existing_id: int | None
    similarity: float | None
    reason: str
    contradiction: str | None
    content_hash: bytes
    project: str | None
    at: float
    origin: Origin | None = None  # of a proposal: each is decided once


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A use changed a memory's strength (rows A06-A09, C06)."""

    memory_id: int
    stability: float
    difficulty: float
    lapses: int
    phase: str
    grade: int
    cause: str
    implicit: bool  # inferred from behaviour: the daily cap counts from it
    at: float


@dataclass(frozen=True, slots=True)
class Exposed:
    """Memories were shown. Recorded, never strengthening (C06)."""

    memory_ids: tuple[int, ...]
    session: str | None
    where: str  # "prompt", "recall", "session_start", "editor"
    at: float


@dataclass(frozen=True, slots=True)
class Delivered:
    """These contents are in the session's context now (row F09)."""

    session: str
    content_hashes: tuple[bytes, ...]
    at: float


@dataclass(frozen=True, slots=True)
class Undelivered:
    """A session's ledger is empty. Outcome: how many entries it had."""

    session: str


@dataclass(frozen=True, slots=True)
class SessionSeen:
    """What an event tells of a session (row F10); ``None`` leaves what is known.

    An event that is older than the last one seen changes nothing.
    """

    session: str
    agent: str
    project: str | None
    at: float
    status: str  # "open", "ended"
    task: str | None  # the last prompt of the user, shortened
    summary: str | None
    transcript: str | None
    silent: bool | None = None  # a person switched notes off or on; counts however old it is


@dataclass(frozen=True, slots=True)
class Held:
    """The traces of one session's working memory, whole (row F01)."""

    session: str
    event: int
    traces: tuple[tuple[int, float, int, int, int], ...]
    # (memory id, anchor score, anchor event, mentions, focus count)


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a memory's text and its vector (float32, little-endian)."""

    ordinal: int
    vector: bytes
    content_hash: bytes


@dataclass(frozen=True, slots=True)
class Vectored:
    """A memory's vectors, made from this version of its text by this model."""

    memory_id: int
    content_hash: bytes
    model: str
    chunks: tuple[Chunk, ...]
    at: float


@dataclass(frozen=True, slots=True)
class ModelChosen:
    """Vectors are of this model from now on; those of another are dropped."""

    model: str
    dimensions: int


@dataclass(frozen=True, slots=True)
class Pinned:
    """A person pinned or released a memory."""

    memory_id: int
    pinned: bool
    at: float


@dataclass(frozen=True, slots=True)
class DueAt:
    """When a background job runs next, and when it last ran."""

    job: str
    due_at: float
    ran_at: float | None


@dataclass(frozen=True, slots=True)
class Pruned:
    """Journal rows done before this time leave, and ledgers and caches older than it."""

    before: float


@dataclass(frozen=True, slots=True)
class Erased:
    """These memories' text leaves the tables and indexes. Outcome: how many there were."""

    memory_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ErasedEverything:
    """All memories, the journal and every ledger leave. Outcome: how many memories."""

    project: str | None = None
    whole_store: bool = field(default=False)


@dataclass(frozen=True, slots=True)
class Raised:
    """A moment was important (rows H05, H14); told twice it is one. Outcome: 1 when new."""

    id: str
    kind: str
    strength: float  # 0..1
    at: float
    session: str | None
    project: str | None
    reason: str  # one line
    seq: int | None = None  # the journaled event
    memory_id: int | None = None  # the memory it is about


@dataclass(frozen=True, slots=True)
class Captured:
    """An event captured a tagged memory (rows H07, H08): its importance rises to this at least.

    Outcome: 1, or 0 when the memory is gone, ended or captured already.
    """

    memory_id: int
    event_id: str
    score: float
    hours: float  # from the memory to the event; negative: it was encoded after the event
    importance: float
    at: float


@dataclass(frozen=True, slots=True)
class Faded:
    """These tags have served, and so have events before this time that captured nothing (H10).

    Outcome: how many tags left.
    """

    memory_ids: tuple[int, ...]
    before: float


Write = (
    Journaled
    | Derived
    | Created
    | Rewritten
    | Ended
    | Revived
    | Linked
    | Judged
    | Audited
    | Reviewed
    | Exposed
    | Delivered
    | Undelivered
    | SessionSeen
    | Held
    | Vectored
    | ModelChosen
    | Pinned
    | DueAt
    | Pruned
    | Erased
    | ErasedEverything
    | Raised
    | Captured
    | Faded
)
Unit = tuple[Write, ...]
