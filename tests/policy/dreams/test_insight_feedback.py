"""What a person did with insights decides what is shown."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.dreams import insight_feedback as feedback
from actors.policy.dreams.insight_feedback import NONE, Feedback
from actors.policy.dreams.insights import Insight, InsightKind

COUNTS = st.builds(Feedback, *[st.integers(0, 50)] * 3)


def insight(confidence: float = 0.6, ids: tuple[int, ...] = (1, 2, 3)) -> Insight:
    return Insight(InsightKind.SYNTHESIS, "told", ids, (), confidence, 0.5)


def test_without_feedback_an_insight_is_worth_its_confidence() -> None:
    assert feedback.score(insight()) == pytest.approx(0.6)
    assert feedback.trust(NONE) == pytest.approx(2 / 3)


def test_what_was_accepted_is_worth_more_and_what_was_rejected_nothing() -> None:
    assert feedback.score(insight(), Feedback(accepted=1)) == pytest.approx(0.9)
    assert feedback.score(insight(), Feedback(rejected=1)) == 0


def test_a_kind_that_is_rejected_again_and_again_is_shown_less() -> None:
    values = [feedback.score(insight(), NONE, Feedback(rejected=n)) for n in range(6)]

    assert values == sorted(values, reverse=True)
    assert (
        feedback.surfaced({1: insight()}, {}, {InsightKind.SYNTHESIS: Feedback(rejected=30)}, 9)
        == []
    )


def test_what_was_rejected_does_not_come_back_with_one_memory_more() -> None:
    grown = insight(ids=(1, 2, 3, 4))

    assert feedback.is_rejected(grown, [(InsightKind.SYNTHESIS, (1, 2, 3))])
    assert not feedback.is_rejected(grown, [(InsightKind.CONTRADICTION, (1, 2, 3))])
    assert not feedback.is_rejected(grown, [(InsightKind.SYNTHESIS, (1, 7, 8, 9))])


def test_what_was_rejected_is_not_shown_and_what_was_used_comes_first() -> None:
    found = {1: insight(0.9), 2: insight(0.5), 3: insight(0.5)}
    seen = {1: Feedback(rejected=1), 3: Feedback(applied=1)}

    assert feedback.surfaced(found, seen, {}, 5) == [3, 2]
    assert feedback.surfaced(found, seen, {}, 1) == [3]


@given(COUNTS, COUNTS, st.floats(0, 0.95))
def test_a_score_is_a_share_and_rejection_never_raises_it(
    own: Feedback, kind: Feedback, confidence: float
) -> None:
    value = feedback.score(insight(confidence), own, kind)
    worse = Feedback(own.accepted, own.rejected + 1, own.applied)

    assert 0 <= value <= 1
    assert feedback.score(insight(confidence), worse, kind) <= value
