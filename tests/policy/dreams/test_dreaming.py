"""When a dream is due: I01, I02, I13, C22."""

import pytest

from actors.policy.dreams import dreaming
from actors.policy.dreams.dreaming import Answer, Known, Occasion

NOW = 1_800_000_000.0
HOUR = 3_600.0


def known(hours: float, saves: int, idle_minutes: float = 60) -> Known:
    return Known(NOW, NOW - hours * HOUR, saves, NOW - idle_minutes * 60)


@pytest.mark.parametrize(
    ("hours", "saves", "idle", "expected"),
    [
        (24, 1, 30, Answer.DUE),
        (6, 50, 30, Answer.DUE),
        (23.9, 49, 60, Answer.TOO_LITTLE),
        (24, 1, 29, Answer.BUSY),
        (5.9, 500, 60, Answer.TOO_SOON),
        (1000, 0, 60, Answer.TOO_LITTLE),
        (-5, 500, 60, Answer.TOO_SOON),  # the clock was set back
    ],
)
def test_c22_a_dream_is_due_after_a_day_or_fifty_saves_when_nobody_is_there(
    hours: float, saves: int, idle: float, expected: Answer
) -> None:
    assert dreaming.due(known(hours, saves, idle)) is expected


def test_i01_at_the_start_of_a_session_a_day_is_enough() -> None:
    busy = known(24, 1, idle_minutes=0)

    assert dreaming.due(busy, Occasion.SESSION_START) is Answer.DUE
    assert dreaming.due(known(23, 500), Occasion.SESSION_START) is Answer.TOO_LITTLE


def test_i01_an_order_is_always_due() -> None:
    assert dreaming.due(known(0, 0, 0), Occasion.ORDER) is Answer.DUE


def test_i02_no_activity_ever_is_idle() -> None:
    assert dreaming.due(Known(NOW, None, 1)) is Answer.DUE


@pytest.mark.parametrize(
    ("tried", "faults", "hopeless"),
    [(0, 0, False), (1, 1, False), (2, 1, False), (3, 0, False),
     (2, 2, True), (3, 1, True), (4, 0, True)],
)  # fmt: skip
def test_i18_two_faults_or_four_attempts_without_an_end_are_enough(
    tried: int, faults: int, hopeless: bool
) -> None:
    assert dreaming.is_hopeless(tried, faults) is hopeless
