"""A person's own forgetting curve, fitted to their own reviews.

Two fits share one test of worth. ``fitted_decay`` finds w20, the curve's decay, here. All 21
weights are found by a library elsewhere: it is given ``histories`` and its answer is ``judged``.
Either is adopted only when it predicts the log better than what is in use, and never from fewer
than 100 reviews.
"""

import hashlib
import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from actors.policy.decay.fsrs import (
    Grade,
    Strength,
    graded,
    retrievabilities,
)

DAY: Final = 86_400.0  # seconds
GOLDEN: Final = (math.sqrt(5) - 1) / 2


# Where the decay is looked for, and from how many reviews on.
LOWEST: Final = 0.01
HIGHEST: Final = 1.0
TOLERANCE: Final = 0.001
ITERATIONS: Final = 50
LEAST_REVIEWS: Final = 100


HELD_OUT: Final = 5  # one memory in so many is kept for the judgement
SUREST: Final = 1e-4  # a prediction of 0 or 1 would make the loss infinite


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


@dataclass(frozen=True, slots=True)
class Measured:
    """Errors of the predictions that some weights make of some reviews."""

    error: float  # root mean square, 0..1
    loss: float  # logarithmic, in nats; a coin has .693
    outcomes: int  # reviews a day or more after the last one


def curve_error(outcomes: Sequence[Outcome], decay: float) -> float:
    """Root mean square of R minus what happened (0 or 1); 0 for no outcomes."""
    if not outcomes:
        return 0.0
    chance, happened = _predicted(outcomes, decay)
    wrong = chance - happened
    return float(np.sqrt(np.mean(wrong * wrong)))


def log_loss(outcomes: Sequence[Outcome], decay: float) -> float:
    """Mean of -ln of the chance given to what happened; 0 for no outcomes."""
    if not outcomes:
        return 0.0
    chance, happened = _predicted(outcomes, decay)
    chance = np.clip(chance, SUREST, 1 - SUREST)
    return float(-np.mean(np.log(np.where(happened, chance, 1 - chance))))


def measured(reviews: Iterable[Review], weights: tuple[float, ...]) -> Measured:
    """The errors of these weights when the log is replayed with them."""
    outcomes = replayed(reviews, weights)
    decay = weights[-1]
    return Measured(curve_error(outcomes, decay), log_loss(outcomes, decay), len(outcomes))


def parted(reviews: Iterable[Review], share: int = HELD_OUT) -> tuple[list[Review], list[Review]]:
    """Reviews to fit to, and those of one memory in five to judge the fit by.

    Whole memories, so that nothing of what is judged was seen; always the same ones, by a hash
    of the memory's id.
    """
    fitting: list[Review] = []
    held: list[Review] = []
    for review in reviews:
        digest = hashlib.blake2b(review.memory_id.encode(), digest_size=8).digest()
        apart = int.from_bytes(digest, "big") % share == 0
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
    found = _golden_section(outcomes)
    # A found error that is not a number is no better.
    better = curve_error(outcomes, found) < curve_error(outcomes, decay)
    return found if better else decay


def histories(reviews: Iterable[Review]) -> list[list[tuple[Grade, int]]]:
    """The log as an FSRS optimizer wants it: per memory, each grade and the days before it.

    In the order of time; days are whole, 0 for the first review; memories by their id.
    """
    found: list[list[tuple[Grade, int]]] = []
    for log in _by_memory(reviews):
        steps: list[tuple[Grade, int]] = []
        for number, review in enumerate(log):
            days = int((review.at - log[number - 1].at) // DAY) if number else 0
            steps.append((review.grade, days))
        found.append(steps)
    return found


def replayed(reviews: Iterable[Review], weights: tuple[float, ...]) -> list[Outcome]:
    """Outcomes with what these weights predict of them, one at each review after the first.

    Reviews within a day of the last one are left out: the curve says nothing of them.
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


def judged(
    reviews: Sequence[Review], proposed: tuple[float, ...], before: Measured
) -> tuple[Measured, bool]:
    """Judge the weights an optimizer proposed: how well they predict, and whether to adopt them.

    They are when both errors are lower than ``before``. Weights that are none change nothing.
    """
    try:
        after = measured(reviews, proposed)
    except ValueError:  # the fsrs package checks number and range of weights
        return before, False
    return after, after.error < before.error and after.loss < before.loss


def _predicted(
    outcomes: Sequence[Outcome], decay: float
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """The chance of a recall in each, and whether there was one."""
    stability = np.array([outcome.stability for outcome in outcomes], dtype=np.float64)
    elapsed = np.array([outcome.elapsed_days for outcome in outcomes], dtype=np.float64)
    happened = np.array([outcome.recalled for outcome in outcomes], dtype=np.bool_)
    return retrievabilities(stability, elapsed, decay), happened


def _golden_section(outcomes: Sequence[Outcome]) -> float:
    low, high = LOWEST, HIGHEST
    left, right = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
    at_left, at_right = curve_error(outcomes, left), curve_error(outcomes, right)
    for _ in range(ITERATIONS):
        if high - low < TOLERANCE:
            break
        if at_left < at_right:
            high, right, at_right = right, left, at_left
            left = high - GOLDEN * (high - low)
            at_left = curve_error(outcomes, left)
        else:
            low, left, at_left = left, right, at_right
            right = low + GOLDEN * (high - low)
            at_right = curve_error(outcomes, right)
    return (low + high) / 2


def _by_memory(reviews: Iterable[Review]) -> list[list[Review]]:
    logs: defaultdict[str, list[Review]] = defaultdict(list)
    for review in reviews:
        logs[review.memory_id].append(review)
    return [sorted(logs[memory], key=lambda review: review.at) for memory in sorted(logs)]
