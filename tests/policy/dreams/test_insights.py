"""Insights: their rules, and what people make of them."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.dreams import insights
from actors.policy.dreams.insights import NONE, Feedback, Insight, InsightKind

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


def test_three_sources_six_uses_and_half_an_overlap_make_57() -> None:
    assert insights.confidence(3, 6, 0.5) == pytest.approx(0.57)
    assert insights.confidence(9, 99, 1) == 0.95


@given(st.integers(0, 50), st.floats(0, 100), st.floats(0, 1))
def test_confidence_is_bounded_and_grows_with_sources(
    sources: int, accesses: float, overlap: float
) -> None:
    value = insights.confidence(sources, accesses, overlap)

    assert 0 <= value <= 0.95
    assert value <= insights.confidence(sources + 1, accesses, overlap)


# ---- feedback


def insight(confidence: float = 0.6, ids: tuple[int, ...] = (1, 2, 3)) -> Insight:
    return Insight(InsightKind.SYNTHESIS, "told", ids, (), confidence, 0.5)


def test_without_feedback_an_insight_is_worth_its_confidence() -> None:
    assert insights.score(insight()) == pytest.approx(0.6)
    assert insights.trust(NONE) == pytest.approx(2 / 3)


def test_what_was_accepted_is_worth_more_and_what_was_rejected_nothing() -> None:
    assert insights.score(insight(), Feedback(accepted=1)) == pytest.approx(0.9)
    assert insights.score(insight(), Feedback(rejected=1)) == 0


def test_a_kind_that_is_rejected_again_and_again_is_shown_less() -> None:
    values = [insights.score(insight(), NONE, Feedback(rejected=n)) for n in range(6)]

    assert values == sorted(values, reverse=True)
    assert (
        insights.surfaced({1: insight()}, {}, {InsightKind.SYNTHESIS: Feedback(rejected=30)}, 9)
        == []
    )


def test_what_was_rejected_does_not_come_back_with_one_memory_more() -> None:
    grown = insight(ids=(1, 2, 3, 4))

    assert insights.is_rejected(grown, [(InsightKind.SYNTHESIS, (1, 2, 3))])
    assert not insights.is_rejected(grown, [(InsightKind.CONTRADICTION, (1, 2, 3))])
    assert not insights.is_rejected(grown, [(InsightKind.SYNTHESIS, (1, 7, 8, 9))])


def test_what_was_rejected_is_not_shown_and_what_was_used_comes_first() -> None:
    found = {1: insight(0.9), 2: insight(0.5), 3: insight(0.5)}
    seen = {1: Feedback(rejected=1), 3: Feedback(applied=1)}

    assert insights.surfaced(found, seen, {}, 5) == [3, 2]
    assert insights.surfaced(found, seen, {}, 1) == [3]


@given(COUNTS, COUNTS, st.floats(0, 0.95))
def test_a_score_is_a_share_and_rejection_never_raises_it(
    own: Feedback, kind: Feedback, confidence: float
) -> None:
    value = insights.score(insight(confidence), own, kind)
    worse = Feedback(own.accepted, own.rejected + 1, own.applied)

    assert 0 <= value <= 1
    assert insights.score(insight(confidence), worse, kind) <= value
