"""BM25 in memory, by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.recall.lexical_rerank import (
    K1,
    STOP_WORDS,
    B,
    saturated,
    stem,
    tokens,
)


def test_the_parameters_are_those_of_the_documents() -> None:
    assert (K1, B, len(STOP_WORDS)) == (1.2, 0.75, 66)


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
    assert stem(word) == stemmed


def test_words_lose_case_punctuation_and_the_everyday() -> None:
    assert tokens("The Parser, and its TESTS!") == ["parser", "test"]


def test_a_word_repeated_counts_less_each_time() -> None:
    """At the mean length f * 2.2 / (f + 1.2)"""
    assert saturated(1, 10, 10) == pytest.approx(1.0)
    assert saturated(2, 10, 10) == pytest.approx(4.4 / 3.2)
    assert saturated(1, 20, 10) == pytest.approx(2.2 / 3.1)
    assert saturated(0, 10, 10) == 0.0
    assert saturated(1, 10, 0) == pytest.approx(1.0)


@given(st.floats(0.1, 100), st.floats(1, 1000), st.floats(1, 1000))
def test_no_frequency_is_worth_more_than_its_bound(
    frequency: float, length: float, mean: float
) -> None:
    worth = saturated(frequency, length, mean)

    assert 0 < worth < K1 + 1
    assert worth <= saturated(frequency + 1, length, mean)
