"""The second axis of a memory's state."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.decay import accessibility
from actors.policy.decay.accessibility import Accessibility, Cause, Presence, Transition

ACTIVE, DORMANT = Accessibility.ACTIVE, Accessibility.DORMANT
SILENT, UNAVAILABLE = Accessibility.SILENT, Accessibility.UNAVAILABLE
HOUR = 3600.0
DAY = 24 * HOUR
NOW = 1_800_000_000.0
NEW = accessibility.encoded(NOW)
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
    assert accessibility.state_of(value) is expected


def test_accessibility_of_three_strengths() -> None:
    assert accessibility.accessibility(0.9, 0.8, 0.5) == pytest.approx(0.79)
    assert accessibility.accessibility(1, 1, 1) == pytest.approx(1)


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
    assert accessibility.passed(NEW, NOW + passed).state is expected


def test_an_access_makes_active_and_starts_the_four_hours_anew() -> None:
    again = accessibility.accessed(NEW, NOW + 3 * HOUR)

    assert accessibility.passed(again, NOW + 6 * HOUR).state is ACTIVE
    assert again.history == ()
    revived = accessibility.accessed(NEW, LATE)
    assert revived.state is ACTIVE
    assert revived.history[-1] == Transition(LATE, SILENT, ACTIVE, Cause.ACCESS)


def test_a_strong_cue_wakes_a_silent_memory_halfway() -> None:
    assert accessibility.cued(NEW, 0.79, LATE).state is SILENT
    woken = accessibility.cued(NEW, 0.8, LATE)
    assert woken.state is DORMANT
    assert woken.history[-1].cause is Cause.CUE
    assert accessibility.passed(woken, LATE + 30 * DAY).state is SILENT


def test_a_cue_does_nothing_to_what_is_not_silent() -> None:
    assert accessibility.cued(NEW, 1.0, NOW + DAY).state is DORMANT


def test_the_lower_of_strength_and_time_holds() -> None:
    assert accessibility.weighed(NEW, 0.9, NOW).state is ACTIVE
    weak = accessibility.weighed(NEW, 0.2, NOW)
    assert weak.state is SILENT
    assert weak.history == (Transition(NOW, ACTIVE, SILENT, Cause.STRENGTH),)
    assert accessibility.weighed(NEW, 0.9, LATE).state is SILENT


def test_only_strength_makes_unavailable_and_only_strength_or_access_ends_it() -> None:
    lost = accessibility.weighed(NEW, 0.05, NOW)

    assert lost.state is UNAVAILABLE
    assert accessibility.passed(lost, NOW + 1000 * DAY).state is UNAVAILABLE
    assert accessibility.weighed(lost, 0.05, NOW + DAY).state is UNAVAILABLE
    assert accessibility.weighed(lost, 0.9, NOW + DAY).state is SILENT
    assert accessibility.accessed(lost, NOW + DAY).state is ACTIVE


@given(st.lists(st.floats(0, 100 * DAY), max_size=6), st.floats(100 * DAY, 200 * DAY))
def test_looking_in_between_changes_nothing(looks: list[float], end: float) -> None:
    looked = NEW
    for moment in sorted(looks):
        looked = accessibility.passed(looked, NOW + moment)

    once = accessibility.passed(NEW, NOW + end)
    assert accessibility.passed(looked, NOW + end) == once


def test_the_last_fifty_transitions_are_kept() -> None:
    presence = NEW
    for day in range(1, 41):
        presence = accessibility.accessed(presence, NOW + day * DAY)

    assert len(presence.history) == 50
    assert presence.history[-1] == Transition(NOW + 40 * DAY, DORMANT, ACTIVE, Cause.ACCESS)


def test_time_in_each_state_is_counted() -> None:
    seconds = accessibility.time_in_states(NEW, LATE + 6 * HOUR)

    assert seconds == {
        ACTIVE: 4 * HOUR,
        DORMANT: 30 * DAY,
        SILENT: 6 * HOUR,
        UNAVAILABLE: 0,
    }


def test_percentages_of_a_life() -> None:
    assert accessibility.percentages(NEW, NOW + 8 * HOUR) == {
        ACTIVE: 50,
        DORMANT: 50,
        SILENT: 0,
        UNAVAILABLE: 0,
    }
    assert set(accessibility.percentages(NEW, NOW).values()) == {0}


@given(st.lists(st.floats(0, 90 * DAY), max_size=10), st.floats(90 * DAY, 99 * DAY))
def test_the_times_add_up_to_the_life(accesses: list[float], end: float) -> None:
    presence = NEW
    for moment in sorted(accesses):
        presence = accessibility.accessed(presence, NOW + moment)

    seconds = accessibility.time_in_states(presence, NOW + end)
    assert sum(seconds.values()) == pytest.approx(end, abs=0.001)


def test_a_clock_that_went_back_counts_nothing() -> None:
    lost = accessibility.weighed(NEW, 0.05, NOW - DAY)

    assert lost == Presence(
        UNAVAILABLE,
        since=NOW - DAY,
        counted_at=NOW,
        history=(Transition(NOW - DAY, ACTIVE, UNAVAILABLE, Cause.STRENGTH),),
    )


def test_a_new_memory_is_active_by_its_strength_too() -> None:
    value = accessibility.strength_value(1.0, 1.0, 1.0)

    assert value == pytest.approx(0.82)
    assert accessibility.state_of(value) is ACTIVE


def test_a_log_tells_the_whole_story_in_whatever_order_it_is_read() -> None:
    log = [(NOW + 10 * DAY, Cause.CUE), (NOW + DAY, Cause.ACCESS)]
    told = accessibility.lived(NOW, log, NOW + 60 * DAY)

    assert told == accessibility.lived(NOW, reversed(log), NOW + 60 * DAY)
    assert [(one.after, one.cause) for one in told.history] == [
        (DORMANT, Cause.TIME),  # four hours after it was made
        (ACTIVE, Cause.ACCESS),
        (DORMANT, Cause.TIME),
        (SILENT, Cause.TIME),  # the cue on the tenth day woke nothing: it was not silent
    ]
    assert told.history[-1].at == NOW + DAY + 4 * HOUR + 30 * DAY


def test_a_prompt_it_was_relevant_to_wakes_a_silent_memory() -> None:
    told = accessibility.lived(NOW, [(LATE + DAY, Cause.CUE)], LATE + 2 * DAY)

    assert told.state is DORMANT
    assert told.history[-1] == Transition(LATE + DAY, SILENT, DORMANT, Cause.CUE)


def test_time_and_strength_are_no_events_of_a_log() -> None:
    log = [(NOW + DAY, Cause.TIME), (NOW + DAY, Cause.STRENGTH)]

    assert accessibility.lived(NOW, log, NOW + DAY) == accessibility.lived(NOW, [], NOW + DAY)


@given(
    st.lists(
        st.tuples(st.floats(0, 100 * DAY), st.sampled_from([Cause.ACCESS, Cause.CUE])), max_size=80
    )
)
def test_fifty_changes_are_kept_and_all_of_the_time_is_counted(
    log: list[tuple[float, Cause]],
) -> None:
    now = NOW + 200 * DAY
    told = accessibility.lived(NOW, [(NOW + at, cause) for at, cause in log], now)

    assert len(told.history) <= 50
    assert sum(accessibility.time_in_states(told, now).values()) == pytest.approx(200 * DAY)
    assert sum(accessibility.percentages(told, now).values()) == pytest.approx(100)
