"""Memories of one folder that say much the same."""

import itertools
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.recall import trial


def test_words_are_split_at_blanks_and_marks_and_short_ones_left_out() -> None:
    words = trial.tokens("Use uv, not pip;now the LOCK|file")

    assert words == {"use", "not", "pip", "now", "the", "lock", "file"}


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [("abc def ghi", "abc def ghi jkl", 0.75), ("abc", "def", 0), ("", "", 0), ("abc", "abc", 1)],
)
def test_similarity_is_what_two_have_in_common(one: str, other: str, expected: float) -> None:
    sets = trial.tokens(one), trial.tokens(other)

    assert trial.similarity(*sets) == expected


def test_three_quarters_alike_interfere_and_less_do_not() -> None:
    memories = {
        1: ("specs", "abc def ghi"),
        2: ("specs", "abc def ghi jkl"),
        3: ("specs", "abc def xyz"),
        4: ("other", "abc def ghi"),
        5: (None, "abc def ghi"),
    }

    assert trial.interfering(memories) == {1: 1, 2: 1}


def test_three_like_siblings_are_three() -> None:
    memories = dict.fromkeys(range(4), ("specs", "retry policy"))

    assert trial.interfering(memories) == dict.fromkeys(range(4), 3)


@given(st.lists(st.sampled_from(["aaa", "aaa bbb", "aaa bbb ccc", "aaa bbb ccc ddd", ""])))
def test_sorting_by_length_misses_no_pair(titles: list[str]) -> None:
    naive: Counter[int] = Counter()
    for (one, text), (other, beside) in itertools.combinations(enumerate(titles), 2):
        if trial.similarity(trial.tokens(text), trial.tokens(beside)) >= 0.75:
            naive.update((one, other))

    assert trial.interfering({n: ("f", title) for n, title in enumerate(titles)}) == naive


@pytest.mark.parametrize(
    ("score", "siblings", "expected"),
    [(0.9, 3, 0.66), (0.9, 0, 0.9), (0.1, 5, 0), (1.2, 0, 1), (0.5, -2, 0.5)],
)
def test_each_like_sibling_costs_eight_hundredths(
    score: float, siblings: int, expected: float
) -> None:
    assert trial.lowered(score, siblings) == pytest.approx(expected)
