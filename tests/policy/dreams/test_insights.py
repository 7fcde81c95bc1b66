"""Insights: their rules, and what people make of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from actors.policy.night import insights
from actors.policy.night.insights import NONE, Feedback, Insight, InsightKind

COUNTS = st.builds(Feedback, *[st.integers(0, 50)] * 3)


def test_a_dream_tells_three_insights_and_the_next_one_three_others() -> None:
    one = Insight(InsightKind.SYNTHESIS, "", (), (), 0.5, 0.5)
    found = [replace(one, text=f"told {n}", memory_ids=(n,), confidence=n / 10) for n in range(9)]
    first = insights.chosen(found)
    second = insights.chosen(found, known=first)

    assert [told.memory_ids for told in first] == [(8,), (7,), (6,)]
    assert [told.memory_ids for told in second] == [(5,), (4,), (3,)]


def test_what_a_better_insight_of_its_kind_tells_is_not_told_again() -> None:
    one = Insight(InsightKind.SYNTHESIS, "a b", (1, 2, 3), (), 0.9, 0.5)
    weaker = replace(one, confidence=0.5, memory_ids=(1, 2, 3))
    stale = replace(one, novelty=0.29, memory_ids=(7, 8, 9))

    assert insights.chosen([weaker, one, stale]) == [one]


@pytest.mark.parametrize(
    ("text", "sources", "expected"),
    [
        ("alpha beta", ["alpha", "alpha"], 0.45),  # .5 * 1/2 + 0 + .2
        ("alpha beta", ["gamma", "delta"], 0.7),
        ("alpha beta", ["alpha beta"] * 5, 0.5),  # 0 + .3 + .2
        ("alpha beta", ["gamma"] * 9, 1.0),
        ("", ["gamma"], 0.3),
    ],
)
def test_novelty_is_what_the_sources_do_not_say(
    text: str, sources: list[str], expected: float
) -> None:
    assert insights.novelty(text, sources) == pytest.approx(expected)


# ---- feedback


def test_without_feedback_an_insight_is_worth_its_confidence() -> None:
    assert insights.score(0.6) == pytest.approx(0.6)
    assert insights.trust(NONE) == pytest.approx(2 / 3)


def test_what_was_accepted_is_worth_more_and_what_was_rejected_nothing() -> None:
    assert insights.score(0.6, Feedback(accepted=1)) == pytest.approx(0.9)
    assert insights.score(0.6, Feedback(rejected=1)) == 0


def test_a_kind_that_is_rejected_again_and_again_is_shown_less_and_at_last_not_at_all() -> None:
    values = [insights.score(0.6, NONE, Feedback(rejected=n)) for n in range(6)]
    silenced = insights.score(0.6, NONE, Feedback(rejected=30))

    assert values == sorted(values, reverse=True)
    assert insights.surfaced({1: silenced}, 9) == []


def test_what_rests_on_most_of_the_same_memories_is_the_same() -> None:
    assert insights.is_same((1, 2, 3, 4), (1, 2, 3))
    assert not insights.is_same((1, 7, 8, 9), (1, 2, 3))
    assert not insights.is_same((), ())


def test_what_scores_higher_is_shown_first() -> None:
    assert insights.surfaced({1: 0.0, 2: 0.5, 3: 0.75}, 5) == [3, 2]
    assert insights.surfaced({1: 0.0, 2: 0.5, 3: 0.75}, 1) == [3]


@given(COUNTS, COUNTS, st.floats(0, 0.95))
def test_a_score_is_a_share_and_rejection_never_raises_it(
    own: Feedback, kind: Feedback, confidence: float
) -> None:
    value = insights.score(confidence, own, kind)
    worse = Feedback(own.accepted, own.rejected + 1, own.applied)

    assert 0 <= value <= 1
    assert insights.score(confidence, worse, kind) <= value
