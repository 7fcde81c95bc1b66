"""Traces of turns: two have to do with each other when they share a file, a name or a phrase."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.decay.capture import OF_TURN, SIZE, TRACES, packed, touched, unpacked

EDIT = touched("charge_card waits", ["/p/src/pay/queue.py"])


@pytest.mark.parametrize(
    "text",
    [
        "why does src/pay/queue.py lock?",
        "rename charge_card to charge",
        "call `charge_card()` twice",
    ],
)
def test_a_prompt_shares_the_file_or_the_symbol_that_it_names(text: str) -> None:
    assert touched(text) & EDIT


@pytest.mark.parametrize(
    ("one", "other", "shares"),
    [
        ("use the outbox table here", "the outbox tables are full", True),
        ("number the invoices by year", "by year, number the invoices", True),
        ("fix the failing test please", "run the failing test again", False),
        ("what is going on?", "what is going on?", False),
    ],
)
def test_a_phrase_is_two_words_beside_each_other_that_are_not_both_everyday(
    one: str, other: str, shares: bool
) -> None:
    assert bool(touched(one) & touched(other)) is shares


def test_a_name_that_many_folders_have_counts_with_its_folder() -> None:
    assert not touched("", ["/p/a/__init__.py"]) & touched("", ["/p/b/__init__.py"])
    assert touched("", ["/p/a/__init__.py"]) & touched("", ["a/__init__.py"])


@given(st.text(max_size=400), st.lists(st.text(max_size=20), max_size=99))
def test_what_is_kept_is_bounded_and_comes_back_as_it_was(text: str, paths: list[str]) -> None:
    found = touched(text, paths)
    whole = packed(found)

    assert len(found) <= TRACES
    assert unpacked(whole) == found
    assert len(packed(frozenset(bytes([n, m]) * 4 for n in range(20) for m in range(20)))) == (
        OF_TURN * SIZE
    )
