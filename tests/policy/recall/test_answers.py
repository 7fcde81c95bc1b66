"""An answer as it is given: what is missing, how much of a memory it tells, and how long it waits."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.decay.states import Lifecycle
from actors.policy.recall.answers import (
    FRESH,
    IMPACTS,
    LEAST,
    REST,
    SMALL,
    Failure,
    FailureMode,
    Pace,
    line_of,
    lowered,
    mode_of,
    paced,
    patience,
    shares,
    shown,
)
from actors.policy.session import pressure

LATE = Failure("vectors", FailureMode.LATE, "the query's vector was not ready in time")
OFF = Failure("triggers", FailureMode.OFF)

failures = st.builds(
    Failure,
    st.sampled_from([*IMPACTS, "working_memory", "neighbours"]),
    st.sampled_from(FailureMode),
    st.text(max_size=5),
    st.booleans(),
)


def test_an_answer_with_every_channel_is_not_degraded() -> None:
    assert line_of([]) == ""
    assert lowered(0.8, []) == 0.8


def test_missing_channels_are_told_in_one_plain_line_and_lower_the_confidence() -> None:
    missing = [OFF, LATE]

    assert mode_of(missing) == "triggers switched off; vectors late"
    assert line_of(missing) == (
        "triggers: switched off; vectors: late (the query's vector was not ready in time)"
    )
    assert lowered(0.8, missing) == pytest.approx(0.8 - 0.05 - 0.10)


@given(st.lists(failures, max_size=8, unique_by=lambda one: one.channel), st.floats(0, 1))
def test_every_missing_channel_is_named_and_costs_its_impact_once(
    missing: list[Failure], confidence: float
) -> None:
    impact = sum(IMPACTS.get(one.channel, SMALL) for one in missing)

    assert lowered(confidence, missing) == pytest.approx(max(0.0, confidence - impact))
    assert all(one.channel.replace("_", " ") in line_of(missing) for one in missing)


LONG = "Redis caches sessions. " * 60


WHOLE, SUMMARY, LINE = len(LONG), 150, len("Sessions")
NONE, FOCUSED, QUICK = pressure.Level.NONE, pressure.Level.FOCUSED, pressure.Level.QUICK


@pytest.mark.parametrize(
    ("state", "pressed", "most"),
    [
        (Lifecycle.HOT, NONE, WHOLE),
        (Lifecycle.WARM, NONE, WHOLE),
        (Lifecycle.COLD, NONE, WHOLE),
        (Lifecycle.DORMANT, NONE, WHOLE),
        (Lifecycle.HOT, FOCUSED, WHOLE),
        (Lifecycle.WARM, FOCUSED, SUMMARY),
        (Lifecycle.COLD, FOCUSED, LINE),
        (Lifecycle.DORMANT, FOCUSED, LINE),
        (Lifecycle.HOT, QUICK, SUMMARY),
        (Lifecycle.WARM, QUICK, LINE),
        (Lifecycle.COLD, QUICK, LINE),
        (Lifecycle.DORMANT, QUICK, LINE),
    ],
)
def test_what_is_shown_goes_by_the_state_when_room_runs_out(
    state: Lifecycle, pressed: pressure.Level, most: int
) -> None:
    said = shown(LONG, "Sessions", state, pressed)

    assert most - 20 <= len(said) <= most


def test_what_has_no_title_is_shown_by_how_it_begins() -> None:
    """Nothing is silenced for being old."""
    assert shown("Redis caches.", "", Lifecycle.COLD, QUICK) == "Redis caches."


MOST, ROOM = 0.150, 0.150
spans = st.floats(0, 60)


def after(*took: float, pace: Pace | None = None) -> Pace:
    """The pace after vectors that took so long, one every second."""
    known = pace or Pace()
    for one in took:
        known = paced(known, one, known.at + 1)
    return known


def waits(pace: Pace, *, outstanding: float = 0.0, later: float = 1.0, room: float = ROOM) -> float:
    return patience(pace, outstanding, pace.at + later, MOST, room)


@pytest.mark.parametrize("took", [(), (0.02,) * 9, (0.1,) * 9, (0.02, 5.0), (0.03,) * 9 + (5.0,)])
def test_what_may_be_expected_is_waited_for(took: tuple[float, ...]) -> None:
    assert waits(after(*took)) == MOST


@pytest.mark.parametrize("took", [(0.2,) * 9, (0.03, 5.0, 5.0, 5.0), (30.0,) * 100])
def test_a_machine_on_which_vectors_come_too_late_is_not_waited_for(
    took: tuple[float, ...],
) -> None:
    assert waits(after(*took)) == LEAST


def test_a_few_that_are_quick_again_and_a_pause_both_end_that() -> None:
    slow = after(*(30.0,) * 100)

    assert waits(after(0.03, 0.03, 0.03, pace=slow)) == MOST
    assert waits(slow, later=FRESH - 1) == LEAST
    assert waits(slow, later=FRESH) == MOST
    assert paced(slow, 0.03, slow.at + FRESH).mean < MOST  # begun anew


@pytest.mark.parametrize(("age", "waited"), [(0.0, MOST), (0.1, MOST), (0.16, LEAST), (9, LEAST)])
def test_while_an_earlier_one_is_overdue_no_prompt_waits(age: float, waited: float) -> None:
    assert waits(after(0.03), outstanding=age) == waited


def test_what_a_prompt_has_lost_already_is_not_taken_from_the_rest() -> None:
    assert waits(Pace(), room=0.1) == 0.1
    assert waits(Pace(), room=-1.0) == LEAST
    assert patience(Pace(), 0.0, 1.0, 0.01, 0.15) == 0.01  # who waits less always waits less


@pytest.mark.parametrize(
    ("deadline", "vector", "most", "ample"),
    [
        (0.210, 0.150, 0.150, 1.0),
        (0.080, 0.020, 0.020, 1.0),  # as it was
        (0.080, 0.150, 0.020, 1.0),
        (0.040, 0.150, 0.010, 0.5),
        (0.750, 0.150, 0.150, 10.0),
        (0.060, 0.000, 0.000, 1.0),
    ],
)
def test_a_prompts_time_is_shared(
    deadline: float, vector: float, most: float, ample: float
) -> None:
    found = shares(deadline, vector)

    assert found.vector == pytest.approx(most)
    assert found.ample == pytest.approx(ample)


@given(st.floats(0.001, 100), st.floats(0, 100))
def test_the_shares_are_the_whole(deadline: float, vector: float) -> None:
    found = shares(deadline, vector)

    assert 0 <= found.vector <= vector
    assert found.ample > 0
    assert found.vector + found.ample * REST == pytest.approx(deadline)


@given(st.lists(st.tuples(spans, spans)), spans, spans, st.floats(-1, 1), st.floats(0, 60))
def test_a_wait_is_never_over_the_most_and_never_negative(
    seen: list[tuple[float, float]], outstanding: float, later: float, room: float, most: float
) -> None:
    pace = Pace()
    for took, pause in seen:
        pace = paced(pace, took, pace.at + pause)

    assert min(most, LEAST) <= patience(pace, outstanding, pace.at + later, most, room) <= most
