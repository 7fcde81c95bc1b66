"""Insights: their rules, and what people make of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from actors.policy.night import insights
from actors.policy.night.insights import Feedback, Insight, InsightKind

COUNTS = st.builds(Feedback, *[st.integers(0, 50)] * 3)


def test_a_dream_tells_three_insights_and_the_next_one_three_others() -> None:
    one = Insight(InsightKind.SYNTHESIS, "", (), (), 0.5)
    found = [replace(one, text=f"told {n}", memory_ids=(n,), confidence=n / 10) for n in range(9)]
    first = insights.chosen(found)
    second = insights.chosen(found, known=first)

    assert [told.memory_ids for told in first] == [(8,), (7,), (6,)]
    assert [told.memory_ids for told in second] == [(5,), (4,), (3,)]


def test_what_a_better_insight_of_its_kind_tells_is_not_told_again() -> None:
    one = Insight(InsightKind.SYNTHESIS, "a b", (1, 2, 3), (), 0.9)
    weaker = replace(one, confidence=0.5, memory_ids=(1, 2, 3))

    assert insights.chosen([weaker, one]) == [one]


def test_what_rests_on_most_of_the_same_memories_is_the_same() -> None:
    assert insights.is_same((1, 2, 3, 4), (1, 2, 3))
    assert not insights.is_same((1, 7, 8, 9), (1, 2, 3))
    assert not insights.is_same((), ())


def test_what_was_accepted_is_worth_more_and_what_was_rejected_nothing() -> None:
    assert insights.score(0.6, Feedback()) == pytest.approx(0.6)
    assert insights.score(0.6, Feedback(accepted=1)) == pytest.approx(0.9)
    assert insights.score(0.6, Feedback(rejected=1)) == 0


@given(COUNTS, st.floats(0, 0.95))
def test_a_score_is_a_share_and_rejection_never_raises_it(own: Feedback, confidence: float) -> None:
    value = insights.score(confidence, own)
    worse = Feedback(own.accepted, own.rejected + 1, own.applied)

    assert 0 <= value <= 1
    assert insights.score(confidence, worse) <= value
