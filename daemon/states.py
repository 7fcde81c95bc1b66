"""State of a memory, and where it comes from."""

from actors.memory.rows import Memory
from actors.memory.use import factor_of, strength_of
from actors.policy.decay import curve, states
from actors.policy.recall import notes

DAY = 86_400.0  # seconds


def origin_of(memory: Memory) -> str:
    """Origin of a memory, in words."""
    return notes.origin(memory.source, memory.commit, memory.author)


def retrievability_of(memory: Memory, now: float, decay: float) -> float:
    """Probability of recalling the memory now, 0..1."""
    since = now - (memory.last_review or memory.created_at)
    return curve.retrievability(fading_stability(memory, decay), since / DAY, decay)


def fading_stability(memory: Memory, decay: float) -> float:
    """The stability for the memory's fading, in days."""
    return curve.effective_stability(
        strength_of(memory), memory.memory_type, decay, factor=factor_of(memory)
    )


def state_of(memory: Memory, now: float, rules: states.Rules) -> str:
    """The lifecycle state, or how the memory ended."""
    if memory.ended is not None:
        return memory.ended
    return states.named(states.standing_at(fading_of(memory, rules.decay), now, rules))


def fading_of(memory: Memory, decay: float) -> states.Fading:
    """Facts for the memory's lifecycle state, now and later."""
    return states.Fading(
        memory.id,
        fading_stability(memory, decay),
        memory.last_review or memory.created_at,
        memory.last_use or memory.created_at,
        factor_of(memory),
        states.is_protected(memory.tier, pinned=memory.pinned),
    )
