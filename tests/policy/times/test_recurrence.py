"""When something that recurs is next due."""

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.times import recurrence
from actors.policy.times.recurrence import BadSchedule, Schedule

MADE = 1_800_000_000.0
BERLIN = ZoneInfo("Europe/Berlin")

moments = st.floats(MADE, MADE + 400 * 86_400)


def utc(text: str) -> float:
    return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()


def following(schedule: Schedule, after: str, number: int) -> list[str]:
    """The next occurrences in UTC, to the minute."""
    moment, found = utc(after), list[str]()
    for _ in range(number):
        moment = recurrence.next_occurrence(schedule, 0.0, moment)
        found.append(datetime.fromtimestamp(moment, UTC).isoformat(" ", "minutes")[:16])
    return found


def test_every_so_many_seconds_counts_from_when_it_was_made() -> None:
    hourly = ["seconds", 3600]

    assert recurrence.next_occurrence(hourly, MADE, MADE) == MADE + 3600
    assert recurrence.next_occurrence(hourly, MADE, MADE + 3599) == MADE + 3600
    assert recurrence.next_occurrence(hourly, MADE, MADE + 3600) == MADE + 7200
    assert recurrence.next_occurrence(hourly, MADE, MADE - 9999) == MADE + 3600


def test_a_division_that_comes_out_low_names_no_occurrence_twice() -> None:
    made, apart = 1_800_000_016.384992, 61.7
    seventh = made + 70_733 * apart

    assert recurrence.next_occurrence(["seconds", apart], made, seventh) > seventh


def test_daily_at_its_time() -> None:
    nine = ["daily", 9, 0]

    assert following(nine, "2026-11-22 08:59", 2) == ["2026-11-22 09:00", "2026-11-23 09:00"]
    assert following(nine, "2026-11-22 09:00", 1) == ["2026-11-23 09:00"]


def test_weekly_on_its_days() -> None:
    monday_and_friday = ["weekly", [0, 4], 17, 30]

    assert following(monday_and_friday, "2026-11-22 12:00", 3) == [
        "2026-11-23 17:30",
        "2026-11-27 17:30",
        "2026-11-30 17:30",
    ]


def test_the_31st_is_the_last_day_of_a_shorter_month_and_the_31st_again_after_it() -> None:
    assert following(["monthly", 31, 12, 0], "2027-01-15 00:00", 5) == [
        "2027-01-31 12:00",
        "2027-02-28 12:00",
        "2027-03-31 12:00",
        "2027-04-30 12:00",
        "2027-05-31 12:00",
    ]
    assert following(["monthly", 30, 12, 0], "2028-02-01 00:00", 2) == [
        "2028-02-29 12:00",
        "2028-03-30 12:00",
    ]


def test_times_are_those_of_the_zone_through_its_summer_time() -> None:
    before = utc("2027-03-27 00:00")  # the clocks go forward on the 28th at 1:00 UTC
    nine = ["daily", 9, 0]

    first = recurrence.next_occurrence(nine, 0.0, before, BERLIN)
    second = recurrence.next_occurrence(nine, 0.0, first, BERLIN)
    assert first == utc("2027-03-27 08:00")
    assert second == utc("2027-03-28 07:00")
    skipped = recurrence.next_occurrence(["daily", 2, 30], 0.0, utc("2027-03-27 12:00"), BERLIN)
    assert skipped == utc("2027-03-28 01:30")  # 2:30 does not exist that day


def test_the_day_is_that_of_the_zone() -> None:
    far_east = timezone(timedelta(hours=14))
    on_the_first = ["monthly", 1, 0, 0]

    found = recurrence.next_occurrence(on_the_first, 0.0, utc("2026-11-30 09:00"), far_east)
    assert found == utc("2026-11-30 10:00")


@pytest.mark.parametrize(
    "schedule",
    [
        ["seconds", 60],
        ["seconds", 61.7],
        ["daily", 0, 0],
        ["weekly", [6], 23, 59],
        ["weekly", [*range(7)], 12, 0],
        ["monthly", 31, 0, 0],
        ["monthly", 1, 5, 0],
    ],
)
@given(after=moments)
def test_an_occurrence_comes_after_and_none_lies_between(schedule: Schedule, after: float) -> None:
    found = recurrence.next_occurrence(schedule, MADE, after, BERLIN)

    assert after < found <= after + 32 * 86_400
    halfway = (after + found) / 2
    assert recurrence.next_occurrence(schedule, MADE, halfway, BERLIN) == pytest.approx(found)


@pytest.mark.parametrize(
    "wrong",
    [
        ["seconds", 59], ["seconds", float("inf")], ["daily", 24, 0], ["daily", 9, 60], ["weekly", [], 9, 0],
        ["weekly", [7], 9, 0], ["monthly", 0, 9, 0], ["monthly", 32, 9, 0], ["monthly", 1, -1, 0], "daily",
    ],
)  # fmt: skip
def test_what_is_no_schedule_or_out_of_range_is_refused(wrong: object) -> None:
    with pytest.raises(BadSchedule):
        recurrence.checked(wrong)
