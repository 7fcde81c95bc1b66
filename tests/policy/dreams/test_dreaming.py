"""When a dream is due."""

import pytest

from actors.policy.dreams import dreaming
from actors.policy.dreams.dreaming import Answer, Occasion, Situation

NOW = 1_800_000_000.0
HOUR = 3_600.0


def known(hours: float, saves: int) -> Situation:
    return Situation(NOW, NOW - hours * HOUR, saves)


@pytest.mark.parametrize(
    ("hours", "saves", "expected"),
    [
        (24, 1, Answer.DUE),
        (6, 50, Answer.DUE),
        (23.9, 49, Answer.TOO_LITTLE),
        (5.9, 500, Answer.TOO_SOON),
        (1000, 0, Answer.TOO_LITTLE),
        (-5, 500, Answer.TOO_SOON),  # the clock was set back
    ],
)
def test_a_dream_is_due_after_a_day_or_fifty_saves(
    hours: float, saves: int, expected: Answer
) -> None:
    assert dreaming.due(known(hours, saves)) is expected


def test_at_the_start_of_a_session_a_day_is_enough() -> None:
    assert dreaming.due(known(24, 1), Occasion.SESSION_START) is Answer.DUE
    assert dreaming.due(known(23, 500), Occasion.SESSION_START) is Answer.TOO_LITTLE


@pytest.mark.parametrize(
    ("tried", "faults", "hopeless"),
    [(0, 0, False), (1, 1, False), (2, 1, False), (3, 0, False),
     (2, 2, True), (3, 1, True), (4, 0, True)],
)  # fmt: skip
def test_two_faults_or_four_attempts_without_an_end_are_enough(
    tried: int, faults: int, hopeless: bool
) -> None:
    assert dreaming.is_hopeless(tried, faults) is hopeless
