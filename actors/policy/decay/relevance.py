"""Relevance: how much a memory still matters today, by age, use, connections and importance.

A figure of its own, computed when it is asked for. It is never written to importance: where a
source did so and read it back the next day, an importance of 1 fell under its own protection within
a day and a half of .5 was gone after a month.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

DAY: Final = 86_400.0  # seconds
FLOOR: Final = 0.001  # Nothing is less relevant
NEUTRAL: Final = 0.5  # The confidence of what has no connection


@dataclass(frozen=True, slots=True)
class Use:
    """Facts for computing relevance."""

    age: float  # days since it was made
    importance: float  # 0..1
    unused: float | None = None  # days since it was last of use; None: it never was
    relations: int = 0
    confidence: float | None = None  # mean of its relations, 0..1; None: there are none


def relevances(uses: Sequence[Use]) -> list[float]:
    """Relevance of many memories at once, in their order: .001 and up, about 2 at most.

    ``exp(-.1 age) (.3 + .3 exp(-.05 unused)) (1 + .3 ln(1 + relations)) (.5 + importance) (.7 + .3
    confidence)``; a memory never used counts as unused since it was made. Times ahead, after a
    clock went back, count as now.
    """
    if not uses:
        return []
    age = _column([use.age for use in uses])
    unused = _column([use.age if use.unused is None else use.unused for use in uses])
    relations = _column([float(use.relations) for use in uses])
    sure = _column([NEUTRAL if use.confidence is None else use.confidence for use in uses])
    importance = _column([use.importance for use in uses])
    found = (
        np.exp(-0.1 * age)
        * (0.3 + 0.3 * np.exp(-0.05 * unused))
        * (1.0 + 0.3 * np.log1p(relations))
        * (0.5 + importance)
        * (0.7 + 0.3 * sure)
    )
    values: list[float] = np.maximum(found, FLOOR).tolist()
    return values


def _column(values: list[float]) -> NDArray[np.float64]:
    return np.maximum(np.array(values, np.float64), 0.0)
