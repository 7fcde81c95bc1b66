"""The second axis of a memory's state."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.decay import reinforcement
from actors.policy.decay.reinforcement import Accessibility, Cause, Transition

ACTIVE, DORMANT = Accessibility.ACTIVE, Accessibility.DORMANT
SILENT, UNAVAILABLE = Accessibility.SILENT, Accessibility.UNAVAILABLE
HOUR = 3600.0
DAY = 24 * HOUR
NOW = 1_800_000_000.0
LATE = NOW + 4 * HOUR + 30 * DAY  # when a memory nobody touched falls silent


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (1, ACTIVE),
        (0.70, ACTIVE),
        (0.699, DORMANT),
        (0.40, DORMANT),
        (0.399, SILENT),
        (0.10, SILENT),
        (0.099, UNAVAILABLE),
        (0, UNAVAILABLE),
    ],
)
def test_the_borders_of_the_states(value: float, expected: Accessibility) -> None:
    assert reinforcement.state_of(value) is expected


def test_accessibility_of_three_strengths() -> None:
    assert reinforcement.accessibility(0.9, 0.8, 5) == pytest.approx(0.79)
    assert reinforcement.accessibility(1, 1, 10) == pytest.approx(1)


@pytest.mark.parametrize(
    ("passed", "expected"),
    [
        (0, ACTIVE),
        (4 * HOUR - 1, ACTIVE),
        (4 * HOUR, DORMANT),
        (4 * HOUR + 30 * DAY - 1, DORMANT),
        (4 * HOUR + 30 * DAY, SILENT),
        (1000 * DAY, SILENT),
        (-DAY, ACTIVE),
    ],
)
def test_time_lowers_the_state(passed: float, expected: Accessibility) -> None:
    assert reinforcement.lived(NOW, (), NOW + passed).state is expected


def test_an_access_makes_active_and_starts_the_four_hours_anew() -> None:
    again = reinforcement.lived(NOW, [(NOW + 3 * HOUR, Cause.ACCESS)], NOW + 6 * HOUR)
    revived = reinforcement.lived(NOW, [(LATE, Cause.ACCESS)], LATE)

    assert (again.state, again.history) == (ACTIVE, ())
    assert revived.history[-1] == Transition(LATE, SILENT, ACTIVE, Cause.ACCESS)


def test_a_cue_wakes_a_silent_memory_halfway_for_thirty_days() -> None:
    log = [(LATE + DAY, Cause.CUE)]
    woken = reinforcement.lived(NOW, log, LATE + 2 * DAY)

    assert woken.state is DORMANT
    assert woken.history[-1] == Transition(LATE + DAY, SILENT, DORMANT, Cause.CUE)
    assert reinforcement.lived(NOW, log, LATE + 31 * DAY).state is SILENT


@given(
    st.lists(
        st.tuples(st.floats(0, 100 * DAY), st.sampled_from([Cause.ACCESS, Cause.CUE])), max_size=80
    )
)
def test_fifty_changes_are_shown_and_all_of_the_time_is_counted(
    log: list[tuple[float, Cause]],
) -> None:
    now = NOW + 200 * DAY
    told = reinforcement.lived(NOW, [(NOW + at, cause) for at, cause in log], now)

    assert len(told.history) <= 50
    assert sum(reinforcement.percentages(told, now).values()) == pytest.approx(100)


def test_percentages_of_a_life() -> None:
    now = NOW + 8 * HOUR
    assert reinforcement.percentages(reinforcement.lived(NOW, (), now), now) == {
        ACTIVE: 50,
        DORMANT: 50,
        SILENT: 0,
        UNAVAILABLE: 0,
    }
    assert set(reinforcement.percentages(reinforcement.lived(NOW, (), NOW), NOW).values()) == {0}


def test_a_clock_that_went_back_counts_nothing() -> None:
    log = [(NOW + DAY, Cause.ACCESS)]
    told = reinforcement.lived(NOW, log, NOW + 2 * HOUR)

    assert told.state is ACTIVE
    assert reinforcement.percentages(told, NOW + 2 * HOUR)[ACTIVE] == 100


def test_a_new_memory_is_active_by_its_strength_too() -> None:
    value = reinforcement.accessibility(1.0, 1.0, 1.0)

    assert value == pytest.approx(0.82)
    assert reinforcement.state_of(value) is ACTIVE


def test_a_log_tells_the_whole_story_in_whatever_order_it_is_read() -> None:
    log = [(NOW + 10 * DAY, Cause.CUE), (NOW + DAY, Cause.ACCESS)]
    told = reinforcement.lived(NOW, log, NOW + 60 * DAY)

    assert told == reinforcement.lived(NOW, reversed(log), NOW + 60 * DAY)
    assert [(one.after, one.cause) for one in told.history] == [
        (DORMANT, Cause.TIME),  # four hours after it was made
        (ACTIVE, Cause.ACCESS),
        (DORMANT, Cause.TIME),
        (SILENT, Cause.TIME),  # the cue on the tenth day woke nothing: it was not silent
    ]
    assert told.history[-1].at == NOW + DAY + 4 * HOUR + 30 * DAY
