"""A curve fitted to one's own reviews."""

import math

import pytest

from actors.policy.decay import fsrs, optimization
from actors.policy.decay.fsrs import FSRS6_DECAY, FSRS6_WEIGHTS, Grade
from actors.policy.decay.optimization import Outcome, Review

DAY = 86_400.0
NOW = 1_800_000_000.0


def life(decay: float, reviews: int) -> list[Outcome]:
    """Outcomes whose share of successes follows the curve, in a fixed order."""
    outcomes: list[Outcome] = []
    for number in range(reviews):
        days = (1.0, 5.0, 20.0, 100.0, 400.0)[number % 5]
        chance = fsrs.retrievability(5, days, decay)
        # A sequence that fills 0..1 evenly decides, so that the shares come out without chance.
        draw = (number // 5 * 0.618_033_988_75) % 1
        outcomes.append(Outcome(5, days, recalled=draw < chance))
    return outcomes


def log(reviews: int) -> list[Review]:
    """Two memories reviewed in turns by someone who never forgets."""
    return [Review(f"m{turn % 2}", NOW + turn * 3 * DAY, Grade.GOOD) for turn in range(reviews)]


def test_the_error_is_the_root_mean_square() -> None:
    sure_and_right = Outcome(5, 0, recalled=True)
    sure_and_wrong = Outcome(5, 0, recalled=False)

    assert optimization.curve_error([sure_and_right], 0.5) == 0
    assert optimization.curve_error([sure_and_wrong], 0.5) == 1
    both = optimization.curve_error([sure_and_right, sure_and_wrong], 0.5)
    assert both == pytest.approx(math.sqrt(0.5))
    assert optimization.curve_error([], 0.5) == 0


def test_under_a_hundred_reviews_nothing_is_fitted() -> None:
    outcomes = life(0.5, 99)

    assert optimization.fitted_decay(outcomes, FSRS6_DECAY) == FSRS6_DECAY


@pytest.mark.parametrize("truth", [0.1, 0.3, 0.6])
def test_the_decay_of_a_life_is_found(truth: float) -> None:
    assert optimization.fitted_decay(life(truth, 5_000), FSRS6_DECAY) == pytest.approx(
        truth, abs=0.02
    )


def test_what_is_in_use_stays_when_nothing_better_is_found() -> None:
    outcomes = life(0.3, 1_000)
    best = optimization.fitted_decay(outcomes, FSRS6_DECAY)

    assert best != FSRS6_DECAY
    assert optimization.fitted_decay(outcomes, best) == best


def test_histories_are_in_the_order_of_time_with_whole_days_between() -> None:
    reviews = [
        Review("b", NOW + 2.9 * DAY, Grade.HARD),
        Review("a", NOW, Grade.EASY),
        Review("b", NOW, Grade.GOOD),
    ]

    assert optimization.histories(reviews) == [
        [(Grade.EASY, 0)],
        [(Grade.GOOD, 0), (Grade.HARD, 2)],
    ]


def test_replaying_predicts_from_the_strength_before_each_review() -> None:
    reviews = [
        Review("a", NOW, Grade.GOOD),
        Review("a", NOW + 3600, Grade.AGAIN),  # the same day: the curve says nothing
        Review("b", NOW, Grade.EASY),
        Review("b", NOW + 2 * DAY, Grade.AGAIN),
    ]

    assert optimization.replayed(reviews, FSRS6_WEIGHTS) == [Outcome(8.2956, 2, recalled=False)]


def test_weights_that_predict_better_have_a_smaller_error() -> None:
    # Nothing is ever forgotten, so that a first review which lasts longer predicts better.
    lasting = (*FSRS6_WEIGHTS[:2], 50.0, *FSRS6_WEIGHTS[3:])

    assert optimization.judged(log(120), lasting) < optimization.judged(log(120), FSRS6_WEIGHTS)


@pytest.mark.parametrize("weights", [(), (0.5,), (100.0,) * 21])
def test_weights_that_are_none_are_never_better(weights: tuple[float, ...]) -> None:
    assert optimization.judged(log(120), weights) == math.inf


def test_one_memory_in_five_is_held_out_whole_and_always_the_same_one() -> None:
    reviews = [Review(f"m{turn % 500}", NOW + turn, Grade.GOOD) for turn in range(2_000)]
    fitting, held = optimization.parted(reviews)

    assert sorted([*fitting, *held], key=lambda one: one.at) == reviews
    apart = {one.memory_id for one in held}
    assert not apart & {one.memory_id for one in fitting}
    assert 70 <= len(apart) <= 130
    assert {one.memory_id for one in optimization.parted(reversed(reviews))[1]} == apart
