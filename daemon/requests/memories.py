"""A memory and a page of them: shown, listed."""

from typing import Any, Literal

import msgspec

from daemon.requests.link import Related
from daemon.requests.shapes import Reply, Request, Row

Status = Literal["hypothesis", "noticed", "confirmed", "refuted"]


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
    stale: str = ""  # what is said while what it is about is gone, changed or spoken against
    accessibility: str | None = None  # active … unavailable: of show, list
    accessibility_value: float | None = None  # 0..1


class About(msgspec.Struct, frozen=True, kw_only=True):
    """A file, a symbol of it or a command that a memory is about."""

    path: str  # in its project; empty for a command that no file there defines
    symbol: str
    command: str
    state: str  # held, changed, gone


class Usage(msgspec.Struct, frozen=True, kw_only=True):
    """Use of a memory, and what people made of it."""

    confidence: float = 0.5  # 0..1, moved by verdicts
    validations: int = 0  # verdicts
    storage: float = 1.0  # 1..10; never fades
    retention: float = 1.0  # 0..1, of both strengths
    sessions: int = 0  # in which it was shown unasked
    cited: int = 0  # of which so many cited it
    effectiveness: float | None = None  # their share, from ten on
    credits: list[dict[str, Any]] = []  # session, cause, at
    suppressions: int = 0
    hidden_until: float | None = None  # no prompt gets it until then; until then it can be undone
    proposals: list[dict[str, Any]] = []  # id, state, reason, at
    verdicts: list[dict[str, Any]] = []  # project (empty: in none), useful, useless
    untold: dict[str, int] = {}  # why prompts that it was weighed for were not told, and how often
    windows: list[dict[str, Any]] = []  # in which it was edited: opened_at, settled_at, edits
    relevance: float | None = None  # by age, use and connections now; None: it has ended


class Shown(Reply, frozen=True, kw_only=True):
    """One memory with its past."""

    memory: MemoryView
    decisions: list[dict[str, Any]]
    history: list[dict[str, Any]]
    usage: Usage = Usage()
    about: list[About] = msgspec.field(default_factory=list[About])
    context: str = "general"  # what work it comes from, by its words: research, decision, …
    related: list[Related] = msgspec.field(default_factory=list[Related])
    degree_boost: float = 0.0  # what its links add to a score
    # per cent of its life in each state of accessibility, and the last changes: at, before,
    # after, cause
    spent: dict[str, float] = msgspec.field(default_factory=dict[str, float])
    transitions: list[dict[str, Any]] = msgspec.field(default_factory=list[dict[str, Any]])
    read: list[str] | msgspec.UnsetType = msgspec.UNSET  # what the reader made of it, in sentences


class Show(Request[Shown], frozen=True, kw_only=True):
    """Show me this memory."""

    NAME = "show"
    MEMORIES = ("id",)
    id: str


class Listed(Reply, frozen=True, kw_only=True):
    """A page of memories, newest first."""

    memories: list[MemoryView]
    total: int


class List(Request[Listed], frozen=True, kw_only=True):
    """Request for a list of memories."""

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
    offset: Row = 0
