"""Reasons for a memory to be there."""

from typing import Any

import msgspec

from daemon.api.memory import MemoryView, Usage
from daemon.requests.link import Direction, LineageView
from daemon.requests.shapes import Reply, Request


class Reasons(Reply, frozen=True, kw_only=True):
    """Reasons why a memory is there and as strong as it is."""

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
    """Request for the reasons why a memory is there."""

    NAME = "why"
    MEMORIES = ("id",)
    id: str
    depth: int = 3  # links that its lineage is followed for; at most 10
    direction: Direction = "both"
