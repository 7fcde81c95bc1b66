"""Two strengths of one memory: how well it is stored, and how easily it comes back.

After Bjork and Bjork (1992): storage strength only grows; retrieval strength fades and returns
with use. Retrieval is R of the one curve (``fsrs``), so neither is stored.

People's opinions of a memory move both, and our confidence in it. Promotion is only ever proposed;
a person or an explicit command promotes.
"""

import math
from dataclasses import dataclass
from typing import Final

from actors.policy.decay.fsrs import STABILITY_MAX, STABILITY_MIN, days_until

STORAGE_RANGE: Final = (1.0, 10.0)
LOWEST: Final = 0.05  # retrieval and retention after a demotion
PROMOTED: Final = frozenset({"constitutional", "critical"})  # nothing above to promote to
# Steps and the bar for promotion.
USEFUL: Final = 0.1
USELESS: Final = 0.05
BAR: Final = 0.9
VALIDATIONS: Final = 5


@dataclass(frozen=True, slots=True)
class Condition:
    """Retrieval and retention (0..1) with the stability (days) behind them."""

    retrieval: float
    retention: float
    stability: float


@dataclass(frozen=True, slots=True)
class Confidence:
    """Confidence, 0..1, and the number of verdicts behind it."""

    score: float = 0.5
    validations: int = 0


def retention(retrieval: float, storage: float) -> float:
    """Retention of the two strengths: .7 * retrieval + .3 * storage / 10.

    A new memory (retrieval 1, storage 1) has .73.
    """
    return 0.7 * retrieval + 0.3 * storage / STORAGE_RANGE[1]


def promoted(condition: Condition) -> Condition:
    """After a person said it is good: +.20, +.10, stability half as much again."""
    return Condition(
        retrieval=min(1.0, condition.retrieval + 0.20),
        retention=min(1.0, condition.retention + 0.10),
        stability=min(STABILITY_MAX, condition.stability * 1.5),
    )


def demoted(condition: Condition) -> Condition:
    """After a person said it is bad: -.30, -.15 (at least .05), half the stability."""
    return Condition(
        retrieval=max(LOWEST, condition.retrieval - 0.30),
        retention=max(LOWEST, condition.retention - 0.15),
        stability=max(STABILITY_MIN, condition.stability * 0.5),
    )


def validated(confidence: Confidence, *, useful: bool) -> Confidence:
    """After a verdict: +.1 up to 1, or -.05 down to 0."""
    step = USEFUL if useful else -USELESS
    # Rounded, so that four steps from .5 are .9 and not a hair less.
    score = round(min(1.0, max(0.0, confidence.score + step)), 9)
    return Confidence(score, confidence.validations + 1)


def promotion_proposed(confidence: Confidence, tier: str | None) -> bool:
    """Return whether to propose the critical tier: .9 or more after 5 verdicts or more.

    Four positive verdicts make .9 and are not enough; five are.
    """
    sure = confidence.score >= BAR
    often = confidence.validations >= VALIDATIONS
    return sure and often and tier not in PROMOTED


def storage_of(uses: int, lapses: int) -> float:
    """Storage strength after so many uses and lapses: it grows by .1 and .3, and never fades.

    It follows from the store's counts, so it is no column of its own.
    """
    lowest, highest = STORAGE_RANGE
    return min(highest, lowest + 0.1 * max(0, uses) + 0.3 * max(0, lapses))


def anchor(retrieval: float, stability: float, now: float, decay: float) -> float:
    """Beginning of a curve, seconds UTC, at this retrieval (0..1) at ``now``.

    At most a hundred years ago: a lower retrieval becomes the curve's value for a hundred years.
    """
    if retrieval >= 1 or not stability > 0 or math.isinf(stability):
        return now
    passed = days_until(max(retrieval, LOWEST), stability, decay)
    return now - min(passed, STABILITY_MAX) * 86_400
