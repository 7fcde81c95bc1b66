"""Tags, and what a failure may have been caused by."""

from __future__ import annotations

import msgspec

from daemon.requests.shapes import Reply, Request
from daemon.requests.timeline import EpisodesPage


class Tagged(msgspec.Struct, frozen=True, kw_only=True):
    """A memory that was just encoded, and how strong its tag is now."""

    id: str
    title: str
    at: float  # seconds since the epoch, UTC
    strength: float  # 0..1, now
    captured_at: float | None
    episode: str | None  # which captured it
    project: str | None


class TagsPage(Reply, frozen=True, kw_only=True):
    """Tags, the newest first."""

    tags: list[Tagged]
    active: int  # that may still be captured
    captured: int


class ListTags(Request[TagsPage], frozen=True, kw_only=True):
    """Which memories may still be captured, and which were?

    With ``begin`` and ``end``: which may be that were encoded between them?
    """

    NAME = "tags"
    project: str | None = None
    everywhere: bool = False
    begin: float | None = None
    end: float | None = None
    limit: int = 100


class EpisodesOf(Request[EpisodesPage], frozen=True, kw_only=True):
    """Which episodes does this memory belong to?"""

    NAME = "episodes-of"
    id: str


class PossibleCause(msgspec.Struct, frozen=True, kw_only=True):
    """A memory that may explain a failure."""

    id: str
    title: str
    created_at: float
    shared: list[str]  # names that both say
    stability: float  # days
    proposed: float  # days


class LookedBack(Reply, frozen=True, kw_only=True):
    """What may explain the failure, the likeliest first."""

    causes: list[PossibleCause]
    names: list[str]  # that were looked for
    applied: bool


class LookBack(Request[LookedBack], frozen=True, kw_only=True):
    """What said weeks ago may explain this failure? Strengthen it when asked to."""

    NAME = "backfill"
    id: str | None = None  # a memory that tells of the failure
    failure: str | None = None  # or a text that does
    project: str | None = None
    everywhere: bool = False
    apply: bool = False
