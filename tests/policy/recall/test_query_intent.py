"""What a query is asked for, and how often that is right."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.recall.query_intent import (
    AGAINST,
    FLOOR,
    KEYWORDS,
    PHRASES,
    QueryIntent,
    classified,
    hashed,
    keyword_score,
)
from actors.policy.text.words import stem
from tests.policy.adversarial import too_slow
from tests.policy.recall.query_intent_cases import QUERIES


def _right(first: int, last: int) -> int:
    return sum(
        classified(query).intent is intent
        for intent, queries in QUERIES.items()
        for query in queries[first:last]
    )


def test_seventy_queries_ten_an_intent() -> None:
    assert {intent: len(set(queries)) for intent, queries in QUERIES.items()} == dict.fromkeys(
        QueryIntent, 10
    )


def test_the_queries_the_rules_were_tuned_on_are_classified() -> None:
    assert _right(0, 5) == 35


def test_of_the_queries_left_alone_thirty_three_in_thirty_five_are_right() -> None:
    assert _right(5, 10) >= 33


@pytest.mark.parametrize("query", ["Semantic Search", "", "   ", "redis", "日本語", "security"])
def test_a_query_that_shows_no_intent_is_asked_to_understand(query: str) -> None:
    found = classified(query)

    assert found.intent is QueryIntent.UNDERSTAND
    assert found.confidence < FLOOR


def test_one_keyword_counts_three_tenths() -> None:
    assert [keyword_score(found) for found in range(4)] == pytest.approx([0.0, 0.15, 1.0, 1.0])


def test_two_keywords_are_enough_where_one_is_not() -> None:
    assert classified("login regression").intent is QueryIntent.FIX_BUG  # a phrase as well
    assert classified("csrf hardening").intent is QueryIntent.SECURITY_AUDIT
    assert classified("csrf").intent is QueryIntent.UNDERSTAND


def test_a_negative_phrase_leaves_three_tenths() -> None:
    query = "the security audit of the login"
    before = classified(f"grasp {query}").scores[QueryIntent.SECURITY_AUDIT]
    after = classified(f"understand {query}").scores[QueryIntent.SECURITY_AUDIT]

    assert after == pytest.approx(0.3 * before, rel=0.05)  # the words beside it differ
    assert classified(f"understand {query}").intent is QueryIntent.UNDERSTAND


@pytest.mark.parametrize(
    ("query", "intent"),
    [
        ("how to fix the login", QueryIntent.FIX_BUG),
        ("what is wrong with the parser", QueryIntent.FIX_BUG),
        ("why did we add the retry queue", QueryIntent.UNDERSTAND),
        ("what is the rationale for the new cache", QueryIntent.FIND_DECISION),
        ("find the spec for the auth service", QueryIntent.FIND_SPEC),
    ],
)
def test_phrases_decide_between_neighbours(query: str, intent: QueryIntent) -> None:
    assert classified(query).intent is intent


def test_the_end_of_a_long_query_is_read_too() -> None:
    context = "lorem ipsum " * 400

    assert classified(f"{context} please refactor the importer").intent is QueryIntent.REFACTOR


def test_each_intent_has_fifteen_keywords_phrases_and_what_speaks_against_it() -> None:
    assert {len({stem(word) for word in words}) for words in KEYWORDS.values()} == {15}
    assert set(KEYWORDS) == set(PHRASES) == set(AGAINST) == set(QueryIntent)
    assert len(QueryIntent) == 7


def test_a_hashed_vector_has_length_one() -> None:
    assert sum(weight**2 for weight in hashed(["fix", "bug", "fix"]).values()) == pytest.approx(1)
    assert hashed([]) == {}


@given(st.text(max_size=400))
def test_every_query_has_an_intent_and_scores_between_nothing_and_one(query: str) -> None:
    found = classified(query)

    assert set(found.scores) == set(QueryIntent)
    assert all(0 <= score <= 1 for score in found.scores.values())
    assert found.confidence == max(found.scores.values())


def test_no_text_takes_long() -> None:
    assert too_slow(classified) == []
