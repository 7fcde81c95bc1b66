"""The machine's time zone, through its changes of summer time."""

from __future__ import annotations

import os
import time
from collections.abc import Generator
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from actors.policy.times.stated_times import moment_named
from daemon.times import LocalZone

BERLIN = ZoneInfo("Europe/Berlin")
HOUR = 3_600


@pytest.fixture(autouse=True)
def in_berlin() -> Generator[None]:
    """The machine stands in Berlin for the length of a test."""
    before = os.environ.get("TZ")
    os.environ["TZ"] = "Europe/Berlin"
    time.tzset()
    yield
    if before is None:
        del os.environ["TZ"]
    else:
        os.environ["TZ"] = before
    time.tzset()


@pytest.mark.parametrize("change", [(3, 29), (10, 25)])
def test_local_time_is_that_of_the_zone_around_a_change(change: tuple[int, int]) -> None:
    middle = datetime(2026, *change, 1, tzinfo=UTC).timestamp()
    for minutes in range(-240, 240, 15):
        moment = middle + 60 * minutes
        local = datetime.fromtimestamp(moment, LocalZone())
        known = datetime.fromtimestamp(moment, BERLIN)

        assert local.replace(tzinfo=None) == known.replace(tzinfo=None)
        assert (local.fold, local.utcoffset()) == (known.fold, known.utcoffset())
        assert local.timestamp() == moment


def test_tomorrow_at_nine_is_at_nine() -> None:
    before = datetime(2026, 10, 24, 9, tzinfo=BERLIN).timestamp()

    assert moment_named("tomorrow 9:00", before, LocalZone()) == before + 25 * HOUR


def test_a_time_of_day_that_is_skipped_is_counted_from_before_the_change() -> None:
    skipped = datetime(2026, 3, 29, 2, 30, tzinfo=LocalZone())

    assert skipped.timestamp() == datetime(2026, 3, 29, 2, 30, tzinfo=BERLIN).timestamp()
    assert skipped.tzname() is not None
    assert skipped.dst() is None
    assert LocalZone().utcoffset(None) is None
    assert LocalZone().tzname(None) is None
    assert datetime(2026, 7, 1, tzinfo=LocalZone()).utcoffset() == timedelta(hours=2)
