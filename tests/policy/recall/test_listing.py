"""What follows where lines of the page are not opened."""

from __future__ import annotations

import pytest

from actors.policy.recall.listing import DAY, Listing, lines


@pytest.mark.parametrize(
    ("starts", "days", "is_long"), [(30, 21, True), (29, 99, False), (99, 20.9, False)]
)
def test_thirty_starts_in_three_weeks_are_long(starts: int, days: float, is_long: bool) -> None:
    assert Listing(starts, 5 * DAY, (5 + days) * DAY).is_long is is_long


def test_it_says_how_often_and_for_how_long() -> None:
    assert Listing(31, 0.0, 22 * DAY).evidence == "a line at 31 starts in 22 days, never used"


def test_two_hundred_lines_that_nobody_opens_halve_what_follows() -> None:
    assert [lines(2_200, unopened) for unopened in (0, 199, 200, 900)] == [
        2_200,
        2_200,
        1_100,
        1_100,
    ]
