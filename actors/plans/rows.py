"""Plans as they are stored."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from actors.plans.writes import PlanState
from actors.policy.dreams.plans import Step
from actors.policy.recall.listing import Listing


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
    note: str  # what came of it, in words
    summary: str  # the text that an earlier version proposed to make of its memories
    made_id: int | None  # the memory that an earlier version made of it
    steps: tuple[Step, ...] = ()


class PlanReader(Protocol):
    """Questions about plans to the store."""

    async def plans(self, state: PlanState | None, limit: int) -> list[PlanRow]:
        """Plans of one state or of all, newest first."""
        ...

    async def plan_members(self, plan_ids: Sequence[int]) -> list[int]:
        """The memories that these plans are about, and those that they made."""
        ...

    async def bound_with(self, ids: Sequence[int]) -> list[int]:
        """Memories that say the same; the summaries of these, their other originals; insights."""
        ...

    async def left_alone(self, since: float) -> frozenset[int]:
        """Memories that a person did not want archived since then: left, undone, brought back; kept."""
        ...

    async def kept_by_hand(self, ids: Sequence[int]) -> frozenset[int]:
        """Select of these memories those that somebody ever brought back, or promoted and did not demote since."""
        ...

    async def ignored(self, before: float, sessions: int) -> dict[int, int]:
        """Living memories made before then that nobody used, oldest first, and the sessions
        that were shown each unasked: at least so many.
        """
        ...

    async def followed(self, before: float, alike: float, limit: int) -> list[tuple[int, int]]:
        """Living memories made before then and not used since a living one of their kind was
        linked with them, or is so much alike (0..1): both ids, the newest last.
        """
        ...

    async def outlived(self, before: float) -> dict[int, float]:
        """Living memories that were true until then or before, and until when, seconds UTC."""
        ...

    async def unneeded(self, starts: int, before: float) -> dict[int, Listing]:
        """Living memories that nobody used and that so many starts listed, the last of them before then.

        What waits for its own command or failure is needed there, and left out.
        """
        ...

    async def older_than(self, before: float) -> int:
        """Count the living memories made before then."""
        ...

    async def archived_lately(self, since: float) -> int:
        """Count the memories that the archivist put away since then without asking."""
        ...
