"""A file that is open, and memories that bear on it."""

import msgspec

from daemon.requests.recall import Recalled
from daemon.requests.shapes import Done, Reply, Request


class Open(Request[Done], frozen=True, kw_only=True):
    """An editor shows this file: what is known about it may have to be looked at again."""

    NAME = "open"
    ASKED_BY = "program"
    path: str


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


class SourceView(msgspec.Struct, frozen=True, kw_only=True):
    """Commit or session in which a memory was said."""

    session: str | None
    commit: str  # that says it; empty when none does, or git did not tell its name
    author: str = ""  # the name of who made the commit; empty when unknown


class Bearing(Reply, frozen=True, kw_only=True):
    """Memories that bear on a file, and what happened around it."""

    project: str | None
    found: Recalled
    together: list[CompanionView]  # most often first
    ended: list[EndedView]  # the newest first
    # of each memory that was found, by its id
    sources: dict[str, SourceView] = msgspec.field(default_factory=dict[str, SourceView])


class About(Request[Bearing], frozen=True, kw_only=True):
    """Request for the memories that bear on a file; ``sure``: not of those about what it uses."""

    NAME = "about"
    ASKED_BY = "program"
    path: str
    k: int = 10
    sure: bool = False
