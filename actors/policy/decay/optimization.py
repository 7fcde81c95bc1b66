"""A person's own forgetting curve, fitted to their own reviews.

``fitted_decay`` finds w20, the curve's decay; all 21 weights are found by a library elsewhere, which
is given ``histories``. Either is adopted only when it predicts reviews better that it was not fitted
to, and never from fewer than 100.
"""

import hashlib
import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from actors.policy.decay.fsrs import Grade, Strength, graded, retrievabilities

DAY: Final = 86_400.0  # seconds
GOLDEN: Final = (math.sqrt(5) - 1) / 2
LOWEST: Final = 0.01  # where the decay is looked for, and how closely
HIGHEST: Final = 1.0
TOLERANCE: Final = 0.001
ITERATIONS: Final = 50
LEAST_REVIEWS: Final = 100
HELD_OUT: Final = 5  # one memory in so many is kept for the judgement


@dataclass(frozen=True, slots=True)
class Outcome:
    """One review seen from the curve: what it predicted from, and what happened."""

    stability: float  # days, before the review
    elapsed_days: float
    recalled: bool


@dataclass(frozen=True, slots=True)
class Review:
    """One line of the log."""

    memory_id: str
    at: float  # seconds UTC
    grade: Grade


def curve_error(outcomes: Sequence[Outcome], decay: float) -> float:
    """Root mean square of R minus what happened (0 or 1); 0 for no outcomes."""
    if not outcomes:
        return 0.0
    stability = np.array([outcome.stability for outcome in outcomes], dtype=np.float64)
    elapsed = np.array([outcome.elapsed_days for outcome in outcomes], dtype=np.float64)
    happened = np.array([outcome.recalled for outcome in outcomes], dtype=np.bool_)
    wrong = retrievabilities(stability, elapsed, decay) - happened
    return float(np.sqrt(np.mean(wrong * wrong)))


def parted(reviews: Iterable[Review]) -> tuple[list[Review], list[Review]]:
    """Reviews to fit to, and those of one memory in five to judge the fit by.

    Whole memories, so that nothing of what is judged was seen; always the same ones, by a hash
    of the memory's id.
    """
    fitting: list[Review] = []
    held: list[Review] = []
    for review in reviews:
        digest = hashlib.blake2b(review.memory_id.encode(), digest_size=8).digest()
        apart = int.from_bytes(digest, "big") % HELD_OUT == 0
        (held if apart else fitting).append(review)
    return fitting, held


def with_decay(weights: tuple[float, ...], decay: float) -> tuple[float, ...]:
    """The weights with another decay, w20, kept within .1 and .8."""
    return (*weights[:-1], min(0.8, max(0.1, decay)))


def fitted_decay(outcomes: Sequence[Outcome], decay: float) -> float:
    """The decay that predicts the outcomes best, by golden section (Kiefer 1953).

    Between .01 and 1, to .001, in at most 50 steps. With fewer than 100 outcomes, or when nothing
    better than ``decay`` is found, it is ``decay`` again.
    """
    if len(outcomes) < LEAST_REVIEWS:
        return decay
    low, high = LOWEST, HIGHEST
    for _ in range(ITERATIONS):
        if high - low < TOLERANCE:
            break
        left, right = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
        if curve_error(outcomes, left) < curve_error(outcomes, right):
            high = right
        else:
            low = left
    best = (low + high) / 2
    # An error that is not a number is no better.
    return best if curve_error(outcomes, best) < curve_error(outcomes, decay) else decay


def histories(reviews: Iterable[Review]) -> list[list[tuple[Grade, int]]]:
    """The log as an FSRS optimizer wants it: per memory, each grade and the days before it.

    In the order of time; days are whole, 0 for the first review; memories by their id.
    """
    return [
        [
            (review.grade, int((review.at - log[max(0, number - 1)].at) // DAY))
            for number, review in enumerate(log)
        ]
        for log in _by_memory(reviews)
    ]


def replayed(reviews: Iterable[Review], weights: tuple[float, ...]) -> list[Outcome]:
    """Outcomes with what these weights predict of them, one at each review after the first.

    Reviews within a day of the last one are left out: the curve says nothing of them. Raises
    ``ValueError`` for weights of a wrong number or range.
    """
    outcomes: list[Outcome] = []
    for log in _by_memory(reviews):
        strength = Strength()
        for review in log:
            last = strength.last_review
            if last is not None and review.at - last >= DAY:
                days = (review.at - last) / DAY
                recalled = review.grade is not Grade.AGAIN
                outcomes.append(Outcome(strength.stability, days, recalled))
            strength = graded(strength, review.grade, review.at, weights)
    return outcomes


def judged(reviews: Sequence[Review], weights: tuple[float, ...]) -> float:
    """Error of the predictions that these weights make; infinite for weights that are none."""
    try:
        return curve_error(replayed(reviews, weights), weights[-1])
    except (ValueError, IndexError):
        return math.inf


def _by_memory(reviews: Iterable[Review]) -> list[list[Review]]:
    logs: defaultdict[str, list[Review]] = defaultdict(list)
    for review in reviews:
        logs[review.memory_id].append(review)
    return [sorted(logs[memory], key=lambda review: review.at) for memory in sorted(logs)]
