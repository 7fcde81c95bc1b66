"""Whether a text makes use of what only a memory had said."""

from __future__ import annotations

import pytest

from actors.policy.session.citation import (
    Sort,
    cited,
    confirmed,
    edited,
    left,
    said_keys,
    specifics,
    subjects,
)
from actors.policy.text.turn import Turn
from tests.policy.session.citation_cases import (
    AGREES,
    CITES,
    CITES_LATER,
    DISAGREES,
    DOES_NOT,
    DOES_NOT_LATER,
    Case,
)


def is_cited(case: Case) -> bool:
    memory, prompt, answer = case
    return cited(left(specifics(memory), said_keys(prompt)), said_keys(answer))


def test_the_detector_is_precise_and_says_what_it_misses() -> None:
    """At least .95 of what it calls a citation is one; the recall is printed."""
    missed = [case for case in CITES if not is_cited(case)]
    wrong = [case for case in DOES_NOT if is_cited(case)]
    found = len(CITES) - len(missed)
    precision, recall = found / (found + len(wrong)), found / len(CITES)
    print(f"\ncitation: precision {precision:.3f}, recall {recall:.3f} of {len(CITES)}")  # noqa: T201
    print(f"of {len(DOES_NOT)} others wrong: {wrong}; missed: {missed}")  # noqa: T201

    assert precision >= 0.95
    assert recall >= 0.8


def test_it_is_as_precise_on_cases_that_nobody_fitted() -> None:
    found = sum(map(is_cited, CITES_LATER))
    wrong = [case for case in DOES_NOT_LATER if is_cited(case)]
    print(f"\nlater cases: {found} of {len(CITES_LATER)} cited, wrong {wrong}")  # noqa: T201

    assert wrong == []
    assert found >= 10


def test_a_path_is_known_by_its_last_piece_unless_many_have_it() -> None:
    assert set(specifics("see src/billing/ledger.py")) == {"p:ledger.py"}
    assert set(specifics("see src/billing/__init__.py")) == {"p:billing/__init__.py"}
    assert "p:ledger.py" in said_keys("open `ledger.py`")


def test_an_identifier_is_one_in_every_spelling() -> None:
    assert set(specifics("call getUserHandle")) & said_keys("get_user_handle(x)") == {
        "i:getuserhandle"
    }


@pytest.mark.parametrize(
    ("text", "key", "weight"),
    [
        ("port 5433", "n:5433", 1.0),
        ("port 5,433", "n:5433", 1.0),
        ("port 8080", "n:8080", 0.3),  # everybody's
        ("since 2024", "n:2024", 0.3),  # a year
        ("after 30 seconds", "n:30 second", 0.7),
        ("after 30s", "n:30 second", 0.7),
        ("version v2.3.1", "n:2.3.1", 0.8),
    ],
)
def test_a_number_weighs_by_how_seldom_it_is_said(text: str, key: str, weight: float) -> None:
    found = specifics(text)

    assert found[key].sort is Sort.NUMBER
    assert found[key].weight == weight


@pytest.mark.parametrize("text", ["12 of them", "run the tests", "the database server", "and/or"])
def test_what_everybody_says_is_not_distinctive(text: str) -> None:
    assert specifics(text) == {}


def test_what_the_session_has_said_before_shows_nothing() -> None:
    wanted = specifics("The staging database listens on port 5433.")

    assert cited(wanted, said_keys("it is 5433"))
    assert not cited(left(wanted, said_keys("is 5433 right?")), said_keys("it is 5433"))


def test_one_rare_word_shows_nothing_and_three_that_are_half_do() -> None:
    wanted = specifics("archive ledgers, vouchers, receipts, stubs")

    assert not cited(wanted, said_keys("the vouchers"))
    assert not cited(wanted, said_keys("vouchers and receipts"))
    assert cited(wanted, said_keys("the ledger, a voucher, receipts"))


def test_three_rare_words_of_many_are_chance() -> None:
    long = "otters badgers weasels ferrets martens stoats polecats wolverines"

    assert not cited(specifics(long), said_keys("otters badgers weasels"))


def test_half_is_enough_when_it_is_most_of_what_was_new() -> None:
    """A name alone is .7: all that a short memory said, little of a long one."""
    assert cited(specifics("we ask Marta"), said_keys("Marta knows"))
    assert not cited(
        specifics("we ask Marta about otters, badgers, weasels"), said_keys("Marta knows")
    )


def test_an_edit_of_the_file_or_of_the_symbol_is_seen() -> None:
    about = subjects(specifics("`retry_budget` in billing/ledger.py is per tenant"))

    assert edited(about, "/home/x/billing/ledger.py", "")
    assert edited(about, "/home/x/other.py", "retry_budget = 3")
    assert not edited(about, "/home/x/other.py", "tenant = 3")


@pytest.mark.parametrize("prompt", AGREES)
def test_agreement_is_heard(prompt: str) -> None:
    assert confirmed(Turn(prompt))


@pytest.mark.parametrize("prompt", DISAGREES)
def test_what_is_no_agreement_is_not(prompt: str) -> None:
    assert not confirmed(Turn(prompt))
