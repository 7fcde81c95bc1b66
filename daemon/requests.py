"""Everything a client may ask of the daemon, and what it is answered.

One frozen struct a request; its class says its name on the wire and the type of its
reply. Both ends use these: the daemon validates strictly at its edge (a wrong type is
a ``BadRequest``, never a coercion), the client gets typed replies. No actor is
imported here.
"""

from __future__ import annotations

from typing import Any, ClassVar, Generic, Literal, TypeVar, get_args

import msgspec

R = TypeVar("R")

Tier = Literal["constitutional", "critical", "important", "normal", "temporary", "deprecated"]
Mode = Literal["both", "words", "vectors", "none"]


class BadRequest(Exception):
    """The request does not have the shape it must have: the client's fault."""


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """The body of an error frame: a word for programs, a line for people."""

    code: str
    message: str


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """What the daemon answers."""


class Request(msgspec.Struct, Generic[R], frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a client asks; ``R`` is the type of the reply."""

    NAME: ClassVar[str]


class Done(Reply, frozen=True, kw_only=True):
    """It is done and durable."""

    count: int = 1
    note: str = ""


# ---- The daemon itself -------------------------------------------------------------


class Greeting(Reply, frozen=True, kw_only=True):
    """Who answers."""

    version: str
    pid: int
    ready: bool


class Greet(Request[Greeting], frozen=True, kw_only=True):
    """First words of a client: which version are you?"""

    NAME = "greet"
    version: str


class StatusReply(Reply, frozen=True, kw_only=True):
    """The daemon's state, as ``reverie status --json`` prints it."""

    ready: bool
    pid: int
    version: str
    home: str
    uptime: float  # seconds
    memories: int | None  # None: the database cannot be read, and ``degraded`` says why
    vectors: Literal["ready", "building", "off"]
    vectors_detail: str
    spooled: int
    undone: int | None  # journaled events whose derivation is not finished
    degraded: list[str]
    actors: dict[str, dict[str, Any]]
    schedule: dict[str, dict[str, Any]]


class Status(Request[StatusReply], frozen=True, kw_only=True):
    """How are you?"""

    NAME = "status"


class Stop(Request[Done], frozen=True, kw_only=True):
    """Drain and leave."""

    NAME = "stop"


class WatchReply(Reply, frozen=True, kw_only=True):
    """The watch ended because the daemon stops."""

    revision: int


class Watch(Request[WatchReply], frozen=True, kw_only=True):
    """Tell me when the store or the daemon's state changes.

    Each change is a progress frame ``{"revision", "memories", "vectors"}``, at most ten
    a second; the first comes at once.
    """

    NAME = "watch"


# ---- Memories ----------------------------------------------------------------------


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
    triggers: list[str] = []
    project: str | None = None
    intent: Literal["auto", "new", "update", "supersede"] = "auto"
    target: str | None = None
    source: Literal["hand", "editor"] = "hand"


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


class Recalled(Reply, frozen=True, kw_only=True):
    """The answer to a recall, best first."""

    results: list[Scored]
    confidence: float
    mode: Mode  # what was searched: words and vectors, or only one of them
    degraded: str | None  # why less than everything was searched
    evidence: dict[str, Any]
    timings: dict[str, float]  # milliseconds a stage
    prompt: str | None = None  # with ``as_prompt``: the block that a prompt would get


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


class Shown(Reply, frozen=True, kw_only=True):
    """One memory with its past."""

    memory: MemoryView
    decisions: list[dict[str, Any]]
    history: list[dict[str, Any]]


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
    state: str | None = None
    ended: bool = False  # those that ended instead of those that live
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


# ---- In bulk -----------------------------------------------------------------------


class ImportRow(msgspec.Struct, frozen=True, kw_only=True):
    """One line of an import file; more fields than these are ignored."""

    text: str
    key: str | None = None
    project: str | None = None
    title: str = ""
    created_at: float | str | None = None
    type: str = "fact"
    tier: Tier = "normal"
    triggers: list[str] = []


class Imported(Reply, frozen=True, kw_only=True):
    """What became of each row, in order."""

    outcomes: list[Decided]


class Import(Request[Imported], frozen=True, kw_only=True):
    """Keep all of these (a client sends at most 500 rows at a time)."""

    NAME = "import"
    rows: list[ImportRow]
    gate: bool = True


class Embedded(Reply, frozen=True, kw_only=True):
    """How far the vectors are."""

    pending: int
    state: Literal["ready", "building", "off"]
    detail: str


class AwaitEmbedded(Request[Embedded], frozen=True, kw_only=True):
    """Answer when every living memory has its vectors, or when that cannot be.

    Progress frames ``{"pending": n}`` come meanwhile.
    """

    NAME = "await-embedded"


class Exported(Reply, frozen=True, kw_only=True):
    """A page of an export; ``after`` asks for the next one, ``None`` says it was the last."""

    rows: list[dict[str, Any]]
    after: int | None


class Export(Request[Exported], frozen=True, kw_only=True):
    """Give me everything that lives, page by page."""

    NAME = "export"
    after: int = 0
    limit: int = 500
    project: str | None = None


class Pair(msgspec.Struct, frozen=True, kw_only=True):
    """An existing and an incoming text."""

    id: str
    existing: str
    incoming: str


class PairVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """What the gate would do."""

    id: str
    action: str
    similarity: float | None
    contradiction: str | None


class Judged(Reply, frozen=True, kw_only=True):
    """The verdicts, in order."""

    verdicts: list[PairVerdict]


class Judge(Request[Judged], frozen=True, kw_only=True):
    """What would the gate do with these pairs? Nothing is stored."""

    NAME = "judge"
    pairs: list[Pair]


# ---- What happened -----------------------------------------------------------------


class JournalPage(Reply, frozen=True, kw_only=True):
    """Journaled events, oldest first, without their contents."""

    events: list[dict[str, Any]]
    after: int | None


class Journal(Request[JournalPage], frozen=True, kw_only=True):
    """Which events arrived?"""

    NAME = "journal"
    after: int = 0
    limit: int = 1000


class LogPage(Reply, frozen=True, kw_only=True):
    """What was learnt, changed and shown, oldest first."""

    entries: list[dict[str, Any]]


class Log(Request[LogPage], frozen=True, kw_only=True):
    """What did you learn, change and show?"""

    NAME = "log"
    since: float = 0.0
    session: str | None = None
    limit: int = 200


class Moved(msgspec.Struct, frozen=True, kw_only=True):
    """A memory that will be in another state by then."""

    id: str
    title: str
    kind: str
    tier: str
    project: str | None
    now: str
    then: str
    at: float  # when it leaves the state it is in now


class Foretold(Reply, frozen=True, kw_only=True):
    """What will have faded by then, if nothing is used until then."""

    at: float  # seconds since the epoch, UTC
    until: float
    memories: int
    now: dict[str, int]  # how many are in each state
    then: dict[str, int]
    changing: int
    changes: list[Moved]  # soonest first, at most ``limit``


class Forecast(Request[Foretold], frozen=True, kw_only=True):
    """What will have faded in so many days?"""

    NAME = "forecast"
    days: float
    project: str | None = None
    everywhere: bool = False
    limit: int = 50


class Past(msgspec.Struct, frozen=True, kw_only=True):
    """Something that happened to a memory."""

    at: float
    what: str  # create, reinforce, …, rewritten, reviewed, shown, or how it ended
    detail: str


class Remembered(msgspec.Struct, frozen=True, kw_only=True):
    """A memory in time, with what happened to it, oldest first."""

    id: str
    title: str
    kind: str
    project: str | None
    created_at: float
    state: str  # lifecycle state, or how it ended
    apart: float | None  # seconds from the memory that was asked about; negative is before it
    past: list[Past]


class TimelinePage(Reply, frozen=True, kw_only=True):
    """Memories by their time, newest first; or the neighbours of one, nearest first."""

    memories: list[Remembered]
    total: int
    about: Remembered | None  # the memory that was asked about


class Timeline(Request[TimelinePage], frozen=True, kw_only=True):
    """What was remembered when? With an id: what was remembered around that memory?"""

    NAME = "timeline"
    id: str | None = None
    project: str | None = None
    everywhere: bool = False
    window: float = 3600.0  # seconds on each side of the memory
    limit: int = 50


class Reasons(Reply, frozen=True, kw_only=True):
    """Why a memory is there and as strong as it is."""

    memory: MemoryView
    sentences: list[str]  # all of the below in plain words
    provenance: dict[str, Any]  # rule, tool, redacted; the event's kind, agent and time, or null
    decision: dict[str, Any] | None  # the gate's that made it
    later: list[dict[str, Any]]  # its other decisions about it
    supersedes: list[str]
    shown_at: float | None
    shown_where: str | None
    used_at: float | None
    reviews: list[dict[str, Any]]
    phrases: dict[str, list[str]]  # given by a person, derived from its text
    captures: list[dict[str, Any]] = []  # episode, kind, reason, score, hours, importance, at


class Why(Request[Reasons], frozen=True, kw_only=True):
    """Why is this memory there?"""

    NAME = "why"
    id: str


class Member(msgspec.Struct, frozen=True, kw_only=True):
    """A memory that an important moment captured."""

    id: str
    title: str
    score: float
    hours: float  # from the memory to the moment; negative: it was encoded after the moment
    importance: float  # that the capture gave it
    before: float  # its importance until then


class Episode(msgspec.Struct, frozen=True, kw_only=True):
    """An important moment and the memories that it captured."""

    id: str
    kind: str  # user_flag, correction, test_fixed, revert, repeated_access, …
    reason: str  # one line; empty once erased
    strength: float
    at: float
    session: str | None
    project: str | None
    captured: int
    average_importance: float  # of the members
    span: float  # hours from the first member to the last
    members: list[Member]  # its own session's first, then by score; at most tagging.members


class EpisodesPage(Reply, frozen=True, kw_only=True):
    """Episodes, newest first."""

    episodes: list[Episode]
    total: int


class ListEpisodes(Request[EpisodesPage], frozen=True, kw_only=True):
    """Which moments captured memories?"""

    NAME = "episodes"
    project: str | None = None
    everywhere: bool = False
    limit: int = 20


class EpisodeShown(Reply, frozen=True, kw_only=True):
    """One episode."""

    episode: Episode


class ShowEpisode(Request[EpisodeShown], frozen=True, kw_only=True):
    """What did this moment capture?"""

    NAME = "episode"
    id: str


class Figures(Reply, frozen=True, kw_only=True):
    """The store in numbers."""

    memories: int  # that live; so for the next four
    kinds: dict[str, int]
    tiers: dict[str, int]
    states: dict[str, int]
    projects: dict[str, int]  # "" is what holds everywhere
    ended: dict[str, int]
    actions: dict[str, int]  # decisions of the gate
    journal: dict[str, int]  # events, undone
    vectors: dict[str, int]  # memories with vectors, chunks
    bytes: int  # of the database, its log included
    days: int  # that the last two look back
    exposures: int
    uses: int


class Stats(Request[Figures], frozen=True, kw_only=True):
    """How much of what is there?"""

    NAME = "stats"


# ---- Sessions ----------------------------------------------------------------------


class SessionView(msgspec.Struct, frozen=True, kw_only=True):
    """A session of an agent."""

    session: str
    agent: str
    project: str | None
    started_at: float
    seen_at: float
    status: str  # open, ended
    task: str  # the last prompt, shortened
    silent: bool  # a person wants no notes in it
    held: int  # memories it attends to
    delivered: int  # notes it has in its context


class SessionsListed(Reply, frozen=True, kw_only=True):
    """Sessions, the one seen last first."""

    sessions: list[SessionView]
    total: int


class ListSessions(Request[SessionsListed], frozen=True, kw_only=True):
    """Which sessions are known?"""

    NAME = "list-sessions"
    limit: int = 20


class HeldView(msgspec.Struct, frozen=True, kw_only=True):
    """A memory that a session attends to."""

    id: str
    title: str
    attention: float  # 0…1
    tier: str  # focused, active, peripheral, fading


class DeliveredView(msgspec.Struct, frozen=True, kw_only=True):
    """A note that a session has in its context."""

    id: str | None  # None: its memory says something else by now, or is erased
    title: str
    at: float


class SessionShown(Reply, frozen=True, kw_only=True):
    """A session with its working memory, strongest first, and its deliveries, oldest first."""

    session: SessionView
    working_memory: list[HeldView]
    delivered: list[DeliveredView]


class ShowSession(Request[SessionShown], frozen=True, kw_only=True):
    """Show me this session; the beginning of its name is enough when it is the only one."""

    NAME = "show-session"
    session: str


class ClearSession(Request[Done], frozen=True, kw_only=True):
    """Empty this session's working memory and its ledger of deliveries."""

    NAME = "clear-session"
    session: str


# ---- Editors -----------------------------------------------------------------------


class MatchView(msgspec.Struct, frozen=True, kw_only=True):
    """A memory that a stretch of text mentions. Offsets are code points of that text."""

    start: int
    end: int
    id: str
    phrase: str
    title: str
    text: str
    kind: str
    tier: str
    score: float
    created_at: float
    state: str
    origin: str


class Matched(Reply, frozen=True, kw_only=True):
    """The matches in order of their place, at most ``limit``."""

    matches: list[MatchView]
    revision: int


class Match(Request[Matched], frozen=True, kw_only=True):
    """Which memories does this text mention? ``path`` tells the project."""

    NAME = "match"
    text: str
    path: str | None = None
    limit: int = 200


REQUESTS: dict[str, type[Request[Any]]] = {
    request.NAME: request
    for request in (
        Greet, Status, Stop, Watch, Remember, Recall, Show, List, Forget, Unforget, Pin,
        Feedback, Purge, Import, AwaitEmbedded, Export, Judge, Journal, Log, Match,
        Forecast, Timeline, Why, ListEpisodes, ShowEpisode, Stats, ListSessions, ShowSession, ClearSession,
    )
}  # fmt: skip


def parsed(kind: str, body: object) -> Request[Any]:
    """The request of this kind, checked strictly.

    Raises ``BadRequest`` for an unknown kind and for any field that is missing,
    unknown or of another type.
    """
    request = REQUESTS.get(kind)
    if request is None:
        raise BadRequest(f"there is no request called {kind[:40]!r}")
    try:
        checked: Request[Any] = msgspec.convert(body, request, strict=True)
    except msgspec.ValidationError as error:
        raise BadRequest(f"{kind}: {error}") from None
    return checked


def reply_type(request: Request[R]) -> type[R]:
    """The type that answers this request."""
    (argument,) = get_args(type(request).__orig_bases__[0])  # type: ignore[attr-defined]
    return argument  # type: ignore[no-any-return]
