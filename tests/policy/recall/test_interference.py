"""Memories of one folder that say much the same."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.recall import trial
from actors.policy.recall.trial import Candidate


def test_words_are_split_at_blanks_and_marks_and_short_ones_left_out() -> None:
    words = trial.tokens("Use uv, not pip;now", ["the LOCK|file"])

    assert words == {"use", "not", "pip", "now", "the", "lock", "file"}


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [("abc def ghi", "abc def ghi jkl", 0.75), ("abc", "def", 0), ("", "", 0), ("abc", "abc", 1)],
)
def test_similarity_is_what_two_have_in_common(one: str, other: str, expected: float) -> None:
    sets = trial.tokens(one), trial.tokens(other)

    assert trial.similarity(*sets) == expected


def test_three_quarters_alike_interfere_and_less_do_not() -> None:
    memories = [
        Candidate(1, 0.0, "specs", "abc def ghi"),
        Candidate(2, 0.0, "specs", "abc def ghi jkl"),
        Candidate(3, 0.0, "specs", "abc def xyz"),
        Candidate(4, 0.0, "other", "abc def ghi"),
    ]

    assert trial.interfering(memories) == {1: 1, 2: 1, 3: 0, 4: 0}


def test_three_like_siblings_are_three() -> None:
    memories = [Candidate(number, 0.0, "specs", "retry policy") for number in range(4)]

    assert trial.interfering(memories) == dict.fromkeys(range(4), 3)


@given(st.lists(st.sampled_from(["aaa", "aaa bbb", "aaa bbb ccc", "aaa bbb ccc ddd", ""])))
def test_sorting_by_length_misses_no_pair(titles: list[str]) -> None:
    memories = [Candidate(number, 0.0, "f", title) for number, title in enumerate(titles)]
    naive = dict.fromkeys((memory.identity for memory in memories), 0)
    for one, other in itertools.combinations(memories, 2):
        sets = trial.tokens(one.title), trial.tokens(other.title)
        if trial.similarity(*sets) >= 0.75:
            naive[one.identity] += 1
            naive[other.identity] += 1

    assert trial.interfering(memories) == naive


@pytest.mark.parametrize(
    ("score", "siblings", "expected"),
    [(0.9, 3, 0.66), (0.9, 0, 0.9), (0.1, 5, 0), (1.2, 0, 1), (0.5, -2, 0.5)],
)
def test_each_like_sibling_costs_eight_hundredths(
    score: float, siblings: int, expected: float
) -> None:
    assert trial.lowered(score, siblings) == pytest.approx(expected)
