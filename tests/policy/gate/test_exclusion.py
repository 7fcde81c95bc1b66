"""Which texts may end each other, or become one."""

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.gate import contradiction
from actors.policy.gate.gate_features import read
from tests.tables import rows

CODE = "def area(a, b):\n    return a * b\n    # {square: metres}\n"


def ends(incoming: str, existing: str) -> bool:
    return contradiction.may_end_unannounced(read(incoming), read(existing))


@pytest.mark.parametrize(
    ("incoming", "existing"),
    [
        ("Ruth: I never eat fish.", "Paul: I eat fish on Fridays."),
        ("acme cache: kept for an hour", "acme log: kept for a day"),
        ("Is the port not 80?", "The port is 80."),
        ("The port is not 80.", "Is the port 80?"),
        ("Thanks, Paul. No fish for me.", "Fish for me."),
        ("Hey Paul! No news from the shop.", "Hey Ruth! News from the shop."),
        ("The shop originally ran on Perl.", "The shop runs on Go."),
        (CODE, CODE.replace("*", "+")),
    ],
)
def test_other_voices_questions_chatter_code_and_the_past_end_nothing(
    incoming: str, existing: str
) -> None:
    assert not contradiction.may_end(incoming, existing)
    assert not ends(incoming, existing)


@pytest.mark.parametrize(
    ("incoming", "existing"),
    rows(__file__, "without_a_word_that_announces_it_only_a_claim_about_the_same_ends_a_text"),
)
def test_without_a_word_that_announces_it_only_a_claim_about_the_same_ends_a_text(
    incoming: str, existing: str
) -> None:
    assert not ends(incoming, existing)


@pytest.mark.parametrize(
    ("incoming", "existing"),
    rows(__file__, "a_claim_about_the_same_may_end_a_text"),
)
def test_a_claim_about_the_same_may_end_a_text(incoming: str, existing: str) -> None:
    assert ends(incoming, existing)


def test_what_was_before_may_end_what_was_before() -> None:
    assert contradiction.may_end(
        "The shop originally ran on Perl", "The shop first used to run on C"
    )


@pytest.mark.parametrize(
    ("incoming", "existing"),
    [
        ("Ruth: the trip was lovely", "Paul: the trip was lovely"),
        ("Ruth thanks Paul for his help", "Paul is thankful for the help of Ruth"),
        ("The shop is closed in August for cleaning", "The shop is closed for cleaning"),
        ("We moved CI from GitHub Actions to Buildkite", "Our CI runs on GitHub Actions"),
        ("The shop switched to Rust from Go", "The shop runs on Go"),
        ("I prefer spaces over tabs", "I prefer tabs over spaces"),
        (CODE, CODE.replace("*", "+")),
    ],
)
def test_what_would_be_lost_is_kept_beside(incoming: str, existing: str) -> None:
    assert not contradiction.may_be_one(incoming, existing)


@pytest.mark.parametrize(
    ("incoming", "existing"),
    [
        ("Delete unused imports", "Remove unused imports"),
        ("Ruth expresses thanks to Paul", "Ruth thanks Paul"),
        ("In May Ruth was in Oslo", "Ruth was in Oslo in May"),
        ("Tabs over spaces, please", "Please, tabs over spaces"),
    ],
)
def test_the_same_in_other_words_may_become_one(incoming: str, existing: str) -> None:
    assert contradiction.may_be_one(incoming, existing)


@given(st.text(alphabet="an'’-. not\n", max_size=80), st.text(max_size=80))
def test_any_text_is_judged(one: str, other: str) -> None:
    assert ends(one, other) <= contradiction.may_end(one, other)
    assert contradiction.may_be_one(one, other) in (True, False)


def test_a_long_word_costs_no_more_than_its_length() -> None:
    word = "n" * 200_000
    began = process_time()

    ends(f"{word} not here", f"{word} here")
    contradiction.may_be_one(word, word)

    assert process_time() - began < 2.0
