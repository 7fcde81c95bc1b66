"""Memories by the time they were made, and a forecast of those that will have faded."""

import msgspec

from daemon.requests.shapes import Reply, Request


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
    """Request for what was remembered when; with an id, what was remembered around that memory.

    Without an id: of a kind, and from ``begin`` to ``end``, where these are given.
    """

    NAME = "timeline"
    MEMORIES = ("id",)
    id: str | None = None
    project: str | None = None
    everywhere: bool = False
    window: float = 3600.0  # seconds on each side of the memory
    begin: float | str | None = None  # seconds UTC, or an ISO date
    end: float | str | None = None
    type: str | None = None
    limit: int = 50


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
    """Memories that will have faded by then, if nothing is used until then."""

    at: float  # seconds since the epoch, UTC
    until: float
    memories: int
    now: dict[str, int]  # how many are in each state
    then: dict[str, int]
    changing: int
    changes: list[Moved]  # soonest first, at most ``limit``


class Forecast(Request[Foretold], frozen=True, kw_only=True):
    """Request for what will have faded in so many days."""

    NAME = "forecast"
    days: float
    project: str | None = None
    everywhere: bool = False
    limit: int = 50
