"""Writes of a memory: made, rewritten, ended, erased; its vectors and links; the notes that a repository shares."""

from typing import Literal

from msgspec import Struct, field

from actors.memory.particulars import UNSAID, Particulars

# ---- writes of a memory: made, rewritten, ended, revived, pinned, erased
#
# Times are seconds since the epoch, UTC; stability is in days.


Ending = Literal["deprecated", "expired", "refuted", "archived", "forgotten"]
Relation = Literal["related", "supersedes", "contradicts"]


class Origin(Struct, frozen=True):
    """Origin of a memory; (seq, rule, ordinal) happens once."""

    source: str  # "hand", "editor", "import", "agent", or the rule's name
    session: str | None = None
    seq: int | None = None  # the journaled event
    rule: str | None = None
    ordinal: int = 0
    tool: str | None = None
    call_id: str | None = None
    redacted: bool = False
    commit: str = ""  # the hash of the one that says it
    author: str = ""  # the name of who made that


class MemoryClaim(Struct, frozen=True):
    """Claim of a memory: its certainty, its time of validity, and its subject."""

    status: str = "confirmed"  # hypothesis, confirmed, refuted
    valid_from: float | None = None  # included; None: since ever
    valid_until: float | None = None  # not included; None: without an end
    subject: str | None = None  # the X of "the current X is Y"


class Draft(Struct, frozen=True):
    """A text on its way to become a memory."""

    text: str
    title: str
    kind: str
    tier: str
    project: str | None
    triggers: tuple[str, ...]  # phrases that a person set
    origin: Origin
    at: float
    memory_type: str = "declarative"
    context_type: str = "general"
    importance: float = 0.5
    key: str | None = None
    intent: str = "auto"  # auto, new, update, supersede
    target: int | None = None
    status: str = "confirmed"  # or hypothesis
    ends: bool = True  # whether it may take the place of what it contradicts
    valid_from: float | None = None  # as said beside it; the text may say more
    valid_until: float | None = None
    past: bool = False  # as of what was proposed
    particulars: Particulars = UNSAID


class Created(Struct, frozen=True):
    """A new memory. Outcome: its id, or this origin's id from before."""

    draft: Draft
    content_hash: bytes
    stability: float
    derived: tuple[str, ...] = ()  # phrases that its text offers
    unjudged: bool = False  # the gate waits for vectors
    supersedes: int | None = None
    linked_to: int | None = None
    similarity: float | None = None
    standing: MemoryClaim = MemoryClaim()
    confidence: float = 0.5  # 0..1
    since: float | None = None  # when it was said as it is, in another home; None: ``draft.at``


class Rewritten(Struct, frozen=True):
    """A memory has a new version; the old one is kept."""

    memory_id: int
    text: str
    title: str
    triggers: tuple[str, ...]
    derived: tuple[str, ...]
    content_hash: bytes
    at: float
    reason: str
    standing: MemoryClaim | None = None  # None: as it was
    joins: bool = False  # edits by one hand within five minutes are one version


class ParticularsSet(Struct, frozen=True):
    """A person says other particulars of a memory. Outcome: 1 if it lives."""

    memory_id: int
    particulars: Particulars
    at: float


class Ended(Struct, frozen=True):
    """A memory leaves the indexes and recall, reversibly."""

    memory_id: int
    how: Ending
    at: float
    superseded_by: int | None = None


class Revived(Struct, frozen=True):
    """An ended memory is back. Outcome: 1, or 0 when it had not ended."""

    memory_id: int
    at: float


class Linked(Struct, frozen=True):
    """Two memories are related."""

    source_id: int
    target_id: int
    relation: Relation
    similarity: float | None
    at: float


class Pinned(Struct, frozen=True):
    """A person pinned or released a memory."""

    memory_id: int
    pinned: bool
    at: float


class DueAt(Struct, frozen=True):
    """Next run of a background job, and the last one."""

    job: str
    due_at: float
    ran_at: float | None


class Pruned(Struct, frozen=True):
    """Journal rows done before this time leave, and ledgers and caches older than it."""

    before: float


class Erased(Struct, frozen=True):
    """These memories' text leaves the tables and indexes. Outcome: how many there were.

    With ``mentions`` every event, passage and session saying it in another form goes too. Every
    other memory with the same words goes too, and digests stay, unless another home erased it.
    """

    memory_ids: tuple[int, ...]
    mentions: bool = False
    elsewhere: bool = False  # in another home, whose digest is kept
    at: float | None = None  # when a person erased them; None: now


class FormerErased(Struct, frozen=True):
    """A former text of a rewritten memory leaves. Outcome: how often the memory had it."""

    memory_id: int
    content: bytes  # the hash of that text, which another home erased


class ErasedElsewhere(Struct, frozen=True):
    """Texts erased by another home, by digests under its id. Outcome: how many are new."""

    salt: str
    digests: tuple[tuple[bytes, float], ...]  # with the time of each


class ErasedEverything(Struct, frozen=True):
    """All memories, the journal and every ledger leave. Outcome: how many memories."""

    project: str | None = None
    whole_store: bool = field(default=False)
    at: float | None = None  # when; None: now


class Cell(Struct, frozen=True):
    """A new value of a row, unless the row changed meanwhile."""

    key: tuple[object, ...]  # of the row, in the order of the table's key
    column: str
    before: str | bytes
    after: str | bytes


class CellsRedacted(Struct, frozen=True):
    """Values of one table without the secrets in them. Outcome: how many changed."""

    table: str
    key: tuple[str, ...]  # its columns
    cells: tuple[Cell, ...]


class StatusSet(Struct, frozen=True):
    """A memory's claim was confirmed, refuted, or is open again. Outcome: 1, or 0 if unknown."""

    memory_id: int
    status: str  # hypothesis, confirmed, refuted
    at: float


class ValiditySet(Struct, frozen=True):
    """Interval in which a memory is true, ended or not. Outcome: 1, or 0 if unknown."""

    memory_id: int
    valid_from: float | None
    valid_until: float | None


MemoryWrite = (
    Created | Rewritten | ParticularsSet | Ended | Revived | Linked | Pinned | DueAt | Pruned
    | Erased | ErasedEverything | FormerErased | ErasedElsewhere | StatusSet | ValiditySet
    | CellsRedacted
)  # fmt: skip


# ---- vectors and tokens


class Chunk(Struct, frozen=True):
    """A piece of a memory's text and its vector (float32, little-endian)."""

    ordinal: int
    vector: bytes
    content_hash: bytes
    tokens: bytes | None = None  # their signs, when they were made


class Vectored(Struct, frozen=True):
    """Vectors of a text, made from this version of it by this model. Outcome: how many were kept."""

    text_id: int
    content_hash: bytes
    model: str
    chunks: tuple[Chunk, ...]
    at: float
    of_passage: bool = False  # the text is one


class ModelChosen(Struct, frozen=True):
    """Vectors are of this model from now on; other models' are dropped."""

    model: str
    dimensions: int


EmbeddingWrite = Vectored | ModelChosen


# ---- notes of repositories: which file is which memory, and which remote a person trusts


class NoteHeld(Struct, frozen=True):
    """A note of a repository and its memory here, in place of its earlier row. Outcome: 1."""

    project: str
    note: str  # its id
    own: bool  # this home shares it; else another one does
    memory_id: int
    file: str  # its name in the folder
    digest: bytes  # of what it says
    is_gone: bool = False  # its file is not there now


class RemoteTrusted(Struct, frozen=True):
    """A person trusts the notes of a repository from this remote. Outcome: 1."""

    project: str
    remote: str  # its address; empty for a repository that has none
    at: float  # seconds UTC


class TrustEnded(Struct, frozen=True):
    """A person trusts the notes of a repository no longer. Outcome: 1, or 0 when nobody did."""

    project: str


ShareWrite = NoteHeld | RemoteTrusted | TrustEnded


# ---- associations and causal edges; an edge is read as it was written


class Associated(Struct, frozen=True):
    """These and no other memories are like one. Outcome: 1, or 0 when its vectors are others by now."""

    memory_id: int
    chunk_id: int  # its first chunk: by which vectors it was compared
    reach: int  # how many others were sought
    alike: tuple[tuple[int, float], ...]  # memory id, cosine 0..1
    at: float


class Connected(Struct, frozen=True):
    """An edge of the causal graph, as it is told last. Outcome: 1 when it is new, else 0."""

    source_id: int
    target_id: int
    relation: str
    strength: float  # 0..1
    evidence: str
    at: float


class Disconnected(Struct, frozen=True):
    """An edge of the causal graph is no more. Outcome: 1, or 0 when there was none."""

    source_id: int
    target_id: int
    relation: str


LinkWrite = Associated | Connected | Disconnected
