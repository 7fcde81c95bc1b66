"""The one forgetting curve, what a review does to it, and what use and opinions make of a memory.

Curve: ``R = (1 + F * t / S) ** -d`` with ``F = 0.9 ** (-1 / d) - 1``, hence R(S, S) = 0.9 for every
decay d. d = 0.1542 is FSRS-6 (Ye 2024), d = 0.5 is FSRS-4.5. The decay is the last of the 21
weights and is set nowhere else; nothing here has a decay of its own, so shown retention, states,
recall and the gate cannot fade apart. t and S are days. Reviews are the official FSRS-6
formulas, taken from the ``fsrs`` package itself, without learning steps and without fuzz.

``datetime`` appears only as the value type the package wants; the time is always an argument.
"""

import math
from collections.abc import Mapping
from datetime import UTC, datetime
from enum import Enum, IntEnum
from functools import lru_cache
from typing import Final

from fsrs import Card, Rating, Scheduler, State
from msgspec import Struct
from msgspec.structs import replace

FSRS6_DECAY: Final = 0.1542

# The 21 default weights of FSRS-6; the last one is the decay.
FSRS6_WEIGHTS: Final[tuple[float, ...]] = (
    0.212, 1.2931, 2.3065, 8.2956, 6.4133, 0.8334, 3.0194,
    0.001, 1.8722, 0.1666, 0.796, 1.4835, 0.0614, 0.2629,
    1.6483, 0.6014, 1.8729, 0.5425, 0.0912, 0.0658, FSRS6_DECAY,
)  # fmt: skip

STABILITY_MIN: Final = 0.1  # days
STABILITY_MAX: Final = 36_500.0  # days
DIFFICULTY_RANGE: Final = (1.0, 10.0)
UNTYPED_STABILITY: Final = 1.0  # days: a row without a memory type

# Days until R = 0.5, by memory type. Infinite: never fades.
HALF_LIVES: Final[Mapping[str, float]] = {
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
# Both tables multiply stability; what is not listed counts as 1. A decision that was only
# noticed, that no person stated or confirmed, counts like research.
CONTEXT_FACTORS: Final[Mapping[str, float]] = {"decision": math.inf, "research": 2.0}
TIER_FACTORS: Final[Mapping[str, float]] = {
    "constitutional": math.inf,
    "critical": math.inf,
    "important": 1.5,
    "normal": 1.0,
    "temporary": 0.5,
    "deprecated": 0.25,
}


class Grade(IntEnum):
    """Grade of a review: the four answers of FSRS."""

    AGAIN = 1
    HARD = 2
    GOOD = 3
    EASY = 4


class Strength(Struct, frozen=True):
    """Strength of a memory after its reviews; the defaults are an unreviewed row's."""

    stability: float = UNTYPED_STABILITY  # days
    difficulty: float = 5.0  # 1..10
    last_review: float | None = None  # seconds UTC
    reviews: int = 0
    lapses: int = 0
    implicit_at: float | None = None  # seconds UTC: the last implicit reinforcement


def curve_factor(decay: float) -> float:
    """F of the curve, with R(S, S) = 0.9: 19/81 for decay 0.5."""
    return math.pow(0.9, -1 / decay) - 1


def retrievability(stability: float, elapsed_days: float, decay: float) -> float:
    """Chance of recalling the memory after ``elapsed_days``.

    1 when no time has passed (a clock set back counts as none), 0 for a stability not above 0, 1
    for an infinite one.
    """
    if not stability > 0:
        return 0.0
    if not elapsed_days > 0 or math.isinf(stability):
        return 1.0
    return math.pow(1 + curve_factor(decay) * elapsed_days / stability, -decay)


def days_until(retention: float, stability: float, decay: float) -> float:
    """Days after a review at which R has fallen to ``retention``: the curve turned round.

    ``S / F * (retention ** (-1 / d) - 1)``; S days for .9. Infinite for an infinite stability and
    for a retention of 0, none for a stability not above 0.
    """
    if not stability > 0:
        return 0.0
    if math.isinf(stability) or retention <= 0:
        return math.inf
    try:
        return stability / curve_factor(decay) * (math.pow(retention, -1 / decay) - 1)
    except OverflowError:  # a retention next to 0
        return math.inf


def half_life_to_stability(half_life_days: float, decay: float) -> float:
    """Stability in days at which R falls to 0.5 after ``half_life_days``.

    60 days are .664051 on the FSRS-6 curve and 4.691358 with a decay of .5 (FSRS-4.5). An infinite
    half-life is an infinite stability, which never fades.
    """
    return half_life_days * curve_factor(decay) / (math.pow(2, 1 / decay) - 1)


def classification_factor(context_type: str | None, tier: str | None, *, stated: bool) -> float:
    """Multiplier of stability by context and tier; only what a person ``stated`` never fades by context."""
    context = CONTEXT_FACTORS.get(context_type or "", 1.0)
    if not stated:
        context = min(context, CONTEXT_FACTORS["research"])
    return context * TIER_FACTORS.get(tier or "", 1.0)


def initial_stability(memory_type: str | None, decay: float, *, factor: float = 1.0) -> float:
    """Stability in days of a memory without reviews.

    The half-life of its type on the curve in use, times the classification factor; 1 day
    for an untyped row.
    """
    half_life = HALF_LIVES.get(memory_type or "")
    if half_life is None:
        return UNTYPED_STABILITY * factor
    return half_life_to_stability(half_life, decay) * factor


def effective_stability(
    strength: Strength, memory_type: str | None, decay: float, *, factor: float = 1.0
) -> float:
    """Stability for a memory's fading: the better of learnt and typical.

    Once a memory has lapsed (it was called useless) only the learnt one counts: otherwise the floor
    of its type would undo the verdict.
    """
    if strength.last_review is None:
        return initial_stability(memory_type, decay, factor=factor)
    if strength.lapses:
        return strength.stability * factor
    typical = initial_stability(memory_type, decay)
    return max(strength.stability, typical) * factor


def graded(
    strength: Strength, grade: Grade, now: float, weights: tuple[float, ...] = FSRS6_WEIGHTS
) -> Strength:
    """The strength after a review at ``now`` seconds UTC.

    The first grade sets stability and difficulty; a second one within a day follows the same-day
    rule; ``AGAIN`` on a reviewed memory is a lapse. A day is 24 hours, and R before
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
    )


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
    """The value within its bounds; the least for NaN."""
    return min(value, most) if value > least else least


def _datetime(at: float) -> datetime:
    return datetime.fromtimestamp(at, UTC)


@lru_cache(maxsize=4)
def _scheduler(weights: tuple[float, ...]) -> Scheduler:
    return Scheduler(
        parameters=weights, learning_steps=(), relearning_steps=(), enable_fuzzing=False
    )


# ---- reinforcement: events with an effect on a memory's strength
#
# Use has one, mere exposure has none. A memory shown again and again by recall must not become unforgettable by it. Only its use counts,
# and an inferred use counts at most once a day.


DAY: Final = 86_400.0  # seconds
# What is only inferred counts once a day: a memory that one session cites ten times is not learnt ten times.
IMPLICIT_GAP: Final = DAY  # seconds between two implicit reinforcements of one memory


class Use(Enum):
    """Kind of use of a memory. Being shown is none."""

    OPENED = "opened"  # an agent opened it by its id
    CITED = "cited"  # an answer repeated it
    DONE = "done"  # a command or an edit repeated it, soon after it was told
    EDITED_AFTER = "edited_after"  # the place it is about was edited after it was shown
    CONFIRMED = "confirmed"  # the conversation went on to agree with it
    REINFORCED = "reinforced"  # the gate saw the same fact arrive again


GRADES: Final[Mapping[Use, Grade]] = {
    Use.OPENED: Grade.GOOD,
    Use.CITED: Grade.GOOD,
    Use.DONE: Grade.GOOD,
    Use.EDITED_AFTER: Grade.EASY,
    Use.CONFIRMED: Grade.EASY,
    Use.REINFORCED: Grade.GOOD,
}
# Inferred from behaviour: capped. The gate's own finding is not.
IMPLICIT: Final = frozenset({Use.OPENED, Use.CITED, Use.DONE, Use.EDITED_AFTER, Use.CONFIRMED})


class Settings(Struct, frozen=True):
    """Settings of how use strengthens."""

    weights: tuple[float, ...] = FSRS6_WEIGHTS

    @property
    def decay(self) -> float:
        """Exponent of the forgetting curve: .1542 is FSRS-6, .5 is FSRS-4.5."""
        return self.weights[-1]


def reviewed(
    memory_strength: Strength, use: Use, now: float, weights: tuple[float, ...] = FSRS6_WEIGHTS
) -> Strength | None:
    """The strength after this use at ``now`` seconds UTC, or None when nothing changes.

    Nothing changes by an implicit use within 24 h of the last one. The gate's reinforcement always
    counts, under the same-day rule.
    """
    last, is_implicit = memory_strength.implicit_at, use in IMPLICIT
    if is_implicit and last is not None and now - last < IMPLICIT_GAP:
        return None
    after = graded(memory_strength, GRADES[use], now, weights)
    return replace(after, implicit_at=now) if is_implicit else after


# ---- opinions of people: verdicts, and that one wants not to be reminded, for now
#
# A verdict moves confidence and rank, and never the curve. Suppression is a flag beside a memory's
# state: each time weighs more. Nothing is deleted.


USEFUL: Final = 0.1
USELESS: Final = 0.05
DURATION: Final = 24 * 3600.0  # seconds during which suppression hides


def validated(confidence: float, *, useful: bool) -> float:
    """Confidence (0..1) after a verdict: +.1 up to 1, or -.05 down to 0."""
    step = USEFUL if useful else -USELESS
    # Rounded, so that four steps from .5 are .9 and not a hair less.
    return round(min(1.0, max(0.0, confidence + step)), 9)


def is_suppressed(at: float | None, now: float) -> bool:
    """Return whether a memory suppressed last at this time is hidden: for 24 hours."""
    return at is not None and now - at < DURATION


def remaining(times: int, confidence: float = 0.5) -> float:
    """Share of a score left by people's opinions: 1 without any.

    Each of the ``times`` it was suppressed takes .15, at most .8. Verdicts move the score by as
    much as its confidence: .95 after one ``useless``, 1.1 after one ``useful``.
    """
    return (1 - min(0.8, 0.15 * times)) * (0.5 + confidence)
