"""Not being reminded of something for a day."""

import pytest

from actors.policy.decay import reinforcement

NOW = 1_800_000_000.0
HOUR = 3600.0


def test_a_suppression_hides_for_a_day() -> None:
    for hours, expected in ((0, True), (23.9, True), (24, False)):
        assert reinforcement.is_suppressed(NOW, NOW + hours * HOUR) is expected
    assert not reinforcement.is_suppressed(None, NOW)


@pytest.mark.parametrize(("times", "left"), [(0, 1), (1, 0.85), (2, 0.7), (6, 0.2), (9, 0.2)])
def test_each_suppression_takes_more_of_a_score(times: int, left: float) -> None:
    assert reinforcement.remaining(times) == pytest.approx(left)


@pytest.mark.parametrize(("confidence", "left"), [(0.5, 1), (0.45, 0.95), (0.6, 1.1), (0, 0.5)])
def test_a_verdict_moves_the_score_by_as_much_as_the_confidence(
    confidence: float, left: float
) -> None:
    assert reinforcement.remaining(0, confidence) == pytest.approx(left)
