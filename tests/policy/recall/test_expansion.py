"""Variants of a query in other words of the trade."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.recall.expansion import (
    SYNONYMS,
    VARIANTS,
    WORTH,
    joined_cosines,
    joined_words,
    synonyms,
    variants,
)
from tests.policy.adversarial import too_slow

SCORES = st.dictionaries(st.integers(0, 9), st.floats(0.01, 40.0), max_size=6)
COSINES = st.dictionaries(st.integers(0, 9), st.floats(-1.0, 1.0), max_size=6)


def test_the_query_comes_first_and_each_variant_exchanges_one_word() -> None:
    assert variants("fix login error") == (
        "fix login error",
        "resolve login error",
        "fix authentication error",
    )


def test_a_word_with_a_synonym_makes_one_variant() -> None:
    assert variants("the Database of users") == ("the Database of users", "the db of users")


@pytest.mark.parametrize(
    "query",
    [
        "", "who likes tea", "auth_token", "src/auth/login.py", "error.log", "Error::new", "--cache",
        'find "login error"', "`cache`", "config=1", "test()", "a-test-case", "error:42",
    ],
)  # fmt: skip
def test_names_paths_and_quotations_mean_what_they_say(query: str) -> None:
    assert variants(query) == (query,)


def test_a_synonym_that_was_said_already_is_not_added() -> None:
    assert variants("authentication or login") == ("authentication or login",)
    assert synonyms("the db, that is: the database") == ()


def test_a_word_said_twice_is_exchanged_once() -> None:
    assert variants("cache after cache") == ("cache after cache", "caching after cache")
    assert synonyms("Cache after cache, and a bug.") == (("cache", "caching"), ("bug", "defect"))


def test_every_word_is_in_lower_case_and_no_word_is_its_own_synonym() -> None:
    assert all(word != other and word.islower() for word, other in SYNONYMS.items())


@given(st.lists(st.sampled_from([*SYNONYMS, "x", '"', "a_b", ","]), max_size=20), st.integers(1, 5))
def test_there_are_never_more_than_asked_for(words: list[str], limit: int) -> None:
    query = " ".join(words)

    found = variants(query, limit)

    assert found[0] == query
    assert len(set(found)) == len(found) <= limit
    assert len(variants(query)) <= VARIANTS == 3


def test_no_text_takes_long() -> None:
    assert too_slow(variants) == []
    assert too_slow(synonyms) == []


# ---- what variants found, beside what the query did


def test_the_best_of_a_variant_has_its_worth_of_the_querys_best() -> None:
    joined = joined_words({1: 6.0, 2: 2.0}, [{2: 10.0, 3: 5.0}], worth=0.8)

    assert joined == pytest.approx({1: 6.0, 2: 4.8, 3: 2.4})


def test_what_the_query_found_alone_keeps_its_score() -> None:
    assert joined_words({1: 6.0}, [{1: 3.0}]) == {1: 6.0}
    assert joined_cosines({1: 0.5}, [{1: 0.5}]) == {1: 0.5}


def test_a_query_that_found_nothing_is_answered_by_its_variants() -> None:
    assert joined_words({}, [{4: 10.0, 5: 5.0}], worth=0.8) == {4: 8.0, 5: 4.0}


def test_several_variants_are_measured_by_the_query_and_not_by_each_other() -> None:
    joined = joined_words({1: 10.0}, [{2: 3.0}, {3: 30.0}], worth=0.5)

    assert joined == {1: 10.0, 2: 5.0, 3: 5.0}


def test_a_cosine_with_a_variant_counts_less() -> None:
    joined = joined_cosines({1: 0.5, 2: 0.7}, [{1: 0.75, 2: 0.75, 3: 0.5, 4: -0.5}], worth=0.8)

    assert joined == pytest.approx({1: 0.6, 2: 0.7, 3: 0.4})


def test_without_variants_nothing_changes() -> None:
    assert joined_words({1: 6.0}, []) == {1: 6.0}
    assert joined_words({1: 6.0}, [{}]) == {1: 6.0}
    assert joined_cosines({1: -0.1}, [{}]) == {1: -0.1}


@given(SCORES, st.lists(SCORES, max_size=3))
def test_a_variant_takes_nothing_away_and_never_leads(
    own: dict[int, float], others: list[dict[int, float]]
) -> None:
    joined = joined_words(own, others)

    assert joined.keys() == set(own).union(*others)
    assert all(joined[one] >= score for one, score in own.items())
    if own:
        assert max(joined.values()) == max(own.values())


@given(COSINES, st.lists(COSINES, max_size=3))
def test_a_joined_cosine_is_one_that_somebody_has(
    own: dict[int, float], others: list[dict[int, float]]
) -> None:
    for one, cosine in joined_cosines(own, others).items():
        offered = [WORTH * other[one] for other in others if one in other]
        assert cosine in [*offered, own.get(one)]
        assert cosine >= own.get(one, -1.0)
