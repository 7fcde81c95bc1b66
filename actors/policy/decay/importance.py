"""Importance of a text: a function of its history, in four channels.

    importance = .25 novelty + .30 arousal + .25 reward + .20 attention, at least .05

Novelty is the share of the text not said before, arousal the stir it makes, reward the result of its
use, attention its treatment in a session. A very high importance is proposed for promotion, never
promoted.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Final

from actors.policy.patterns import pattern
from actors.policy.text.words import stems

LEAST: Final = 0.05
PROMOTED: Final = 0.85  # above
MARKS: Final = 3  # "!" and "?!" that make a stir by themselves
# Words of programmers for what cannot wait; two make the whole stir that words can.
URGENT: Final = stems(
    "asap blocker breach breaking broken catastrophe corrupted crash critical deadline disaster"
    " emergency exploit immediately incident leak outage regression severe urgent vulnerability"
)
_EXCITED: Final = pattern(r"!|\?(?=[!?])|(?<=[!?])\?")


class Priority(Enum):
    """Urgency with which a memory is worth attention."""

    CRITICAL = "critical"
    HIGH = "high"
    NORMAL = "normal"
    LOW = "low"


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
        0.25 * channels.novelty
        + 0.30 * channels.arousal
        + 0.25 * channels.reward
        + 0.20 * channels.attention
    )
    return min(1.0, max(LEAST, weighed))


def priority(value: float) -> Priority:
    """Priority of an importance: above .8, .6 and .4."""
    if value > 0.8:
        return Priority.CRITICAL
    if value > 0.6:
        return Priority.HIGH
    return Priority.NORMAL if value > 0.4 else Priority.LOW


def is_promotable(value: float) -> bool:
    """Return whether promotion is proposed: above .85; nothing is promoted by itself."""
    return value > PROMOTED


def novelty(
    text: str, known: Iterable[str], context: Collection[str], names: Collection[str]
) -> float:
    """Novelty, 0..1: .7 the share of the text's words absent from all known texts.

    .3 the share of its surroundings (project, files, tags) not among the known names; half of it
    where it has none.
    """
    said = stems(text)
    unsaid = said.difference(*map(stems, known))
    fresh = sum(one not in names for one in context) / len(context) if context else 0.5
    return 0.7 * len(unsaid) / max(1, len(said)) + 0.3 * fresh


def arousal(text: str) -> float:
    """Arousal of a text, 0..1: .7 urgent words, .3 marks of excitement."""
    urgent = min(1.0, len(stems(text) & URGENT) / 2)
    return 0.7 * urgent + 0.3 * min(1.0, len(_EXCITED.findall(text)) / MARKS)
