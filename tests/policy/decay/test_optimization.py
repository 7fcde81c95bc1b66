"""A curve fitted to one's own reviews."""

import math

import pytest

from actors.policy.decay import curve
from actors.policy.decay.curve import FSRS6_WEIGHTS, Grade, Outcome, Review

DAY = 86_400.0
NOW = 1_800_000_000.0


def life(decay: float, reviews: int) -> list[Outcome]:
    """Outcomes whose share of successes follows the curve, in a fixed order."""
    outcomes: list[Outcome] = []
    for number in range(reviews):
        days = (1.0, 5.0, 20.0, 100.0, 400.0)[number % 5]
        chance = curve.retrievability(5, days, decay)
        # A sequence that fills 0..1 evenly decides, so that the shares come out without chance.
        draw = (number // 5 * 0.618_033_988_75) % 1
        outcomes.append(Outcome(5, days, recalled=draw < chance))
    return outcomes


def test_the_error_is_the_root_mean_square() -> None:
    sure_and_right = Outcome(5, 0, recalled=True)
    sure_and_wrong = Outcome(5, 0, recalled=False)

    assert curve.curve_error([sure_and_right], 0.5) == 0
    assert curve.curve_error([sure_and_wrong], 0.5) == 1
    both = curve.curve_error([sure_and_right, sure_and_wrong], 0.5)
    assert both == pytest.approx(math.sqrt(0.5))
    assert curve.curve_error([], 0.5) == 0


@pytest.mark.parametrize("truth", [0.1, 0.3, 0.6])
def test_the_decay_of_a_life_is_found_and_then_stays(truth: float) -> None:
    outcomes = life(truth, 5_000)

    weights = curve.fitted(outcomes, FSRS6_WEIGHTS)

    assert weights[-1] == pytest.approx(truth, abs=0.02)
    assert weights[:-1] == FSRS6_WEIGHTS[:-1]
    assert curve.fitted(outcomes, weights) == weights


def test_replaying_predicts_from_the_strength_before_each_review() -> None:
    reviews = [
        Review("a", NOW, Grade.GOOD),
        Review("a", NOW + 3600, Grade.AGAIN),  # the same day: the curve says nothing
        Review("b", NOW, Grade.EASY),
        Review("b", NOW + 2 * DAY, Grade.AGAIN),
    ]

    assert curve.replayed(reviews, FSRS6_WEIGHTS) == [Outcome(8.2956, 2, recalled=False)]


def test_one_memory_in_five_is_held_out_whole_and_always_the_same_one() -> None:
    reviews = [Review(f"m{turn % 500}", NOW + turn, Grade.GOOD) for turn in range(2_000)]
    fitting, held = curve.parted(reviews)

    assert sorted([*fitting, *held], key=lambda one: one.at) == reviews
    apart = {one.memory_id for one in held}
    assert not apart & {one.memory_id for one in fitting}
    assert 70 <= len(apart) <= 130
    assert {one.memory_id for one in curve.parted(reversed(reviews))[1]} == apart
