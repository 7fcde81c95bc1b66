"""The second axis of a memory's state."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.decay import reinforcement
from actors.policy.decay.reinforcement import Accessibility, Cause

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
    assert reinforcement.lived(NOW, (), NOW + passed) is expected


def test_an_access_makes_active_and_starts_the_four_hours_anew() -> None:
    assert reinforcement.lived(NOW, [(NOW + 3 * HOUR, Cause.ACCESS)], NOW + 6 * HOUR) is ACTIVE
    assert reinforcement.lived(NOW, [(LATE, Cause.ACCESS)], LATE) is ACTIVE


def test_a_cue_wakes_a_silent_memory_halfway_for_thirty_days() -> None:
    log = [(LATE + DAY, Cause.CUE)]

    assert reinforcement.lived(NOW, log, LATE + 2 * DAY) is DORMANT
    assert reinforcement.lived(NOW, log, LATE + 31 * DAY) is SILENT


def test_a_clock_that_went_back_counts_nothing() -> None:
    assert reinforcement.lived(NOW, [(NOW + DAY, Cause.ACCESS)], NOW + 2 * HOUR) is ACTIVE


def test_a_new_memory_is_active_by_its_strength_too() -> None:
    value = reinforcement.accessibility(1.0, 1.0, 1.0)

    assert value == pytest.approx(0.82)
    assert reinforcement.state_of(value) is ACTIVE


@given(
    st.lists(
        st.tuples(st.floats(0, 100 * DAY), st.sampled_from([Cause.ACCESS, Cause.CUE])), max_size=80
    )
)
def test_a_log_tells_the_same_in_whatever_order_it_is_read(log: list[tuple[float, Cause]]) -> None:
    told = [(NOW + at, cause) for at, cause in log]

    for now in (NOW + 30 * DAY, NOW + 90 * DAY):
        assert reinforcement.lived(NOW, told, now) is reinforcement.lived(NOW, told[::-1], now)
