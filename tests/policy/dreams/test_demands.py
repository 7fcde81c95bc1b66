"""How a person wants an agent to work, and when two ways of saying it are one demand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.night.demands import (
    LEAST,
    LONGEST,
    SHARE,
    demanded,
    is_the_same,
    likeness,
    typical,
)

REMARKS = "please answer every remark directly with the commit that fixes it"
AGAIN = "answer the remarks and name the commit of each, directly"


@pytest.mark.parametrize(
    "sentence",
    [
        REMARKS,
        AGAIN,
        "Don't write any code before I approved the plan",
        "If a requirement is unclear, ask me.",
        "There is no need to wait after each subtask.",
        "can we run the linter and all tests",
        "Put the commit message into one block that I can copy",
    ],
)
def test_a_sentence_that_says_how_to_work_is_a_demand(sentence: str) -> None:
    assert len(demanded(sentence)) >= LEAST


@pytest.mark.parametrize(
    ("sentence", "why"),
    [
        ("commit and push please", "a next step, without a how"),
        ("please make every panel of the lamp brighter", "about the product"),
        ("Before you commit, run src/checks.py", "about a file"),
        ("Only review the first two of these comments", "about the work at hand"),
        ("why do all the tests wait for the clock?", "a question"),
        ("The tests wait until the port is free", "a statement"),
        ("Before you delete a row, ask in a dialog", "about what the product shows"),
        ("please write our changes and push them too", "an errand that leaves the machine"),
        (f"please review every test {'of the long list ' * 12}", "too long"),
    ],
)
def test_other_sentences_demand_nothing(sentence: str, why: str) -> None:
    assert demanded(sentence) == frozenset(), why


def test_the_same_demand_in_other_words_is_alike() -> None:
    assert likeness(demanded(REMARKS), demanded(AGAIN)) == pytest.approx(4 / 6)


def test_demands_that_share_no_word_of_the_trade_are_not_alike() -> None:
    lamp = frozenset({"lamp", "shade", "glow"})

    assert likeness(lamp | {"test"}, lamp | {"commit"}) == 0.0


def test_two_words_in_common_are_too_few() -> None:
    assert likeness(frozenset({"commit", "messag"}), frozenset({"commit", "messag"})) == 0.0


def test_to_do_and_not_to_do_are_not_alike() -> None:
    do, never = (
        demanded("please write the code before the plan"),
        demanded("don't write the code before the plan"),
    )

    assert likeness(do, never) == 0.0


def test_few_words_that_fit_into_a_longer_sentence_are_not_nearly_the_same() -> None:
    short, long = (
        demanded("please run all tests"),
        demanded("please run all tests of the lamp, then wait"),
    )

    assert likeness(short, long) == 1.0
    assert not is_the_same(short, long)
    assert is_the_same(long, long)


def test_the_most_typical_demand_shares_most_and_adds_least() -> None:
    kinds = [frozenset("abcxyz"), frozenset("abcd"), frozenset("abcde")]

    assert typical(kinds) == 1


WORDS = st.frozensets(st.sampled_from("commit review test plan lamp glow shade cord".split()))


@given(WORDS, WORDS)
def test_likeness_is_symmetric_and_either_nothing_or_enough(
    one: frozenset[str], other: frozenset[str]
) -> None:
    found = likeness(one, other)

    assert found == likeness(other, one)
    assert found == 0.0 or SHARE <= found <= 1.0


@given(st.text(max_size=2 * LONGEST))
def test_whatever_is_typed_is_read(text: str) -> None:
    assert len(demanded(text)) != 1
