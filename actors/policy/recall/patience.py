"""Patience: the time a prompt waits for its vector, and the rest left for its answer.

A prompt without its vector is searched for by words alone and finds less, so the vector is waited
for as long as it may be expected in time. Two signs speak against it: vectors took longer lately,
or an earlier one is still to come although it is older than a prompt would wait. Then a prompt
waits ``LEAST``, enough for an idle machine: the end of slowness is noticed, and a hanging worker
costs the prompts after it next to nothing.

Late vectors count too: they tell when waiting is worth while again. Times in seconds.
"""

from dataclasses import dataclass
from typing import Final

LEAST: Final = 0.020  # waited even when the vector is not expected in time
REST: Final = 0.060  # of a prompt's time, for all but the vector
REST_AT_LEAST: Final = 0.75  # share of a short time that the rest keeps
NEWEST: Final = 0.25  # share of the newest time in the mean: two slow ones in a row are enough
MOST_COUNTED: Final = 0.300  # of what one took: a worker that hung once is forgotten after a few
FRESH: Final = 30.0  # in which what was seen holds: a build may be over by the next prompt


@dataclass(frozen=True, slots=True)
class Pace:
    """How long vectors of queries took lately: a moving mean, and when the last one came."""

    mean: float = 0.0
    at: float = 0.0


@dataclass(frozen=True, slots=True)
class Shares:
    """How a prompt's time is shared: the most for its vector, and how ample the rest is."""

    vector: float
    ample: float  # times what the rest has by default


def shares(deadline: float, vector: float) -> Shares:
    """How a prompt's time is shared when its vector may take ``vector`` seconds of it."""
    most = min(vector, deadline - min(REST, REST_AT_LEAST * deadline))
    return Shares(most, (deadline - most) / REST)


def paced(pace: Pace, took: float, at: float) -> Pace:
    """The pace with one more vector, which took so long, known at ``at``."""
    mean = pace.mean if at - pace.at < FRESH else 0.0
    return Pace(mean + NEWEST * (min(took, MOST_COUNTED) - mean), at)


def patience(pace: Pace, outstanding: float, at: float, most: float, room: float) -> float:
    """Seconds a prompt waits for its vector, ``most`` at the longest.

    ``outstanding``: the age of the oldest unanswered question for a vector; ``room``: the rest of
    the prompt's time beside its other work.
    """
    slow = pace.mean > most and at - pace.at < FRESH
    expected = not slow and outstanding <= most
    return min(most, max(LEAST, room) if expected else LEAST)
