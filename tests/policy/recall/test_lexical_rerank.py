"""Lexical reranking and the length penalty."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.recall.lexical_rerank import length_factor, relevance


def test_one_of_two_words_in_a_text_of_the_mean_length_by_hand() -> None:
    """One word saturates to 1 of 2.2; half of the words are there."""
    text = "redis" + " " * 495

    assert relevance("redis port", text) == pytest.approx(1 / 2.2 / 2)


def test_a_shorter_text_with_the_same_word_is_worth_more() -> None:
    """Of 250 characters, 1 / (1 + 1.2 * (.25 + .375)) of 1 * 2.2, over 2.2."""
    assert relevance("redis", "redis" + " " * 245) == pytest.approx(1 / 1.75)


def test_a_query_without_telling_words_finds_nothing() -> None:
    assert relevance("what is the", "what is the port") == 0.0
    assert relevance("redis", "") == 0.0


def test_a_rare_word_decides_between_two_texts() -> None:
    rarity = {"redi": 2.0, "cache": 0.5}

    assert relevance("redis cache", "the redis", rarity) > relevance(
        "redis cache", "the cache", rarity
    )


@pytest.mark.parametrize(
    ("characters", "factor"),
    [(0, 0.9), (49, 0.9), (50, 1.0), (2000, 1.0), (2001, 0.95)],
)
def test_very_short_and_very_long_texts_lose_a_little(characters: int, factor: float) -> None:
    assert length_factor(characters) == factor


@given(st.text("abc ", max_size=40), st.text("abc ", max_size=80))
def test_relevance_is_within_bounds(query: str, text: str) -> None:
    assert 0 <= relevance(query, text) < 1
