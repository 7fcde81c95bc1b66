"""Instructions that a client loads, and notes that say no more than they do."""

from __future__ import annotations

import pytest

from actors.policy.session.ledger import LASTING, READ, sayings, stands_in

RULES = """# Rules

- Never push to main; open a pull request.
- The staging database listens on port 5433.
- **Tests** run with `make check`, never with pytest alone.
"""


@pytest.mark.parametrize(
    "note",
    [
        "never push to main",
        "The staging database listens on port 5433.",
        "Staging database: port 5433",
        "We should never push to main. Staging listens on port 5433.",
        "tests never run with pytest alone",
    ],
)
def test_a_note_that_says_no_more_stands_there(note: str) -> None:
    assert stands_in(note, [sayings(RULES)])


@pytest.mark.parametrize(
    "note",
    [
        "push to main",
        "never push to the release branch",
        "The staging database listens on port 5434.",
        "The production database listens on port 5433.",
        "Never push to main. The deploy runs at night.",
        "Yes.",
        "",
    ],
)
def test_a_note_that_says_more_or_otherwise_does_not(note: str) -> None:
    assert not stands_in(note, [sayings(RULES)])


def test_a_note_of_words_from_several_sentences_does_not() -> None:
    assert not stands_in("tests listen on port 5433", [sayings(RULES)])


def test_no_more_is_read_than_a_client_would_load() -> None:
    assert not stands_in("never push to main", [sayings("x. " * READ + RULES)])


def test_each_sentence_of_a_note_may_stand_in_another_file() -> None:
    other = sayings("The deploy runs at night.")

    assert stands_in("Never push to main. The deploy runs at night.", [sayings(RULES), other])
    assert not stands_in("Never push to main.", [])


@pytest.mark.parametrize(
    ("reason", "lasting"),
    [("session_start", True), ("compact", True), ("nested_traversal", False), ("", False)],
)
def test_the_client_brings_back_what_it_loads_by_itself(reason: str, lasting: bool) -> None:
    assert (reason in LASTING) is lasting
