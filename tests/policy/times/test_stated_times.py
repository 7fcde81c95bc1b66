"""Moments and durations in words, and when a memory is true."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.times import stated_times
from actors.policy.times.stated_times import ALWAYS, BadTime, Validity, duration_named, moment_named

SUNDAY = datetime(2026, 11, 22, 10, 30, tzinfo=UTC)
NOW = SUNDAY.timestamp()
BERLIN = ZoneInfo("Europe/Berlin")


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("90s", 90), ("2h", 7_200), ("in 2 hours", 7_200), ("30 min", 1_800), ("1 week", 604_800),
        ("1 day 6 hours", 108_000), ("an hour and 30 minutes", 5_400),
        ("1.5h", 5_400), ("two days", 172_800),
    ],
)  # fmt: skip
def test_a_duration_in_words(text: str, seconds: float) -> None:
    assert duration_named(text) == seconds


@pytest.mark.parametrize(
    "text",
    ["", "soon", "h", "2", "0s", "-2h", "999999w", "2 hours ago", "2hx", "as", "and", "2h as"],
)
def test_what_is_no_duration_is_refused(text: str) -> None:
    with pytest.raises(BadTime):
        duration_named(text)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("tomorrow 9:00", (23, 9, 0)),
        ("Tomorrow", (23, 9, 0)),
        ("tomorrow at 9", (23, 9, 0)),
        ("today 17:00", (22, 17, 0)),
        ("tonight at 8pm", (22, 20, 0)),
        ("11:00", (22, 11, 0)),
        ("9:00", (23, 9, 0)),  # it is over for today
        ("12 am", (23, 0, 0)),
        ("monday", (23, 9, 0)),
        ("next mon 14:30", (23, 14, 30)),
        ("sunday", (29, 9, 0)),  # never today
        ("on friday at 2pm", (27, 14, 0)),
        ("in 2 hours", (22, 12, 30)),
        ("2h", (22, 12, 30)),
        ("2026-11-30", (30, 9, 0)),
        ("2026-11-30 14:30", (30, 14, 30)),
        ("2026-11-30T14:30+01:00", (30, 13, 30)),
    ],
)
def test_a_moment_in_words(text: str, moment: tuple[int, int, int]) -> None:
    day, hour, minute = moment

    assert moment_named(text, NOW) == datetime(2026, 11, day, hour, minute, tzinfo=UTC).timestamp()


@pytest.mark.parametrize(
    "text",
    ["", "yesterday", "soon", "today", "tonight", "25:00", "9:75", "13pm", "2020-01-01", "today 9:00",
     "2026-13-01", "9999-12-31", "tomorrow at"],
)  # fmt: skip
def test_what_is_no_moment_to_come_is_refused(text: str) -> None:
    with pytest.raises(BadTime):
        moment_named(text, NOW)


def test_a_day_is_a_day_of_the_zone_through_a_change_of_summer_time() -> None:
    before = datetime(2026, 10, 24, 20, tzinfo=UTC).timestamp()  # 22:00 in Berlin, summer

    assert (
        moment_named("tomorrow 9:00", before, BERLIN)
        == datetime(2026, 10, 25, 8, tzinfo=UTC).timestamp()
    )


def moment_from_now(text: str) -> float:
    return moment_named(text, NOW)


@given(st.text(max_size=40))
def test_any_text_is_understood_or_refused(text: str) -> None:
    for read in (duration_named, moment_from_now):
        try:
            read(text)
        except BadTime:
            continue


@given(st.integers(1, 3_000), st.sampled_from(["minutes", "hours", "days"]))
def test_an_amount_lies_so_far_ahead(count: int, unit: str) -> None:
    ahead = timedelta(**{unit: count}).total_seconds()

    assert moment_named(f"in {count} {unit}", NOW) == NOW + ahead


# ---- the time in which a memory holds


AT = 1_800_000_000.0
DAY = 86_400.0
ENDED = Validity(valid_until=AT)
FUTURE = Validity(valid_from=AT + 1)


@pytest.mark.parametrize(
    ("when", "expected"),
    [
        (ALWAYS, True),
        (Validity(AT, AT + 1), True),
        (FUTURE, False),
        (ENDED, False),
        (Validity(valid_until=AT + 1), True),
        (Validity(valid_from=AT - 1), True),
    ],
)
def test_an_interval_includes_its_beginning_and_not_its_end(when: Validity, expected: bool) -> None:
    assert stated_times.is_valid(when, AT) is expected


def test_a_state_lives_for_thirty_days() -> None:
    state = stated_times.with_lifetime(ALWAYS, "state", AT)

    assert state.valid_until == AT + 30 * DAY
    assert stated_times.is_valid(state, AT + 30 * DAY - 1)
    assert not stated_times.is_valid(state, AT + 30 * DAY)


def test_a_state_lives_from_its_own_beginning_and_keeps_an_end_it_has() -> None:
    begun = stated_times.with_lifetime(Validity(valid_from=AT + DAY), "state", AT)

    assert begun.valid_until == AT + 31 * DAY
    assert stated_times.with_lifetime(ENDED, "state", AT - DAY) == ENDED
    assert stated_times.with_lifetime(ALWAYS, "decision", AT) == ALWAYS


def test_an_end_only_ever_comes_nearer() -> None:
    assert stated_times.ended(ALWAYS, AT) == ENDED
    assert stated_times.ended(ENDED, AT + DAY) == ENDED
    assert stated_times.ended(Validity(valid_until=AT + DAY), AT) == ENDED
