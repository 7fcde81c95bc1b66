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


def test_missing_channels_are_told_in_one_plain_line_and_lower_the_confidence() -> None:
    told = degradation([OFF, LATE])

    assert told is not None
    assert told.failure_mode == "triggers switched off; vectors late"
    assert told.line == (
        "triggers: switched off; vectors: late (the query's vector was not ready in time)"
    )
    assert lowered(0.8, told) == pytest.approx(0.8 - 0.05 - 0.10)


@given(st.lists(failures, min_size=1, max_size=8), st.floats(0, 1))
def test_every_missing_channel_is_named_and_costs_its_impact_once(
    missing: list[Failure], confidence: float
) -> None:
    told = degradation(missing)
    channels = {one.channel for one in missing}

    assert told is not None
    impact = sum(IMPACTS.get(one, SMALL) for one in channels)
    assert lowered(confidence, told) == pytest.approx(max(0.0, confidence - impact))
    assert all(one.replace("_", " ") in told.line for one in channels)
