"""One memory and a page of them: keeping, finding, showing, ending."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from daemon.requests.link import AssociationView, Related
from daemon.requests.shapes import Done, Mode, Reply, Request, Tier
from daemon.requests.strength import Usage

Status = Literal["hypothesis", "confirmed", "refuted"]


class MemoryView(msgspec.Struct, frozen=True, kw_only=True):
    """One memory as a person sees it."""

    id: str
    text: str
    title: str
    kind: str
    tier: str
    project: str | None
    created_at: float  # seconds since the epoch, UTC
    updated_at: float
    state: str  # lifecycle state: HOT … DORMANT, archivable
    retrievability: float
    stability: float  # days
    pinned: bool
    ended: str | None  # deprecated, forgotten, … or None while it lives
    key: str | None
    triggers: list[str]
    origin: str  # in words: "remembered by hand", "from a prompt", …
    session: str | None
    versions: int
    superseded_by: str | None = None
    uses: int = 0
    exposures: int = 0
    status: Status = "confirmed"
    valid_from: float | None = None  # seconds UTC; None: since ever
    valid_until: float | None = None  # seconds UTC, not included; None: without an end
    valid: bool = True  # now
    subject: str | None = None  # the X of "the current X is Y"
    accessibility: str | None = None  # active … unavailable (C13): of show, list
    accessibility_value: float | None = None  # 0..1


class Decided(Reply, frozen=True, kw_only=True):
    """What the prediction-error gate made of a text."""

    id: str
    action: str  # CREATE, CREATE_LINKED, REINFORCE, UPDATE, SUPERSEDE
    reason: str
    similarity: float | None


class Remember(Request[Decided], frozen=True, kw_only=True):
    """Keep this."""

    NAME = "remember"
    text: str
    title: str = ""
    type: str = "fact"
    tier: Tier = "normal"
    triggers: list[str] = msgspec.field(default_factory=list[str])
    project: str | None = None
    intent: Literal["auto", "new", "update", "supersede"] = "auto"
    target: str | None = None
    source: Literal["hand", "editor"] = "hand"
    status: Literal["hypothesis", "confirmed"] = "confirmed"
    valid_from: float | str | None = None  # seconds UTC, or an ISO date
    valid_until: float | str | None = None  # not included


class Scored(msgspec.Struct, frozen=True, kw_only=True):
    """One result of a recall."""

    id: str
    key: str | None
    score: float  # 0…1
    text: str
    title: str
    kind: str
    tier: str
    origin: str
    project: str | None
    created_at: float
    why: str
    parts: dict[str, float] = {}
    # with ``explain``: name, times, plus; applied in this order from 0 they give the score
    terms: list[dict[str, Any]] = msgspec.field(default_factory=list[dict[str, Any]])
    status: Status = "confirmed"
    valid_from: float | None = None
    valid_until: float | None = None
    valid: bool = True  # now, or at the time that was asked about
    ended: str | None = None  # of a time that is over: how it ended since
    whole: bool = True  # the text is all there


class Missing(msgspec.Struct, frozen=True, kw_only=True):
    """A channel that did not answer (K11)."""

    channel: str
    failure_mode: str  # late, unavailable, unreadable, crashed, switched off
    detail: str
    confidence_impact: float
    retry_recommendation: str  # immediate, delayed, none


class Degraded(msgspec.Struct, frozen=True, kw_only=True):
    """What an answer lacks, what was searched instead, and what that costs (K11)."""

    failure_mode: str
    fallback_mode: str
    confidence_impact: float  # what the confidence was lowered by
    retry_recommendation: str
    channels: list[Missing]
    line: str  # all of it for a person


class Channel(msgspec.Struct, frozen=True, kw_only=True):
    """What one channel tells of itself."""

    channel: str
    ms: float
    found: int
    failure: str | None


class Recalled(Reply, frozen=True, kw_only=True):
    """The answer to a recall, best first."""

    results: list[Scored]
    confidence: float
    mode: Mode  # what was searched: words and vectors, or only one of them
    degraded: Degraded | None  # what failed; what a person switched off is not among it
    evidence: dict[str, Any]  # gap, reason, z, connected (K14), and how the first were judged
    timings: dict[str, float]  # milliseconds a stage
    prompt: str | None = None  # with ``as_prompt``: the block that a prompt would get
    # how the query was understood: words searched for besides, an event's day, concepts
    said: list[str] = msgspec.field(default_factory=list[str])
    # with ``explain``: each stage, how many came in and went on, and how many scores it changed
    stages: list[dict[str, Any]] = msgspec.field(default_factory=list[dict[str, Any]])
    channels: list[Channel] = msgspec.field(default_factory=list[Channel])
    # with ``associations``: what the best result brings to mind (row E07)
    associations: list[AssociationView] = msgspec.field(default_factory=list[AssociationView])
    # with ``detail`` or ``tokens``: ids of what is not there whole, best first, and tokens used
    expandable: list[str] = msgspec.field(default_factory=list[str])
    tokens: int | None = None


class Recall(Request[Recalled], frozen=True, kw_only=True):
    """What do you know about this?"""

    NAME = "recall"
    query: str
    k: int = 10
    project: str | None = None
    everywhere: bool = False
    explain: bool = False
    track: bool = True
    as_prompt: bool = False
    as_of: float | str | None = None  # what was true then: seconds UTC, or an ISO date
    associations: bool = False
    mode: Literal["precise", "balanced", "exhaustive"] = "balanced"
    # memories near all of these, two to five, come first (row K02)
    concepts: list[str] = msgspec.field(default_factory=list[str])
    # what this question does without, or has although it is off: names of the settings
    # ``channels.*`` and ``stages.*``
    without: list[str] = msgspec.field(default_factory=list[str])
    also: list[str] = msgspec.field(default_factory=list[str])
    detail: Literal["brief", "summary", "full"] = "full"  # of each result (K35)
    tokens: int | None = None  # at most for all texts; 0: by the question's complexity (K22, K23)


class Shown(Reply, frozen=True, kw_only=True):
    """One memory with its past."""

    memory: MemoryView
    decisions: list[dict[str, Any]]
    history: list[dict[str, Any]]
    usage: Usage = Usage()
    related: list[Related] = msgspec.field(default_factory=list[Related])
    degree_boost: float = 0.0  # what its links add to a score (row L05)
    # per cent of its life in each state of accessibility, and the last changes: at, before,
    # after, cause (B14)
    spent: dict[str, float] = msgspec.field(default_factory=dict[str, float])
    transitions: list[dict[str, Any]] = msgspec.field(default_factory=list[dict[str, Any]])


class Show(Request[Shown], frozen=True, kw_only=True):
    """Show me this memory."""

    NAME = "show"
    id: str


class Listed(Reply, frozen=True, kw_only=True):
    """A page of memories, newest first."""

    memories: list[MemoryView]
    total: int


class List(Request[Listed], frozen=True, kw_only=True):
    """Which memories are there?"""

    NAME = "list"
    project: str | None = None
    everywhere: bool = True
    type: str | None = None
    tier: str | None = None
    state: str | None = None  # lifecycle
    accessibility: str | None = None
    ended: bool = False  # those that ended instead of those that live
    status: Status | None = None  # refuted ones have ended
    expiring: float | None = None  # days: valid now and no longer then, the soonest first
    limit: int = 50
    offset: int = 0


class Forget(Request[Done], frozen=True, kw_only=True):
    """Take these out of recall; with ``erase``, out of every file, for good."""

    NAME = "forget"
    ids: list[str]
    erase: bool = False


class Unforget(Request[Done], frozen=True, kw_only=True):
    """Bring these back."""

    NAME = "unforget"
    ids: list[str]


class Archive(Request[Done], frozen=True, kw_only=True):
    """Put these away: out of recall and the indexes, as they are."""

    NAME = "archive"
    ids: list[str]


class Unarchive(Request[Done], frozen=True, kw_only=True):
    """Bring these back from the archive."""

    NAME = "unarchive"
    ids: list[str]


class RecallById(Request[Recalled], frozen=True, kw_only=True):
    """This memory, which comes back from the archive when it is there (row G02)."""

    NAME = "recall-by-id"
    id: str
    track: bool = True


class Pin(Request[Done], frozen=True, kw_only=True):
    """These never fade and are never archived; or no longer so."""

    NAME = "pin"
    ids: list[str]
    pinned: bool = True


class Feedback(Request[Done], frozen=True, kw_only=True):
    """This memory helped, or did not."""

    NAME = "feedback"
    id: str
    useful: bool


class Purge(Request[Done], frozen=True, kw_only=True):
    """Erase everything forgotten, or everything of a project, or everything."""

    NAME = "purge"
    what: Literal["forgotten", "project", "everything"] = "forgotten"
    project: str | None = None
