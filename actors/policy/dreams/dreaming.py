"""Dreaming: when a dream is due, and why not yet.

A dream is due when enough has happened since the last one (50 saves, or a day), never sooner than
six hours after the last. At the start of a session it takes a day. A person who asks gets one at
once. That nobody is looking is the schedule's to see (``actors.policy.times.scheduling``).
"""

from dataclasses import dataclass
from enum import Enum
from typing import Final

SAVES: Final = 50  # since the last dream that make one due: what VE dreams after
HOURS: Final = 24.0  # since the last dream that make one due, when anything was saved
GAP: Final = 6.0  # hours at least between two dreams
HOPELESS: Final = 4  # attempts, a fault counting twice


class Occasion(Enum):
    """Occasion on which it is asked whether a dream is due."""

    TICK = "tick"  # the clock
    SESSION_START = "session_start"


class Answer(Enum):
    """Answer whether a dream is due, or what it waits for."""

    DUE = "due"
    TOO_SOON = "too_soon"  # after the last one
    TOO_LITTLE = "too_little"  # has happened since


@dataclass(frozen=True, slots=True)
class Situation:
    """Facts known when it is asked; times are seconds UTC."""

    now: float
    last_dream: float | None = None  # None: never
    saves: int = 0  # since the last dream


def due(situation: Situation, occasion: Occasion = Occasion.TICK) -> Answer:
    """Answer whether a dream is due, or what it waits for.

    50 saves or 24 hours; at the start of a session 24 hours; six hours between two dreams.
    """
    hours = hours_since(situation)
    if hours < GAP:
        return Answer.TOO_SOON
    late = hours >= HOURS
    if occasion is Occasion.SESSION_START:
        return Answer.DUE if late and situation.saves > 0 else Answer.TOO_LITTLE
    if not (late and situation.saves > 0) and situation.saves < SAVES:
        return Answer.TOO_LITTLE
    return Answer.DUE


def hours_since(situation: Situation) -> float:
    """Hours since the last dream, without end when there was none; a clock set back gives 0."""
    if situation.last_dream is None:
        return float("inf")
    return max(0.0, situation.now - situation.last_dream) / 3600


def is_hopeless(tried: int, faults: int) -> bool:
    """Return whether a part of a dream is left out: two faults, or four attempts without an end.

    An attempt counts one, and one more when it ended in a fault. An attempt that nobody closed may
    be a part that takes the process with it, and may be a battery that ran out; a part takes
    seconds, so that four in the same part of the same dream are no chance.
    """
    return tried + faults >= HOPELESS
