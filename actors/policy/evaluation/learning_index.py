"""Learning index of a task: what an agent says of itself before and after, as one number.

    index = .40 knowledge gained + .35 uncertainty lost + .25 context gained

of scores from 0 to 100, so from -100 to 100. Nothing else reads it: it ranks no memory and moves no
strength, because it is an agent's word about itself.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

OF_KNOWLEDGE: Final = 0.40
OF_UNCERTAINTY: Final = 0.35
OF_CONTEXT: Final = 0.25
STEADY: Final = 5.0  # points by which halves of a history differ before it rises or falls; a choice


@dataclass(frozen=True, slots=True)
class Scores:
    """An agent's scores of itself, each 0 to 100."""

    knowledge: float
    uncertainty: float
    context: float


class Band(Enum):
    """Size of a learning index."""

    SIGNIFICANT = "significant"
    MODERATE = "moderate"
    INCREMENTAL = "incremental"
    EXECUTION = "execution"  # known work was done
    REGRESSION = "regression"


# From which index on; what is below all of them is a regression.
BANDS: Final[tuple[tuple[float, Band], ...]] = (
    (40.0, Band.SIGNIFICANT),
    (15.0, Band.MODERATE),
    (5.0, Band.INCREMENTAL),
    (0.0, Band.EXECUTION),
)


def learning_index(before: Scores, after: Scores) -> float:
    """Learning index of a task, -100 to 100, to two digits."""
    weighed = (
        OF_KNOWLEDGE * (after.knowledge - before.knowledge)
        + OF_UNCERTAINTY * (before.uncertainty - after.uncertainty)
        + OF_CONTEXT * (after.context - before.context)
    )
    return round(weighed, 2) + 0.0  # no negative zero


def band(index: float) -> Band:
    """Band of a learning index."""
    return next((name for least, name in BANDS if index >= least), Band.REGRESSION)


def trend(indexes: Sequence[float]) -> str:
    """Direction of a history, oldest first: its newer half against the older one.

    ``rising``, ``falling`` or ``steady``; empty for fewer than four.
    """
    if len(indexes) < 4:
        return ""
    half = len(indexes) // 2
    change = mean(indexes[-half:]) - mean(indexes[:half])
    if abs(change) < STEADY:
        return "steady"
    return "rising" if change > 0 else "falling"


def mean(values: Sequence[float]) -> float:
    """Mean of values, 0 of none."""
    return math.fsum(values) / len(values) if values else 0.0
