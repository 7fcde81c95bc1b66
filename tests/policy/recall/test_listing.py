"""When a line of the page was there for too long."""

from __future__ import annotations

import pytest

from actors.policy.recall.page import DAY, Listing


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
