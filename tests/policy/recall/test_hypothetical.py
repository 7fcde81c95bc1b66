"""What an answer might begin with."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.recall.hypothetical import (
    TEMPLATES,
    Kind,
    averaged_cosines,
    centroid,
    hypotheses,
    kind_of,
)
from tests.policy.adversarial import too_slow


@pytest.mark.parametrize(
    ("query", "kind"),
    [
        ("what is a write-ahead log?", Kind.DEFINITION),
        ("What are embeddings", Kind.DEFINITION),
        ("define idempotency", Kind.DEFINITION),
        ("what does backpressure mean", Kind.DEFINITION),
        ("how do I run the migrations", Kind.HOW_TO),
        ("how to deploy", Kind.HOW_TO),
        ("steps to rotate the keys", Kind.HOW_TO),
        ("why did we drop GraphQL", Kind.REASONING),
        ("the rationale for uv", Kind.REASONING),
        ("when did we ship 2.0", Kind.TEMPORAL),
        ("what broke yesterday", Kind.TEMPORAL),
        ("how long does the build take", Kind.TEMPORAL),
        ("the error in parse_frame", Kind.TECHNICAL),
        ("daemon/wire.py", Kind.TECHNICAL),
        ("the primary database for the Acme API", Kind.TECHNICAL),
        ("Caroline's favourite painter", Kind.LOOKUP),
        ("", Kind.LOOKUP),
    ],
)
def test_the_kind_of_answer_a_query_wants(query: str, kind: Kind) -> None:
    assert kind_of(query) is kind


def test_the_templates_of_a_definition_are_those_of_the_source() -> None:
    assert hypotheses("What is spreading activation?") == (
        "What is spreading activation?",
        "spreading activation is a concept that involves",
        "The definition of spreading activation in the context of",
        "spreading activation refers to a type of",
    )


def test_a_question_becomes_what_it_asks_about() -> None:
    assert hypotheses("how do I  run the tests?")[1:] == (
        "The steps to run the tests are",
        "To run the tests, first",
        "We run the tests by running",
    )


def test_a_query_of_question_words_alone_stays_what_it_is() -> None:
    assert hypotheses("why?")[1] == "The reason why is that"
    assert hypotheses("???")[1] == "??? is"


def test_braces_in_a_query_are_only_text() -> None:
    assert hypotheses("what is {0}{}")[0] == "what is {0}{}"


def test_an_empty_query_has_no_answer() -> None:
    assert hypotheses(" \n ") == ()


@given(st.text(min_size=1).filter(lambda text: bool(text.strip())))
def test_there_are_three_to_five_and_the_query_leads(query: str) -> None:
    found = hypotheses(query)

    assert 3 <= len(found) <= 5
    assert found[0] == " ".join(query[:400].split())


def test_each_of_the_six_kinds_has_templates_that_hold_the_query() -> None:
    assert set(TEMPLATES) == set(Kind)
    assert len(Kind) == 6
    assert all(text.count("{}") == 1 for texts in TEMPLATES.values() for text in texts)


def test_the_centroid_is_the_direction_between_the_vectors() -> None:
    found = centroid([[3.0, 0.0], [0.0, 0.5]])

    assert found.tolist() == pytest.approx([0.707107, 0.707107], abs=1e-6)
    assert found.dtype == np.float32


@pytest.mark.parametrize("vectors", [[[0.0, 0.0]], [[1.0, 0.0], [-1.0, 0.0]]])
def test_vectors_without_a_common_direction_give_zeros(vectors: list[list[float]]) -> None:
    assert centroid(vectors).tolist() == [0.0, 0.0]


@given(
    st.lists(
        st.lists(st.floats(0.015625, 100, width=32), min_size=4, max_size=4), min_size=1, max_size=5
    )
)
def test_the_centroid_has_length_one_whatever_the_order(rows: list[list[float]]) -> None:
    found = centroid(rows)

    assert float(np.linalg.norm(found)) == pytest.approx(1.0, abs=1e-5)
    assert centroid(rows[::-1]).tolist() == pytest.approx(found.tolist(), abs=1e-5)


def test_no_text_takes_long() -> None:
    assert too_slow(hypotheses) == []


def test_the_middle_of_an_answer_counts_half() -> None:
    assert averaged_cosines({1: 0.5, 2: 0.4}, {1: 0.75, 3: 0.5}) == {1: 0.625, 2: 0.4, 3: 0.5}
