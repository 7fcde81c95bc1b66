"""A file that is open, memories that bear on it, and their phrases in its text."""

import msgspec

from daemon.requests.recall import Recalled
from daemon.requests.shapes import Done, Reply, Request


class Open(Request[Done], frozen=True, kw_only=True):
    """An editor shows this file: something may soon be asked about it."""

    NAME = "open"
    path: str


class Foreseen(msgspec.Struct, frozen=True, kw_only=True):
    """A memory or a question that is expected to be needed at a file, and why."""

    memory: str | None
    question: str | None
    likelihood: float
    because: str  # of the "file" or of the "project"
    seen: int  # times that it was needed there
    missed: int  # times that it was made ready there for nothing
    ready: bool


class CompanionView(msgspec.Struct, frozen=True, kw_only=True):
    """A file that was changed together with another: in a commit, or in a turn of a session."""

    path: str  # in its checkout
    times: int
    of: int  # times that the other was changed
    at: float  # the last time
    commit: str  # of the last time that has one; empty for none
    session: str


class EndedView(msgspec.Struct, frozen=True, kw_only=True):
    """A failure that an edit of a file ended, the last time it was met."""

    family: str  # of the command that failed
    signature: str  # the line that says most of it, without what varies
    paths: list[str]  # every edited file that it names
    repairs: list[str]  # commands that installed what it names
    at: float
    commit: str  # that took the edit in; empty when unknown
    session: str


class Bearing(Reply, frozen=True, kw_only=True):
    """Memories that bear on a file, and what happened around it."""

    project: str | None
    found: Recalled
    expected: list[Foreseen]
    together: list[CompanionView]  # most often first
    ended: list[EndedView]  # the newest first


class About(Request[Bearing], frozen=True, kw_only=True):
    """Request for the memories that bear on a file."""

    NAME = "about"
    path: str
    k: int = 10


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
    status: str = "confirmed"  # or hypothesis, noticed
    valid: bool = True  # now
    stale: str = ""  # what is said while what it is about is gone, changed or spoken against
    anchored: bool = False  # what it is about is defined here


class Matched(Reply, frozen=True, kw_only=True):
    """The matches in order of their place, at most ``limit``."""

    matches: list[MatchView]
    revision: int


class Match(Request[Matched], frozen=True, kw_only=True):
    """Request for the memories that a text mentions. ``path`` tells the project, unless it is given."""

    NAME = "match"
    text: str
    path: str | None = None
    project: str | None = None
    limit: int = 200


class Anchored(Reply, frozen=True, kw_only=True):
    """Memories at the definitions of a text; ``known`` counts those that it does not define, too."""

    matches: list[MatchView]
    known: int


class Anchors(Request[Anchored], frozen=True, kw_only=True):
    """Request for the memories about symbols of a file, each at the definition in its text."""

    NAME = "anchors"
    path: str
    text: str
