"""Phrases of memories in a text that an editor shows."""

import msgspec

from daemon.requests.shapes import Reply, Request


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
    status: str = "confirmed"  # or hypothesis
    valid: bool = True  # now


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
