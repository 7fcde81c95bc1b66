"""A query in other words, as its answer, and by what it is meant for."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.recall import fusion
from actors.policy.recall.rewording import (
    ANYTHING,
    INTENTS,
    SYNONYMS,
    TEMPLATES,
    VARIANTS,
    averaged,
    beginnings,
    intent_of,
    joined,
    middle,
    variants,
    weighed,
)
from tests.policy.adversarial import too_slow

SCORES = st.dictionaries(st.integers(0, 9), st.floats(0.01, 40.0), max_size=6)
SHIPPED = fusion.Settings()


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


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("why did we drop GraphQL?", "The reason drop GraphQL is that"),
        ("how do I  run the tests?", "The steps to run the tests are"),
        ("when did we ship 2.0", "ship 2.0 happened on"),
        ("what is a hardware key?", "hardware key is"),
        ("the port of {0}{}", "port of {0}{} is"),
    ],
)
def test_a_question_becomes_what_it_asks_about(query: str, first: str) -> None:
    assert beginnings(query)[0] == first
    assert len(beginnings(query)) == 3


@pytest.mark.parametrize("query", ["", " \n ", "???"])
def test_a_query_that_says_nothing_has_no_answer(query: str) -> None:
    assert beginnings(query) == ()


def test_each_kind_has_three_templates_that_hold_the_query() -> None:
    assert [len(texts) for _, texts in TEMPLATES] == [3] * len(TEMPLATES)
    assert all(text.count("{}") == 1 for _, texts in TEMPLATES for text in texts)


def test_the_middle_is_the_direction_between_the_vectors() -> None:
    vectors = [np.array(row, np.float32).tobytes() for row in ([3.0, 0.0], [0.0, 0.5])]
    found = np.frombuffer(middle(vectors), np.float32)

    assert found.tolist() == pytest.approx([0.707107, 0.707107], abs=1e-6)


def test_the_middle_of_an_answer_counts_half() -> None:
    assert averaged({1: 0.5, 2: 0.4}, {1: 0.75, 3: 0.5}) == {1: 0.625, 2: 0.4, 3: 0.5}


@pytest.mark.parametrize(
    ("query", "intent"),
    [
        ("fix the crash of the login", "fix bug"),
        ("why did we choose sqlite", "find decision"),
        ("the acceptance criteria of the importer", "find spec"),
        ("csrf hardening of the gateway", "security audit"),
        ("please simplify and rename the parser", "refactor"),
        ("add support for arm builds", "add feature"),
        ("explain how the gate works", "understand"),
        ("redis", "anything"),
        ("", "anything"),
    ],
)
def test_the_intent_with_most_of_its_words_is_meant(query: str, intent: str) -> None:
    assert intent_of(query).name == intent


def test_a_bug_weighs_words_as_much_as_vectors_and_a_specification_less() -> None:
    by = {one.name: weighed(one, SHIPPED) for one in (*INTENTS, ANYTHING)}

    assert (by["fix bug"].words, by["fix bug"].vectors) == pytest.approx((0.375, 0.375))
    assert by["find spec"].words == pytest.approx(1 / 6)
    for one in by.values():
        assert one.words + one.vectors == pytest.approx(SHIPPED.words + SHIPPED.vectors)
        assert replace(one, words=SHIPPED.words, vectors=SHIPPED.vectors) == SHIPPED


@pytest.mark.parametrize("reads", [variants, beginnings, intent_of])
def test_no_text_takes_long(reads: Callable[[str], object]) -> None:
    assert too_slow(reads) == []
