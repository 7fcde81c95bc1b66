"""Variants of a query in other words of the trade, and what they found beside what it did."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.recall.expansion import SYNONYMS, VARIANTS, joined, variants
from tests.policy.adversarial import too_slow

SCORES = st.dictionaries(st.integers(0, 9), st.floats(0.01, 40.0), max_size=6)


def texts(query: str) -> list[str]:
    return [text for text, _, _ in variants(query)]


def test_each_variant_exchanges_one_word_and_names_it() -> None:
    assert variants("fix login error") == [
        ("resolve login error", "fix", "resolve"),
        ("fix authentication error", "login", "authentication"),
    ]
    assert texts("the Database of users") == ["the db of users"]


@pytest.mark.parametrize(
    "query",
    [
        "", "who likes tea", "auth_token", "src/auth/login.py", "error.log", "Error::new", "--cache",
        'find "login error"', "`cache`", "config=1", "test()", "a-test-case", "error:42",
        "authentication or login", "the db, that is: the database",
    ],
)  # fmt: skip
def test_names_paths_quotations_and_what_is_said_already_stay(query: str) -> None:
    assert texts(query) == []


def test_a_word_said_twice_is_exchanged_once() -> None:
    assert texts("cache after cache") == ["caching after cache"]


@given(st.lists(st.sampled_from([*SYNONYMS, "x", '"', "a_b", ","]), max_size=20))
def test_there_are_never_more_than_two(words: list[str]) -> None:
    found = texts(" ".join(words))

    assert len(set(found)) == len(found) <= VARIANTS


def test_the_best_of_a_variant_counts_half_of_the_querys_best() -> None:
    assert joined({1: 6.0, 2: 2.0}, [{2: 10.0, 3: 5.0}], alike=False) == {1: 6.0, 2: 3.0, 3: 1.5}
    assert joined({}, [{4: 10.0, 5: 5.0}], alike=False) == {4: 5.0, 5: 2.5}
    assert joined({1: 10.0}, [{2: 3.0}, {3: 30.0}], alike=False) == {1: 10.0, 2: 5.0, 3: 5.0}


def test_half_of_a_cosine_with_a_variant_counts_where_it_is_more() -> None:
    found = joined({1: 0.3, 2: 0.7}, [{1: 0.8, 2: 0.8, 3: 0.5, 4: -0.5}], alike=True)

    assert found == pytest.approx({1: 0.4, 2: 0.7, 3: 0.25})
    assert joined({1: -0.1}, [{}], alike=True) == {1: -0.1}


@given(SCORES, st.lists(SCORES, max_size=3))
def test_a_variant_takes_nothing_away_and_never_leads(
    own: dict[int, float], others: list[dict[int, float]]
) -> None:
    found = joined(own, others, alike=False)

    assert found.keys() == set(own).union(*others)
    assert all(found[one] >= score for one, score in own.items())
    if own:
        assert max(found.values()) == max(own.values())


def test_no_text_takes_long() -> None:
    assert too_slow(variants) == []
