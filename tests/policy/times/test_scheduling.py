"""When jobs run, and what they wait for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.times import recurrence
from actors.policy.times.recurrence import DEFAULT, LATEST, PATIENT, Conditions, Moment, Settings

HOUR = 3_600.0
ALONE = Moment(overdue=0.0, up=HOUR, idle=HOUR)


@pytest.mark.parametrize(
    ("moment", "why", "seconds"),
    [
        (Moment(0, 10, HOUR), "reverie has just started", 290),
        (Moment(0, HOUR, 60), "somebody is working", 1740),
        (Moment(0, HOUR, HOUR, running="dream"), "dream is running", 30),
        (Moment(0, HOUR, HOUR, Conditions(on_battery=True)), "on battery", 30),
        (Moment(0, HOUR, HOUR, Conditions(load=1.5)), "the machine is busy", 30),
        # Overdue by a day: a pause of two minutes will do, and a busy machine.
        (Moment(PATIENT, HOUR, 60), "somebody is working", 60),
        (Moment(PATIENT, HOUR, 120, Conditions(on_battery=True)), "on battery", 30),
    ],
)
def test_a_heavy_job_says_what_it_waits_for(moment: Moment, why: str, seconds: float) -> None:
    found = recurrence.wait(moment)

    assert found is not None
    assert found.why == why
    assert found.seconds == pytest.approx(seconds)


@pytest.mark.parametrize(
    "moment",
    [
        ALONE,
        Moment(0, HOUR, HOUR, Conditions(on_battery=False, load=1.0)),
        Moment(PATIENT, HOUR, 120, Conditions(load=9.0)),
        Moment(LATEST, HOUR, 120, Conditions(on_battery=True, load=9.0)),
    ],
    ids=["nobody there", "on mains", "a day late on a busy machine", "a week late on battery"],
)
def test_a_heavy_job_runs_when_nothing_is_in_its_way(moment: Moment) -> None:
    assert recurrence.wait(moment) is None


def test_who_wants_it_has_heavy_jobs_on_battery_too() -> None:
    on_battery = Moment(0, HOUR, HOUR, Conditions(on_battery=True))

    assert recurrence.wait(on_battery) is not None
    assert recurrence.wait(on_battery, Settings(on_battery=True)) is None


@pytest.mark.parametrize(
    "moment", [Moment(9 * LATEST, 0, HOUR), Moment(9 * LATEST, HOUR, 0)], ids=["start", "busy"]
)
def test_however_late_no_heavy_job_disturbs_anybody(moment: Moment) -> None:
    assert recurrence.wait(moment) is not None


MOMENTS = st.builds(
    Moment,
    overdue=st.floats(0, 3e7),
    up=st.floats(0, 1e6),
    idle=st.floats(0, 1e6),
    conditions=st.builds(
        Conditions, on_battery=st.none() | st.booleans(), load=st.none() | st.floats(0, 20)
    ),
    running=st.sampled_from(["", "decay"]),
)


@given(MOMENTS, st.floats(0, 1e6))
def test_waiting_longer_never_finds_more_in_the_way(moment: Moment, more: float) -> None:
    later = Moment(
        moment.overdue + more, moment.up + more, moment.idle + more,
        moment.conditions, moment.running,
    )  # fmt: skip

    assert recurrence.wait(moment) is not None or recurrence.wait(later) is None


@given(MOMENTS)
def test_every_wait_has_an_end_to_look_at(moment: Moment) -> None:
    found = recurrence.wait(moment)

    if found is not None:
        assert 0 < found.seconds <= max(DEFAULT.idle, DEFAULT.settle)


@given(due=st.floats(0, 2e9), every=st.floats(1, 1e7), now=st.floats(0, 2e9))
def test_a_clock_that_was_set_back_puts_nothing_off_by_more_than_a_rhythm(
    due: float, every: float, now: float
) -> None:
    kept = recurrence.kept_near(due, every, now)

    assert kept <= due
    assert kept <= now + every
    assert kept == due or due > now + every


@given(due=st.floats(0, 2e9), every=st.floats(1, 1e6), now=st.floats(0, 2e9))
def test_the_next_time_lies_ahead_and_not_far(due: float, every: float, now: float) -> None:
    then = recurrence.next_due(due, every, now)

    assert then >= now
    assert then == due or then - now <= every * 1.01


@pytest.mark.parametrize(
    ("due", "now", "then"),
    [(10, 5, 10), (10, 10, 13), (10, 12.9, 13), (10, 13, 16), (10, 1000, 1003)],
)
def test_the_next_time_keeps_the_rhythm(due: float, now: float, then: float) -> None:
    assert recurrence.next_due(due, 3, now) == then
