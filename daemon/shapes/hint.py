"""A memory at a place of a text, as editors show it."""

import msgspec


class MatchView(msgspec.Struct, frozen=True, kw_only=True):
    """A memory mentioned in a stretch of text. Offsets are code points of the text."""

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
