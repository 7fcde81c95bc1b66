"""Cutting of summaries and turns into passages."""

from hypothesis import given
from hypothesis import strategies as st

from actors.policy.documents.sections import sections
from actors.policy.passages import LEAST, MOST, TITLE, Piece, document, summary, turn

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
