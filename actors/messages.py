"""Everything actors say to each other: frozen values, one closed union an actor.

Facts are in the past, orders in the imperative, questions as questions; a question
carries its ``reply``. Times are seconds since the epoch, UTC.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from actors.mailbox import Reply
from actors.policy.capture.backfill import Cause, Failure
from actors.policy.decay.reinforcement import Use
from actors.policy.events.events import Event
from actors.policy.graph.activation import Breadth
from actors.policy.graph.causal import Direction, Lineage
from actors.policy.graph.chains import Chain
from actors.policy.graph.connections import Density
from actors.policy.intentions.intentions import Intention
from actors.policy.recall.degradation import Degradation, Report
from actors.policy.recall.stage_rules import Term
from actors.policy.recall.stages import Passed
from actors.policy.session.pressure import Pressure
from actors.policy.statements.candidates import Candidate
from actors.policy.statements.hypotheses import Evidence
from actors.policy.text.concrete import Concept
from actors.policy.text.phrases import Match
from actors.ports import Embedded, GraphTotals, Memory, Role, Scope, SessionRow, UntoldRow
from actors.writes import Created, Origin, Raised, Unit

# ---- intake


@dataclass(frozen=True, slots=True)
class Accepted:
    """The event is durable. ``event`` is ``None`` for one that says nothing to a memory."""

    seq: int
    event: Event | None
    project: str | None
    duplicate: bool


@dataclass(frozen=True, slots=True)
class Receive:
    """An agent's hook reports an event: make it durable."""

    agent: str
    event_id: bytes
    at: float
    raw: bytes
    reply: Reply[Accepted]


@dataclass(frozen=True, slots=True)
class ReceiveOversized:
    """An agent's hook reports an event too large to be sent: note that it was."""

    agent: str
    event_id: bytes
    at: float
    size: int
    reply: Reply[Accepted]


@dataclass(frozen=True, slots=True)
class DrainSpool:
    """Take in what hooks spooled while nobody answered them."""


IntakeMessage = Receive | ReceiveOversized | DrainSpool


@dataclass(frozen=True, slots=True)
class Happened:
    """An event was journaled; told in the order of the journal."""

    seq: int
    at: float
    event: Event
    project: str | None


# ---- extraction

ExtractionMessage = Happened

# ---- gate


@dataclass(frozen=True, slots=True)
class Proposed:
    """These candidates are all that an event gives; the journal row is done with them."""

    seq: int
    at: float
    session: str
    project: str | None
    candidates: tuple[Candidate, ...]
    evidence: Evidence | None = None  # what the event tells about the session's hypotheses


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the gate decided, and the memory that stands for the text now."""

    memory_id: int
    action: str
    reason: str
    similarity: float | None
    contradiction: str | None = None


@dataclass(frozen=True, slots=True)
class Draft:
    """A text on its way to become a memory."""

    text: str
    title: str
    kind: str
    tier: str
    project: str | None
    triggers: tuple[str, ...]
    origin: Origin
    at: float
    memory_type: str = "declarative"
    context_type: str = "general"
    importance: float = 0.5
    key: str | None = None
    intent: str = "auto"  # auto, new, update, supersede
    target: int | None = None
    status: str = "confirmed"  # or hypothesis
    valid_from: float | None = None  # what was said of it; the text may say more
    valid_until: float | None = None


class NoSuchMemory(Exception):
    """The id names no memory: the client's fault."""


@dataclass(frozen=True, slots=True)
class Keep:
    """Keep these texts, each judged after the ones before it."""

    drafts: tuple[Draft, ...]
    reply: Reply[list[Verdict]]


@dataclass(frozen=True, slots=True)
class KeepAll:
    """Create all of these but copies under the same key, without a look at what resembles them."""

    made: tuple[Created, ...]
    reply: Reply[list[Verdict]]


@dataclass(frozen=True, slots=True)
class WhatWouldYouDo:
    """How would these pairs (existing, incoming) be decided? Nothing is stored."""

    pairs: tuple[tuple[str, str], ...]
    reply: Reply[list[Verdict]]


@dataclass(frozen=True, slots=True)
class VectorsArrived:
    """These memories have vectors now."""

    memory_ids: tuple[int, ...]


GateMessage = Proposed | Keep | KeepAll | WhatWouldYouDo | VectorsArrived

# ---- long_term


@dataclass(frozen=True, slots=True)
class Commit:
    """Write this unit durably; the answer is what its writes produced."""

    unit: Unit
    reply: Reply[list[int]]


@dataclass(frozen=True, slots=True)
class Write:
    """Write this unit; nobody waits for it."""

    unit: Unit


@dataclass(frozen=True, slots=True)
class EraseNow:
    """Erase, and leave no byte in any file of the store; the answer counts memories."""

    unit: Unit
    reply: Reply[int]


@dataclass(frozen=True, slots=True)
class Tidy:
    """Prune what is old."""

    at: float


LongTermMessage = Commit | Write | EraseNow | Tidy


@dataclass(frozen=True, slots=True)
class MemoriesChanged:
    """These memories were created, rewritten, ended or revived."""

    memory_ids: tuple[int, ...]


# ---- embedder


@dataclass(frozen=True, slots=True)
class Embed:
    """What are the vectors of these texts?"""

    texts: tuple[str, ...]
    role: Role
    interactive: bool
    reply: Reply[list[bytes]]


@dataclass(frozen=True, slots=True)
class EmbedQuery:
    """What are the vector and the tokens of this query?"""

    text: str
    interactive: bool
    reply: Reply[Embedded]


EmbedderMessage = Embed | EmbedQuery | MemoriesChanged

# ---- triggers


@dataclass(frozen=True, slots=True)
class Called:
    """A phrase of a memory stands in a text."""

    match: Match
    given: bool  # a person set the phrase; otherwise it was derived from the memory


@dataclass(frozen=True, slots=True)
class WhatMatches:
    """Which phrases of memories in scope does this text say?"""

    text: str
    scope: Scope
    limit: int
    reply: Reply[list[Called]]
    whole: bool = False  # answered once every memory was read; else from what was read so far


TriggersMessage = WhatMatches | MemoriesChanged

# ---- recall


@dataclass(frozen=True, slots=True)
class Note:
    """One memory on its way to a person or an agent, with the sum of its score."""

    memory: Memory
    score: float
    why: str
    parts: dict[str, float]
    terms: tuple[Term, ...] = ()  # what the score went through, in this order, from 0


@dataclass(frozen=True, slots=True)
class Found:
    """The answer to a recall, best first."""

    notes: tuple[Note, ...]
    confidence: float
    mode: str
    degraded: Degradation | None
    evidence: dict[str, Any]
    timings: dict[str, float]
    block: str = ""  # what a prompt gets: fenced, or empty
    stages: tuple[Passed, ...] = ()  # who came into each stage and who went on
    said: tuple[str, ...] = ()  # how the query was understood, in words
    channels: tuple[Report, ...] = ()  # what each channel tells of itself


@dataclass(frozen=True, slots=True)
class Search:
    """What is known about this?"""

    query: str
    k: int
    scope: Scope
    track: bool
    as_prompt: bool
    within: float  # seconds after which nobody waits any more
    reply: Reply[Found]
    as_of: float | None = None  # what was true then, also if it was replaced since; None: now
    mode: Breadth = Breadth.BALANCED
    without: frozenset[str] = frozenset()  # channels and stages that this question does without
    also: frozenset[str] = frozenset()  # those that are off elsewhere and on for it
    concepts: tuple[Concept, ...] = ()  # memories near all of them come first (K02)


@dataclass(frozen=True, slots=True)
class Bring:
    """What should this prompt, or this session as it starts, be told?"""

    event: Event
    project: str | None
    at: float
    within: float  # seconds after which nobody waits any more
    reply: Reply[Found]


@dataclass(frozen=True, slots=True)
class Opened:
    """An editor opened a file: something may soon be asked about it (Q08)."""

    path: str
    project: str | None


@dataclass(frozen=True, slots=True)
class Expectation:
    """What a place is expected to call for: a memory's id or a question, and why (Q08)."""

    what: int | str
    likelihood: float
    because: str  # of the "file" or of the "project"
    seen: int  # times that it was needed there
    missed: int  # times that it was made ready there for nothing
    ready: bool  # a question whose answer is ready


@dataclass(frozen=True, slots=True)
class Expected:
    """What is expected to be asked about this file?"""

    path: str
    project: str | None
    reply: Reply[tuple[Expectation, ...]]


RecallMessage = Search | Bring | Opened | Expected

# ---- working_memory


@dataclass(frozen=True, slots=True)
class Focused:
    """A session attends to these memories (id, attention 0..1)."""

    session: str
    memories: tuple[tuple[int, float], ...]
    at: float


@dataclass(frozen=True, slots=True)
class WhatIsHeld:
    """Which memories does the session attend to, how strongly?"""

    session: str
    reply: Reply[dict[int, float]]


@dataclass(frozen=True, slots=True)
class ForgetSession:
    """Let go of everything that you keep for this session; the answer counts it, once durable."""

    session: str
    reply: Reply[int]


WorkingMemoryMessage = Happened | Focused | WhatIsHeld | ForgetSession

# ---- sessions


@dataclass(frozen=True, slots=True)
class WhatItHas:
    """Which contents does the session have in its context already?"""

    session: str
    at: float
    reply: Reply[frozenset[bytes]]


@dataclass(frozen=True, slots=True)
class WereDelivered:
    """These contents are in the session's context now."""

    session: str
    content_hashes: tuple[bytes, ...]
    at: float


@dataclass(frozen=True, slots=True)
class WhatWasDoing:
    """What is known of the session?"""

    session: str
    reply: Reply[SessionRow | None]


@dataclass(frozen=True, slots=True)
class IsSilent:
    """Did a person switch notes off for this session?"""

    session: str
    reply: Reply[bool]


SessionsMessage = Happened | WhatItHas | WereDelivered | WhatWasDoing | IsSilent | ForgetSession

# ---- strength


@dataclass(frozen=True, slots=True)
class Used:
    """A memory was of use, or a person said it was not."""

    memory_id: int
    use: Use
    at: float


@dataclass(frozen=True, slots=True)
class Review:
    """A person judged a memory: answer whether its strength changed."""

    memory_id: int
    use: Use
    at: float
    reply: Reply[bool]


@dataclass(frozen=True, slots=True)
class WereShown:
    """Memories were shown; recorded, never strengthening."""

    memory_ids: tuple[int, ...]
    session: str | None
    where: str
    at: float


@dataclass(frozen=True, slots=True)
class Rate:
    """A person promotes or demotes a memory: answer whether it changed (A30)."""

    memory_id: int
    up: bool
    at: float
    reply: Reply[bool]


@dataclass(frozen=True, slots=True)
class Suppress:
    """A person wants this memory less, or takes that back: answer how often it is suppressed."""

    memory_id: int
    back: bool
    at: float
    reply: Reply[int]


class TooLate(Exception):
    """A suppression can be taken back for a day only: the client's fault."""


StrengthMessage = Happened | Used | Review | WereShown | Rate | Suppress

# ---- tagging


@dataclass(frozen=True, slots=True)
class ImportanceRaised:
    """A moment was important: it captures what was encoded around it."""

    event: Raised


@dataclass(frozen=True, slots=True)
class WereAccessed:
    """Somebody asked, and these memories were the answer."""

    memory_ids: tuple[int, ...]
    session: str | None
    at: float


@dataclass(frozen=True, slots=True)
class Fade:
    """Let go of the tags and moments that have served."""

    at: float


@dataclass(frozen=True, slots=True)
class WhatWasCaptured:
    """Which captures of this project has no session been told of?"""

    project: str | None
    at: float
    reply: Reply[list[UntoldRow]]


@dataclass(frozen=True, slots=True)
class WereReported:
    """A session was told of these captures (memory, event)."""

    captures: tuple[tuple[int, str], ...]
    at: float


@dataclass(frozen=True, slots=True)
class WhatCaused:
    """Which memories may explain this failure? Nothing is changed."""

    failure: Failure
    scope: Scope
    reply: Reply[tuple[Cause, ...]]


@dataclass(frozen=True, slots=True)
class Backfill:
    """Strengthen the memories that may explain this failure; the answer is which were."""

    failure: Failure
    scope: Scope
    at: float
    reply: Reply[tuple[Cause, ...]]


TaggingMessage = (
    ImportanceRaised
    | MemoriesChanged
    | WereAccessed
    | Fade
    | WhatWasCaptured
    | WereReported
    | WhatCaused
    | Backfill
)

# ---- importance


@dataclass(frozen=True, slots=True)
class WereReviewed:
    """These memories were of use, or were found to be of none."""

    memory_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Dim:
    """Let importances fade that nothing was heard of."""

    at: float


ImportanceMessage = Happened | MemoriesChanged | WereReviewed | Dim

# ---- activation


@dataclass(frozen=True, slots=True)
class Association:
    """A memory that was brought to mind: how strongly, and by which way."""

    memory_id: int
    score: float  # 0..1
    hops: int
    path: tuple[int, ...]  # memories from the seed to it, both included


@dataclass(frozen=True, slots=True)
class WhatComesToMind:
    """What do these memories (id, activation 0..1) bring to mind besides themselves?"""

    seeds: tuple[tuple[int, float], ...]
    scope: Scope
    limit: int
    reply: Reply[tuple[Association, ...]]


ActivationMessage = WhatComesToMind | VectorsArrived | MemoriesChanged

# ---- causal


@dataclass(frozen=True, slots=True)
class Connect:
    """Draw an edge, or give the one that is there this strength and evidence.

    The answer is whether it is new; ``InvalidLink`` when it can be none.
    """

    source_id: int
    target_id: int
    relation: str
    strength: float
    evidence: str
    at: float
    reply: Reply[bool]


@dataclass(frozen=True, slots=True)
class Disconnect:
    """Take an edge out; the answer is whether there was one."""

    source_id: int
    target_id: int
    relation: str
    reply: Reply[bool]


@dataclass(frozen=True, slots=True)
class WhatLedTo:
    """Which edges are around this memory, within ``depth`` hops?"""

    memory_id: int
    depth: int
    direction: Direction
    reply: Reply[Lineage]


@dataclass(frozen=True, slots=True)
class HowAreTheyLinked:
    """By which ways does one lead to the other?"""

    one_id: int
    other_id: int
    direction: Direction
    reply: Reply[tuple[Chain, ...]]


@dataclass(frozen=True, slots=True)
class Connections:
    """How well the memories are connected."""

    density: Density
    totals: GraphTotals


@dataclass(frozen=True, slots=True)
class HowConnected:
    """How well are the memories connected?"""

    reply: Reply[Connections]


@dataclass(frozen=True, slots=True)
class HowWellLinked:
    """What do their edges add to the scores of these memories (row L05)?"""

    memory_ids: tuple[int, ...]
    reply: Reply[dict[int, float]]


CausalMessage = (
    Connect
    | Disconnect
    | WhatLedTo
    | HowAreTheyLinked
    | HowConnected
    | HowWellLinked
    | MemoriesChanged
)

# ---- pressure


@dataclass(frozen=True, slots=True)
class HowFull:
    """How full is the session's context?"""

    session: str
    reply: Reply[Pressure]


PressureMessage = Happened | HowFull

# ---- prospective


class NoSuchIntention(Exception):
    """The id names no intention: the client's fault."""


class TooManyIntentions(Exception):
    """A thousand are open: some must be done or cancelled first."""


@dataclass(frozen=True, slots=True)
class Intend:
    """Keep this intention: answer it with its id, once durable. Its like, when it is open already.

    ``TooManyIntentions`` when there is no room.
    """

    intention: Intention
    reply: Reply[Intention]


@dataclass(frozen=True, slots=True)
class WhatIsIntended:
    """Which intentions are there, ended ones included, and which of them are due at this time?"""

    at: float
    reply: Reply[tuple[tuple[Intention, bool], ...]]


@dataclass(frozen=True, slots=True)
class ChangeIntention:
    """It was done, given up or put off: answer what it is now, once durable."""

    intention_id: str
    change: Literal["done", "cancelled", "snoozed"]
    seconds: float | None  # how long it is put off; None: the usual time
    at: float
    reply: Reply[Intention]


@dataclass(frozen=True, slots=True)
class WhatIsDue:
    """What is to be brought to mind in this session, at this prompt or its start?"""

    session: str
    project: str | None
    prompt: str  # empty: the session starts
    at: float
    reply: Reply[tuple[Intention, ...]]


@dataclass(frozen=True, slots=True)
class WereReminded:
    """These intentions are in the session's context now."""

    intention_ids: tuple[str, ...]
    session: str
    at: float


@dataclass(frozen=True, slots=True)
class LookAtIntentions:
    """See which came due or expired, and let go of those that ended long ago."""

    at: float


@dataclass(frozen=True, slots=True)
class IntentionsErased:
    """Intentions may have left the store: read it anew."""


ProspectiveMessage = (
    Happened
    | Intend
    | WhatIsIntended
    | ChangeIntention
    | WhatIsDue
    | WereReminded
    | LookAtIntentions
    | IntentionsErased
)
