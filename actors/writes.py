"""What may be written to the store: a closed union of values.

Actors build these and hand them to ``long_term``, the one owner of the writing
connection; ``daemon.storage.writes`` carries each out. A *unit* is a tuple of writes
that happen together or not at all. Times are seconds since the epoch, UTC; stability
is in days.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from actors.consolidated import RelevanceComputed
from actors.dreamt import (
    ConnectionsDrawn,
    ConnectionsFaded,
    ConnectionsSettled,
    ConnectionsStrengthened,
    DreamAdvanced,
    DreamAttempted,
    DreamBegun,
    DreamEnded,
    EpisodesDrawn,
    InsightFound,
    StageLeftOut,
)
from actors.planned import (
    PlanApplied,
    PlanDismissed,
    PlanProposed,
    PlansTold,
    PlanUndone,
    Scanned,
)
from actors.policy.gate.calibration import Quantiles
from actors.policy.intentions.intentions import Intention
from actors.tokened import Tokened, TokensDropped

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
class Standing:
    """How sure a memory's claim is, when it is true, and what it is the current value of."""

    status: str = "confirmed"  # hypothesis, confirmed, refuted
    valid_from: float | None = None  # included; None: since ever
    valid_until: float | None = None  # not included; None: without an end
    subject: str | None = None  # the X of "the current X is Y"


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
    standing: Standing = Standing()


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
    standing: Standing | None = None  # None: as it was
    while_labile: bool = False  # edits of one labile window are one version (Q07)


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
    tokens: bytes | None = None  # their signs, when they were made


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
class Calibrated:
    """How alike the memories are to a model was measured (C14); of a model the latest counts."""

    model: str
    at: float
    memories: int  # that lived
    quantiles: Quantiles


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


# ---- claims and time


@dataclass(frozen=True, slots=True)
class StatusSet:
    """A memory's claim was confirmed, refuted, or is open again. Outcome: 1, or 0 if unknown."""

    memory_id: int
    status: str  # hypothesis, confirmed, refuted
    at: float


@dataclass(frozen=True, slots=True)
class ValiditySet:
    """From when until when a memory is true, ended or not. Outcome: 1, or 0 if unknown."""

    memory_id: int
    valid_from: float | None
    valid_until: float | None


# ---- the graph: what memories have to do with each other


@dataclass(frozen=True, slots=True)
class Associated:
    """A memory was compared with the others: these and no others are like it (row E05).

    Outcome: 1, or 0 when its vectors are others by now.
    """

    memory_id: int
    chunk_id: int  # its first chunk: by which vectors it was compared
    reach: int  # how many others were sought
    alike: tuple[tuple[int, float], ...]  # memory id, cosine 0..1
    at: float


@dataclass(frozen=True, slots=True)
class Connected:
    """An edge of the causal graph (row L01); told again, its strength and evidence are the new ones.

    Outcome: 1 when it is new, else 0.
    """

    source_id: int
    target_id: int
    relation: str
    strength: float  # 0..1
    evidence: str
    at: float


@dataclass(frozen=True, slots=True)
class Disconnected:
    """An edge of the causal graph is no more. Outcome: 1, or 0 when there was none."""

    source_id: int
    target_id: int
    relation: str


@dataclass(frozen=True, slots=True)
class DeclaredLink:
    """A link that a memory's text declares, and the memory that answers to the reference."""

    relation: str
    incoming: bool  # the reference is the source of the edge
    reference: str
    other_id: int | None  # None: nothing answers to it yet


@dataclass(frozen=True, slots=True)
class Declared:
    """These links and no others are declared by a memory's text (row L04).

    Outcome: how many edges came and went.
    """

    memory_id: int
    content_hash: bytes
    links: tuple[DeclaredLink, ...]
    at: float


@dataclass(frozen=True, slots=True)
class ImportanceRated:
    """One change of a memory's importance (rows Q01, Q09, M04), once on its occasion.

    It is carried out on what the importance is at that moment, so that nothing that was
    raised meanwhile is lost: ``at_least`` and ``plus`` raise, ``times`` is a use's factor,
    ``stay`` only begins its fading anew. Outcome: 1, or 0 when it was changed on this
    occasion before, or the memory is gone or ended.
    """

    memory_id: int
    cause: str  # channels, a signal, or a use
    occasion: str  # the rating, a session, a review
    how: Literal["at_least", "plus", "times", "stay"]
    amount: float
    at: float
    channels: tuple[float, float, float, float] | None = None  # novelty, arousal, reward, attention
    reward: float | None = None  # what it is now


@dataclass(frozen=True, slots=True)
class Dimmed:
    """Importances that have faded (row Q09): memory, time of its anchor, value now."""

    memories: tuple[tuple[int, float, float], ...]


@dataclass(frozen=True, slots=True)
class Marked:
    """Everything up to here was looked at for importance."""

    name: Literal["memory", "review", "journal"]
    value: int


@dataclass(frozen=True, slots=True)
class Reported:
    """These captures (memory, event) were told to a session: they are not told again."""

    captures: tuple[tuple[int, str], ...]
    at: float


@dataclass(frozen=True, slots=True)
class Backfilled:
    """A memory may explain a failure and is stronger for it (row H17), once a failure.

    Outcome: 1, or 0 when it is gone, no longer as strong as ``before``, or was done.
    """

    memory_id: int
    failure: str
    before: float  # days of stability
    after: float
    at: float


# ---- strength: what use and people made of a memory


@dataclass(frozen=True, slots=True)
class Credited:
    """A session made use of a memory (C06); once for each cause. Outcome: 1 when it is new."""

    memory_id: int
    session: str
    cause: str  # cited, edited_after, confirmed
    at: float


@dataclass(frozen=True, slots=True)
class Validated:
    """A person's verdict moved how sure a memory is (D11)."""

    memory_id: int
    confidence: float  # 0..1
    at: float


@dataclass(frozen=True, slots=True)
class PromotionProposed:
    """A memory has earned the critical tier; a person decides (D11, C17). Outcome: 1 when new."""

    memory_id: int
    reason: str  # figures, never the memory's text
    at: float


@dataclass(frozen=True, slots=True)
class ProposalDecided:
    """A person took or left a proposal; taken, its tier is set. Outcome: 1 when it was open."""

    proposal_id: int
    accepted: bool
    at: float


@dataclass(frozen=True, slots=True)
class Retiered:
    """A person set a memory's tier. Outcome: 1 when it changed."""

    memory_id: int
    tier: str
    at: float


@dataclass(frozen=True, slots=True)
class Rated:
    """A person promoted or demoted a memory by hand (A30)."""

    memory_id: int
    stability: float  # days
    anchored_at: float  # where its curve begins, so that it stands where it was put
    lapses: int
    grade: int
    cause: str  # promoted, demoted
    at: float


@dataclass(frozen=True, slots=True)
class Suppressed:
    """A person wants a memory less (Q12); what is linked with it is weakened. Outcome: times."""

    memory_id: int
    times: int
    at: float | None  # None: taken back
    neighbours: tuple[tuple[int, float, float], ...] = ()  # id, factor of stability, edge


@dataclass(frozen=True, slots=True)
class Resettled:
    """A memory that was edited while it was labile is stable again (Q07). Outcome: 1 once."""

    memory_id: int
    opened_at: float
    at: float


@dataclass(frozen=True, slots=True)
class IntentionMade:
    """Somebody means to do something later (row Q03). Outcome: its number, 0 when made already."""

    intention: Intention  # its id is not known yet
    seq: int | None = None  # the journaled prompt that stated it


@dataclass(frozen=True, slots=True)
class IntentionChanged:
    """What became of an intention (row Q03). Outcome: 1, or 0 when it is gone."""

    intention: Intention
    what: str  # due, reminded, done, cancelled, snoozed, expired
    at: float
    session: str | None = None  # that was reminded


@dataclass(frozen=True, slots=True)
class IntentionsDropped:
    """These ended long ago. Outcome: how many left."""

    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class IntentionErased:
    """Its text leaves the tables, and so do events that hold it. Outcome: 1, or 0 when gone."""

    number: int


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
    | Calibrated
    | Pinned
    | DueAt
    | Pruned
    | Erased
    | ErasedEverything
    | Raised
    | Captured
    | Faded
    | ImportanceRated
    | Dimmed
    | Marked
    | Reported
    | Backfilled
    | StatusSet
    | ValiditySet
    | Associated
    | Connected
    | Disconnected
    | Declared
    | Credited
    | Validated
    | PromotionProposed
    | ProposalDecided
    | Retiered
    | Rated
    | Suppressed
    | Resettled
    | IntentionMade
    | IntentionChanged
    | IntentionsDropped
    | IntentionErased
    | ConnectionsDrawn
    | Tokened
    | TokensDropped
    | ConnectionsStrengthened
    | ConnectionsFaded
    | ConnectionsSettled
    | DreamBegun
    | DreamAdvanced
    | DreamAttempted
    | StageLeftOut
    | DreamEnded
    | InsightFound
    | EpisodesDrawn
    | RelevanceComputed
    | PlanProposed
    | PlanApplied
    | PlanUndone
    | PlanDismissed
    | PlansTold
    | Scanned
)
Unit = tuple[Write, ...]
