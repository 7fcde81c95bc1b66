"""Synaptic tagging and capture: how a moment makes the hours around it memorable.

Every memory is tagged when it is encoded; the tag fades within half a day. An important event
(PRP release: Frey & Morris 1997, Redondo & Morris 2011) captures the tagged memories of the hours
before it, and those encoded in the hours after it. For a memory encoded t hours from the event

    score = tag * window * event

with ``tag`` the tag's strength left at the event (1 for a later memory), ``window`` the same kind
of curve over the width of the window on that side, ``event`` the event's strength. The default
curve is ``POWER``: with the exponential one nothing older than 1.345 h could ever be captured by
the strongest event.

Which memories an event may capture (its project, what shares a phrase, file, symbol or turn with it)
is for the caller to choose by the tags it passes. Times are seconds UTC; the curves and windows are in hours.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final

HOUR: Final = 3600.0  # seconds
MINUTE: Final = 60.0  # seconds; the resolution of the windows
# What e is raised to at the end of a lifetime: exp(-4.605) is one percent.
EXPONENT: Final = 4.605
LASTING: Final = 1.75  # times the stability of what is captured
SCORE_SHARE: Final = 0.6
EVENT_SHARE: Final = 0.4


class Decay(Enum):
    """Curve by which a tag and the windows around an event fade."""

    EXPONENTIAL = "exponential"
    LINEAR = "linear"
    POWER = "power"
    LOGARITHMIC = "logarithmic"


class EventKind(Enum):
    """Kind of event that makes a moment important."""

    USER_FLAG = "user_flag"  # "remember this"
    NOVELTY_SPIKE = "novelty_spike"
    EMOTIONAL = "emotional"
    REPEATED_ACCESS = "repeated_access"  # of stores of before: a repeated search captures nothing
    CROSS_REFERENCE = "cross_reference"
    TEMPORAL_PROXIMITY = "temporal_proximity"
    TEST_FIXED = "test_fixed"  # a test went red, then green
    REVERT = "revert"  # work was taken back
    CORRECTION = "correction"  # "no, actually ..."
    RESOLUTION = "resolution"  # a turn ended by saying that a failure is over


@dataclass(frozen=True, slots=True)
class Profile:
    """Strength of a kind of event by itself, and what its windows are multiplied by."""

    strength: float  # 0..1
    radius: float


# The last four are ours: they sit between a flag and an emotion, and a correction
# is about the last few things said. That something is solved is only said: as strong as emotion.
PROFILES: Final[Mapping[EventKind, Profile]] = {
    EventKind.USER_FLAG: Profile(1.0, 1.0),
    EventKind.NOVELTY_SPIKE: Profile(0.9, 0.7),
    EventKind.EMOTIONAL: Profile(0.8, 1.5),
    EventKind.REPEATED_ACCESS: Profile(0.75, 1.2),
    EventKind.CROSS_REFERENCE: Profile(0.6, 1.0),
    EventKind.TEMPORAL_PROXIMITY: Profile(0.5, 0.8),
    EventKind.TEST_FIXED: Profile(0.9, 1.0),
    EventKind.REVERT: Profile(0.85, 1.0),
    EventKind.CORRECTION: Profile(0.8, 0.7),
    EventKind.RESOLUTION: Profile(0.8, 1.0),
}


@dataclass(frozen=True, slots=True)
class Settings:
    """Windows, lifetimes and thresholds of capture."""

    enabled: bool = False  # whether anything is captured
    lifetime: float = 12.0  # hours of a tag
    backward: float = 9.0  # hours
    forward: float = 2.0  # hours
    decay: Decay = Decay.POWER  # of tags and of windows alike
    release: float = 0.7  # event strength from which anything is captured
    threshold: float = 0.3  # capture score from which a memory is captured
    least_tag: float = 0.3  # a tag below a tenth of this is removed
    members: int = 50  # of a cluster
    captured_for: float = 24.0  # hours that a captured tag is kept


DEFAULT: Final = Settings()


@dataclass(frozen=True, slots=True)
class Tag:
    """A memory's mark of having just been encoded."""

    memory_id: str
    at: float  # seconds UTC
    strength: float = 1.0  # 0..1 when it was set
    context: str = ""  # what was going on
    captured_at: float | None = None  # seconds UTC
    captured_by: str | None = None  # event


@dataclass(frozen=True, slots=True)
class Event:
    """An important moment."""

    id: str
    kind: EventKind
    at: float  # seconds UTC
    strength: float  # 0..1
    memory_id: str | None = None  # the memory it is about; it does not capture itself


@dataclass(frozen=True, slots=True)
class Window:
    """Reach of an event, in hours before and after it."""

    backward: float
    forward: float


@dataclass(frozen=True, slots=True)
class Capture:
    """A memory that an event captured."""

    memory_id: str
    event_id: str
    score: float  # 0..1
    hours: float  # from the memory to the event; negative: it was encoded after the event
    importance: float  # 0..1, consolidated


@dataclass(frozen=True, slots=True)
class Cluster:
    """Captures of one event: an episode."""

    id: str  # the event's
    kind: EventKind
    at: float  # seconds UTC, its centre
    captures: tuple[Capture, ...]  # the highest score first

    @property
    def members(self) -> tuple[str, ...]:
        """Ids of the memories, the highest score first."""
        return tuple(capture.memory_id for capture in self.captures)


def faded(hours: float, lifetime: float, decay: Decay = Decay.POWER) -> float:
    """Share of 1 left after ``hours``: all at 0 or before, nothing from the lifetime on."""
    if hours <= 0:
        return 1.0
    return 0.0 if hours >= lifetime else _curve(hours, lifetime, decay)


def tag_strength(held: Tag, now: float, settings: Settings = DEFAULT) -> float:
    """A tag's strength at ``now`` seconds UTC."""
    return held.strength * faded((now - held.at) / HOUR, settings.lifetime, settings.decay)


def releases(happened: Event, settings: Settings = DEFAULT) -> bool:
    """Return whether an event is strong enough to capture anything: .7."""
    return happened.strength >= settings.release


def window(kind: EventKind, settings: Settings = DEFAULT) -> Window:
    """The hours before and after an event of a kind: 9 and 2 times its radius."""
    radius = PROFILES[kind].radius
    return Window(settings.backward * radius, settings.forward * radius)


def proximity(encoded_at: float, happened: Event, settings: Settings = DEFAULT) -> float | None:
    """Nearness of a memory to an event, 0..1; None outside its windows.

    The curve of the settings over the window's width. Its border is counted in whole minutes and belongs
    to it: 9:00 is in, 9:01 is out.
    """
    reach = window(happened.kind, settings)
    before = encoded_at <= happened.at
    width = reach.backward if before else reach.forward
    apart = abs(happened.at - encoded_at)
    if math.floor(apart / MINUTE) > round(width * 60):
        return None
    hours = min(apart / HOUR, width)
    # Not ``faded``: it is 0 at its end, and the border of a window is inside.
    return _curve(hours, width, settings.decay) if hours > 0 else 1.0


def captured(held: Tag, happened: Event, settings: Settings = DEFAULT) -> Capture | None:
    """The capture of a tagged memory by an event, or None.

    A memory 3 hours before a flag: score .774597, importance .864758; 9 hours: .534522.
    """
    if not releases(happened, settings) or held.captured_at is not None:
        return None
    near = proximity(held.at, happened, settings)
    if near is None or held.memory_id == happened.memory_id:
        return None
    score = tag_strength(held, happened.at, settings) * near * happened.strength
    if score < settings.threshold:
        return None
    hours = (happened.at - held.at) / HOUR
    importance = consolidated_importance(score, happened.strength)
    return Capture(held.memory_id, happened.id, score, hours, importance)


def consolidated_importance(score: float, strength: float) -> float:
    """Importance of a captured memory: .6 of its score and .4 of the event, at most 1."""
    return min(1.0, SCORE_SHARE * score + EVENT_SHARE * strength)


def sweep(held: Iterable[Tag], happened: Event, settings: Settings = DEFAULT) -> list[Capture]:
    """Captures of an event among the tags there are, the highest score first."""
    found = (captured(one, happened, settings) for one in held)
    return _ranked(capture for capture in found if capture is not None)


def captured_late(
    held: Tag, events: Iterable[Event], settings: Settings = DEFAULT
) -> Capture | None:
    """The capture of a memory by events that were noted before it was.

    The best by an earlier event, of two that score alike the nearer one: without it the forward window would be dead, as a memory has no
    tag yet at the event's time. Else by the first later one that can, as if they came one by one.
    """
    order = sorted(events, key=lambda one: (one.at, one.id))
    found = [taken for one in order if (taken := captured(held, one, settings)) is not None]
    by_earlier = _ranked(taken for taken in reversed(found) if taken.hours <= 0)
    return next(iter((*by_earlier, *found)), None)


def average_importance(held: Cluster) -> float:
    """Mean importance of a cluster's memories."""
    return math.fsum(capture.importance for capture in held.captures) / len(held.captures)


def span(held: Cluster) -> float:
    """Hours from a cluster's first memory to its last; 0 with fewer than two."""
    hours = [capture.hours for capture in held.captures]
    return max(hours) - min(hours)


def is_expired(held: Tag, now: float, settings: Settings = DEFAULT) -> bool:
    """Return whether a tag has served: below .03, or 24 h after it was captured."""
    if held.captured_at is not None:
        return now - held.captured_at >= settings.captured_for * HOUR
    return tag_strength(held, now, settings) < settings.least_tag * 0.1


def active_tags(
    held: Iterable[Tag],
    now: float,
    settings: Settings = DEFAULT,
    begin: float = -math.inf,
    end: float = math.inf,
) -> tuple[Tag, ...]:
    """The tags that may still be captured, set between two times, both included."""
    return tuple(
        one
        for one in held
        if one.captured_at is None and begin <= one.at <= end and not is_expired(one, now, settings)
    )


def _curve(hours: float, lifetime: float, decay: Decay) -> float:
    """The curve within its lifetime; the logarithmic one depends on the unit: hours."""
    if decay is Decay.EXPONENTIAL:
        return math.exp(-EXPONENT * hours / lifetime)
    if decay is Decay.LINEAR:
        return 1 - hours / lifetime
    if decay is Decay.LOGARITHMIC:
        return 1 - math.log1p(hours) / math.log1p(lifetime)
    return math.pow(1 + hours / lifetime, -0.5)


def _ranked(captures: Iterable[Capture]) -> list[Capture]:
    return sorted(captures, key=lambda capture: (-capture.score, capture.memory_id))
