"""Everything actors say to each other: frozen values, one closed union an actor.

Facts are in the past, orders in the imperative, questions as questions; a question
carries its ``reply``. Times are seconds since the epoch, UTC.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from actors.mailbox import Reply
from actors.policy.candidates import Candidate
from actors.policy.events import Event
from actors.policy.phrases import Match
from actors.policy.pressure import Pressure
from actors.policy.reinforcement import Use
from actors.ports import Memory, Role, Scope, SessionRow
from actors.writes import Origin, Raised, Unit

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


class NoSuchMemory(Exception):
    """The id names no memory: the client's fault."""


@dataclass(frozen=True, slots=True)
class Keep:
    """Keep these texts, each judged after the ones before it."""

    drafts: tuple[Draft, ...]
    judged: bool  # False: create all but exact copies, without a look at what resembles them
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


GateMessage = Proposed | Keep | WhatWouldYouDo | VectorsArrived

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


EmbedderMessage = Embed | MemoriesChanged

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


TriggersMessage = WhatMatches | MemoriesChanged

# ---- recall


@dataclass(frozen=True, slots=True)
class Note:
    """One memory on its way to a person or an agent, with the sum of its score."""

    memory: Memory
    score: float
    why: str
    parts: dict[str, float]


@dataclass(frozen=True, slots=True)
class Found:
    """The answer to a recall, best first."""

    notes: tuple[Note, ...]
    confidence: float
    mode: str
    degraded: str | None
    evidence: dict[str, Any]
    timings: dict[str, float]
    block: str = ""  # what a prompt gets: fenced, or empty


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


@dataclass(frozen=True, slots=True)
class Bring:
    """What should this prompt, or this session as it starts, be told?"""

    event: Event
    project: str | None
    at: float
    within: float  # seconds after which nobody waits any more
    reply: Reply[Found]


RecallMessage = Search | Bring

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
class WhichAreNew:
    """Which of these contents does the session not have in its context yet?"""

    session: str
    content_hashes: tuple[bytes, ...]
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


SessionsMessage = Happened | WhichAreNew | WereDelivered | WhatWasDoing | IsSilent | ForgetSession

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


StrengthMessage = Used | Review | WereShown

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


TaggingMessage = ImportanceRaised | MemoriesChanged | WereAccessed | Fade

# ---- pressure


@dataclass(frozen=True, slots=True)
class HowFull:
    """How full is the session's context?"""

    session: str
    reply: Reply[Pressure]


PressureMessage = Happened | HowFull
