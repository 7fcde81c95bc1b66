"""What actors need from the outside, as Protocols that the composition root fills.

``Store`` writes, ``Reader`` reads, ``Embedding`` makes vectors, ``Clock`` tells the
time of day. The rows a reader returns are values; nothing here touches a disk.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol, TypeAlias

from actors.policy.gate.calibration import Quantiles
from actors.policy.graph.graph_channel import Link
from actors.policy.intentions.intentions import Intention
from actors.policy.times.validity import Validity
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


class EmbeddingOff(EmbeddingUnavailable):
    """There is no model that could be used: asking again does not help."""


@dataclass(frozen=True, slots=True)
class Embedded:
    """A text's vector and what is wanted of its tokens (``actors.policy.index.late_interaction``).

    Of a query their directions and words, of a document their signs; empty when not asked for.
    """

    vector: bytes
    tokens: bytes = b""
    words: tuple[str, ...] = ()


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
    status: str  # of its claim: hypothesis, confirmed, refuted
    valid_from: float | None  # seconds UTC, included
    valid_until: float | None  # seconds UTC, not included
    subject: str | None  # the X of "the current X is Y"

    @property
    def validity(self) -> Validity:
        """When it is true."""
        return Validity(self.valid_from, self.valid_until)


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


@dataclass(frozen=True, slots=True)
class Unlooked:
    """A memory whose vectors were not compared with the others yet."""

    memory_id: int
    project: str | None
    chunk_id: int  # its first chunk


@dataclass(frozen=True, slots=True)
class AssociationRow:
    """One end of an association, seen from the other."""

    memory_id: int
    other_id: int
    kind: str
    strength: float


@dataclass(frozen=True, slots=True)
class EdgeRow:
    """A causal edge as it is stored."""

    source_id: int
    target_id: int
    relation: str
    strength: float
    evidence: str
    at: float


@dataclass(frozen=True, slots=True)
class NamedRow:
    """A memory that answers to a name: its key or its title."""

    memory_id: int
    name: str
    is_key: bool
    project: str | None


@dataclass(frozen=True, slots=True)
class GraphTotals:
    """How much of the graph is stored (rows L06, L07)."""

    memories: int  # that live
    relations: dict[str, int]  # causal edges of each relation
    nodes: int  # memories with a causal edge, ended ones included
    living_nodes: int
    associations: int  # pairs
    associated: int  # living memories with an association
    waiting: int  # declared references that nothing answers to


@dataclass(frozen=True, slots=True)
class ReviewRow:
    """A change of a memory's strength and what caused it."""

    id: int
    memory_id: int
    cause: str
    at: float


@dataclass(frozen=True, slots=True)
class RatedRow:
    """How new a memory was found; ``None`` when it was not rated."""

    memory_id: int
    novelty: float | None


@dataclass(frozen=True, slots=True)
class AnchorRow:
    """An importance, and from when on it fades."""

    memory_id: int
    value: float  # at the anchor
    at: float
    importance: float  # now
    tier: str
    pinned: bool


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """What changed a memory's importance."""

    cause: str
    how: str
    amount: float
    before: float
    after: float
    at: float


@dataclass(frozen=True, slots=True)
class UntoldRow:
    """A capture that no session was told of."""

    memory_id: int
    event_id: str
    kind: str
    reason: str


@dataclass(frozen=True, slots=True)
class EarlierRow:
    """A memory that may have to do with a failure."""

    memory_id: int
    text: str
    at: float
    stability: float  # days


@dataclass(frozen=True, slots=True)
class Shown:
    """A memory that a session was shown, and when first."""

    memory_id: int
    at: float


@dataclass(frozen=True, slots=True)
class Credit:
    """A session made use of a memory (C06)."""

    memory_id: int
    cause: str  # cited, edited_after, confirmed
    session: str
    at: float


@dataclass(frozen=True, slots=True)
class Opinion:
    """What people said of a memory."""

    validations: int = 0  # verdicts, D11
    suppressions: int = 0  # Q12
    suppressed_at: float | None = None
    edges: float = 0.0  # to memories that are suppressed, summed


@dataclass(frozen=True, slots=True)
class Window:
    """A memory that was just recalled and is labile, and how often it was edited since (Q07)."""

    memory_id: int
    opened_at: float
    edits: int


@dataclass(frozen=True, slots=True)
class CalibrationRow:
    """What was measured of an embedding model on the store's own memories (C14)."""

    model: str
    at: float
    memories: int  # that lived then
    quantiles: Quantiles


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


class Keyed(NamedTuple):
    """A memory under its caller's own key."""

    id: int
    key: str
    project: str | None
    content_hash: bytes


class Counted(NamedTuple):
    """What the words of a query find, and how telling they are."""

    memories: int  # in the whole store
    frequencies: dict[str, int]  # memories with each telling word
    hits: list[WordHit]  # best first


class Weighed(NamedTuple):
    """What is known of memories beside their texts."""

    seen: frozenset[int]  # those that live and may be seen from there
    opinions: dict[int, Opinion]
    cosines: dict[int, float]  # of those whose cosine was not known


Choosing: TypeAlias = Callable[[Weighed], Collection[int]]
"""Which of the memories weighed are to be read; called on the thread that reads."""


class Reader(Protocol):
    """The reading side; every call keeps the caller's deadline."""

    async def memories(self, ids: Sequence[int]) -> dict[int, Memory]: ...

    async def living(self, after: int, limit: int) -> list[Memory]:
        """Living memories with an id over ``after``, in the order of ids."""
        ...

    async def keyed(self, keys: Sequence[str]) -> list[Keyed]:
        """The living memories under one of these keys."""
        ...

    async def counted(
        self, telling: Sequence[str], terms: Sequence[str], scope: Scope, limit: int
    ) -> Counted:
        """``document_frequencies`` of the telling words and ``words`` in one look."""
        ...

    async def chosen(
        self,
        ids: Sequence[int],
        scope: Scope,
        vector: bytes | None,
        known: Collection[int],
        choose: Choosing,
    ) -> dict[int, Memory]:
        """Those of these memories that are chosen, once it is known who is seen, in one look.

        ``known``: those whose cosines are; without a vector there are none.
        """
        ...

    async def words(self, terms: Sequence[str], scope: Scope, limit: int) -> list[WordHit]:
        """The best full-text matches, best first."""
        ...

    async def literally(self, expression: str, scope: Scope, limit: int) -> list[int]:
        """Living memories that an FTS5 expression finds, best first."""
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

    async def intentions(self) -> list[Intention]:
        """All intentions, ended ones included, oldest first."""
        ...

    async def untold_captures(self, project: str | None, since: float) -> list[UntoldRow]:
        """Captures of a project since then that no session was told of, strongest first."""
        ...

    async def importance_marks(self) -> dict[str, int]:
        """How far memories, reviews and the journal were looked at for importance."""
        ...

    async def reviews_after(self, after: int, limit: int) -> list[ReviewRow]:
        """Reviews with an id over ``after``, oldest first."""
        ...

    async def causes_of_reviews(self, memory_id: int, until: int) -> list[str]:
        """The causes of a memory's reviews up to this one, oldest first."""
        ...

    async def journal_of(self, session: str, before: int, limit: int) -> list[JournalRow]:
        """The last events of a session before ``before``, oldest first."""
        ...

    async def prompts_after(self, after: int, limit: int) -> list[JournalRow]:
        """Journaled prompts after this one, oldest first."""
        ...

    async def event_behind(self, memory_id: int) -> JournalRow | None:
        """The journaled event that a memory was made of, while the journal has it."""
        ...

    async def newest_rated(self, project: str | None, until: int, limit: int) -> list[RatedRow]:
        """The newest living memories of a project up to this id, oldest first."""
        ...

    async def anchors(self, after: int, limit: int) -> list[AnchorRow]:
        """Living memories whose importance fades, in the order of ids."""
        ...

    async def earlier(
        self, names: Sequence[str], scope: Scope, before: float, days: float
    ) -> list[EarlierRow]:
        """Living memories of the days before that say one of these names, newest first."""
        ...

    async def backfilled(self, failure: str) -> set[int]:
        """The memories that were strengthened for this failure already."""
        ...

    async def of_subject(self, subject: str, project: str | None) -> list[Memory]:
        """Living memories that name the current value of this, in exactly this project."""
        ...

    async def hypotheses(self, session: str, limit: int) -> list[Memory]:
        """Living hypotheses of a session that wait for an outcome, oldest first."""
        ...

    async def superseded(self, at: float, scope: Scope) -> list[Memory]:
        """The newest memories in scope that were true then and were replaced since."""
        ...

    async def refuted_before(self, content_hash: bytes, project: str | None) -> bool:
        """Whether this very text was refuted in this project."""
        ...

    async def expired(self, at: float, limit: int) -> list[int]:
        """Living memories of tier temporary whose time is over, but for pinned ones."""
        ...

    # ---- the graph

    async def unlooked(
        self, ids: Sequence[int] | None, below: int, reach: int, limit: int
    ) -> list[Unlooked]:
        """Living memories whose vectors were not compared yet, or with fewer others.

        Of these ids, or with a chunk id under ``below``, the newest first.
        """
        ...

    async def own_vectors(self, memory_id: int, limit: int) -> list[bytes]:
        """The first vectors of a memory."""
        ...

    async def alike(self, memory_id: int) -> list[int]:
        """The memories that are stored as like this one."""
        ...

    async def associations(
        self, ids: Sequence[int], scope: Scope, each: int
    ) -> list[AssociationRow]:
        """The strongest associations of each of these with living memories in scope."""
        ...

    async def edges_around(self, ids: Sequence[int], hops: int, limit: int) -> list[EdgeRow]:
        """The causal edges within so many hops of these, nearest first."""
        ...

    async def links_of(self, ids: Sequence[int], each: int, likeness: bool) -> list[Link]:
        """The strongest links of each of these, of every kind (K05)."""
        ...

    async def respelled(self, terms: Sequence[str]) -> dict[str, str]:
        """What those of these that stand in no memory mean, if they are misspelt (K34)."""
        ...

    async def edges_within(self, ids: Sequence[int], scope: Scope) -> list[EdgeRow]:
        """The causal edges of these whose other ends live in scope."""
        ...

    async def typed_degrees(
        self, weights: Mapping[str, float], ids: Sequence[int] | None
    ) -> dict[int, float]:
        """The weighted degree of each of these that has an edge; ``None``: the highest one."""
        ...

    async def declaring(self, after: int, limit: int) -> list[int]:
        """Living memories over this id whose text may declare links that were not read yet."""
        ...

    async def named(self, names: Sequence[str]) -> list[NamedRow]:
        """The memories with one of these keys or titles."""
        ...

    async def linking(self, ids: Sequence[int]) -> list[int]:
        """Those of these whose text may declare links, and those that wait for one of these.

        What is rewritten may have declared some until now.
        """
        ...

    async def graph_totals(self) -> GraphTotals: ...

    async def shown_in(self, session: str, since: float) -> list[Shown]:
        """The living memories that a session was shown since then, each with its first time."""
        ...

    async def credits_in(self, session: str) -> list[Credit]:
        """What a session is known to have made use of."""
        ...

    async def events_of(self, session: str, since: float, limit: int) -> list[JournalRow]:
        """The last journaled events of a session since then, oldest first."""
        ...

    async def opinions(self, ids: Sequence[int]) -> dict[int, Opinion]:
        """What people said of these memories; those that nobody said anything of are left out."""
        ...

    async def neighbours(self, memory_id: int) -> list[tuple[int, float, float]]:
        """The living memories linked with one: id, the strongest edge (0..1), their stability."""
        ...

    async def windows_to_settle(self, at: float) -> list[Window]:
        """Windows of reconsolidation that are over and in which something was edited."""
        ...

    async def model_in_use(self) -> str:
        """The embedding model that the vectors are of; empty when there are none."""
        ...

    async def calibrations(self) -> dict[str, CalibrationRow]:
        """What was measured of each embedding model."""
        ...

    async def sampled_vectors(self, limit: int) -> list[bytes]:
        """The first vectors of at most so many memories, spread evenly over the store."""
        ...

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

    async def embed_with_tokens(
        self, texts: Sequence[str], *, role: Role, interactive: bool
    ) -> list[Embedded]:
        """One vector a text, and its tokens. Raises ``EmbeddingUnavailable``."""
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
