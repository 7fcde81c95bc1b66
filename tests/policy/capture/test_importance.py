"""Importance of four channels."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.decay import capture


def of(*channels: float) -> float:
    return capture.importance(dict(zip(capture.WEIGHTS, channels, strict=True)))


@pytest.mark.parametrize(
    ("channels", "expected"),
    [
        ((1, 0, 0, 0), 0.25),
        ((0, 1, 0, 0), 0.30),
        ((0, 0, 1, 0), 0.25),
        ((0, 0, 0, 1), 0.20),
        ((1, 1, 1, 1), 1.0),
        ((0, 0, 0, 0), 0.05),
        ((0.8, 0.5, 0.6, 0.4), 0.58),
    ],
)
def test_importance_of_the_four_channels(channels: tuple[float, ...], expected: float) -> None:
    assert of(*channels) == pytest.approx(expected)


def test_priorities() -> None:
    values = (0.81, 0.8, 0.61, 0.6, 0.41, 0.4)
    assert [capture.priority(value) for value in values] == [
        "critical", "high", "high", "normal", "normal", "low",
    ]  # fmt: skip


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


@given(UNIT, UNIT, UNIT, UNIT, UNIT)
def test_importance_is_bounded_and_rises_with_each_channel(
    novel: float, stir: float, reward: float, attention: float, more: float
) -> None:
    value = of(novel, stir, reward, attention)

    assert 0.05 <= value <= of(novel, max(stir, more), reward, attention) <= 1
