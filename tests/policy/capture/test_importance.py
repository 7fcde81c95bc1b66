"""Importance of four channels."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from actors.policy.decay import capture
from actors.policy.decay.capture import Channels, Priority


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
    ],
)
def test_importance_of_the_four_channels(channels: Channels, expected: float) -> None:
    assert capture.importance(channels) == pytest.approx(expected)


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
    assert capture.priority(value) is expected


def test_promotion_is_proposed_above_85() -> None:
    assert capture.is_promotable(0.851)
    assert not capture.is_promotable(0.85)


def test_what_was_not_said_before_is_new_and_so_are_its_surroundings() -> None:
    """Half of the words, and one of two names."""
    known = ["the queue is drained"]

    assert capture.novelty("queue owner", known, ["api", "auth.py"], {"api"}) == 0.35 + 0.15
    assert capture.novelty("the queues", known, ["api"], {"api"}) == 0.0
    assert capture.novelty("", known, [], {"api"}) == 0.15


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("rename the column", 0.0),
        ("asap asap", 0.35),
        ("an urgent deadline: the outage", 0.7),
        ("why?", 0.0),
        ("what?!", 0.2),
    ],
)
def test_arousal_of_a_text(text: str, expected: float) -> None:
    assert capture.arousal(text) == pytest.approx(expected)


@given(st.text(max_size=120))
def test_channels_stay_within_bounds(text: str) -> None:
    assert 0 <= capture.arousal(text) <= 1
    assert 0 <= capture.novelty(text, [text[:9]], [text[:3]], ()) <= 1


UNIT = st.floats(0, 1)


@given(st.builds(Channels, UNIT, UNIT, UNIT, UNIT), UNIT)
def test_importance_is_bounded_and_rises_with_each_channel(channels: Channels, more: float) -> None:
    value = capture.importance(channels)
    louder = replace(channels, arousal=max(channels.arousal, more))

    assert 0.05 <= value <= capture.importance(louder) <= 1
