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
    line_of,
    lowered,
    mode_of,
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
