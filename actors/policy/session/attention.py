"""Attention: how present a memory is in a session, and what is crowded out of it.

A trace keeps where attention was anchored (score, event) and how often the memory was mentioned
since; its attention now is computed from these and never written back, so reading it twice or
running a batch twice changes nothing (finding 7 of features.md).
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

COUNTER: Final = 2**31  # the event counter wraps here, F02
PROMPT_LIMITS: Final = (1, 20)  # F07


class Eviction(Enum):
    """Which trace goes first when there are too many (F01)."""

    LEAST_RECENT = "least_recent"
    LEAST_ATTENTION = "least_attention"


class Tier(Enum):
    """How present a memory is (F04)."""

    FOCUSED = "focused"
    ACTIVE = "active"
    PERIPHERAL = "peripheral"
    FADING = "fading"


@dataclass(frozen=True, slots=True)
class Settings:
    """Working memory of one session (F01-F04, F08)."""

    capacity: int = 7
    eviction: Eviction = Eviction.LEAST_RECENT
    decay: float = 0.85  # per event
    mention: float = 0.05  # per mention since the anchor
    floor: float = 0.05
    gone: float = 0.01  # below: dropped; out of reach while the floor is above it (C18)
    timeout: float = 1800.0  # seconds without an event
    boost: float = 0.15  # share of attention that search adds, F08
    boost_ceiling: float = 0.20  # together with the causal boost, F08


DEFAULT: Final = Settings()
# C18: the older rule of the documents, .95 a cycle and dropped below .1.
CYCLE: Final = Settings(decay=0.95, mention=0.0, floor=0.0, gone=0.1)


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


@dataclass(frozen=True, slots=True)
class Statistics:
    """What a session attends to, in numbers (F06); averages rounded to two places."""

    entries: int
    average: float
    highest: float
    lowest: float
    focus_events: int


def attention(trace: Trace, event: int, settings: Settings = DEFAULT) -> float:
    """Attention at ``event``: score * .85^distance + .05 per mention, floor .05 (F02).

    .9 three events and two mentions later is .652712.
    """
    distance = (event - trace.event) % COUNTER
    faded = trace.score * settings.decay**distance + settings.mention * trace.mentions
    return min(1.0, max(settings.floor, faded))


def next_event(event: int) -> int:
    """The event counter after one more event; it wraps at 2^31 (F02)."""
    return (event + 1) % COUNTER


def focused(trace: Trace, event: int, at: float, score: float = 1.0) -> Trace:
    """The trace anchored anew: it was looked at on ``event`` at ``at`` seconds UTC (F01, F02)."""
    return replace(
        trace,
        score=min(1.0, max(0.0, score)),
        event=event,
        focused_at=at,
        mentions=0,
        focus_count=trace.focus_count + 1,
    )


def mentioned(trace: Trace) -> Trace:
    """The trace after one more mention; the anchor stays (F02)."""
    return replace(trace, mentions=trace.mentions + 1)


def tier(score: float) -> Tier:
    """How present an attention of ``score`` is: .8, .5 and .2 are the borders (F04)."""
    if score >= 0.8:
        return Tier.FOCUSED
    if score >= 0.5:
        return Tier.ACTIVE
    return Tier.PERIPHERAL if score >= 0.2 else Tier.FADING


def crowded_out(traces: Iterable[Trace], event: int, settings: Settings = DEFAULT) -> list[str]:
    """Ids to evict so that at most ``capacity`` stay, first to go first (F01).

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
    """Ids of the traces whose attention fell below ``gone``; pinned ones stay (F02, C18)."""
    return [
        trace.memory_id
        for trace in traces
        if not trace.pinned and attention(trace, event, settings) < settings.gone
    ]


def timed_out(last_event_at: float, now: float, settings: Settings = DEFAULT) -> bool:
    """Whether a session without events since ``last_event_at`` is over: 30 minutes (F03)."""
    return now - last_event_at > settings.timeout


def in_prompt(
    traces: Iterable[Trace], event: int, limit: int = 5, settings: Settings = DEFAULT
) -> list[tuple[str, float]]:
    """Ids and attention of what a prompt should hold: above the floor, strongest first (F07).

    ``limit`` is kept within 1 and 20; ties go to the more recent, then to the smaller id.
    """
    lowest, highest = PROMPT_LIMITS
    present = [(attention(trace, event, settings), trace) for trace in traces]
    above = [pair for pair in present if pair[0] > settings.floor]
    above.sort(key=lambda pair: (-pair[0], -pair[1].focused_at, pair[1].memory_id))
    kept = above[: min(highest, max(lowest, limit))]
    return [(trace.memory_id, score) for score, trace in kept]


def statistics(traces: Iterable[Trace], event: int, settings: Settings = DEFAULT) -> Statistics:
    """What the session holds, in numbers (F06)."""
    held = list(traces)
    scores = [attention(trace, event, settings) for trace in held] or [0.0]
    return Statistics(
        entries=len(held),
        average=round(sum(scores) / len(scores), 2),
        highest=max(scores),
        lowest=min(scores),
        focus_events=sum(trace.focus_count for trace in held),
    )


def session_boost(score: float, causal_boost: float = 0.0, settings: Settings = DEFAULT) -> float:
    """What attention adds to a search score: .15 of it, at most .20 with the causal boost (F08)."""
    room = max(0.0, settings.boost_ceiling - causal_boost)
    return min(max(0.0, score) * settings.boost, room)
