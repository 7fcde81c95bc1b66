"""When a dream is due."""

import math

import pytest

from actors.policy.night import replay as dreaming
from actors.policy.night.replay import HOUR, Occasion

NOW = 1_800_000_000.0
SOON, LITTLE = "the last dream was only just", "too little is new"


@pytest.mark.parametrize(
    ("hours", "saves", "waits_for"),
    [
        (24, 1, ""),
        (6, 50, ""),
        (23.9, 49, LITTLE),
        (5.9, 500, SOON),
        (1000, 0, LITTLE),
        (math.inf, 1, ""),
    ],
)
def test_a_dream_is_due_after_a_day_or_fifty_saves(
    hours: float, saves: int, waits_for: str
) -> None:
    assert dreaming.missing(hours, saves) == waits_for


def test_at_the_start_of_a_session_it_takes_a_day() -> None:
    assert dreaming.missing(24, 1, Occasion.SESSION_START) == ""
    assert dreaming.missing(23, 500, Occasion.SESSION_START) == LITTLE


def test_a_clock_that_was_set_back_a_month_puts_no_dream_off_by_a_month() -> None:
    assert dreaming.hours_since(None, NOW) == math.inf
    assert dreaming.hours_since(NOW - 5 * HOUR, NOW) == 5
    assert dreaming.hours_since(NOW + HOUR, NOW) == 0  # an hour back is the same dream
    assert dreaming.hours_since(NOW + 720 * HOUR, NOW) == math.inf
