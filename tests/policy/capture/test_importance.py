"""Importance of four channels."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.capture import importance
from actors.policy.capture.importance import Channels, Priority


@pytest.mark.parametrize(
    ("channels", "expected"),
    [
        (Channels(1, 0, 0, 0), 0.25),
        (Channels(0, 1, 0, 0), 0.30),
        (Channels(0, 0, 1, 0), 0.25),
        (Channels(0, 0, 0, 1), 0.20),
        (Channels(1, 1, 1, 1), 1.0),
        (Channels(0, 0, 0, 0), 0.05),
        (Channels(0.8, 0.5, 0.6, 0.4), 0.58),
        (Channels(), 0.125),
        (Channels(7, 7, 7, 7), 1.0),
    ],
)
def test_importance_of_the_four_channels(channels: Channels, expected: float) -> None:
    assert importance.importance(channels) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (0.81, Priority.CRITICAL),
        (0.8, Priority.HIGH),
        (0.61, Priority.HIGH),
        (0.6, Priority.NORMAL),
        (0.41, Priority.NORMAL),
        (0.4, Priority.LOW),
    ],
)
def test_priorities(value: float, expected: Priority) -> None:
    assert importance.priority(value) is expected


def test_promotion_is_proposed_above_85() -> None:
    assert importance.is_promotable(0.851)
    assert not importance.is_promotable(0.85)


UNIT = st.floats(0, 1)


@given(st.builds(Channels, UNIT, UNIT, UNIT, UNIT), UNIT)
def test_importance_is_bounded_and_rises_with_each_channel(channels: Channels, more: float) -> None:
    value = importance.importance(channels)
    louder = replace(channels, arousal=max(channels.arousal, more))

    assert 0.05 <= value <= importance.importance(louder) <= 1
