"""Descriptions of folders: one sentence of each, and the share of a question that it meets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.documents import items
from actors.policy.documents.items import describing, description, matched, terms


def sentence(text: str) -> str:
    return description("packages/api", text).sentence


def test_a_folder_is_described_by_its_title_and_the_first_sentence_that_says_something() -> None:
    text = "# Mailer\n\n![build](b.svg) [docs](https://x.org)\n\nSends receipts by mail. Retries twice.\n"

    assert sentence(text) == "Mailer: Sends receipts by mail."


def test_a_section_on_the_purpose_goes_before_what_stands_first() -> None:
    text = "# Mailer\n\nInstall it with pip today.\n\n## Problem & Purpose\n\nSends receipts by mail.\n"

    assert sentence(text) == "Mailer: Sends receipts by mail."


def test_a_title_that_its_sentence_begins_with_is_said_once() -> None:
    assert sentence("# Mailer\n\nMailer sends receipts.\n") == "Mailer sends receipts."


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", ""),
        ("# Mailer\n\n## Install\n\n    pip install it\n", "Mailer"),
        ("Sends receipts by mail.\n", "Sends receipts by mail."),
        ("# Mailer\n\nhttps://example.org/a/b\n", "Mailer"),
    ],
)
def test_what_is_not_said_is_left_out(text: str, said: str) -> None:
    assert sentence(text) == said


@given(st.text(max_size=400))
def test_a_description_has_at_most_150_characters_on_one_line(text: str) -> None:
    said = sentence(f"# Mailer\n\n{text}")

    assert len(said) <= 150
    assert "\n" not in said


def test_a_long_description_ends_at_a_word() -> None:
    said = sentence(f"# Mailer\n\nSends {'receipts ' * 30}by mail.\n")

    assert said == f"Mailer: Sends {'receipts ' * 15}".rstrip() + "…"


def test_terms_are_words_of_three_letters_that_say_what_is_asked() -> None:
    assert terms("Where do we re-size the IMAGES of an order?") == {"size", "images", "order"}


def test_a_question_is_met_by_the_share_of_its_terms_in_keywords_or_within_the_sentence() -> None:
    found = description("packages/thumbs", "# Thumbs\n\nResizes photographs for orders.\n")

    assert matched(terms("thumbs of orders"), found) == 1.0
    assert matched(terms("photograph tax"), found) == 0.5  # within "photographs"
    assert matched(terms("tax"), found) == 0.0
    assert matched(frozenset(), found) == 0.0


def test_a_folder_has_one_document_and_lies_at_most_three_deep() -> None:
    paths = [
        "README.md", "a/readme.md", "a/spec.md", "a/notes.md", "a/b/c/README.rst",
        "a/b/c/d/README.md", "node_modules/x/README.md",
    ]  # fmt: skip

    assert describing(paths) == {
        "": "README.md",
        "a": "a/spec.md",
        "a/b/c": "a/b/c/README.rst",
    }


def test_a_project_has_at_most_two_hundred_described_folders() -> None:
    assert len(describing(f"p{one}/README.md" for one in range(300))) == items.FOLDERS
