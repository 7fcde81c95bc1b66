"""Promotions that are proposed, and a person decides."""

from typing import Literal

import msgspec

from daemon.requests.shapes import Done, Reply, Request


class Proposal(msgspec.Struct, frozen=True, kw_only=True):
    """What reverie would do and a person decides (C17)."""

    id: int
    kind: str  # promote
    memory: str
    title: str
    tier: str  # that the memory has now
    reason: str
    at: float  # seconds since the epoch, UTC
    state: str  # open, accepted, declined
    decided_at: float | None
    before: str | None  # the tier until the decision


class ProposalsPage(Reply, frozen=True, kw_only=True):
    """Proposals, newest first."""

    proposals: list[Proposal]


class Proposals(Request[ProposalsPage], frozen=True, kw_only=True):
    """What do you propose?"""

    NAME = "proposals"
    state: Literal["open", "accepted", "declined"] | None = "open"
    limit: int = 100


class Decide(Request[Done], frozen=True, kw_only=True):
    """Take a proposal, or leave it."""

    NAME = "decide"
    id: int
    accept: bool
