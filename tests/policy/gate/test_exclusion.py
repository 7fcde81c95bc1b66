"""Which texts may end each other, or become one."""

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.gate import contradiction
from actors.policy.gate.gate_features import read

CODE = "def area(a, b):\n    return a * b\n    # {square: metres}\n"


def ends(incoming: str, existing: str) -> bool:
    return contradiction.may_end_unannounced(incoming, read(incoming), existing, read(existing))


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
    [
        ("I'm so tired of the garden work", "I'm so excited about the garden work"),
        ("I've finished the fence of the garden", "I'm painting the fence of the garden"),
        ("On 9 May Ruth flew to Oslo with Paul.", "On 5 May Ruth flew to Rome with Paul."),
        ("Ruth loves sailing.", "Ruth is fond of old maps, finding each of them fascinating."),
        ("Never deploy the ledger on Fridays", "The ledger was deployed on a Friday"),
        (
            "The search service is written in Rust.",
            "The search service is written in Go. It answers in 20 ms. Alerts go to a channel.",
        ),
        ("Paul tells Ruth not to give up", "Paul tells Ruth to go on with her plans"),
        ("Ruth writes songs when there is no concert", "Ruth won the concert and sings for money"),
        ("The app supports Android 10 and newer.", "The app supports iOS 16 and newer."),
        ("The installer needs CMake 3.20", "The installer needs GCC 12"),
        ("The back end requires Redis 7", "The back end requires Postgres 15"),
        ("Tested on Firefox 121", "Tested on Chrome 120"),
    ],
)
def test_without_a_word_that_announces_it_only_a_claim_about_the_same_ends_a_text(
    incoming: str, existing: str
) -> None:
    assert not ends(incoming, existing)


@pytest.mark.parametrize(
    ("incoming", "existing"),
    [
        ("The port is 81", "The port is 80"),
        ("Ruth: I don't eat fish", "Ruth: I eat fish"),
        ("I live in Rome", "I live in Oslo"),
        ("Never push to main!", "Push to main!"),
        ("The fence is painted by nobody", "The fence is painted by Ruth"),
        ("Note: branches are not squashed", "Decision: branches are squashed"),
        ("The service listens on port 9000, not 80", "The service listens on port 8080"),
        ("The record was released in May", "The record was released in March"),
        ("They stop the game", "They start the game"),
        ("The app supports iOS 16 and newer.", "The app supports iOS 15 and newer."),
        ("The back end runs on Redis 7", "The back end runs on Postgres 15"),
        (
            "The search service is written in Rust and has 40 endpoints.",
            "The search service is written in Go. It has 40 endpoints.",
        ),
    ],
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
