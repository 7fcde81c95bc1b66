"""A memory on the forgetting curve: the effect of reviews, and factors of its stability."""

from actors.memory.rows import Memory
from actors.policy.decay import fsrs
from actors.policy.decay.fsrs import Strength
from actors.policy.decay.states import is_protected
from actors.policy.statements.trust import is_stated


def factor_of(memory: Memory) -> float:
    """Multiplier of a memory's stability.

    By its context, its tier, its source, and whether its references still hold.
    """
    stated = is_stated(memory.source, memory.confidence)
    factor = fsrs.classification_factor(memory.context_type, memory.tier, stated=stated)
    kept = is_protected(memory.tier, pinned=memory.pinned)
    return factor if kept else factor * memory.freshness


def strength_of(memory: Memory) -> Strength:
    """The memory's strength as the policy sees it."""
    return Strength(
        memory.stability,
        memory.difficulty,
        memory.last_review,
        memory.reviews,
        memory.lapses,
        memory.last_implicit,
    )
