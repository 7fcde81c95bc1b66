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
    [
        ("what broke yesterday?", "26-11-21", "26-11-22"),
        ("yesterday's discussion about caching", "26-11-21", "26-11-22"),
        ("continue what we started yesterday afternoon", "26-11-21", "26-11-22"),
        ("last night's deploy failed, why", "26-11-21", "26-11-22"),
        ("what changed since yesterday", "26-11-21", "26-11-22 10:30"),
        ("what did I work on this morning", "26-11-22", "26-11-23"),
        ("earlier today you suggested an index", "26-11-22", "26-11-23"),
        ("what did I do today", "26-11-22", "26-11-23"),
        ("what did we decide last week about caching", "26-11-09", "26-11-16"),
        ("what have we done this week", "26-11-16", "26-11-23"),
        ("earlier this week we renamed something", "26-11-16", "26-11-23"),
        ("who changed the schema last month", "26-10-01", "26-11-01"),
        ("what did we do last year with auth", "25-01-01", "26-01-01"),
        ("the bug from two days ago", "26-11-20", "26-11-21"),
        ("what did we decide three weeks ago", "26-10-29", "26-11-05"),
        ("a month ago we had another logger", "26-10-07", "26-11-07"),
        ("a year ago we had another logger", "25-05-24", "26-05-24"),
        ("fix the test that broke an hour ago", "26-11-22 09:00", "26-11-22 10:00"),
        ("30 minutes ago it worked", "26-11-22 09:52", "26-11-22 10:07"),
        ("what was done over the last 3 days", "26-11-19", "26-11-22 10:30"),
        ("notes from the past two weeks", "26-11-08", "26-11-22 10:30"),
        ("what did we learn in the past month", "26-10-22", "26-11-22 10:30"),
        ("errors in the last 6 hours", "26-11-22 04:30", "26-11-22 10:30"),
        ("what changed since Monday", "26-11-16", "26-11-22 10:30"),
        ("what was discussed on Monday", "26-11-16", "26-11-17"),
        ("what did we say on Sunday", "26-11-15", "26-11-16"),  # never today
        ("where did we stop last Friday", "26-11-20", "26-11-21"),
        ("what changed after last Tuesday", "26-11-18", "26-11-22 10:30"),
        ("what was done before Thursday", "always", "26-11-19"),
        ("which migration did we drop in March", "26-03-01", "26-04-01"),
        ("what did we decide in May", "26-05-01", "26-06-01"),
        ("what did we decide in december", "25-12-01", "26-01-01"),
        ("what did we do in November", "26-11-01", "26-12-01"),
        ("what was the plan in March 2025", "25-03-01", "25-04-01"),
        ("what was decided until March", "always", "26-04-01"),
        ("did we ship anything on 5 November", "26-11-05", "26-11-06"),
        ("did we ship anything on the 30th of November", "25-11-30", "25-12-01"),
        ("what was merged on November 3rd, 2025", "25-11-03", "25-11-04"),
        ("what happened on 2026-11-20", "26-11-20", "26-11-21"),
        ("fix the bug we introduced last week", "26-11-09", "26-11-16"),
        ("run the tests that failed yesterday", "26-11-21", "26-11-22"),
    ],
)
def test_a_query_about_a_time_is_about_that_interval(query: str, begin: str, end: str) -> None:
    assert _local(query) == (begin, end)


@pytest.mark.parametrize(
    "query",
    [
        "", "redis", "fix the last test", "the last line of the file", "use the previous value",
        "write a query that returns orders from the last 7 days", "git log since v1.2",
        "python datetime get last month number", 'add a "this week" filter to the dashboard',
        "run the tests before the merge", "what process runs before code is merged?",
        "before the function returns, log the result", "the loop after the first element",
        "rename yesterday() to previous_day()", "open src/last_week.py", "we deploy on Monday",
        "remind me tomorrow", "what should I do today", "may I add a column", "in march mode",
        "march through the list in order", "implement rate limiting since it is needed",
        "since we use redis, add a cache", "how do I back up the database before the migration?",
        "sql for rows created in the last 24 hours", "schedule the job every Monday",
        "a second later it stops", "how to compute the last week of the year", "go back two steps",
        "what is the day of the week", "in 2 hours the job starts", "we will release next week",
        "what happens after the request is sent", "list files modified after the cache is built",
        "finish it before Friday", "date picker shows last month", "this year column is wrong",
        "convert seconds since epoch to date", "run the migration after the deploy",
        "what is the difference between before and after hooks", "how long until the timeout",
        "explain the before_request hook", "`last week` is a label", "delete logs from last month",
        "what must be done before the release", "the test takes 30 minutes", "port 2024 in use",
        "keep the last two weeks of logs", "what runs during the build", "ISO date 2026-11-20",
        "what did we decide about the first of the lists", "what did we decide in the meeting room",
        "how many items were in 2048 buckets", "what is in utils.today", "remove the May fixture",
        "what was fixed 0 days ago", "what did you do on 31 February", "what was in Q3 2031",
        "what was done in the last 0 hours", "what did we do on Monday_report.csv",
        "what happened from Monday to May", "what happened from March to May", "what did we build last autumn",
        "what did we discuss between Monday and Wednesday", "what did we pick in Q3",
    ],
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

WEEK = Interval(1_000 * DAY, 1_007 * DAY, "last week")


@pytest.mark.parametrize(
    ("days", "share"),
    [(1_000, 1.0), (1_003, 1.0), (1_007, 1.0), (1_010.5, 0.5), (996.5, 0.5), (993, 0.25)],
)
def test_a_memory_within_fits_and_each_half_length_outside_halves_it(
    days: float, share: float
) -> None:
    assert boost(days * DAY, WEEK) == pytest.approx(share)


def test_how_far_outside_counts_has_a_least_and_a_most() -> None:
    minute, ever = Interval(0.0, 60.0, ""), Interval(ALWAYS, 0.0, "")

    assert boost(12 * HOUR + 60, minute) == pytest.approx(0.5)
    assert boost(30 * DAY, ever) == pytest.approx(0.5)
    assert boost(-1e12, ever) == 1.0


@pytest.mark.parametrize("at", [math.nan, math.inf, ALWAYS])
def test_a_memory_without_a_time_fits_none(at: float) -> None:
    assert boost(at, WEEK) == 0.0


@given(st.floats(allow_nan=True, allow_infinity=True), st.floats(-1e10, 1e10), st.floats(0, 1e10))
def test_a_boost_is_between_nothing_and_one(at: float, begin: float, length: float) -> None:
    assert 0 <= boost(at, Interval(begin, begin + length, "")) <= 1


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
