"""A person's own forgetting curve: its decay, w20, fitted to their own reviews.

It is adopted only when it predicts reviews outside of the fit better, and never from fewer than
100.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from actors.policy.decay.fsrs import Grade, Strength, graded, retrievabilities

DAY: Final = 86_400.0  # seconds
DECAYS: Final = tuple(hundredth / 100 for hundredth in range(10, 81))  # the range of FSRS-6
LEAST_REVIEWS: Final = 100
HELD_OUT: Final = 5  # one memory in so many is kept for the judgement


@dataclass(frozen=True, slots=True)
class Outcome:
    """One review seen from the curve: the facts for its prediction, and the result."""

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
    """Root mean square of R minus the result (0 or 1); 0 for no outcomes."""
    if not outcomes:
        return 0.0
    stability = np.array([outcome.stability for outcome in outcomes], dtype=np.float64)
    elapsed = np.array([outcome.elapsed_days for outcome in outcomes], dtype=np.float64)
    happened = np.array([outcome.recalled for outcome in outcomes], dtype=np.bool_)
    wrong = retrievabilities(stability, elapsed, decay) - happened
    return float(np.sqrt(np.mean(wrong * wrong)))


def parted(reviews: Iterable[Review]) -> tuple[list[Review], list[Review]]:
    """Reviews to fit to, and the reviews of one memory in five to judge the fit by.

    Whole memories, so no judged review was seen in the fit; always the same ones, by a hash of the
    memory's id.
    """
    fitting: list[Review] = []
    held: list[Review] = []
    for review in reviews:
        digest = hashlib.blake2b(review.memory_id.encode(), digest_size=8).digest()
        apart = int.from_bytes(digest, "big") % HELD_OUT == 0
        (held if apart else fitting).append(review)
    return fitting, held


def fitted(outcomes: Sequence[Outcome], weights: tuple[float, ...]) -> tuple[float, ...]:
    """The weights with the decay of the best predictions: their own, or one of ``DECAYS``."""
    best = min((weights[-1], *DECAYS), key=lambda decay: curve_error(outcomes, decay))
    return (*weights[:-1], best)


def replayed(reviews: Iterable[Review], weights: tuple[float, ...]) -> list[Outcome]:
    """Outcomes with the predictions of these weights, one at each review after the first.

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


def _by_memory(reviews: Iterable[Review]) -> list[list[Review]]:
    logs: defaultdict[str, list[Review]] = defaultdict(list)
    for review in reviews:
        logs[review.memory_id].append(review)
    return [sorted(logs[memory], key=lambda review: review.at) for memory in sorted(logs)]
