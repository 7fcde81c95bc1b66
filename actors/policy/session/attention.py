"""Attention: how present a memory is in a session, and what is crowded out of it.

A trace keeps where attention was anchored (score, event) and how often the memory was mentioned
since; its attention now is computed from these and never written back, so reading it twice or
running a batch twice changes nothing.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

COUNTER: Final = 2**31  # the event counter wraps here


class Eviction(Enum):
    """Rule for which trace goes first when there are too many."""

    LEAST_RECENT = "least_recent"
    LEAST_ATTENTION = "least_attention"


class Tier(Enum):
    """Tier of a memory's presence."""

    FOCUSED = "focused"
    ACTIVE = "active"
    PERIPHERAL = "peripheral"
    FADING = "fading"


@dataclass(frozen=True, slots=True)
class Settings:
    """Working memory of one session."""

    capacity: int = 7
    eviction: Eviction = Eviction.LEAST_RECENT
    decay: float = 0.85  # per event
    mention: float = 0.05  # per mention since the anchor
    floor: float = 0.05
    gone: float = 0.01  # below: dropped; out of reach while the floor is above it
    boost: float = 0.15  # share of attention that search adds
    boost_ceiling: float = 0.20  # together with the causal boost


DEFAULT: Final = Settings()


@dataclass(frozen=True, slots=True)
class Trace:
    """A memory held by a session."""

    memory_id: str
    score: float  # 0..1 at the anchor
    event: int  # the anchor: the session's event counter when it was focused on
    focused_at: float  # seconds UTC
    mentions: int = 0  # since the anchor
    focus_count: int = 1
    pinned: bool = False


def attention(trace: Trace, event: int, settings: Settings = DEFAULT) -> float:
    """Attention at ``event``: score * .85^distance + .05 per mention, floor .05.

    .9 three events and two mentions later is .652712.
    """
    distance = (event - trace.event) % COUNTER
    faded = trace.score * settings.decay**distance + settings.mention * trace.mentions
    return min(1.0, max(settings.floor, faded))


def next_event(event: int) -> int:
    """The event counter after one more event; it wraps at 2^31."""
    return (event + 1) % COUNTER


def focused(trace: Trace, event: int, at: float, score: float = 1.0) -> Trace:
    """The trace anchored anew: it was looked at on ``event`` at ``at`` seconds UTC."""
    return replace(
        trace,
        score=min(1.0, max(0.0, score)),
        event=event,
        focused_at=at,
        mentions=0,
        focus_count=trace.focus_count + 1,
    )


def tier(score: float) -> Tier:
    """Tier of an attention of ``score``: .8, .5 and .2 are the borders."""
    if score >= 0.8:
        return Tier.FOCUSED
    if score >= 0.5:
        return Tier.ACTIVE
    return Tier.PERIPHERAL if score >= 0.2 else Tier.FADING


def crowded_out(traces: Iterable[Trace], event: int, settings: Settings = DEFAULT) -> list[str]:
    """Ids to evict so that at most ``capacity`` stay, first to go first.

    Pinned traces are never evicted, even when they alone exceed the capacity.
    """
    held = list(traces)
    excess = len(held) - settings.capacity
    if excess <= 0:
        return []
    loose = [trace for trace in held if not trace.pinned]
    if settings.eviction is Eviction.LEAST_RECENT:
        loose.sort(key=lambda trace: (trace.focused_at, trace.memory_id))
    else:
        loose.sort(key=lambda trace: (attention(trace, event, settings), trace.memory_id))
    return [trace.memory_id for trace in loose[:excess]]


def faded_out(traces: Iterable[Trace], event: int, settings: Settings = DEFAULT) -> list[str]:
    """Ids of the traces whose attention fell below ``gone``; pinned ones stay."""
    return [
        trace.memory_id
        for trace in traces
        if not trace.pinned and attention(trace, event, settings) < settings.gone
    ]


def session_boost(score: float, causal_boost: float = 0.0, settings: Settings = DEFAULT) -> float:
    """Addition of attention to a search score: .15 of it, at most .20 with the causal boost."""
    room = max(0.0, settings.boost_ceiling - causal_boost)
    return min(max(0.0, score) * settings.boost, room)
