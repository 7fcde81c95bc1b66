"""Memories as clients see them: short ids, states, origins in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from actors.gate.messages import NoSuchMemory
from actors.memory.rows import Memory
from actors.policy.decay import accessibility, dual_strength, forecast, fsrs, states
from actors.policy.decay.accessibility import Accessibility, Cause
from actors.policy.recall import notes, stage_rules
from actors.policy.times.validity import is_valid
from actors.strength.strength import strength_of
from daemon.requests.memories import MemoryView

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
PREFIX = "m"
DAY = 86_400.0  # seconds
HOUR = 3_600.0  # seconds


def short_id(memory_id: int) -> str:
    """The id that people type: ``m`` and the number in base 36."""
    digits = ""
    while memory_id:
        memory_id, digit = divmod(memory_id, 36)
        digits = _DIGITS[digit] + digits
    return PREFIX + (digits or "0")


def memory_number(short: str) -> int:
    """The number behind a short id.

    Raises ``NoSuchMemory`` for what is no id at all.
    """
    plain = short.strip().lower()
    try:
        return int(plain.removeprefix(PREFIX), 36)
    except ValueError:
        raise NoSuchMemory from None


def origin_of(memory: Memory) -> str:
    """Where a memory comes from, in words."""
    return notes.origin(memory.source)


@dataclass(frozen=True, slots=True)
class Reach:
    """Where a memory stands on the second axis: how easily it comes to mind (B10-B14, C13)."""

    state: Accessibility
    value: float  # 0..1
    presence: accessibility.Presence  # what time and access alone made of it


def retrievability_of(memory: Memory, now: float, decay: float) -> float:
    """How likely the memory would be recalled now (row A02)."""
    since = now - (memory.last_review or memory.created_at)
    return fsrs.retrievability(fading_stability(memory, decay), since / DAY, decay)


def fading_stability(memory: Memory, decay: float) -> float:
    """The stability that the memory's fading goes by, in days (row B06)."""
    factor = fsrs.classification_factor(memory.context_type, memory.tier)
    return fsrs.effective_stability(strength_of(memory), memory.memory_type, decay, factor=factor)


def state_of(memory: Memory, now: float, rules: forecast.Rules) -> str:
    """The lifecycle state of row B01, or how the memory ended."""
    if memory.ended is not None:
        return memory.ended
    return forecast.named(forecast.standing_at(fading_of(memory, rules.decay), now, rules))


def reach_of(
    memory: Memory,
    happened: Sequence[tuple[float, Cause]],
    now: float,
    decay: float,
) -> Reach:
    """The lower of what time since its last access and what its strength allow (B10, B12).

    Retention is how likely it is recalled by the stability its fading goes by (B06), retrieval
    the same by what was learnt alone, which is nothing else before its first review; storage
    comes of its reviews. What is protected stays active, as it stays HOT (B07).
    """
    days = (now - (memory.last_review or memory.created_at)) / DAY
    retention = retrievability_of(memory, now, decay)
    learnt = memory.last_review is not None
    retrieval = fsrs.retrievability(memory.stability, days, decay) if learnt else retention
    stored = dual_strength.storage_of(memory.uses, memory.lapses)
    value = accessibility.strength_value(retention, retrieval, stored)
    presence = accessibility.lived(memory.created_at, happened, now)
    if states.is_protected(memory.tier, pinned=memory.pinned):
        return Reach(Accessibility.ACTIVE, value, presence)
    return Reach(accessibility.weighed(presence, value, now).state, value, presence)


def ranked_reach(
    memory: Memory, happened: Sequence[tuple[float, Cause]], now: float, *, decay: float
) -> stage_rules.Reach:
    """The same as a stage of recall takes it (B11): an exposure to a prompt is no access."""
    accessed = [at for at, cause in happened if cause is Cause.ACCESS]
    idle = max(0.0, now - max(accessed, default=memory.created_at))
    return stage_rules.Reach(
        reach_of(memory, happened, now, decay).state, idle / HOUR, len(accessed)
    )


def fading_of(memory: Memory, decay: float) -> forecast.Fading:
    """What the memory's lifecycle state goes by, now and later."""
    return forecast.Fading(
        memory.id,
        fading_stability(memory, decay),
        memory.last_review or memory.created_at,
        memory.last_use or memory.created_at,
        fsrs.classification_factor(memory.context_type, memory.tier),
        states.is_protected(memory.tier, pinned=memory.pinned),
    )


def view_of(
    memory: Memory,
    now: float,
    rules: forecast.Rules,
    reach: Reach | None = None,
) -> MemoryView:
    """The memory as a person sees it; without ``reach`` the second axis is left out."""
    return MemoryView(
        id=short_id(memory.id),
        text=memory.text,
        title=memory.title,
        kind=memory.kind,
        tier=memory.tier,
        project=memory.project,
        created_at=memory.created_at,
        updated_at=memory.updated_at,
        state=state_of(memory, now, rules),
        retrievability=round(retrievability_of(memory, now, rules.decay), 6),
        stability=min(round(fading_stability(memory, rules.decay), 6), 1e9),
        pinned=memory.pinned,
        ended=memory.ended,
        key=memory.key,
        triggers=[*memory.triggers, *memory.derived],
        origin=origin_of(memory),
        session=memory.session,
        versions=memory.versions,
        superseded_by=None if memory.superseded_by is None else short_id(memory.superseded_by),
        uses=memory.uses,
        exposures=memory.exposures,
        status=memory.status,  # type: ignore[arg-type]  # one of the three
        valid_from=memory.valid_from,
        valid_until=memory.valid_until,
        valid=is_valid(memory.validity, now),
        subject=memory.subject,
        accessibility=None if reach is None else reach.state.name.lower(),
        accessibility_value=None if reach is None else round(reach.value, 6),
    )
