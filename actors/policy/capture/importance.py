"""Importance of a text in four channels.

    importance = .25 novelty + .30 arousal + .25 reward + .20 attention, at least .05

Novelty and arousal are read off the text (``novelty``, ``arousal``); reward is what became of the
memory when it was used, attention how a session dealt with it. A very high importance is proposed
for promotion, never promoted.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Final


class Priority(Enum):
    """Urgency with which a memory is worth attention."""

    CRITICAL = "critical"
    HIGH = "high"
    NORMAL = "normal"
    LOW = "low"


# Weights and borders of importance.
OF_NOVELTY: Final = 0.25
OF_AROUSAL: Final = 0.30
OF_REWARD: Final = 0.25
OF_ATTENTION: Final = 0.20
LEAST: Final = 0.05
CRITICAL: Final = 0.8  # above
HIGH: Final = 0.6
NORMAL: Final = 0.4
PROMOTED: Final = 0.85  # above


@dataclass(frozen=True, slots=True)
class Channels:
    """The four signals, each 0..1."""

    novelty: float = 0.0
    arousal: float = 0.0
    reward: float = 0.5  # no outcome is known
    attention: float = 0.0


def importance(channels: Channels) -> float:
    """Importance of the four channels, .05..1."""
    weighed = (
        OF_NOVELTY * _unit(channels.novelty)
        + OF_AROUSAL * _unit(channels.arousal)
        + OF_REWARD * _unit(channels.reward)
        + OF_ATTENTION * _unit(channels.attention)
    )
    return min(1.0, max(LEAST, weighed))


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


def _unit(value: float) -> float:
    return min(1.0, max(0.0, value))
