"""What follows where lines of the page are not opened."""

from __future__ import annotations

import pytest

from actors.policy.recall.page import DAY, Listing, room_of_lines


@pytest.mark.parametrize(
    ("starts", "days", "excess"),
    [
        (30, 11, "a line at 30 starts over 11 days, never used"),
        (29, 99, ""),
        (99, 10.9, ""),
    ],
)
def test_thirty_starts_over_eleven_days_are_too_many(starts: int, days: float, excess: str) -> None:
    assert Listing(starts, 5 * DAY, (5 + days) * DAY).excess() == excess


def test_two_hundred_lines_that_nobody_opens_halve_what_follows() -> None:
    assert [room_of_lines(2_200, unopened) for unopened in (0, 199, 200, 900)] == [
        2_200, 2_200, 1_100, 1_100,
    ]  # fmt: skip
