"""Plans: steps to move, re-tier, archive or forget memories, proposed before they are done.

Whoever finds such a thing (dreaming, the archivist) writes one ``PlanProposed``::

    PlanProposed(
        act="archive",                    # what the plan is called; its steps say each their own
        source="archivist",               # who proposes: a word for people
        reason="not used for 90 days",    # one line, figures only, never a memory's text
        steps=(Step(memory.id, "archive", memory.content_hash, evidence="91 days, used 0 times"),),
        at=now,                           # plans of one run carry the same time: the cap is a run's
    )

The store answers with the plan's number, or with 0 when there is nothing new to propose: the memories are protected,
changed or gone, wait in another plan, were left by a person in the last 90 days, or the run has had its 5 % of the
store. Such steps are left out. Nothing is done before ``PlanApplied``, which is one transaction, and ``PlanUndone``
takes it back. The rules are in ``actors.policy.decay.plans``.

``actors.memory.unit`` takes the writes here into its union; ``daemon.storage.plans`` carries them
out. Times are seconds since the epoch, UTC.
"""

from dataclasses import dataclass
from typing import Literal

from actors.policy.decay.plans import Act, Step

PlanState = Literal["open", "applied", "undone", "dismissed", "stale"]


@dataclass(frozen=True, slots=True)
class PlanProposed:
    """A plan waits for a decision. Outcome: its number, or 0 when it says nothing new."""

    act: Act
    source: str  # archivist, dreaming, verdicts, an agent
    reason: str  # one line of figures, never a memory's text
    steps: tuple[Step, ...]
    at: float


@dataclass(frozen=True, slots=True)
class PlanApplied:
    """Order to carry a plan out, whole or not at all. Outcome: how many steps were carried out.

    It is 0 when the plan was applied before, is gone, or has become stale; its row says why. By the
    archivist only a waiting plan is carried out: a plan left by a person stays left.
    """

    plan_id: int
    at: float
    by: Literal["person", "archivist"] = "person"


@dataclass(frozen=True, slots=True)
class PlanUndone:
    """Order to take a plan's deeds back. Outcome: how many steps were restored."""

    plan_id: int
    at: float


@dataclass(frozen=True, slots=True)
class PlanDismissed:
    """A person leaves a plan: it is not proposed again for a while. Outcome: 1 when it waited."""

    plan_id: int
    at: float


@dataclass(frozen=True, slots=True)
class PlansTold:
    """A session was told of these waiting plans: no other session is."""

    plan_ids: tuple[int, ...]
    at: float


@dataclass(frozen=True, slots=True)
class Scanned:
    """The archivist looked through the store."""

    memories: int
    errors: int
    at: float


PlanWrite = PlanProposed | PlanApplied | PlanUndone | PlanDismissed | PlansTold | Scanned
