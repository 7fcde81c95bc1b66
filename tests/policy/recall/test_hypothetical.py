"""What an answer might begin with."""

import numpy as np
import pytest

from actors.policy.recall.hypothetical import TEMPLATES, averaged, beginnings, middle
from tests.policy.adversarial import too_slow


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


def test_no_text_takes_long() -> None:
    assert too_slow(beginnings) == []
