"""Forgetting: which memories nobody would miss. A proposal, never a deed.

What is important, young, of use lately, of a kind that lasts, pinned or of a protected tier stays,
whatever its relevance. A memory is named only when all protections fail and its relevance is under
the threshold. How much one run may name is a rule of plans.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from actors.policy.decay.states import is_protected

DAY: Final = 86_400.0  # seconds
LASTING: Final = frozenset({"decision", "discovery"})  # kinds
IMPORTANT: Final = 0.7  # importance, at or above
YOUNG: Final = 90.0  # days of age, below
UNUSED: Final = 90.0  # days since the last use, below: the sources forgot what was in use
THRESHOLD: Final = 0.01  # relevance, below


@dataclass(frozen=True, slots=True)
class Candidate:
    """Facts of a memory that may have to go."""

    id: int
    kind: str
    tier: str
    pinned: bool
    created_at: float  # seconds UTC
    last_use: float | None
    importance: float  # 0..1
    relevance: float


def is_forgettable(memory: Candidate, now: float) -> bool:
    """Return whether no protection holds and its relevance is under the threshold."""
    used = memory.created_at if memory.last_use is None else memory.last_use
    return (
        memory.relevance < THRESHOLD
        and not is_protected(memory.tier, pinned=memory.pinned)
        and memory.importance < IMPORTANT
        and memory.kind not in LASTING
        and now - memory.created_at >= YOUNG * DAY
        and now - used >= UNUSED * DAY
    )


def forgettable(memories: Iterable[Candidate], now: float) -> list[Candidate]:
    """Select those to be proposed: the least relevant and least important first."""
    chosen = [memory for memory in memories if is_forgettable(memory, now)]
    return sorted(chosen, key=lambda memory: (memory.relevance, memory.importance, memory.id))
