"""A query in other words, as its answer, and by what it is meant for."""

import numpy as np
import pytest

from actors.policy.recall.fusion import (
    BY_INTENT,
    SHIPPED,
    beginning,
    between,
    joined,
    synonyms,
    weighed,
)


def test_a_word_has_others_of_its_meaning_and_what_is_asked_is_none_of_them() -> None:
    assert "login" in synonyms(["authentication"])
    assert "auth" not in synonyms(["authentication", "auth"])
    assert synonyms(["whale", "src/auth.py"]) == []


def test_the_best_of_other_words_counts_half_of_the_querys_best() -> None:
    assert joined({1: 6.0, 2: 2.0}, {2: 10.0, 3: 5.0}) == {1: 6.0, 2: 3.0, 3: 1.5}
    assert joined({}, {4: 10.0, 5: 5.0}) == {4: 5.0, 5: 2.5}
    assert joined({1: 6.0}, {}) == {1: 6.0}


def test_a_query_that_says_nothing_has_no_answer() -> None:
    assert beginning(["hardware", "key"]) == "hardware key is"
    assert beginning([]) == ""


def test_half_way_is_the_direction_between_the_vectors() -> None:
    one, other = (np.array(row, np.float32).tobytes() for row in ([3.0, 0.0], [0.0, 0.5]))
    found = np.frombuffer(between(one, other), np.float32)

    assert found.tolist() == pytest.approx([0.707107, 0.707107], abs=1e-6)


@pytest.mark.parametrize(
    ("query", "meant"),
    [
        ("fix the crash of the login", "mending"),
        ("explain how the gate works", "understanding"),
        ("redis", "anything"),
        ("", "anything"),
    ],
)
def test_mending_weighs_words_more_and_understanding_meaning(query: str, meant: str) -> None:
    name, by = weighed(query)

    parts = {one: part for one, part, _ in BY_INTENT} | {"anything": 0.4}
    assert name == meant
    assert by.words == pytest.approx(parts[meant] * 0.75)
    assert by.words + by.vectors == pytest.approx(SHIPPED.words + SHIPPED.vectors)
