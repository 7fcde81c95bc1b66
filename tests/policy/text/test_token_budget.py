"""How many tokens an answer has, and what fits."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.text.budget import tokens
from actors.policy.text.token_budget import DEFAULT, Filled, budget, capped, filled


@pytest.mark.parametrize(
    ("complexity", "granted"), [("simple", 1500), ("moderate", 2500), ("complex", 4000)]
)
def test_a_harder_question_has_more_room(complexity: str, granted: int) -> None:
    assert budget(complexity) == granted


def test_what_a_caller_asks_for_is_kept_within_bounds() -> None:
    assert [capped(asked) for asked in (0, 100, 5000, 10**6)] == [100, 100, 5000, 100_000]


def test_four_characters_are_a_token_and_a_rest_is_one_more() -> None:
    assert [tokens(text) for text in ("", "abcd", "abcde")] == [0, 1, 2]
    assert DEFAULT == 2000


def test_a_smaller_result_fits_after_one_too_large() -> None:
    assert filled("abcd", {"a": 50, "b": 60, "c": 30, "d": 21}, 100) == Filled(("a", "c"), 80)


def test_the_best_is_kept_even_if_it_is_too_large() -> None:
    assert filled("ab", {"a": 500, "b": 1}, 100) == Filled(("a",), 500)
    assert filled("", {}) == Filled((), 0)


@given(st.lists(st.integers(0, 3000)), st.integers(100, 5000))
def test_the_budget_holds(sizes: list[int], granted: int) -> None:
    by_place = dict(enumerate(sizes))

    answer = filled(list(by_place), by_place, granted)

    assert answer.used == sum(by_place[one] for one in answer.identities)
    assert answer.used <= granted or len([one for one in answer.identities if by_place[one]]) == 1
