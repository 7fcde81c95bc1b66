"""The message to consolidation: cycles, ordered by a person or by the schedule."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from actors.core.mailbox import Reply

Cycle = Literal["decay", "associations", "forgetting"]
CYCLES: tuple[Cycle, ...] = ("decay", "associations", "forgetting")  # in the order of a whole run


@dataclass(frozen=True, slots=True)
class Step:
    """Progress of a cycle."""

    cycle: Cycle
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class CycleReport:
    """Report of a cycle, in figures."""

    cycle: Cycle
    looked_at: int  # memories
    changed: int  # relevances that are others now, connections that are new, memories proposed
    skipped: str = ""  # why nothing was done, in words
    kinds: tuple[tuple[str, int], ...] = ()  # associations: connections of each kind
    plan_id: int | None = None  # forgetting: the plan that waits for a person
    memory_ids: tuple[int, ...] = ()  # forgetting: the memories that it names
    unvectored: int = 0  # associations: memories of the sample without vectors
    seconds: float = 0.0  # that it took


@dataclass(frozen=True, slots=True)
class Consolidate:
    """Run these cycles now, one after the other; the first error ends it."""

    cycles: tuple[Cycle, ...]
    at: float
    reply: Reply[tuple[CycleReport, ...]]
    dry_run: bool = False  # nothing is written
    seen: Callable[[Step], None] = lambda _: None  # told how far it is; must not wait


ConsolidationMessage = Consolidate
