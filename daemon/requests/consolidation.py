"""Consolidation on demand: relevance, associations and forgetting."""

from typing import Literal

import msgspec

from daemon.requests.shapes import Reply, Request


class CycleDone(msgspec.Struct, frozen=True, kw_only=True):
    """Report of one cycle, in figures."""

    cycle: Literal["decay", "associations", "forgetting"]
    looked_at: int  # memories
    changed: int  # relevances that are others now, connections that are new, memories proposed
    seconds: float
    skipped: str | None  # why nothing was done
    kinds: dict[str, int]  # associations: how many of each kind
    unvectored: int  # associations: memories of the sample without vectors
    plan: int | None  # forgetting: the plan that waits for a decision
    ids: list[str]  # forgetting: the memories that would go


class Consolidated(Reply, frozen=True, kw_only=True):
    """Reports, cycle by cycle."""

    cycles: list[CycleDone]
    dry_run: bool


class ConsolidateNow(Request[Consolidated], frozen=True, kw_only=True):
    """Run a cycle now, or all one after the other; the first error ends it.

    Progress frames are ``{"cycle", "done", "total"}``. Who closes the connection ends the work at
    the next page: what was written by then stays.
    """

    NAME = "consolidate"
    cycle: Literal["all", "decay", "associations", "forgetting"] = "all"
    dry_run: bool = False
