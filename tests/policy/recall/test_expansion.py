"""Variants of a query in other words of the trade: K15."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.recall.expansion import SYNONYMS, VARIANTS, VOCABULARIES, synonyms, variants
from tests.policy.adversarial import too_slow


def test_k15_the_query_comes_first_and_each_variant_exchanges_one_word() -> None:
    assert variants("fix login error") == (
        "fix login error",
        "resolve login error",
        "fix authentication error",
    )


def test_k15_a_word_with_a_synonym_makes_one_variant() -> None:
    assert variants("the Database of users") == ("the Database of users", "the db of users")


@pytest.mark.parametrize(
    "query",
    [
        "", "who likes tea", "auth_token", "src/auth/login.py", "error.log", "Error::new", "--cache",
        'find "login error"', "`cache`", "config=1", "test()", "a-test-case", "error:42",
    ],
)  # fmt: skip
def test_k15_names_paths_and_quotations_mean_what_they_say(query: str) -> None:
    assert variants(query) == (query,)


def test_k15_a_synonym_that_was_said_already_is_not_added() -> None:
    assert variants("authentication or login") == ("authentication or login",)
    assert synonyms("the db, that is: the database") == ()


def test_k15_a_word_said_twice_is_exchanged_once() -> None:
    assert variants("cache after cache") == ("cache after cache", "caching after cache")
    assert synonyms("Cache after cache, and a bug.") == (("cache", "caching"), ("bug", "defect"))


def test_k15_there_are_five_vocabularies_and_no_word_has_two_synonyms() -> None:
    words = [word for vocabulary in VOCABULARIES.values() for word in vocabulary]

    assert list(VOCABULARIES) == ["authentication", "errors", "architecture", "code", "memory"]
    assert all(vocabulary for vocabulary in VOCABULARIES.values())
    assert all(word != other and word.islower() for word, other in SYNONYMS.items())
    assert {word for word in words if words.count(word) > 1} == set()


@given(st.lists(st.sampled_from([*SYNONYMS, "x", '"', "a_b", ","]), max_size=20), st.integers(1, 5))
def test_k15_there_are_never_more_than_asked_for(words: list[str], limit: int) -> None:
    query = " ".join(words)

    found = variants(query, limit)

    assert found[0] == query
    assert len(set(found)) == len(found) <= limit
    assert len(variants(query)) <= VARIANTS == 3


def test_k15_no_text_takes_long() -> None:
    assert too_slow(variants) == []
    assert too_slow(synonyms) == []
