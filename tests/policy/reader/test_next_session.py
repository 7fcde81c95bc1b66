"""The order of reading: which session is next, and what the reader waits for."""

from __future__ import annotations

from datetime import UTC

import pytest
from msgspec.structs import replace

from actors.policy.reader.exchange import Reason
from actors.policy.reader.next_session import (
    DAY,
    ENDED,
    HOUR,
    MINUTE,
    PastReading,
    Presence,
    Settings,
    Unread,
    absence,
    after_failure,
    in_order,
    limit,
    reason,
    stopped,
    why_not,
)

NOW = 20 * DAY + 15 * HOUR  # 15:00 of a day
AGREED = 10 * DAY
RULES = Settings()
OVER = Unread(
    "s", "claude", "/p", NOW - HOUR, NOW - 5 * MINUTE, ENDED, 0.0, 1, 9, 2, 0, 0.0, False, "", "", 0.0, NOW - HOUR
)  # fmt: skip
LEFT = Presence(person=2 * HOUR, event=2 * HOUR)


def spent(*ages: float, tokens: int = 1_000, failure: str = "") -> list[PastReading]:
    return [past_reading(NOW - age, NOW - age, tokens, failure) for age in ages]


def past_reading(
    began_at: float, ended_at: float, tokens: int, failure: str = "", session: str = "s"
) -> PastReading:
    return PastReading(
        1, session, "/p", "claude", "why", began_at, ended_at, tokens, None, failure, 0
    )


# ---- whether a session is read


@pytest.mark.parametrize(
    ("session", "why"),
    [
        pytest.param(OVER, "", id="it ended"),
        pytest.param(replace(OVER, status="active"), "it goes on", id="it is five minutes old"),
        pytest.param(
            replace(OVER, status="active", seen_at=NOW - 45 * MINUTE), "", id="still for 45 minutes"
        ),
        pytest.param(
            replace(OVER, status="active", emptied_at=NOW - 9 * MINUTE), "", id="it was compacted"
        ),
        pytest.param(
            replace(OVER, status="active", emptied_at=NOW - 2 * HOUR),
            "it goes on",
            id="it was read since it was compacted",
        ),
        pytest.param(
            replace(OVER, prompts=0), "nothing was typed in it since it was read", id="no prompt"
        ),
        pytest.param(
            replace(OVER, next_try=NOW + 90), "it is tried again in 2 min", id="it failed"
        ),
    ],
)  # fmt: skip
def test_a_session_is_read_when_it_is_over(session: Unread, why: str) -> None:
    assert why_not(session, "", NOW, AGREED, RULES) == why


def test_a_barred_session_is_never_read() -> None:
    barred = "in a folder with .noreader"

    assert why_not(OVER, barred, NOW, AGREED, RULES) == barred


def test_what_began_before_the_agreement_is_read_by_order_only() -> None:
    earlier = replace(OVER, started_at=AGREED - 1)

    assert "reverie reader now --all" in why_not(earlier, "", NOW, AGREED, RULES)


# ---- the order


def test_today_comes_first_then_what_was_captured_then_the_newest() -> None:
    old = replace(OVER, session="old", seen_at=NOW - 5 * DAY)
    newer = replace(OVER, session="newer", seen_at=NOW - 2 * DAY)
    captured = replace(old, session="captured", captured="correction")
    today = replace(OVER, session="today")

    order = in_order([old, newer, captured, today], NOW, UTC)

    assert [one.session for one in order] == ["today", "captured", "newer", "old"]


def test_the_reason_names_the_moment_and_its_time() -> None:
    corrected = replace(OVER, captured="correction", captured_at=NOW - 58 * MINUTE)

    assert reason(corrected, NOW, UTC) == ("read because you corrected the agent at 14:02")


# ---- limits


@pytest.mark.parametrize(
    ("past", "waits"),
    [
        pytest.param(spent(MINUTE, 2 * MINUTE), "", id="two within the hour"),
        pytest.param(
            spent(MINUTE, 2 * MINUTE, 3 * MINUTE), "3 sessions were read within the hour", id="three"
        ),
        pytest.param(
            spent(*(hour * HOUR for hour in range(2, 14))),
            "12 sessions were read within a day",
            id="twelve a day",
        ),
        pytest.param(
            spent(2 * HOUR, 3 * HOUR, tokens=100_000),
            "the 200,000 tokens of a day are spent",
            id="tokens",
        ),
        pytest.param(
            spent(2 * HOUR, 3 * HOUR, tokens=100_000, failure=Reason.DIED.value),
            "the 200,000 tokens of a day are spent",
            id="tokens of failures",
        ),
        pytest.param(spent(-DAY, -2 * DAY, -3 * DAY), "3 sessions were read within the hour", id="a clock set back"),
        pytest.param(spent(25 * HOUR, 26 * HOUR, tokens=150_000), "", id="yesterday"),
    ],
)  # fmt: skip
def test_nothing_is_read_over_the_limits(past: list[PastReading], waits: str) -> None:
    assert limit(past, NOW, RULES) == waits


def test_the_requests_of_one_session_count_once() -> None:
    chunks = [past_reading(NOW - MINUTE, NOW - second, 100) for second in range(9)]

    assert limit(chunks, NOW, RULES) == ""


# ---- an engine that fails


def test_two_failures_in_a_row_for_one_reason_stop_an_engine_until_a_person_looks() -> None:
    past = spent(2 * MINUTE, MINUTE, failure=Reason.LIMIT.value)

    assert stopped(past, looked=0.0) == "it failed twice in a row: its limit is reached"
    assert stopped(past, looked=NOW) == ""


@pytest.mark.parametrize(
    "past",
    [
        pytest.param(spent(MINUTE, failure=Reason.LIMIT.value), id="one failure"),
        pytest.param(
            [*spent(2 * MINUTE, failure=Reason.LIMIT.value), *spent(MINUTE, failure="other")],
            id="two reasons",
        ),
        pytest.param([*spent(2 * MINUTE, failure="x"), *spent(MINUTE)], id="it answered since"),
        pytest.param(
            spent(2 * MINUTE, MINUTE, failure=Reason.INTERRUPTED.value), id="somebody came back"
        ),
        pytest.param(
            [replace(one, session="") for one in spent(2 * DAY, DAY, failure="x")],
            id="nights that it did not understand",
        ),
    ],
)
def test_nothing_less_stops_an_engine(past: list[PastReading]) -> None:
    assert stopped(past, looked=0.0) == ""


def test_a_session_is_tried_again_after_ten_minutes_an_hour_and_six_then_given_up() -> None:
    waits = [after_failure(tries, NOW)[0] - NOW for tries in (1, 2, 3)]

    assert waits == [10 * MINUTE, HOUR, 6 * HOUR]
    assert after_failure(4, NOW)[1]


# ---- a local engine


@pytest.mark.parametrize(
    ("presence", "waits"),
    [
        pytest.param(LEFT, "", id="alone on mains"),
        pytest.param(replace(LEFT, person=9 * MINUTE), "somebody is there", id="a person"),
        pytest.param(replace(LEFT, event=1.0), "", id="an agent that works alone"),
        pytest.param(replace(LEFT, on_battery=True), "on battery", id="on battery"),
    ],
)
def test_a_local_engine_runs_only_without_a_person_and_on_mains(
    presence: Presence, waits: str
) -> None:
    assert absence(presence) == waits
