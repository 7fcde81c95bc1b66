"""What happened: the journal, what was learnt, and why a memory is there."""

from __future__ import annotations

from typing import Any

import msgspec

from daemon.requests.link import Direction, LineageView
from daemon.requests.memories import MemoryView
from daemon.requests.shapes import Reply, Request
from daemon.requests.strength import Usage


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
    what: str  # create, reinforce, …, rewritten, reviewed, shown, captured, or how it ended
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
    # episode, kind, reason, score, hours, importance, at
    captures: list[dict[str, Any]] = msgspec.field(default_factory=list[dict[str, Any]])
    # value, priority, promotable, channels, changes, backfills
    importance: dict[str, Any] = msgspec.field(default_factory=dict[str, Any])
    lineage: LineageView | None = None
    usage: Usage = Usage()


class Why(Request[Reasons], frozen=True, kw_only=True):
    """Why is this memory there?"""

    NAME = "why"
    id: str
    depth: int = 3  # links that its lineage is followed for; at most 10
    direction: Direction = "both"


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
    contradictions: int = 0  # among them (C-05)
    similarity: float | None = None  # of those that had a neighbour, on the average, 2 digits
    # the scale on which the gate reads the model's cosines (C14)
    calibration: dict[str, Any] = msgspec.field(default_factory=dict[str, Any])
    journal: dict[str, int]  # events, undone
    vectors: dict[str, int]  # memories with vectors, chunks
    bytes: int  # of the database, its log included
    days: int  # that the last two look back
    exposures: int
    uses: int
    shown: int = 0  # in those days: memories shown unasked to a session, each once a session
    cited: int = 0  # of which the session cited so many (finding 12)
    # open, accepted, declined
    proposals: dict[str, int] = msgspec.field(default_factory=dict[str, int])
    # the causal graph: edges, nodes, density with its class, coverage; and associations
    graph: dict[str, Any] = msgspec.field(default_factory=dict[str, Any])
    # the second axis of the living (C13)
    accessibility: dict[str, int] = msgspec.field(default_factory=dict[str, int])
    # of the daemon: memories whose words are held; bytes of those words (`mapped`: of them in the
    # page cache), of vectors' sign bits (`vectors_mapped`: of a file beside them that is mapped,
    # a byte a number of each vector), of phrases
    in_memory: dict[str, int] = msgspec.field(default_factory=dict[str, int])
    # bytes of the database with its log, of the journal in it, and of the folders of the home
    on_disk: dict[str, int] = msgspec.field(default_factory=dict[str, int])
    # of the archivist: totalScanned, totalArchived, totalUnarchived, lastScanTime, errors (G03)
    archival: dict[str, Any] = msgspec.field(default_factory=dict[str, Any])
    # since the daemon began: what was made ready for questions, and what came of it (Q08)
    prefetch: dict[str, Any] = msgspec.field(default_factory=dict[str, Any])


class Stats(Request[Figures], frozen=True, kw_only=True):
    """How much of what is there?"""

    NAME = "stats"
