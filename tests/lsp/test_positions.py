"""Positions between code points and the editor's units."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lsp.documents import Encoding, column, content, lines_of, units

LINE = "a😀漢é"  # 1, 4, 3, 2 bytes in UTF-8; the second is a surrogate pair in UTF-16
ENCODINGS: tuple[Encoding, ...] = ("utf-8", "utf-16", "utf-32")


@pytest.mark.parametrize(
    ("encoding", "expected"),
    [("utf-8", [0, 1, 5, 8, 10]), ("utf-16", [0, 1, 3, 4, 5]), ("utf-32", [0, 1, 2, 3, 4])],
)
def test_units_are_counted_in_the_encoding_of_the_editor(
    encoding: Encoding, expected: list[int]
) -> None:
    counted = [units(LINE[:end], encoding) for end in range(len(LINE) + 1)]

    assert counted == expected


def test_a_position_inside_a_surrogate_pair_is_the_start_of_its_character() -> None:
    assert column(LINE, 2, "utf-16") == 1


def test_a_position_past_the_end_is_the_end_before_the_line_ending() -> None:
    assert column("ab\r\n", 9, "utf-16") == 2
    assert column("漢字\n", 9, "utf-16") == 2


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", [""]),
        ("a", ["a"]),
        ("a\n", ["a\n", ""]),
        ("a\r\nb\rc\n", ["a\r\n", "b\r", "c\n", ""]),
        ("form\x0cfeed\u2028and\x85next", ["form\x0cfeed\u2028and\x85next"]),
    ],
)
def test_lines_end_where_the_protocol_says(text: str, lines: list[str]) -> None:
    assert lines_of(text) == lines


@given(st.text())
def test_the_lines_together_are_the_text(text: str) -> None:
    lines = lines_of(text)

    assert "".join(lines) == text
    assert all(content(line) != line for line in lines[:-1])
    assert content(lines[-1]) == lines[-1]


@given(st.text(st.characters(exclude_characters="\r\n")), st.sampled_from(ENCODINGS), st.data())
def test_a_code_point_is_found_again_from_its_units(
    line: str, encoding: Encoding, data: st.DataObject
) -> None:
    index = data.draw(st.integers(0, len(line)))

    assert column(line, units(line[:index], encoding), encoding) == index
