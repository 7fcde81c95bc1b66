"""Forgetting: which memories nobody would miss. A proposal, never a deed.

What is important, young, of use lately, of a kind that lasts, pinned or of a protected tier stays,
whatever its relevance. A memory is named only when all protections fail and its relevance is under
the threshold; of the store at most 5 % in one run.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from actors.policy.decay.states import is_protected

DAY: Final = 86_400.0  # seconds
# Who is protected, and what is little.
LASTING: Final = frozenset({"decision", "discovery"})  # kinds
IMPORTANT: Final = 0.7  # importance, at or above
YOUNG: Final = 90.0  # days of age, below
UNUSED: Final = 90.0  # days since the last use, below: the sources forgot what was in use
THRESHOLD: Final = 0.01  # relevance, below
SHARE: Final = 0.05  # of the living memories, at most, in one run


@dataclass(frozen=True, slots=True)
class Standing:
    """Facts of a memory that may have to go."""

    id: int
    kind: str
    tier: str
    pinned: bool
    created_at: float  # seconds UTC
    last_use: float | None
    importance: float  # 0..1
    relevance: float | None  # None: never computed


def protection(memory: Standing, now: float) -> str:
    """Reason why a memory stays, in a few words; empty when nothing protects it."""
    if is_protected(memory.tier, pinned=memory.pinned):
        return "pinned" if memory.pinned else f"its tier is {memory.tier}"
    if memory.importance >= IMPORTANT:
        return "it is important"
    if now - memory.created_at < YOUNG * DAY:
        return "it is young"
    if memory.kind in LASTING:
        return f"a {memory.kind} lasts"
    if memory.last_use is not None and now - memory.last_use < UNUSED * DAY:
        return "it was of use lately"
    return ""


def is_forgettable(memory: Standing, now: float, threshold: float = THRESHOLD) -> bool:
    """Return whether no protection holds and its relevance is under the threshold."""
    if memory.relevance is None or not memory.relevance < threshold:
        return False
    return not protection(memory, now)


def forgettable(
    memories: Iterable[Standing], living: int, now: float, threshold: float = THRESHOLD
) -> list[Standing]:
    """Those to be proposed: the least relevant and least important first, at most 5 % of the living."""
    found = [memory for memory in memories if is_forgettable(memory, now, threshold)]
    found.sort(key=lambda memory: (memory.relevance or 0.0, memory.importance, memory.id))
    return found[: int(living * SHARE)]
