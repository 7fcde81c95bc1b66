"""Learning index of a task: an agent's word about itself before and after, as one number.

    index = .40 knowledge gained + .35 uncertainty lost + .25 context gained

of scores from 0 to 100, so from -100 to 100. Nothing else reads it: it ranks no memory and moves no
strength, because it is an agent's word about itself.
"""

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Final

WEIGHTS: Final = {"knowledge": 0.40, "uncertainty": -0.35, "context": 0.25}
STEADY: Final = 5.0  # points by which halves of a history differ before it rises or falls; a choice
# From which index on; what is below all of them is a regression.
BANDS: Final = ((40.0, "significant"), (15.0, "moderate"), (5.0, "incremental"), (0.0, "execution"))


def learning_index(before: Mapping[str, float], after: Mapping[str, float]) -> float:
    """Learning index of a task, -100 to 100, to two digits."""
    gained = sum(weight * (after[name] - before[name]) for name, weight in WEIGHTS.items())
    return round(gained, 2) + 0.0  # no negative zero


def band(index: float) -> str:
    """Band of a learning index; ``execution``: known work was done."""
    return next((name for least, name in BANDS if index >= least), "regression")


def trend(indexes: Sequence[float]) -> str:
    """Direction of a history, oldest first: its newer half against the older one.

    ``rising``, ``falling`` or ``steady``; empty for fewer than four.
    """
    if len(indexes) < 4:
        return ""
    half = len(indexes) // 2
    change = fmean(indexes[-half:]) - fmean(indexes[:half])
    if abs(change) < STEADY:
        return "steady"
    return "rising" if change > 0 else "falling"
