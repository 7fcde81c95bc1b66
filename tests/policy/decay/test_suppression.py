"""Not being reminded of something for a day."""

import pytest

from actors.policy.decay import reinforcement
from actors.policy.decay.reinforcement import Suppression

NOW = 1_800_000_000.0
HOUR = 3600.0


def times(number: int) -> Suppression:
    found = Suppression()
    for _ in range(number):
        found = reinforcement.suppressed(found, NOW)
    return found


@pytest.mark.parametrize(
    ("number", "penalty"), [(0, 0), (1, 0.15), (2, 0.30), (5, 0.75), (6, 0.8), (60, 0.8)]
)
def test_each_suppression_takes_more_of_the_score(number: int, penalty: float) -> None:
    assert reinforcement.penalty(times(number)) == pytest.approx(penalty)


def test_a_suppression_hides_and_can_be_taken_back_for_a_day() -> None:
    once = times(1)

    for hours, expected in ((0, True), (23.9, True), (24, False)):
        assert reinforcement.is_suppressed(once, NOW + hours * HOUR) is expected
    assert not reinforcement.is_suppressed(Suppression(), NOW)


def test_taking_it_back_leaves_no_trace_of_it() -> None:
    assert reinforcement.lifted(times(1), NOW + HOUR) == Suppression()
    assert reinforcement.penalty(reinforcement.lifted(times(3), NOW)) == pytest.approx(0.3)


def test_after_a_day_it_cannot_be_taken_back() -> None:
    once = times(1)

    assert reinforcement.lifted(once, NOW + 24 * HOUR) == once


def test_the_loss_of_retrieval_is_at_most_15_hundredths() -> None:
    assert reinforcement.retrieval_loss([1, 1]) == pytest.approx(0.10)
    assert reinforcement.retrieval_loss([1, 1, 1, 1]) == pytest.approx(0.15)
    assert reinforcement.retrieval_loss([]) == 0


@pytest.mark.parametrize(
    ("times", "edges", "left"), [(0, 0, 1), (1, 0, 0.85), (2, 0, 0.7), (9, 0, 0.2), (0, 1, 0.95),
                                 (0, 9, 0.85), (1, 1, 0.8075)]
)  # fmt: skip
def test_what_is_left_of_a_score(times: int, edges: float, left: float) -> None:
    assert reinforcement.remaining(times, edges) == pytest.approx(left)


@pytest.mark.parametrize(("confidence", "left"), [(0.5, 1), (0.45, 0.95), (0.6, 1.1), (0, 0.5)])
def test_a_verdict_moves_the_score_by_as_much_as_the_confidence(
    confidence: float, left: float
) -> None:
    assert reinforcement.remaining(0, 0, confidence) == pytest.approx(left)
