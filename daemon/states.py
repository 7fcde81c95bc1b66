"""States of a memory on the two axes, and where it comes from."""

from collections.abc import Sequence

from msgspec import Struct

from actors.memory.rows import Memory
from actors.memory.use import factor_of, strength_of
from actors.policy.decay import curve, reinforcement, states
from actors.policy.decay.reinforcement import Accessibility, Cause
from actors.policy.recall import notes

DAY = 86_400.0  # seconds


def origin_of(memory: Memory) -> str:
    """Origin of a memory, in words."""
    return notes.origin(memory.source, memory.commit, memory.author)


class Reach(Struct, frozen=True):
    """Place of a memory on the second axis: how easily it comes to mind."""

    state: Accessibility
    value: float  # 0..1


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


def reach_of(
    memory: Memory,
    happened: Sequence[tuple[float, Cause]],
    now: float,
    decay: float,
) -> Reach:
    """The lower of the reaches allowed by time since its last access and by its strength.

    Retention is how likely it is recalled by the stability its fading goes by, retrieval the same
    by the learnt stability alone, equal to it before the first review; storage comes of its
    reviews. A protected memory stays active, as it stays HOT.
    """
    days = (now - (memory.last_review or memory.created_at)) / DAY
    retention = retrievability_of(memory, now, decay)
    learnt = memory.last_review is not None
    retrieval = curve.retrievability(memory.stability, days, decay) if learnt else retention
    stored = reinforcement.storage_of(memory.uses, memory.lapses)
    value = reinforcement.accessibility(retention, retrieval, stored)
    if states.is_protected(memory.tier, pinned=memory.pinned):
        return Reach(Accessibility.ACTIVE, value)
    lived = reinforcement.lived(memory.created_at, happened, now)
    return Reach(min(lived, reinforcement.state_of(value)), value)


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
