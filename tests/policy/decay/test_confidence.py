"""Confidence and the proposal of promotion."""

import pytest

from actors.policy.decay.accessibility import Confidence, promotion_proposed, validated


def after(verdicts: list[bool]) -> Confidence:
    found = Confidence()
    for useful in verdicts:
        found = validated(found, useful=useful)
    return found


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
    found = after(verdicts)

    assert found == Confidence(score, len(verdicts))
    assert promotion_proposed(found, "normal") is proposed


def test_nothing_is_proposed_for_what_is_at_the_top_already() -> None:
    sure = after([True] * 5)

    assert not promotion_proposed(sure, "critical")
    assert not promotion_proposed(sure, "constitutional")
    assert promotion_proposed(sure, None)
