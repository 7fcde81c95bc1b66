"""The forgetting curve and the review formulas, against the documents and the fsrs package."""

import math
from datetime import UTC, datetime, timedelta

import pytest
from fsrs import Card, Rating, Scheduler, State
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from actors.policy.decay import curve
from actors.policy.decay.curve import FSRS6_DECAY, FSRS6_WEIGHTS, Grade, Strength

DAY = 86_400.0
NOW = 1_800_000_000.0
FSRS45_DECAY = 0.5
REVIEWED = Strength(10.0, 5.0, NOW - 10 * DAY, 1, 0)

stabilities = st.floats(0.1, 36_500)
days = st.floats(0, 36_500)
decays = st.floats(0.1, 0.8)
grades = st.sampled_from(Grade)


def at(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


def test_the_curve_of_the_documents_gives_their_numbers() -> None:
    """19/81 exactly, for .235 breaks R(S, S) = .9."""
    assert curve.retrievability(5, 10, FSRS45_DECAY) == pytest.approx(0.825029, abs=1e-6)
    assert curve.curve_factor(FSRS45_DECAY) == pytest.approx(19 / 81, abs=1e-12)
    assert curve.curve_factor(FSRS6_DECAY) == pytest.approx(0.980346, abs=1e-6)


@given(stabilities, decays)
def test_after_as_many_days_as_its_stability_a_memory_is_at_nine_tenths(
    stability: float, decay: float
) -> None:
    assert curve.retrievability(stability, stability, decay) == pytest.approx(0.9, abs=1e-9)


@given(stabilities, st.integers(0, 36_500))
def test_the_default_curve_is_that_of_the_fsrs_package(stability: float, elapsed: int) -> None:
    card = Card(
        card_id=0, state=State.Review, stability=stability, due=at(NOW), last_review=at(NOW)
    )
    theirs = Scheduler().get_card_retrievability(card, at(NOW) + timedelta(days=elapsed))

    assert curve.retrievability(stability, elapsed, FSRS6_DECAY) == pytest.approx(theirs, abs=1e-9)


@given(stabilities, days, days)
def test_a_memory_only_fades_with_time(stability: float, one: float, other: float) -> None:
    sooner, later = sorted((one, other))

    earlier = curve.retrievability(stability, sooner, FSRS6_DECAY)
    assert 0 < curve.retrievability(stability, later, FSRS6_DECAY) <= earlier <= 1


@pytest.mark.parametrize(
    ("stability", "elapsed", "expected"),
    [
        (0, 5, 0),
        (-1, 5, 0),
        (math.nan, 5, 0),
        (5, 0, 1),
        (5, -3, 1),
        (math.inf, 1e9, 1),
        (math.inf, math.inf, 1),
        (5, math.inf, 0),
        (0, 0, 0),
        (2.3e-308, 18, 0),
    ],
)
def test_the_edges_of_the_curve_are_defined(
    stability: float, elapsed: float, expected: float
) -> None:
    assert curve.retrievability(stability, elapsed, FSRS6_DECAY) == expected


def test_the_weights_are_the_defaults_of_the_package() -> None:
    assert Scheduler().parameters == FSRS6_WEIGHTS


@pytest.mark.parametrize(
    ("half_life", "decay", "expected"),
    [
        (60, FSRS45_DECAY, 4.691358),
        (60, FSRS6_DECAY, 0.664051),
        (math.inf, FSRS45_DECAY, math.inf),
    ],
)
def test_a_half_life_becomes_the_stability_of_its_curve(
    half_life: float, decay: float, expected: float
) -> None:
    """Without a half-life nothing fades."""
    stability = curve.half_life_to_stability(half_life, decay)

    assert stability == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize(("decay", "days"), [(FSRS6_DECAY, 2.202), (FSRS45_DECAY, 11.25)])
def test_a_declarative_memory_is_above_eight_tenths_for_days(decay: float, days: float) -> None:
    """By R alone it is HOT until then."""
    stability = curve.initial_stability("declarative", decay)

    assert curve.days_until(0.8, stability, decay) == pytest.approx(days, abs=1e-3)


@given(stabilities, st.floats(0.05, 1), decays)
def test_the_days_until_a_retention_are_the_curve_turned_round(
    stability: float, retention: float, decay: float
) -> None:
    days = curve.days_until(retention, stability, decay)

    assert curve.retrievability(stability, days, decay) == pytest.approx(retention)


@pytest.mark.parametrize(
    ("retention", "stability", "expected"),
    [
        (0.9, 10, 10),
        (1.0, 10, 0),
        (0.0, 10, math.inf),
        (1e-200, 10, math.inf),
        (0.9, 0, 0),
        (0.9, math.nan, 0),
        (0.9, math.inf, math.inf),
    ],
)
def test_the_edges_of_the_curve_turned_round_are_defined(
    retention: float, stability: float, expected: float
) -> None:
    assert curve.days_until(retention, stability, FSRS6_DECAY) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("context", "tier", "expected"),
    [
        ("research", "important", 3.0),
        ("decision", "deprecated", math.inf),
        ("discovery", "constitutional", math.inf),
        ("general", "constitutional", math.inf),
        ("general", "critical", math.inf),
        ("decision", "normal", math.inf),
        ("implementation", "temporary", 0.5),
        ("general", "deprecated", 0.25),
        (None, None, 1.0),
        ("never heard of", "nor this", 1.0),
    ],
)
def test_what_a_memory_is_about_and_its_tier_stretch_its_stability(
    context: str | None, tier: str | None, expected: float
) -> None:
    assert curve.classification_factor(context, tier, stated=True) == expected


@pytest.mark.parametrize(("context", "expected"), [("decision", 2), ("research", 2), (None, 1)])
def test_a_decision_that_was_only_noticed_counts_like_research(
    context: str | None, expected: float
) -> None:
    assert curve.classification_factor(context, "normal", stated=False) == expected
    assert curve.classification_factor(context, "critical", stated=False) == math.inf


def test_an_untyped_memory_starts_at_one_day() -> None:
    assert curve.initial_stability(None, FSRS6_DECAY) == 1.0
    assert curve.initial_stability("unheard of", FSRS6_DECAY, factor=2.0) == 2.0


def test_before_its_first_review_a_memory_has_the_stability_of_its_type() -> None:
    typical = curve.initial_stability("semantic", FSRS6_DECAY, factor=1.5)

    assert curve.effective_stability(Strength(), "semantic", FSRS6_DECAY, factor=1.5) == typical


def test_what_was_learnt_counts_once_it_is_more_than_typical() -> None:
    assert curve.effective_stability(REVIEWED, "working", FSRS6_DECAY) == 10.0
    weak = replace(REVIEWED, stability=0.2)
    typical = curve.initial_stability("semantic", FSRS6_DECAY)
    assert curve.effective_stability(weak, "semantic", FSRS6_DECAY, factor=2) == 2 * typical


def test_after_a_lapse_the_type_no_longer_holds_a_memory_up() -> None:
    lapsed = replace(REVIEWED, stability=0.2, lapses=1)

    assert curve.effective_stability(lapsed, "semantic", FSRS6_DECAY) == 0.2


@pytest.mark.parametrize(
    ("grade", "stability", "difficulty"),
    [
        (Grade.AGAIN, 0.212, 6.4133),
        (Grade.HARD, 1.2931, 5.112171),
        (Grade.GOOD, 2.3065, 2.118104),
        (Grade.EASY, 8.2956, 1.0),
    ],
)
def test_the_first_grade_sets_stability_and_difficulty(
    grade: Grade, stability: float, difficulty: float
) -> None:
    first = curve.graded(Strength(), grade, NOW)

    assert first.stability == pytest.approx(stability, abs=1e-9)
    assert first.difficulty == pytest.approx(difficulty, abs=1e-6)
    assert (first.last_review, first.reviews, first.lapses) == (NOW, 1, 0)


@given(st.lists(st.tuples(grades, st.floats(60, 400 * DAY)), min_size=1, max_size=8))
def test_every_history_of_reviews_ends_as_in_the_fsrs_package(
    history: list[tuple[Grade, float]],
) -> None:
    """With learning and relearning steps on theirs."""
    ours, theirs = Strength(), Card(card_id=0, due=at(NOW))
    scheduler = Scheduler(enable_fuzzing=False)
    now = NOW
    for grade, pause in history:
        now += pause
        ours = curve.graded(ours, grade, now)
        theirs, _ = scheduler.review_card(theirs, Rating(int(grade)), at(now))
        # Ours never goes below 0.1 day, so theirs may not either.
        theirs.stability = max(theirs.stability or 0.0, curve.STABILITY_MIN)

    assert ours.stability == pytest.approx(min(theirs.stability or 0.0, 36_500), abs=1e-9)
    assert ours.difficulty == pytest.approx(theirs.difficulty, abs=1e-9)


def test_stability_stays_within_its_bounds() -> None:
    weak = replace(REVIEWED, stability=0.1)
    strong = replace(REVIEWED, stability=36_000.0, difficulty=1.0, last_review=NOW - 36_500 * DAY)

    assert curve.graded(weak, Grade.AGAIN, NOW).stability == curve.STABILITY_MIN
    assert curve.graded(strong, Grade.EASY, NOW).stability == curve.STABILITY_MAX


@pytest.mark.parametrize("grade", Grade)
@pytest.mark.parametrize(
    ("stability", "difficulty"),
    [(0, 5), (-1, 5), (1e-320, 5), (math.nan, 5), (math.inf, 5), (10, 0), (10, 99), (10, math.nan)],
)
def test_a_strength_out_of_its_bounds_is_brought_back_by_a_review(
    stability: float, difficulty: float, grade: Grade
) -> None:
    """Rows of an older or foreign store may hold anything."""
    odd = replace(REVIEWED, stability=stability, difficulty=difficulty)

    after = curve.graded(odd, grade, NOW)
    assert curve.STABILITY_MIN <= after.stability <= curve.STABILITY_MAX
    assert 1 <= after.difficulty <= 10


def test_again_after_the_first_review_is_a_lapse() -> None:
    assert curve.graded(REVIEWED, Grade.AGAIN, NOW).lapses == 1
    assert curve.graded(Strength(), Grade.AGAIN, NOW).lapses == 0
