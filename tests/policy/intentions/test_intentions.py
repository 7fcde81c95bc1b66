"""What somebody means to do later, from the resolve to its end."""

import pytest
from msgspec.structs import replace

from actors.policy.night import intentions
from actors.policy.night.intention_triggers import Surroundings
from actors.policy.night.intentions import Intention, Priority, Status

NOW = 1_800_000_000.0
MINUTE = 60.0
HOUR = 3600.0
DAY = 24 * HOUR
NOWHERE = Surroundings()
PUSH = Intention("i1", "push the tag", {"at": NOW}, made_at=NOW - HOUR)
STANDUP = Intention("i2", "write the stand-up", {"every": ["seconds", DAY]}, made_at=NOW)

ENDED = [Status.FULFILLED, Status.CANCELLED, Status.EXPIRED]


def due(intention: Intention, now: float = NOW) -> bool:
    return intentions.due(intention, now, NOWHERE)


def test_an_intention_is_due_when_its_trigger_holds() -> None:
    assert not due(PUSH, NOW - 1)
    assert due(PUSH)
    on_main = replace(PUSH, trigger={"branch": "main"})
    assert not due(on_main)
    assert intentions.due(on_main, NOW, Surroundings(branch="main"))


def test_reminders_are_half_an_hour_apart() -> None:
    once = intentions.reminded(PUSH, NOW)

    assert once.status is Status.TRIGGERED
    assert not due(once, NOW + 30 * MINUTE - 1)
    assert due(once, NOW + 30 * MINUTE)


def test_there_are_five_reminders_at_most() -> None:
    intention, now, reminders = PUSH, NOW, 0
    while now < NOW + DAY:
        if due(intention, now):
            intention, reminders = intentions.reminded(intention, now), reminders + 1
        now += MINUTE

    assert reminders == intention.reminders == 5


def test_what_recurs_goes_on_after_five() -> None:
    intention, days = STANDUP, list[int]()
    for hour in range(24 * 10):
        now = NOW + hour * HOUR
        if due(intention, now):
            intention = intentions.reminded(intention, now)
            days.append(hour // 24)

    assert days == [1, 2, 3, 4, 5, 6, 7, 8, 9]


def test_after_a_long_sleep_missed_occurrences_are_one_reminder() -> None:
    late = NOW + 10 * DAY + HOUR

    assert due(STANDUP, late)
    reminded = intentions.reminded(STANDUP, late)
    assert not due(reminded, late + HOUR)
    assert due(reminded, NOW + 11 * DAY)


def test_an_intention_snoozes_for_half_an_hour_or_as_long_as_asked() -> None:
    asleep = intentions.changed(PUSH, "snoozed", NOW)

    assert asleep.status is Status.SNOOZED
    assert not due(asleep, NOW + 30 * MINUTE - 1)
    assert due(asleep, NOW + 30 * MINUTE)
    assert intentions.aged(asleep, NOW + 30 * MINUTE).status is Status.ACTIVE
    longer = intentions.changed(PUSH, "snoozed", NOW, 2 * HOUR)
    assert not due(longer, NOW + HOUR)
    assert intentions.reminded(asleep, NOW + HOUR).snoozed_until is None


def test_an_intention_expires_after_its_deadline() -> None:
    dated = replace(PUSH, deadline=NOW + HOUR, snoozed_until=NOW + DAY, status=Status.SNOOZED)

    assert intentions.aged(dated, NOW + HOUR) == dated
    expired = intentions.aged(dated, NOW + HOUR + 1)
    assert expired.status is Status.EXPIRED
    assert (expired.ended_at, expired.snoozed_until) == (NOW + HOUR, None)
    assert not due(replace(PUSH, deadline=NOW + HOUR), NOW + 2 * HOUR)


def test_time_alone_leaves_the_rest_as_it_is() -> None:
    assert intentions.aged(PUSH, NOW + DAY) == PUSH


def test_what_is_done_or_given_up_has_ended() -> None:
    done = intentions.changed(PUSH, "done", NOW)
    given_up = intentions.changed(STANDUP, "cancelled", NOW)

    assert (done.status, done.ended_at) == (Status.FULFILLED, NOW)
    assert (given_up.status, given_up.ended_at) == (Status.CANCELLED, NOW)
    assert not due(done, NOW + DAY)
    assert not due(given_up, NOW + 2 * DAY)


def test_a_fulfilled_occurrence_waits_for_the_next() -> None:
    reminded = intentions.reminded(STANDUP, NOW + DAY)

    done = intentions.changed(reminded, "done", NOW + DAY + HOUR)
    assert (done.status, done.reminders, done.ended_at) == (Status.ACTIVE, 0, None)
    assert not due(done, NOW + 2 * DAY - 1)
    assert due(done, NOW + 2 * DAY)


@pytest.mark.parametrize("status", ENDED)
def test_what_has_ended_stays_ended(status: Status) -> None:
    ended = replace(PUSH, status=status, ended_at=NOW, deadline=NOW)

    assert not intentions.is_open(ended)
    assert intentions.changed(ended, "done", NOW + 1) == ended
    assert intentions.changed(ended, "cancelled", NOW + 1) == ended
    assert intentions.changed(ended, "snoozed", NOW + 1) == ended
    assert intentions.aged(ended, NOW + DAY) == ended


@pytest.mark.parametrize(
    ("priority", "hours", "expected"),
    [
        (Priority.NORMAL, 24.1, Priority.NORMAL),
        (Priority.NORMAL, 24, Priority.HIGH),
        (Priority.HIGH, 1, Priority.CRITICAL),
        (Priority.CRITICAL, 1, Priority.CRITICAL),
        (Priority.LOW, 1, Priority.NORMAL),
    ],
)
def test_the_day_before_its_deadline_it_is_more_urgent(
    priority: Priority, hours: float, expected: Priority
) -> None:
    dated = replace(PUSH, priority=priority, deadline=NOW + hours * HOUR)

    assert intentions.urgency(dated, NOW) is expected
    assert intentions.urgency(replace(dated, deadline=None), NOW) is priority


def test_the_most_urgent_comes_first() -> None:
    plain = replace(PUSH, intention_id="plain")
    older = replace(PUSH, intention_id="older", made_at=NOW - DAY)
    dated = replace(PUSH, intention_id="dated", deadline=NOW + 9 * DAY)
    near = replace(PUSH, intention_id="near", deadline=NOW + HOUR)
    high = replace(PUSH, intention_id="high", priority=Priority.HIGH)

    ordered = intentions.most_urgent_first([plain, older, dated, near, high], NOW)
    assert [one.intention_id for one in ordered] == ["near", "high", "dated", "older", "plain"]
