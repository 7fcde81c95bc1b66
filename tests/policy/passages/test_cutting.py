"""Cutting of summaries and turns into passages."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from actors.policy.documents.sections import sections
from actors.policy.events.events import Event, EventKind, Tool
from actors.policy.passages import (
    LEAST,
    MOST,
    NOTHING_SAID,
    PROMPTS,
    TITLE,
    Exchange,
    Piece,
    after,
    document,
    summary,
    turn,
)

PARAGRAPH = "The cache keeps its entries for an hour because the upstream is slow. "


def test_a_turn_that_fits_is_one_passage_with_its_prompt_as_title() -> None:
    (only,) = turn(("Why is it slow?", "I mean the cache."), "It reads every row.")

    assert only.title == "I mean the cache."
    assert only.text == "Why is it slow?\n\nI mean the cache.\n\nIt reads every row."


def test_a_long_answer_is_cut_between_paragraphs_and_each_piece_is_titled() -> None:
    paragraphs = [f"{number}. {PARAGRAPH * 5}".strip() for number in range(12)]

    pieces = turn(("Why?",), "\n\n".join(paragraphs))

    assert len(pieces) > 3
    assert {one.title for one in pieces} == {"Why?"}
    assert "\n\n".join(one.text for one in pieces) == "\n\n".join(("Why?", *paragraphs))
    assert all(one.text.endswith("slow.") for one in pieces)


def test_what_is_short_joins_what_stands_beside_it() -> None:
    pieces = summary(f"{PARAGRAPH * 16}\n\nThat is all.")

    assert pieces[-1].text.endswith("That is all.")
    assert all(LEAST <= len(one.text) <= MOST for one in pieces)


def test_a_document_is_cut_at_its_headings_and_short_sections_stand_together() -> None:
    long = (PARAGRAPH * 5).strip()
    text = f"# Guide\n\n## Why\n\n{long}\n\n## Keys\n\nTwo.\n\n## Age\n\nAn hour.\n"

    assert document(sections(text)) == (
        Piece("Guide › Why", long),
        Piece("Guide › Keys", "Two.\n\nAge\n\nAn hour."),
    )


def test_a_short_section_joins_no_longer_one_than_fits() -> None:
    pieces = document(sections(f"## Keys\n\nTwo.\n\n## Why\n\n{PARAGRAPH * 20}"))

    assert pieces[0] == Piece("Keys", "Two.")
    assert {one.title for one in pieces[1:]} == {"Why"}


def test_nothing_said_is_no_passage() -> None:
    assert turn((), "") == ()
    assert summary(" \n") == ()


@given(st.text(max_size=4_000), st.text(max_size=300))
def test_no_word_is_lost(text: str, prompt: str) -> None:
    pieces = turn((prompt,), text)

    assert "".join("".join(one.text.split()) for one in pieces) == "".join(
        f"{prompt}{text}".split()
    )
    assert all(len(one.title) <= TITLE for one in pieces)


# ---- turns: what was said, up to the answer


def prompt(text: str, **other: Any) -> Event:
    return Event("claude", EventKind.PROMPT, "s1", prompt=text, **other)


def ended(message: str) -> Event:
    return Event("claude", EventKind.TURN_END, "s1", message=message)


def through(*events: Event) -> list[Exchange | None]:
    """The exchange settled by each event, numbered from 1."""
    turn, settled = NOTHING_SAID, list[Exchange | None]()
    for seq, event in enumerate(events, start=1):
        turn, done = after(turn, event, seq)
        settled.append(done)
    return settled


def test_an_answer_settles_every_prompt_since_the_last_one() -> None:
    said = through(prompt("Do it"), prompt("No, the other one"), ended("Done."), ended("And more."))

    assert said == [None, None, Exchange(("Do it", "No, the other one"), 1), Exchange((), 4)]


def test_what_a_client_or_a_subagent_wrote_is_nobodys_word() -> None:
    notified = "<task-notification>done</task-notification>"
    said = through(prompt(notified), prompt("count", agent_id="a1"), ended("Reviewed."))

    assert said[-1] == Exchange((), 3)


def test_a_choice_that_was_asked_for_is_said_too() -> None:
    answers = {"answers": {"Which store?": "SQLite"}}
    asking = Event("claude", EventKind.TOOL, "s1", tool=Tool("AskUserQuestion", response=answers))

    assert through(prompt("Build it"), asking, ended("Built."))[-1] == Exchange(
        ("Build it", "Asked “Which store?”: SQLite"), 1
    )


def test_a_session_that_ends_in_the_middle_of_a_turn_settles_it() -> None:
    end = Event("claude", EventKind.SESSION_END, "s1")

    assert through(prompt("One more thing"), end, end) == [
        None,
        Exchange(("One more thing",), 1),
        None,
    ]


def test_of_a_turn_without_end_the_last_words_stay() -> None:
    said = through(*(prompt(str(number)) for number in range(20)), ended("."))[-1]

    assert said is not None
    assert said.said == tuple(str(number) for number in range(20 - PROMPTS, 20))
