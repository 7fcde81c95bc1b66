"""Confidence after verdicts."""

import pytest

from actors.policy.decay.reinforcement import validated


@pytest.mark.parametrize(
    ("verdicts", "score"),
    [
        ([], 0.5),
        ([True] * 4, 0.9),
        ([True] * 9, 1.0),
        ([False], 0.45),
        ([False] * 11, 0.0),
        ([True] * 5 + [False] * 3, 0.85),
    ],
)
def test_verdicts_move_the_confidence(verdicts: list[bool], score: float) -> None:
    confidence = 0.5
    for useful in verdicts:
        confidence = validated(confidence, useful=useful)

    assert confidence == score
