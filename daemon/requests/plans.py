"""Plans: what would be done to memories that nobody named."""

from typing import Literal

import msgspec

from daemon.requests.shapes import Reply, Request, Row, Tier

PlanState = Literal["open", "applied", "undone", "dismissed", "stale"]


class StepView(msgspec.Struct, frozen=True, kw_only=True):
    """Step of a plan: what it does to one memory."""

    memory: str
    title: str
    act: str  # archive, forget, retier; of earlier versions also summarise, retype, rescope
    argument: str  # retier: the tier
    evidence: str
    content_hash: str  # hex, of the text that the plan is about
    outcome: str  # "" while it waits, done, restored; else why not


class PlanView(msgspec.Struct, frozen=True, kw_only=True):
    """A plan: a proposal with what became of it."""

    id: int
    act: str
    source: str  # who proposes
    reason: str
    state: PlanState
    proposed_at: float  # seconds since the epoch, UTC
    decided_at: float | None
    undone_at: float | None
    note: str  # what came of it, in words
    summary: str  # the text that an earlier version would make of its memories
    made: str | None  # the memory that an earlier version made
    steps: list[StepView]


class PlansPage(Reply, frozen=True, kw_only=True):
    """Plans, newest first."""

    plans: list[PlanView]


class Plans(Request[PlansPage], frozen=True, kw_only=True):
    """Request for the plans."""

    NAME = "plans"
    state: PlanState | None = "open"
    limit: int = 1_000  # as many as `status` may count


class PlanShown(Reply, frozen=True, kw_only=True):
    """A plan as it is now; ``count``: the steps that were carried out or taken back just now."""

    plan: PlanView
    count: int = 0


class ShowPlan(Request[PlanShown], frozen=True, kw_only=True):
    """Request for a plan and its steps."""

    NAME = "plan"
    id: Row


class ApplyPlan(Request[PlanShown], frozen=True, kw_only=True):
    """Do what this plan says, whole or not at all."""

    NAME = "apply-plan"
    id: Row


class UndoPlan(Request[PlanShown], frozen=True, kw_only=True):
    """Take back what this plan did."""

    NAME = "undo-plan"
    id: Row


class DismissPlan(Request[PlanShown], frozen=True, kw_only=True):
    """Leave this plan; it is not proposed again for 90 days."""

    NAME = "dismiss-plan"
    id: Row


class Proposed(Reply, frozen=True, kw_only=True):
    """What waits for a person now."""

    plan: int  # its number; 0: nothing that was not proposed before
    memories: int  # in the plan: at most a twentieth of the store
    matching: int  # that were meant
    note: str


class ProposeForgetting(Request[Proposed], frozen=True, kw_only=True):
    """Propose to a person that memories of a tier are forgotten; nothing is until they agree."""

    NAME = "propose-forgetting"
    tier: Tier
    days: float = 0.0  # older than these
    project: str
