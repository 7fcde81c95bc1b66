"""When a query is about, and how a memory's time fits.

Now is Sunday, 22 November 2026, 10:30 in Berlin, unless a test says otherwise.
"""

import math
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.times.time_phrases import ALWAYS, DAY, HOUR, Interval, asked, boost
from tests.policy.adversarial import too_slow
from tests.tables import rows

BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 11, 22, 10, 30, tzinfo=BERLIN).timestamp()


def _interval(query: str, now: float = NOW, zone: ZoneInfo = BERLIN) -> Interval:
    found = asked(query, now, zone)
    assert found is not None, query
    return found


def _local(query: str, now: float = NOW) -> tuple[str, str]:
    """The interval in words of the clock on the wall."""
    found = _interval(query, now)
    begin, end = (
        "always"
        if moment == ALWAYS
        else datetime.fromtimestamp(moment, BERLIN)
        .strftime("%y-%m-%d %H:%M")
        .removesuffix(" 00:00")
        for moment in (found.begin, found.end)
    )
    return begin, end


@pytest.mark.parametrize(
    ("query", "begin", "end"),
    rows(__file__, "a_query_about_a_time_is_about_that_interval"),
)
def test_a_query_about_a_time_is_about_that_interval(query: str, begin: str, end: str) -> None:
    assert _local(query) == (begin, end)


@pytest.mark.parametrize(
    "query",
    rows(__file__, "a_query_that_is_not_surely_about_a_time_is_about_none"),
)  # fmt: skip
def test_a_query_that_is_not_surely_about_a_time_is_about_none(query: str) -> None:
    assert asked(query, NOW, BERLIN) is None


# -- days that are no 24 hours, months that are no 30 days -----------------------------------------


def test_the_day_the_clock_goes_forward_has_23_hours_and_the_day_it_goes_back_25() -> None:
    spring = datetime(2026, 3, 30, 9, tzinfo=BERLIN).timestamp()
    autumn = datetime(2026, 10, 26, 9, tzinfo=BERLIN).timestamp()

    first, second = (
        _interval("what broke yesterday", spring),
        _interval("what broke yesterday", autumn),
    )

    assert first.end - first.begin == 23 * HOUR
    assert second.end - second.begin == 25 * HOUR


def test_a_day_is_that_of_the_zone() -> None:
    late = datetime(2026, 11, 22, 23, 30, tzinfo=UTC).timestamp()

    here = _interval("what broke yesterday", late, ZoneInfo("America/New_York"))
    there = _interval("what broke yesterday", late, ZoneInfo("Asia/Tokyo"))

    assert datetime.fromtimestamp(here.begin, UTC) == datetime(2026, 11, 21, 5, tzinfo=UTC)
    assert datetime.fromtimestamp(there.begin, UTC) == datetime(2026, 11, 21, 15, tzinfo=UTC)


@pytest.mark.parametrize(
    ("query", "begin", "end"),
    [
        ("what did we do a month ago", "26-02-13", "26-03-16"),  # around 28 February
        ("what did we do last month", "26-02-01", "26-03-01"),
        ("what did we do over the last 4 months", "25-11-30", "26-03-31 12:00"),
    ],
)
def test_a_month_earlier_than_the_31st_may_be_the_28th(query: str, begin: str, end: str) -> None:
    assert _local(query, datetime(2026, 3, 31, 12, tzinfo=BERLIN).timestamp()) == (begin, end)


def test_a_leap_day_is_a_day_of_leap_years_only() -> None:
    assert _local("what was done on 29 February 2024") == ("24-02-29", "24-03-01")
    assert asked("what was done on 29 February 2023", NOW, BERLIN) is None


def test_last_week_on_a_monday_is_the_week_that_ended_yesterday() -> None:
    monday = datetime(2026, 11, 23, 8, tzinfo=BERLIN).timestamp()

    assert _local("what did we do last week", monday) == ("26-11-16", "26-11-23")
    assert _local("what changed since Monday", monday) == ("26-11-16", "26-11-23 08:00")


# -- what to do with it -----------------------------------------------------------------------------

WEEK = Interval(1_000 * DAY, 1_007 * DAY)


@pytest.mark.parametrize(
    ("days", "share"),
    [(1_000, 1.0), (1_003, 1.0), (1_007, 1.0), (1_010.5, 0.5), (996.5, 0.5), (993, 0.25)],
)
def test_a_memory_within_fits_and_each_half_length_outside_halves_it(
    days: float, share: float
) -> None:
    assert boost(days * DAY, WEEK) == pytest.approx(share)


def test_how_far_outside_counts_has_a_least_and_a_most() -> None:
    minute, ever = Interval(0.0, 60.0), Interval(ALWAYS, 0.0)

    assert boost(12 * HOUR + 60, minute) == pytest.approx(0.5)
    assert boost(30 * DAY, ever) == pytest.approx(0.5)
    assert boost(-1e12, ever) == 1.0


@pytest.mark.parametrize("at", [math.nan, math.inf, ALWAYS])
def test_a_memory_without_a_time_fits_none(at: float) -> None:
    assert boost(at, WEEK) == 0.0


@given(st.floats(allow_nan=True, allow_infinity=True), st.floats(-1e10, 1e10), st.floats(0, 1e10))
def test_a_boost_is_between_nothing_and_one(at: float, begin: float, length: float) -> None:
    assert 0 <= boost(at, Interval(begin, begin + length)) <= 1


@given(st.floats(0, 1e9), st.floats(0, 1e9))
def test_the_farther_away_the_less(one: float, other: float) -> None:
    nearer, farther = sorted((one, other))

    assert boost(WEEK.end + farther, WEEK) <= boost(WEEK.end + nearer, WEEK)


# -- every text -------------------------------------------------------------------------------------

PIECES = (
    "what did we do", "last", "since", "before", "the", "2", "31", "February", "May", "Monday", "week",
    "month", "ago", "yesterday", "2024", "in", "on", "between", "and", "Q2", "a few", "days", "999",
    "the release", "until", "9999", "hours", "1900", "years",
)  # fmt: skip


@given(
    st.lists(st.sampled_from(PIECES), max_size=12),
    st.floats(0, 4e9),
    st.sampled_from(["Europe/Berlin", "America/Sao_Paulo", "Asia/Kathmandu", "Pacific/Apia"]),
)
def test_an_interval_begins_before_it_ends_and_before_now(
    pieces: list[str], now: float, zone: str
) -> None:
    found = asked(" ".join(pieces), now, ZoneInfo(zone))

    if found is not None:
        assert found.begin < found.end
        assert found.begin <= now
        assert not math.isnan(found.end)


def test_no_text_takes_long() -> None:
    assert too_slow(lambda text: asked(text, NOW, BERLIN)) == []
    assert too_slow(lambda text: asked(f"what did we do {text}", NOW, BERLIN)) == []


def test_yesterday_is_a_day_ago_wherever_the_day_begins() -> None:
    for hour in range(24):
        now = (datetime(2026, 11, 22, tzinfo=UTC) + timedelta(hours=hour)).timestamp()

        found = asked("what broke yesterday", now)

        assert found is not None
        assert now - 2 * DAY < found.begin <= now - DAY
