"""Confidence and the proposal of promotion."""

import pytest

from actors.policy.decay.reinforcement import promotion_proposed, validated


def after(verdicts: list[bool]) -> float:
    confidence = 0.5
    for useful in verdicts:
        confidence = validated(confidence, useful=useful)
    return confidence


@pytest.mark.parametrize(
    ("verdicts", "score", "proposed"),
    [
        ([], 0.5, False),
        ([True] * 4, 0.9, False),
        ([True] * 5, 1.0, True),
        ([True] * 9, 1.0, True),
        ([False], 0.45, False),
        ([False] * 11, 0.0, False),
        ([True] * 5 + [False] * 2, 0.9, True),
        ([True] * 5 + [False] * 3, 0.85, False),
    ],
)
def test_confidence_and_eligibility_after_verdicts(
    verdicts: list[bool], score: float, proposed: bool
) -> None:
    confidence = after(verdicts)

    assert confidence == score
    assert promotion_proposed(confidence, len(verdicts), "normal") is proposed


def test_nothing_is_proposed_for_what_is_at_the_top_already() -> None:
    assert not promotion_proposed(1.0, 5, "critical")
    assert not promotion_proposed(1.0, 5, "constitutional")
    assert promotion_proposed(1.0, 5, None)
