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


DEPLOYED = ["deploy on friday", *["deploy on monday"] * 3]


@pytest.mark.parametrize(
    ("text", "known", "error"),
    [
        ("the queue is drained in order", ["the queue is drained in order"], 0.0),
        ("every port has one owner", ["the queue is drained in order"], 1.0),
        ("anything at all", [], 1.0),
        ("...", ["the queue"], 0.0),
        # "the queue is" and "queue is drained" are known, "is drained by", "drained by hand" not.
        ("the queue is drained by hand", ["the queue is drained"], 0.5),
        ("数据库端口", ["数据库端口"], 0.0),
        ("Redis", ["redis"], 0.0),
    ],
)
def test_what_was_not_to_be_expected_is_an_error(text: str, known: list[str], error: float) -> None:
    assert importance.prediction_error(text, known) == pytest.approx(error)


def test_a_run_that_often_went_on_otherwise_surprises_and_older_texts_count_less() -> None:
    mondays, friday = 1 + 0.99 + 0.99**2, 0.99**3
    chance = friday / (mondays + friday)

    found = importance.prediction_error("deploy on friday", DEPLOYED)
    assert found == pytest.approx(0.4 * (1 - chance**0.5))
    assert importance.prediction_error("deploy on monday", DEPLOYED) < found


def test_novelty_of_error_and_context() -> None:
    assert importance.novelty(1.0, 0.0) == pytest.approx(0.7)
    assert importance.novelty(0.4, 0.0) == pytest.approx(0.14)  # .28 is dull: halved
    assert importance.context_novelty(["api", "auth.py"], {"api"}) == 0.5
    assert importance.context_novelty([], {"api"}) == 0.5


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("rename the column", 0.0),
        ("a great fix", 0.35 * 2 / 19**0.5),
        ("this isn't good", 0.35 * 0.74 / (0.74**2 + 15) ** 0.5),
        ("asap asap", 0.30 * 0.7),
        ("an urgent deadline", 0.30 * (1 - 0.1 * 0.3)),
        ("why?", 0.0),
        ("what?!", 0.20 * 2 / 3),
        ("THESE WORDS that thing", 0.15 * 0.5),
        ("THESE and MAX_SIZE and `HTTP JSON`", 0.0),
    ],
)
def test_arousal_of_a_text(text: str, expected: float) -> None:
    assert importance.arousal(text) == pytest.approx(expected)


@given(st.text(max_size=120))
def test_channels_stay_within_bounds(text: str) -> None:
    assert 0 <= importance.arousal(text) <= 1
    assert 0 <= importance.prediction_error(text, [text[:9]]) <= 1


UNIT = st.floats(0, 1)


@given(st.builds(Channels, UNIT, UNIT, UNIT, UNIT), UNIT)
def test_importance_is_bounded_and_rises_with_each_channel(channels: Channels, more: float) -> None:
    value = importance.importance(channels)
    louder = replace(channels, arousal=max(channels.arousal, more))

    assert 0.05 <= value <= importance.importance(louder) <= 1
