"""Memories of one folder that say much the same: D08."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.recall import trial
from actors.policy.recall.trial import Sibling


def test_d08_words_are_split_at_blanks_and_marks_and_short_ones_left_out() -> None:
    words = trial.tokens("Use uv, not pip;now", ["the LOCK|file"])

    assert words == {"use", "not", "pip", "now", "the", "lock", "file"}


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [("abc def ghi", "abc def ghi jkl", 0.75), ("abc", "def", 0), ("", "", 0), ("abc", "abc", 1)],
)
def test_d08_similarity_is_what_two_have_in_common(one: str, other: str, expected: float) -> None:
    sets = trial.tokens(one), trial.tokens(other)

    assert trial.similarity(*sets) == expected


def test_d08_three_quarters_alike_interfere_and_less_do_not() -> None:
    memories = [
        Sibling("a", "specs", "abc def ghi"),
        Sibling("b", "specs", "abc def ghi jkl"),
        Sibling("c", "specs", "abc def xyz"),
        Sibling("d", "other", "abc def ghi"),
    ]

    assert trial.interfering(memories) == {"a": 1, "b": 1, "c": 0, "d": 0}


def test_d08_three_like_siblings_are_three() -> None:
    memories = [Sibling(name, "specs", "retry policy") for name in "abcd"]

    assert trial.interfering(memories) == dict.fromkeys("abcd", 3)


def test_d08_the_threshold_is_an_argument() -> None:
    memories = [Sibling("a", "f", "abc def"), Sibling("b", "f", "abc xyz")]

    assert trial.interfering(memories, threshold=0.3) == {"a": 1, "b": 1}


@given(st.lists(st.sampled_from(["aaa", "aaa bbb", "aaa bbb ccc", "aaa bbb ccc ddd", ""])))
def test_d08_sorting_by_length_misses_no_pair(titles: list[str]) -> None:
    memories = [Sibling(str(number), "f", title) for number, title in enumerate(titles)]
    naive = dict.fromkeys((memory.memory_id for memory in memories), 0)
    for one, other in itertools.combinations(memories, 2):
        sets = trial.tokens(one.title), trial.tokens(other.title)
        if trial.similarity(*sets) >= 0.75:
            naive[one.memory_id] += 1
            naive[other.memory_id] += 1

    assert trial.interfering(memories) == naive


@pytest.mark.parametrize(
    ("score", "siblings", "expected"),
    [(0.9, 3, 0.66), (0.9, 0, 0.9), (0.1, 5, 0), (1.2, 0, 1), (0.5, -2, 0.5)],
)
def test_d08_each_like_sibling_costs_eight_hundredths(
    score: float, siblings: int, expected: float
) -> None:
    assert trial.lowered(score, siblings) == pytest.approx(expected)
