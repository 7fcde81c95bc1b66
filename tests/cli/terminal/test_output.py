"""Text for people: ages, tables, and nothing that acts on a terminal."""

from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daemon.commands.terminal.output import json_text
from daemon.commands.terminal.words import age, columns, one_line, printable, shortened, table

DAY = 86_400.0
DIRECTING = {"LRE", "RLE", "PDF", "LRO", "RLO", "LRI", "RLI", "FSI", "PDI"}


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.0, "just now"),
        (59.0, "just now"),
        (60.0, "1 minute ago"),
        (7_200.0, "2 hours ago"),
        (3 * DAY, "3 days ago"),
        (14 * DAY, "2 weeks ago"),
        (40 * DAY, "1 month ago"),
        (800 * DAY, "2 years ago"),
        (-3_600.0, "in the future"),
    ],
)
def test_an_age_is_said_in_its_largest_unit(seconds: float, words: str) -> None:
    assert age(seconds) == words


def test_stored_text_cannot_act_on_the_terminal() -> None:
    hostile = "a\x1b[2J\x1b]0;title\x07b\x9bc\u202ed\r\n"

    shown = printable(hostile)

    assert not set(shown) & {"\x1b", "\x07", "\x9b", "\u202e", "\r"}
    assert shown.endswith("\n")


@given(st.text())
def test_what_is_shown_is_printable(text: str) -> None:
    assert all(character in "\n\t" or character.isprintable() for character in printable(text))
    assert one_line(text).isprintable()


HOSTILE = "a\x1b[2J \x7f \x9b31m \u202eevil\u2066 \u200f\u061c \u2028 \ufeff \U000e0041 b"


def test_json_has_control_and_direction_characters_escaped() -> None:
    written = json_text({"text": HOSTILE, HOSTILE: ["ü", "\N{GRINNING FACE}"]}).decode()

    assert json.loads(written) == {"text": HOSTILE, HOSTILE: ["ü", "\N{GRINNING FACE}"]}
    assert written.isprintable()
    assert "ü" in written
    assert r"\u202eevil\u2066" in written
    assert r"\udb40\udc41" in written


@given(st.text())
def test_json_says_what_was_said_and_acts_on_no_terminal(text: str) -> None:
    written = json_text([text]).decode()

    assert json.loads(written) == [text]
    assert not any(unicodedata.category(one) in ("Cc", "Zl", "Zp") for one in written)
    assert not any(unicodedata.bidirectional(one) in DIRECTING for one in written)


def test_wide_characters_take_two_columns() -> None:
    assert columns("漢字") == 4
    assert columns("e\u0301") == 1
    assert shortened("漢字漢字", 5) == "漢字…"


@given(st.text(), st.integers(0, 30))
def test_a_shortened_text_fits(text: str, width: int) -> None:
    assert columns(shortened(text, width)) <= width


@given(st.lists(st.tuples(st.text(), st.text(), st.text()), max_size=8), st.integers(1, 120))
def test_no_line_of_a_table_is_wider_than_the_terminal(
    rows: list[tuple[str, str, str]], width: int
) -> None:
    lines = table(rows, width)

    assert len(lines) == len(rows)
    assert all(columns(line) <= width for line in lines)


def test_a_table_is_aligned_and_cut_in_its_last_column() -> None:
    rows = [["a1", "3 days ago", "x" * 50], ["b", "1 day ago", "y"]]

    lines = table(rows, 40)

    assert lines == ["a1  3 days ago  " + "x" * 23 + "…", "b   1 day ago   y"]
