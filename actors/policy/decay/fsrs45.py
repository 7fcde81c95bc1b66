"""Reviews by the rules of the documents: the profile ``fsrs45``.

A simpler arithmetic than FSRS-6 (``fsrs.graded``, the default), kept for those who compare with
the documents: stability times a factor for each grade, more the less likely the recall was. Its
curve is ``fsrs.retrievability`` with decay 0.5. S is stability in days, D difficulty (1..10), R
retrievability before the review.
"""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from actors.policy.decay import fsrs
from actors.policy.decay.fsrs import (
    FSRS45_DECAY,
    STABILITY_MAX,
    STABILITY_MIN,
    Grade,
    Strength,
    next_phase,
)

DAY: Final = 86_400.0  # seconds
LAPSE: Final = 0.2  # what a failed recall leaves of stability, A17
TESTING_EFFECT: Final = 0.5  # A19

GRADE_FACTORS: Final[Mapping[Grade, float]] = MappingProxyType(
    {Grade.HARD: 0.8, Grade.GOOD: 1.0, Grade.EASY: 1.3}
)
DIFFICULTY_STEPS: Final[Mapping[Grade, float]] = MappingProxyType(
    {Grade.AGAIN: 1.0, Grade.HARD: 0.5, Grade.GOOD: 0.0, Grade.EASY: -0.5}
)


def retrievability(stability: float, elapsed_days: float) -> float:
    """R of the documents: (1 + 19/81 * t / S) ** -.5, 0 before the review and for S <= 0 (A01).

    It is ``fsrs.retrievability`` with decay .5 but for a negative time, of which that says 1 (A02).
    (5, 10) gives .825029.
    """
    if elapsed_days < 0:
        return 0.0
    return fsrs.retrievability(stability, elapsed_days, FSRS45_DECAY)


def testing_bonus(retrieved: float) -> float:
    """What a recall at retrievability R is worth: 1 + (1 - R) / 2 (A19). R = .3 gives 1.35."""
    return 1 + (1 - retrieved) * TESTING_EFFECT


def stability_after(
    stability: float,
    difficulty: float,
    retrieved: float,
    grade: Grade,
    *,
    strict_seed: bool = False,
) -> float:
    """Stability after a review (A17): S 5, D 5, R .825029 and Good give 8.699885.

    ``AGAIN`` leaves a fifth. By the letter of the documents a ``HARD`` recall of a difficult
    memory lowers stability; a success never does here unless ``strict_seed`` (C05).
    """
    if grade is Grade.AGAIN:
        return max(STABILITY_MIN, stability * LAPSE)
    growth = 1 + (11 - difficulty) * 0.1
    raw = stability * growth * GRADE_FACTORS[grade] * testing_bonus(retrieved)
    kept = raw if strict_seed else max(raw, stability)
    return min(max(kept, STABILITY_MIN), STABILITY_MAX)


def difficulty_after(difficulty: float, grade: Grade) -> float:
    """Difficulty after a review: +1, +.5, 0, -.5, kept within 1 and 10 (A18)."""
    return min(10.0, max(1.0, difficulty + DIFFICULTY_STEPS[grade]))


def graded(strength: Strength, grade: Grade, now: float, *, strict_seed: bool = False) -> Strength:
    """The strength after a review at ``now`` seconds UTC (A17, A18, A19, C05).

    A memory that was never reviewed counts as fully retrievable, as one reviewed just now does.
    """
    reviewed = strength.last_review
    idle_days = 0.0 if reviewed is None else (now - reviewed) / DAY
    retrieved = fsrs.retrievability(strength.stability, idle_days, FSRS45_DECAY)
    lapsed = grade is Grade.AGAIN and reviewed is not None
    return replace(
        strength,
        stability=stability_after(
            strength.stability, strength.difficulty, retrieved, grade, strict_seed=strict_seed
        ),
        difficulty=difficulty_after(strength.difficulty, grade),
        last_review=now,
        reviews=strength.reviews + 1,
        lapses=strength.lapses + lapsed,
        phase=next_phase(strength.phase, grade),
    )
