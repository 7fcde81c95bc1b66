"""Plans as they are stored."""

from dataclasses import dataclass

from actors.night.plan_writes import PlanState
from actors.policy.decay.plans import Step


@dataclass(frozen=True, slots=True)
class PlanRow:
    """A plan as it is stored, with its steps in their order."""

    id: int
    act: str
    source: str
    reason: str
    state: PlanState
    proposed_at: float
    decided_at: float | None
    undone_at: float | None
    note: str  # its result, in words
    summary: str  # the text that an earlier version proposed to make of its memories
    made_id: int | None  # the memory that an earlier version made of it
    steps: tuple[Step, ...] = ()
