"""BM25 in memory, by hand.

Row K04.
"""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.text.bm25 import (
    FIELDS,
    K1,
    STOP_WORDS,
    B,
    corpus,
    idf,
    ranked,
    saturated,
    stem,
    tokens,
)


def test_the_parameters_are_those_of_the_documents() -> None:
    """K04"""
    assert (K1, B, len(STOP_WORDS)) == (1.2, 0.75, 66)
    assert dict(FIELDS) == {"title": 10.0, "triggers": 5.0, "generic": 2.0, "body": 1.0}


def test_rarity_by_hand() -> None:
    """K04: ln(95.5 / 5.5 + 1)"""
    assert idf(100, 5) == pytest.approx(2.910372, abs=5e-7)
    assert idf(100, 100) == pytest.approx(math.log(0.5 / 100.5 + 1))


@pytest.mark.parametrize(
    ("word", "stemmed"),
    [
        ("testing", "test"),
        ("tests", "test"),
        ("quickly", "quick"),
        ("creation", "crea"),
        ("boxes", "box"),
        ("parsed", "pars"),
        ("sing", "sing"),
        ("is", "is"),
    ],
)
def test_a_suffix_goes_when_three_letters_stay(word: str, stemmed: str) -> None:
    """K04"""
    assert stem(word) == stemmed


def test_words_lose_case_punctuation_and_the_everyday() -> None:
    assert tokens("The Parser, and its TESTS!") == ["parser", "test"]


def test_a_word_repeated_counts_less_each_time() -> None:
    """K04: at the mean length f * 2.2 / (f + 1.2)"""
    assert saturated(1, 10, 10) == pytest.approx(1.0)
    assert saturated(2, 10, 10) == pytest.approx(4.4 / 3.2)
    assert saturated(1, 20, 10) == pytest.approx(2.2 / 3.1)
    assert saturated(0, 10, 10) == 0.0
    assert saturated(1, 10, 0) == pytest.approx(1.0)


def test_a_title_counts_ten_times_a_body() -> None:
    """K04"""
    texts = {"body": {"body": "redis cache"}, "title": {"title": "redis", "body": "cache"}}

    found = ranked("redis", corpus(texts))

    # Lengths are 2 and 11, their mean 6.5; both texts have the word: idf(2, 2).
    assert [name for name, _ in found] == ["title", "body"]
    assert dict(found) == pytest.approx(
        {"title": idf(2, 2) * saturated(10, 11, 6.5), "body": idf(2, 2) * saturated(1, 2, 6.5)}
    )


def test_a_text_without_a_word_of_the_query_is_not_found() -> None:
    within = corpus({1: {"body": "redis cache"}, 2: {"body": "postgres"}})

    assert [identity for identity, _ in ranked("Caches of Redis?", within)] == [1]
    assert ranked("the of", within) == []
    assert ranked("redis", corpus(dict[int, dict[str, str]]())) == []


@given(st.integers(1, 1000), st.integers(0, 1000), st.integers(0, 1000))
def test_a_rarer_word_never_weighs_less(texts: int, one: int, other: int) -> None:
    rare, frequent = sorted((min(one, texts), min(other, texts)))

    assert idf(texts, rare) >= idf(texts, frequent) > 0


@given(st.floats(0.1, 100), st.floats(1, 1000), st.floats(1, 1000))
def test_no_frequency_is_worth_more_than_its_bound(
    frequency: float, length: float, mean: float
) -> None:
    worth = saturated(frequency, length, mean)

    assert 0 < worth < K1 + 1
    assert worth <= saturated(frequency + 1, length, mean)
