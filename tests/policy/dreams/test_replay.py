"""When a dream is due, and its computations in pieces."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.night import replay
from actors.policy.night.replay import HOUR, RUN, Occasion, in_order
from tests.policy.text.whole import whole

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
    assert replay.missing(hours, saves) == waits_for


def test_at_the_start_of_a_session_it_takes_a_day() -> None:
    assert replay.missing(24, 1, Occasion.SESSION_START) == ""
    assert replay.missing(23, 500, Occasion.SESSION_START) == LITTLE


def test_a_clock_that_was_set_back_a_month_puts_no_dream_off_by_a_month() -> None:
    assert replay.hours_since(None, NOW) == math.inf
    assert replay.hours_since(NOW - 5 * HOUR, NOW) == 5
    assert replay.hours_since(NOW + HOUR, NOW) == 0  # an hour back is the same dream
    assert replay.hours_since(NOW + 720 * HOUR, NOW) == math.inf


@given(st.lists(st.integers(-5, 5)))
def test_what_is_sorted_in_pieces_is_sorted_and_stable(values: list[int]) -> None:
    numbered = list(enumerate(values))

    assert whole(in_order(numbered, lambda one: (one[1],))) == sorted(
        numbered, key=lambda one: one[1]
    )


def test_a_long_list_is_sorted_in_runs_with_a_place_to_stop_at_each_value() -> None:
    values = [(n * 7_919) % 10_007 for n in range(2 * RUN + 3)]
    stops = [*in_order(values, lambda one: (one,))]

    assert len(stops) == 2 * len(values)
    assert whole(in_order(values, lambda one: (one,))) == sorted(values)
