"""Degraded answers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.recall.answers import (
    IMPACTS,
    SMALL,
    Failure,
    FailureMode,
    Retry,
    degradation,
    lowered,
)

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
    assert degradation([]) is None
    assert lowered(0.8, None) == 0.8


def test_a_missing_channel_is_told_with_its_four_facts() -> None:
    told = degradation([LATE])

    assert told is not None
    assert told.failure_mode == "vectors late"
    assert told.fallback_mode == "words and triggers"
    assert told.confidence_impact == 0.10
    assert told.retry_recommendation is Retry.IMMEDIATE
    assert lowered(0.8, told) == pytest.approx(0.7)


def test_two_missing_channels_cost_what_both_cost() -> None:
    told = degradation([OFF, LATE])

    assert told is not None
    assert told.failure_mode == "triggers switched off; vectors late"
    assert told.fallback_mode == "words"
    assert told.confidence_impact == pytest.approx(0.15)
    assert told.retry_recommendation is Retry.IMMEDIATE


def test_a_person_reads_one_plain_line() -> None:
    told = degradation([LATE])

    assert told is not None
    assert told.line == (
        "vectors: late (the query's vector was not ready in time). "
        "Searched by words and triggers; confidence lowered by 0.10; ask again"
    )


def test_what_was_switched_off_is_not_asked_again() -> None:
    told = degradation([OFF])

    assert told is not None
    assert told.retry_recommendation is Retry.NONE
    assert "will not help" in told.line


def test_a_channel_without_an_impact_of_its_own_costs_little() -> None:
    assert Failure("neighbours", FailureMode.LATE).impact == SMALL


@given(st.lists(failures, min_size=1, max_size=8), st.floats(0, 1))
def test_confidence_is_lowered_by_the_stated_impact(
    missing: list[Failure], confidence: float
) -> None:
    told = degradation(missing)

    assert told is not None
    assert 0 < told.confidence_impact <= 1
    assert lowered(confidence, told) == max(0.0, confidence - told.confidence_impact)
    assert {one.channel for one in told.failures} == {one.channel for one in missing}
    assert all(one.channel.replace("_", " ") in told.line for one in missing)
