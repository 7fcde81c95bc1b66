"""The one forgetting curve, and what a review does to a memory's strength.

Curve: ``R = (1 + F * t / S) ** -d`` with ``F = 0.9 ** (-1 / d) - 1``, so that R(S, S) = 0.9 for
every decay d. d = 0.1542 is FSRS-6 (Ye 2024; features.md A02), d = 0.5 is FSRS-4.5, the curve of
the documents (A01). t and S are days. Reviews are the official FSRS-6 formulas, taken from the
``fsrs`` package itself (C04), without learning steps and without fuzz.

``datetime`` appears only as the value type the package wants; the time is always an argument.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import Enum, IntEnum
from functools import lru_cache
from types import MappingProxyType
from typing import Final

import numpy as np
from fsrs import Card, Rating, Scheduler, State
from numpy.typing import NDArray

FSRS6_DECAY: Final = 0.1542
FSRS45_DECAY: Final = 0.5

# A03: the 21 default weights of FSRS-6; the last one is the decay.
FSRS6_WEIGHTS: Final[tuple[float, ...]] = (
    0.212,
    1.2931,
    2.3065,
    8.2956,
    6.4133,
    0.8334,
    3.0194,
    0.001,
    1.8722,
    0.1666,
    0.796,
    1.4835,
    0.0614,
    0.2629,
    1.6483,
    0.6014,
    1.8729,
    0.5425,
    0.0912,
    0.0658,
    FSRS6_DECAY,
)

STABILITY_MIN: Final = 0.1  # days, A13
STABILITY_MAX: Final = 36_500.0  # days, A13
DIFFICULTY_RANGE: Final = (1.0, 10.0)  # A13
INTERVAL_MAX: Final = 36_500  # days, A10
UNTYPED_STABILITY: Final = 1.0  # days: a row without a memory type, C03

# A21: days until R = 0.5, by memory type. Infinite: never fades.
HALF_LIVES: Final[Mapping[str, float]] = MappingProxyType(
    {
        "working": 1.0,
        "episodic": 7.0,
        "prospective": 14.0,
        "implicit": 30.0,
        "declarative": 60.0,
        "procedural": 90.0,
        "semantic": 180.0,
        "autobiographical": 365.0,
        "meta-cognitive": math.inf,
    }
)
# A21: days without use after which the same table would let a memory of a type go. Here it is a
# preset for comparison: nothing is deleted by age (B15).
EXPIRIES: Final[Mapping[str, float]] = MappingProxyType(
    {
        "working": 7.0,
        "episodic": 30.0,
        "prospective": 60.0,
        "implicit": 120.0,
        "declarative": 180.0,
        "procedural": 365.0,
        "semantic": math.inf,
        "autobiographical": math.inf,
        "meta-cognitive": math.inf,
    }
)
# C09: the table printed in the documents, kept as a preset.
HALF_LIVES_SEED000: Final[Mapping[str, float]] = MappingProxyType(
    {
        "semantic": 180.0,
        "procedural": 120.0,
        "declarative": 60.0,
        "episodic": 60.0,
        "temporary": 1.0,
        "constitutional": math.inf,
        "critical": math.inf,
    }
)

# A23, C10: both tables multiply stability; what is not listed counts as 1.
CONTEXT_FACTORS: Final[Mapping[str, float]] = MappingProxyType(
    {"decision": math.inf, "research": 2.0}
)
TIER_FACTORS: Final[Mapping[str, float]] = MappingProxyType(
    {
        "constitutional": math.inf,
        "critical": math.inf,
        "important": 1.5,
        "normal": 1.0,
        "temporary": 0.5,
        "deprecated": 0.25,
    }
)


class Grade(IntEnum):
    """How well a memory served: the four answers of FSRS."""

    AGAIN = 1
    HARD = 2
    GOOD = 3
    EASY = 4


class Phase(Enum):
    """Where a memory stands in learning (A14)."""

    NEW = "new"
    LEARNING = "learning"
    REVIEW = "review"
    RELEARNING = "relearning"


@dataclass(frozen=True, slots=True)
class Strength:
    """What reviews have made of a memory; the defaults are those of an unreviewed row (C03)."""

    stability: float = UNTYPED_STABILITY  # days
    difficulty: float = 5.0  # 1..10
    last_review: float | None = None  # seconds UTC
    reviews: int = 0
    lapses: int = 0
    phase: Phase = Phase.NEW
    implicit_at: float | None = None  # seconds UTC: the last implicit reinforcement, C06


def curve_factor(decay: float = FSRS6_DECAY) -> float:
    """F of the curve, so that R(S, S) = 0.9: 19/81 for decay 0.5 (A01, A02, C02)."""
    return math.pow(0.9, -1 / decay) - 1


def retrievability(stability: float, elapsed_days: float, decay: float = FSRS6_DECAY) -> float:
    """Chance that the memory would be recalled after ``elapsed_days`` (A01, A02, C01).

    1 when no time has passed (a clock that went back counts as none), 0 for a stability that is
    not positive, 1 for an infinite one.
    """
    if not stability > 0:
        return 0.0
    if not elapsed_days > 0 or math.isinf(stability):
        return 1.0
    return math.pow(1 + curve_factor(decay) * elapsed_days / stability, -decay)


def retrievabilities(
    stability: NDArray[np.float64],
    elapsed_days: NDArray[np.float64],
    decay: float = FSRS6_DECAY,
) -> NDArray[np.float64]:
    """``retrievability`` for whole columns (A02); equal to it within 1e-12."""
    alive = stability > 0
    # Rows that the rules below settle get harmless numbers, so that no warning is raised.
    still = ~(elapsed_days > 0) | np.isinf(stability)
    days = np.where(still, 0.0, elapsed_days)
    strength = np.where(alive & ~still, stability, 1.0)
    with np.errstate(over="ignore"):  # a stability near 0 makes an infinity, whose power is 0
        faded = np.power(1 + curve_factor(decay) * days / strength, -decay)
    return np.where(alive, faded, 0.0)


def half_life_to_stability(half_life_days: float | None, decay: float = FSRS6_DECAY) -> float:
    """Stability in days at which R falls to 0.5 after ``half_life_days`` (A20, C08).

    60 days are 4.691358 on the FSRS-4.5 curve and .664051 on the FSRS-6 curve. None is no
    half-life: an infinite stability, which never fades.
    """
    if half_life_days is None:
        return math.inf
    return half_life_days * curve_factor(decay) / (math.pow(2, 1 / decay) - 1)


def classification_factor(context_type: str | None, tier: str | None) -> float:
    """Multiplier of stability by what a memory is about and how important it is (A23, C10)."""
    context = CONTEXT_FACTORS.get(context_type or "", 1.0)
    return context * TIER_FACTORS.get(tier or "", 1.0)


def initial_stability(
    memory_type: str | None,
    *,
    factor: float = 1.0,
    decay: float = FSRS6_DECAY,
    half_lives: Mapping[str, float] = HALF_LIVES,
) -> float:
    """Stability in days of a memory that was never reviewed (C03).

    The half-life of its type on the curve in use, times the classification factor (A23); 1 day
    for an untyped row.
    """
    half_life = half_lives.get(memory_type or "")
    if half_life is None:
        return UNTYPED_STABILITY * factor
    return half_life_to_stability(half_life, decay) * factor


def effective_stability(
    strength: Strength,
    memory_type: str | None,
    *,
    factor: float = 1.0,
    decay: float = FSRS6_DECAY,
    half_lives: Mapping[str, float] = HALF_LIVES,
) -> float:
    """Stability that a memory's fading goes by: the better of learnt and typical (B06).

    Once a memory has lapsed (it was called useless) only what was learnt counts: otherwise the
    floor of its type would undo the verdict.
    """
    if strength.last_review is None:
        return initial_stability(memory_type, factor=factor, decay=decay, half_lives=half_lives)
    if strength.lapses:
        return strength.stability * factor
    typical = initial_stability(memory_type, decay=decay, half_lives=half_lives)
    return max(strength.stability, typical) * factor


def interval(stability: float, desired_retention: float = 0.9, decay: float = FSRS6_DECAY) -> int:
    """Whole days until R falls to ``desired_retention``, at most 36,500 (A10).

    0 for a stability that is not positive and for a retention of 1 or more; 36,500 for a
    retention of 0 or less. A stability of 10 days falls to .8 in 33.
    """
    if not stability > 0 or not desired_retention < 1:
        return 0
    if desired_retention <= 0:
        return INTERVAL_MAX
    try:
        days = stability / curve_factor(decay) * (math.pow(desired_retention, -1 / decay) - 1)
    except OverflowError:  # a retention next to 0
        return INTERVAL_MAX
    return INTERVAL_MAX if days >= INTERVAL_MAX else round(days)


def fuzzed_interval(days: int, seed: int) -> int:
    """The interval moved by up to 5 %, at least a day, the same for the same seed (A11).

    It spreads out reviews that would fall on one day, so it belongs to a review queue and to
    nothing else. Intervals up to 2 days stay. The draw is the 15-bit linear congruential one.
    """
    if days <= 2:
        return days
    reach = max(1, int(days * 0.05))
    drawn = (1_103_515_245 * seed + 12_345) % 32_768
    return min(days - reach + drawn % (2 * reach + 1), INTERVAL_MAX)


def sentiment_boosted(stability: float, sentiment: float, most: float = 2.0) -> float:
    """Stability of a memory that was felt: times 1 at sentiment 0, ``most`` at 1 (A12).

    ``sentiment`` is kept within 0 and 1, ``most`` within 1 and 3.
    """
    strongest = min(3.0, max(1.0, most))
    felt = min(1.0, max(0.0, sentiment))
    return stability * (1 + (strongest - 1) * felt)


def graded(
    strength: Strength,
    grade: Grade,
    now: float,
    weights: tuple[float, ...] = FSRS6_WEIGHTS,
) -> Strength:
    """The strength after a review at ``now`` seconds UTC (A04-A09, A13, C04).

    The first grade sets stability and difficulty; a second one within a day follows the same-day
    rule (A09); ``AGAIN`` on a reviewed memory is a lapse (A14). A day is 24 hours, and R before
    the review is read at the whole days since the last one, as the package does.
    """
    first = strength.last_review is None
    reviewed, _ = _scheduler(weights).review_card(
        _card(strength), Rating(int(grade)), review_datetime=_datetime(now)
    )
    stability, difficulty = reviewed.stability, reviewed.difficulty
    assert stability is not None  # the package sets both in every review
    assert difficulty is not None
    lapsed = grade is Grade.AGAIN and not first
    return replace(
        strength,
        stability=_within(stability, STABILITY_MIN, STABILITY_MAX),
        difficulty=difficulty,
        last_review=now,
        reviews=strength.reviews + 1,
        lapses=strength.lapses + lapsed,
        phase=next_phase(strength.phase, grade),
    )


def previewed(
    strength: Strength, now: float, weights: tuple[float, ...] = FSRS6_WEIGHTS
) -> dict[Grade, Strength]:
    """What each of the four grades would make of the memory (A15)."""
    return {grade: graded(strength, grade, now, weights) for grade in Grade}


def next_phase(phase: Phase, grade: Grade) -> Phase:
    """Where a grade leads (A14): New to Learning (Again, Hard) or Review; a lapse to Relearning."""
    if grade is Grade.AGAIN:
        return Phase.LEARNING if phase in (Phase.NEW, Phase.LEARNING) else Phase.RELEARNING
    if grade is Grade.HARD and phase is Phase.NEW:
        return Phase.LEARNING
    return Phase.REVIEW


def _card(strength: Strength) -> Card:
    # The id and due date are given because the package would otherwise read the clock and sleep.
    epoch = _datetime(0.0)
    if strength.last_review is None:
        return Card(card_id=0, due=epoch)
    return Card(
        card_id=0,
        state=State.Review,
        stability=_within(strength.stability, STABILITY_MIN, STABILITY_MAX),
        difficulty=_within(strength.difficulty, *DIFFICULTY_RANGE),
        due=epoch,
        last_review=_datetime(strength.last_review),
    )


def _within(value: float, least: float, most: float) -> float:
    """The value within its bounds; the least for what is not a number."""
    return min(value, most) if value > least else least


def _datetime(at: float) -> datetime:
    return datetime.fromtimestamp(at, UTC)


@lru_cache(maxsize=4)
def _scheduler(weights: tuple[float, ...]) -> Scheduler:
    return Scheduler(
        parameters=weights, learning_steps=(), relearning_steps=(), enable_fuzzing=False
    )
