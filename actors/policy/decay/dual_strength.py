"""Two strengths of one memory: how well it is stored, and how easily it comes back.

After Bjork and Bjork (1992): storage strength only grows; retrieval strength fades and returns
with use. Retrieval fades on the one curve of this code base (A02, C01), never on another.
"""

import math
from dataclasses import dataclass, replace
from typing import Final

from actors.policy.decay.fsrs import (
    FSRS6_DECAY,
    STABILITY_MAX,
    STABILITY_MIN,
    curve_factor,
    retrievability,
)

STORAGE_RANGE: Final = (1.0, 10.0)  # A28
LOWEST: Final = 0.05  # what demotion leaves of retrieval and retention, A30


@dataclass(frozen=True, slots=True)
class DualStrength:
    """Storage 1..10 and the retrieval strength (0..1) it had at its anchor."""

    storage: float = 1.0
    retrieval: float = 1.0
    anchored_at: float = 0.0  # seconds UTC


@dataclass(frozen=True, slots=True)
class Condition:
    """Retrieval and retention (0..1) with the stability (days) behind them."""

    retrieval: float
    retention: float
    stability: float


@dataclass(frozen=True, slots=True)
class Gains:
    """What being shown adds; nothing by default, because use strengthens (C06)."""

    retrieval: float = 0.0
    retention: float = 0.0


NO_GAIN: Final = Gains()
VESTIGE: Final = Gains(retrieval=0.05, retention=0.02)  # A29


def retrieval_at(
    strength: DualStrength, stability: float, now: float, decay: float = FSRS6_DECAY
) -> float:
    """Retrieval strength at ``now``: what it was at the anchor, times the curve (A28, A02)."""
    days = (now - strength.anchored_at) / 86_400
    return strength.retrieval * retrievability(stability, days, decay)


def retention(retrieval: float, storage: float) -> float:
    """Retention of the two strengths: .7 * retrieval + .3 * storage / 10 (A28).

    A new memory (retrieval 1, storage 1) has .73.
    """
    return 0.7 * retrieval + 0.3 * storage / STORAGE_RANGE[1]


def recalled(strength: DualStrength, now: float) -> DualStrength:
    """After a recall: storage grows by .1, retrieval is whole again (A28)."""
    return _grown(strength, 0.1, now)


def relearnt(strength: DualStrength, now: float) -> DualStrength:
    """After a lapse and its correction: storage grows by .3, retrieval is whole again (A28)."""
    return _grown(strength, 0.3, now)


def exposed(condition: Condition, gains: Gains = NO_GAIN) -> Condition:
    """After being shown: as it was, or more by ``VESTIGE``'s gains, at most 1 (A29, C06)."""
    return replace(
        condition,
        retrieval=min(1.0, condition.retrieval + gains.retrieval),
        retention=min(1.0, condition.retention + gains.retention),
    )


def promoted(condition: Condition) -> Condition:
    """After a person said it is good: +.20, +.10, stability half as much again (A30)."""
    return Condition(
        retrieval=min(1.0, condition.retrieval + 0.20),
        retention=min(1.0, condition.retention + 0.10),
        stability=min(STABILITY_MAX, condition.stability * 1.5),
    )


def demoted(condition: Condition) -> Condition:
    """After a person said it is bad: -.30, -.15 (at least .05), half the stability (A30)."""
    return Condition(
        retrieval=max(LOWEST, condition.retrieval - 0.30),
        retention=max(LOWEST, condition.retention - 0.15),
        stability=max(STABILITY_MIN, condition.stability * 0.5),
    )


def storage_of(uses: int, lapses: int) -> float:
    """Storage strength after so many uses and lapses: it grows by .1 and .3, and never fades (A28).

    What the store counts is enough to tell it, so it is no column of its own.
    """
    lowest, highest = STORAGE_RANGE
    return min(highest, lowest + 0.1 * max(0, uses) + 0.3 * max(0, lapses))


def anchor(retrieval: float, stability: float, now: float, decay: float = FSRS6_DECAY) -> float:
    """Where a curve has to begin, seconds UTC, to stand at this retrieval (0..1) at ``now`` (A30).

    At most a hundred years ago: what would be lower stays at what the curve has left by then.
    """
    if retrieval >= 1 or not stability > 0 or math.isinf(stability):
        return now
    passed = stability / curve_factor(decay) * (math.pow(max(retrieval, LOWEST), -1 / decay) - 1)
    return now - min(passed, STABILITY_MAX) * 86_400


def _grown(strength: DualStrength, by: float, now: float) -> DualStrength:
    lowest, highest = STORAGE_RANGE
    storage = min(highest, max(lowest, strength.storage) + by)
    return DualStrength(storage=storage, retrieval=1.0, anchored_at=now)
