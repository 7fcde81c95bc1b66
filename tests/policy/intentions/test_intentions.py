"""What somebody means to do later, from the resolve to its end."""

import pytest
from msgspec.structs import replace

from actors.policy.night import intentions
from actors.policy.night.intentions import Intention, Status, Surroundings

NOW = 1_800_000_000.0
MINUTE = 60.0
HOUR = 3600.0
DAY = 24 * HOUR
NOWHERE = Surroundings()
PUSH = Intention("i1", "push the tag", {"at": NOW}, made_at=NOW - HOUR)

ENDED: list[Status] = ["fulfilled", "cancelled"]


def due(intention: Intention, now: float = NOW) -> bool:
    return intentions.due(intention, now, NOWHERE)


def test_an_intention_is_due_when_its_trigger_holds() -> None:
    assert not due(PUSH, NOW - 1)
    assert due(PUSH)


def test_reminders_are_half_an_hour_apart() -> None:
    once = intentions.reminded(PUSH, NOW)

    assert once.status == "triggered"
    assert not due(once, NOW + 30 * MINUTE - 1)
    assert due(once, NOW + 30 * MINUTE)


def test_there_are_five_reminders_at_most() -> None:
    intention, now, reminders = PUSH, NOW, 0
    while now < NOW + DAY:
        if due(intention, now):
            intention, reminders = intentions.reminded(intention, now), reminders + 1
        now += MINUTE

    assert reminders == intention.reminders == 5


def test_an_intention_snoozes_for_half_an_hour_or_as_long_as_asked() -> None:
    asleep = intentions.changed(PUSH, "snoozed", NOW)

    assert asleep.status == "snoozed"
    assert not due(asleep, NOW + 30 * MINUTE - 1)
    assert due(asleep, NOW + 30 * MINUTE)
    assert intentions.aged(asleep, NOW + 30 * MINUTE).status == "active"
    longer = intentions.changed(PUSH, "snoozed", NOW, 2 * HOUR)
    assert not due(longer, NOW + HOUR)
    assert intentions.reminded(asleep, NOW + HOUR).snoozed_until is None


def test_time_alone_leaves_the_rest_as_it_is() -> None:
    assert intentions.aged(PUSH, NOW + DAY) == PUSH


def test_what_is_done_or_given_up_has_ended() -> None:
    done = intentions.changed(PUSH, "done", NOW)
    given_up = intentions.changed(PUSH, "cancelled", NOW)

    assert (done.status, done.ended_at) == ("fulfilled", NOW)
    assert (given_up.status, given_up.ended_at) == ("cancelled", NOW)
    assert not due(done, NOW + DAY)
    assert not due(given_up, NOW + 2 * DAY)


@pytest.mark.parametrize("status", ENDED)
def test_what_has_ended_stays_ended(status: Status) -> None:
    ended = replace(PUSH, status=status, ended_at=NOW)

    assert not intentions.is_open(ended)
    assert intentions.changed(ended, "done", NOW + 1) == ended
    assert intentions.changed(ended, "cancelled", NOW + 1) == ended
    assert intentions.changed(ended, "snoozed", NOW + 1) == ended
    assert intentions.aged(ended, NOW + DAY) == ended
