"""Memories that may explain a failure."""

import msgspec

from daemon.requests.shapes import Reply, Request


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
