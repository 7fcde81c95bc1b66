"""The review rules of the documents: A17, A18, A19, C05."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.decay import fsrs, fsrs45
from actors.policy.decay.fsrs import FSRS45_DECAY, Grade, Phase, Strength

DAY = 86_400.0
NOW = 1_800_000_000.0
TEN_DAYS_AGO = Strength(5.0, 5.0, NOW - 10 * DAY, 1, 0, Phase.REVIEW)

SUCCESS = [Grade.HARD, Grade.GOOD, Grade.EASY]


@pytest.mark.parametrize(
    ("grade", "expected"),
    [
        (Grade.AGAIN, 1.0),
        (Grade.HARD, 6.959908),
        (Grade.GOOD, 8.699885),
        (Grade.EASY, 11.309851),
    ],
)
def test_a17_stability_after_each_grade(grade: Grade, expected: float) -> None:
    assert fsrs45.stability_after(5, 5, 0.825029, grade) == pytest.approx(expected, abs=1e-5)
    assert fsrs45.graded(TEN_DAYS_AGO, grade, NOW).stability == pytest.approx(expected, abs=1e-5)


def test_a17_a_lapse_leaves_at_least_a_tenth_of_a_day() -> None:
    assert fsrs45.stability_after(0.2, 5, 0.5, Grade.AGAIN) == 0.1


def test_c05_a_hard_success_weakens_only_by_the_letter_of_the_documents() -> None:
    assert fsrs45.stability_after(1, 10, 1, Grade.HARD, strict_seed=True) == pytest.approx(0.88)
    assert fsrs45.stability_after(1, 10, 1, Grade.HARD) == 1
    raw = fsrs45.graded(replace(TEN_DAYS_AGO, difficulty=10, last_review=NOW), Grade.HARD, NOW)
    assert raw.stability == 5


@given(st.floats(0.1, 36_500), st.floats(1, 10), st.floats(0, 1), st.sampled_from(SUCCESS))
def test_c05_a_success_never_weakens(s: float, d: float, r: float, grade: Grade) -> None:
    assert s <= fsrs45.stability_after(s, d, r, grade) <= fsrs.STABILITY_MAX


@pytest.mark.parametrize(
    ("grade", "expected"),
    [(Grade.AGAIN, 6), (Grade.HARD, 5.5), (Grade.GOOD, 5), (Grade.EASY, 4.5)],
)
def test_a18_difficulty_after_each_grade(grade: Grade, expected: float) -> None:
    assert fsrs45.difficulty_after(5, grade) == expected


def test_a18_difficulty_stays_between_one_and_ten() -> None:
    assert fsrs45.difficulty_after(10, Grade.AGAIN) == 10
    assert fsrs45.difficulty_after(1.2, Grade.EASY) == 1


@pytest.mark.parametrize(("retrieved", "bonus"), [(0.3, 1.35), (0.8, 1.10), (1, 1), (0, 1.5)])
def test_a19_a_hard_won_recall_strengthens_more(retrieved: float, bonus: float) -> None:
    assert fsrs45.testing_bonus(retrieved) == pytest.approx(bonus)


def test_a17_a_review_is_counted() -> None:
    after = fsrs45.graded(TEN_DAYS_AGO, Grade.AGAIN, NOW)

    assert (after.last_review, after.reviews, after.lapses) == (NOW, 2, 1)
    assert after.phase is Phase.RELEARNING
    assert after.difficulty == 6


def test_a17_a_first_review_finds_the_memory_fresh() -> None:
    after = fsrs45.graded(Strength(), Grade.GOOD, NOW)

    assert after.stability == pytest.approx(1.6)
    assert (after.reviews, after.lapses) == (1, 0)
    assert fsrs45.graded(Strength(), Grade.AGAIN, NOW).lapses == 0


@pytest.mark.parametrize(
    ("stability", "days", "expected"),
    [(5, 10, 0.825029), (5, 5, 0.9), (5, 0, 1), (5, -1, 0), (0, 5, 0), (-1, 5, 0)],
)
def test_a01_the_curve_of_the_profile_knows_nothing_before_the_review(
    stability: float, days: float, expected: float
) -> None:
    """A01: the documents give 0 for a negative time; the product's curve gives 1 (A02)."""
    assert fsrs45.retrievability(stability, days) == pytest.approx(expected, abs=1e-6)


@given(st.floats(0.1, 36_500), st.floats(0, 36_500))
def test_a02_with_a_decay_of_a_half_the_product_has_the_curve_of_the_documents(
    stability: float, days: float
) -> None:
    """A02, C01: one curve, and the exponent its only variable."""
    theirs = fsrs45.retrievability(stability, days)

    assert fsrs.retrievability(stability, days, 0.5) == theirs


def test_a17_the_profile_stands_on_the_one_curve() -> None:
    assert fsrs.retrievability(5, 10, FSRS45_DECAY) == pytest.approx(0.825029, abs=1e-6)
