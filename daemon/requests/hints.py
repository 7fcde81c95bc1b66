"""Memories in the text of an open file, and what came of their hints there."""

import msgspec

from daemon.requests.shapes import Done, Reply, Request


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
    anchored: bool = False  # what it is about is here
    lines: int = 1  # from this one on, that make it stale when they change
    pinned: bool = False


class Matched(Reply, frozen=True, kw_only=True):
    """The matches in order of their place, at most ``limit``."""

    matches: list[MatchView]
    revision: int


class Match(Request[Matched], frozen=True, kw_only=True):
    """Request for the memories that a text mentions. ``path`` tells the project, unless it is given."""

    NAME = "match"
    ASKED_BY = "editor"
    text: str
    path: str | None = None
    project: str | None = None
    limit: int = 200


class Anchored(Reply, frozen=True, kw_only=True):
    """Memories at their places in a text; ``known`` counts those that have none there, too."""

    matches: list[MatchView]
    known: int


class Anchors(Request[Anchored], frozen=True, kw_only=True):
    """Request for the memories about symbols and lines of a file, each at its place in the text."""

    NAME = "anchors"
    ASKED_BY = "program"
    path: str
    text: str


class Hinted(Request[Done], frozen=True, kw_only=True):
    """An editor showed hints of these memories in a file, and somebody reacted to those."""

    NAME = "hinted"
    ASKED_BY = "program"
    path: str
    shown: list[str] = msgspec.field(default_factory=list[str])
    heeded: list[str] = msgspec.field(default_factory=list[str])


class MuteHint(Request[Done], frozen=True, kw_only=True):
    """Show no hint of this memory in this file, or show it again."""

    NAME = "mute-hint"
    id: str
    path: str
    muted: bool = True
