"""Importance in four channels, and how it lives on.

    importance = .25 novelty + .30 arousal + .25 reward + .20 attention, at least .05

Novelty and arousal are read off the text (``novelty``, ``arousal``); reward is what became of the
memory when it was used, attention how the session dealt with it. The result strengthens encoding
and ranks; a very high one is proposed for promotion, never promoted.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Final, Literal

from actors.policy.capture.capture import EventKind
from actors.policy.decay.reinforcement import Use
from actors.policy.decay.states import is_protected
from actors.policy.decay.tiers import importance as of_tier

DAY: Final = 86_400.0  # seconds

How = Literal["at_least", "plus", "times"]

# Uses after which a memory is known to have helped; that somebody asked for it, or that the same
# was said again, tells nothing of that.
_HELPED: Final = frozenset({Use.CITED, Use.EDITED_AFTER, Use.CONFIRMED, Use.USEFUL})


class Priority(Enum):
    """Urgency with which a memory is worth attention."""

    CRITICAL = "critical"
    HIGH = "high"
    NORMAL = "normal"
    LOW = "low"


# Weights and borders of importance; the last three are a choice.
OF_NOVELTY: Final = 0.25
OF_AROUSAL: Final = 0.30
OF_REWARD: Final = 0.25
OF_ATTENTION: Final = 0.20
LEAST: Final = 0.05
CRITICAL: Final = 0.8  # above
HIGH: Final = 0.6
NORMAL: Final = 0.4
PROMOTED: Final = 0.85  # above
VERY: Final = 0.5  # what a very helpful outcome counts more
FREQUENCY: Final = 0.40  # shares of attention
DEPTH: Final = 0.35
DIVERSITY: Final = 0.25
LEARNING: Final = 0.2  # what learning mode adds to attention
LEARNING_RATE: Final = 2.0  # queries a minute, more than
LEARNING_EDITS: Final = 0.3  # edits a query, less than
LEARNING_MINUTES: Final = 15.0  # more than
FLOOR: Final = 0.01  # of a tracked importance
SURE_AFTER: Final = 5  # outcomes after which the ratio alone counts
BUSY: Final = 2.0  # queries a minute that make frequency full
EMOTIONAL: Final = 0.6  # arousal that is an event


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of how importance fades and is moved by outcomes.

    The cycle is a choice. With a day, an importance of 1 would be under the
    .7 that protects a memory after a week; with a week it takes seven of them.
    """

    enabled: bool = False  # whether it is computed at all; else it stays what a rule or tier gave
    cycle: float = 7.0  # days without news after which an importance fades once
    decay: float = 0.95  # what is left of it then
    helped: float = 1.15  # what a use that helped multiplies it by
    hindered: float = 0.95  # and one that did not


DEFAULT: Final = Settings()


@dataclass(frozen=True, slots=True)
class Channels:
    """The four signals, each 0..1."""

    novelty: float = 0.0
    arousal: float = 0.0
    reward: float = 0.5  # no outcome is known
    attention: float = 0.0


@dataclass(frozen=True, slots=True)
class Outcomes:
    """Counts of how often a memory helped, and how often it did not."""

    helpful: int = 0
    very_helpful: int = 0
    unhelpful: int = 0


@dataclass(frozen=True, slots=True)
class Conduct:
    """Counts of a session's looking up, reading and editing."""

    queries: int
    edits: int
    minutes: float
    depth: float  # 0..1: how much of what was found was read
    topics: int  # different ones


def importance(channels: Channels) -> float:
    """Importance of the four channels, .05..1."""
    weighed = (
        OF_NOVELTY * _unit(channels.novelty)
        + OF_AROUSAL * _unit(channels.arousal)
        + OF_REWARD * _unit(channels.reward)
        + OF_ATTENTION * _unit(channels.attention)
    )
    return min(1.0, max(LEAST, weighed))


def reward(outcomes: Outcomes) -> float:
    """Reward of a memory, 0..1: .5 * (1 - confidence) + ratio * confidence.

    A helpful outcome counts 1, a very helpful one 1.5, an unhelpful one 1 against it.
    Confidence grows by a fifth with each outcome.
    """
    gain = outcomes.helpful + outcomes.very_helpful * (1 + VERY)
    loss = outcomes.unhelpful
    if not gain + loss:
        return 0.5
    counted = outcomes.helpful + outcomes.very_helpful + outcomes.unhelpful
    confidence = min(1.0, counted / SURE_AFTER)
    return 0.5 * (1 - confidence) + gain / (gain + loss) * confidence


def attention(conduct: Conduct) -> float:
    """Attention that a session gave, 0..1.

    .4 frequency, full at two queries a minute, .35 depth, .25 diversity, the share of queries on
    a topic of their own; .2 more in learning mode.
    """
    frequency = min(1.0, _rate(conduct) / BUSY)
    diversity = min(1.0, conduct.topics / conduct.queries) if conduct.queries else 0.0
    given = FREQUENCY * frequency + DEPTH * _unit(conduct.depth) + DIVERSITY * diversity
    return min(1.0, given + LEARNING if is_learning(conduct) else given)


def is_learning(conduct: Conduct) -> bool:
    """Return whether somebody is learning: many queries, few edits, for a quarter of an hour."""
    return (
        _rate(conduct) > LEARNING_RATE
        and conduct.edits < conduct.queries * LEARNING_EDITS
        and conduct.minutes > LEARNING_MINUTES
    )


def priority(value: float) -> Priority:
    """Priority of an importance: above .8, .6 and .4."""
    if value > CRITICAL:
        return Priority.CRITICAL
    if value > HIGH:
        return Priority.HIGH
    return Priority.NORMAL if value > NORMAL else Priority.LOW


def is_promotable(value: float) -> bool:
    """Return whether promotion is proposed: above .85; nothing is promoted by itself."""
    return value > PROMOTED


def events(channels: Channels, *, spike: bool) -> tuple[EventKind, ...]:
    """The events that a memory's encoding is to the hours around it.

    ``spike`` is ``novelty.is_spike``.
    """
    found = (
        (EventKind.NOVELTY_SPIKE, spike),
        (EventKind.EMOTIONAL, channels.arousal >= EMOTIONAL),
    )
    return tuple(kind for kind, happened in found if happened)


def tracked(value: float, cycles: float, settings: Settings = DEFAULT) -> float:
    """A tracked importance after so many cycles without news: .95 each, .01..1.

    Computed from where it was last set; never written back.
    """
    return _bounded(value * settings.decay ** max(0.0, cycles))


def helped(use: Use) -> bool | None:
    """Return whether a use says that a memory helped; ``None`` when it does not tell."""
    if use is Use.USELESS:
        return False
    return True if use in _HELPED else None


def outcomes(uses: Iterable[Use]) -> Outcomes:
    """Outcomes of a memory's uses; that a person said it was useful counts more."""
    found = list(uses)
    return Outcomes(
        helpful=sum(1 for use in found if use is not Use.USEFUL and helped(use)),
        very_helpful=found.count(Use.USEFUL),
        unhelpful=found.count(Use.USELESS),
    )


def changed(value: float, how: How, amount: float) -> float:
    """An importance of 0..1 after one change, made to what it is at that moment.

    ``at_least``: the channels found this much; like a capture they only raise.
    ``plus``: a prompt's signal, at most 1. ``times``: a use, .01..1.
    """
    if how == "at_least":
        return max(value, amount)
    if how == "plus":
        return min(1.0, value + amount)
    return _bounded(value * amount)


def faded(
    value: float,
    seconds: float,
    tier: str,
    *,
    pinned: bool = False,
    settings: Settings = DEFAULT,
) -> float:
    """An importance after so many seconds without news: .95 for each whole cycle.

    Pinned memories and those of a protected tier stop at their tier's importance.
    """
    cycles = seconds // (settings.cycle * DAY)
    left = tracked(value, cycles, settings) if cycles >= 1 else value
    if is_protected(tier, pinned=pinned):
        return max(left, min(value, of_tier(tier)))
    return left


def _rate(conduct: Conduct) -> float:
    """Queries a minute; a session of less counts as one minute."""
    return conduct.queries / max(1.0, conduct.minutes)


def _bounded(value: float) -> float:
    return min(1.0, max(FLOOR, value))


def _unit(value: float) -> float:
    return min(1.0, max(0.0, value))
