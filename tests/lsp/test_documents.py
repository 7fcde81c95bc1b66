"""Documents: edits and what they do to the matches, which lines are matched and when, positions in the editor's units."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types

from daemon.shapes.memory import MatchView
from lsp.documents import (
    NEAR,
    Document,
    Encoding,
    Place,
    Span,
    Unread,
    column,
    content,
    lines_of,
    placed,
    units,
)
from tests.shapes import match_view

TEXTS = st.text(st.sampled_from(string.ascii_lowercase[:3] + "\n\r\x0c😀漢"), max_size=20)


def memory(start: int = 0, end: int = 1, id_: str = "m1", score: float = 0.9) -> MatchView:
    return match_view(start=start, end=end, id=id_, score=score)


def document(text: str, *places: Place) -> Document:
    lines = lines_of(text)
    opened = Document("file:///a", "/a", 1, lines, Unread(len(lines)))
    opened.keep_found(Span(0, len(lines)), places)
    return opened


def replaced(
    first: int, start: int, last: int, end: int, text: str
) -> types.TextDocumentContentChangeEvent:
    return types.TextDocumentContentChangePartial(
        types.Range(types.Position(first, start), types.Position(last, end)), text
    )


def place(line: int, last: int | None = None) -> Place:
    return Place(line, 0, line if last is None else last, 1, memory())


def test_an_edit_of_its_line_removes_a_match() -> None:
    opened = document("one\ntwo\nthree", place(0), place(1), place(2))
    opened.apply(replaced(1, 3, 1, 3, "!"), "utf-16", now=5.0)

    assert [match.line for match in opened.places] == [0, 2]
    assert opened.unread.settled(now=6.0, quiet=1.0) == [Span(1, 2)]


def test_lines_added_above_move_a_match() -> None:
    opened = document("one\ntwo", place(1))
    opened.apply(replaced(0, 0, 0, 0, "a\nb\n"), "utf-16", now=5.0)

    assert opened.lines == ["a\n", "b\n", "one\n", "two"]
    assert [match.line for match in opened.places] == [3]


def test_lines_removed_above_move_a_match() -> None:
    opened = document("one\ntwo\nthree\nfour", place(0), place(3))
    opened.apply(replaced(1, 0, 3, 0, ""), "utf-16", now=5.0)

    assert opened.lines == ["one\n", "four"]
    assert [match.line for match in opened.places] == [0, 1]


def test_enter_at_the_end_of_a_line_keeps_its_match() -> None:
    opened = document("one\ntwo", place(0), place(1))
    opened.apply(replaced(1, 3, 1, 3, "\n"), "utf-16", now=5.0)

    assert [match.line for match in opened.places] == [0, 1]
    assert opened.unread.settled(now=9.0, quiet=1.0) == [Span(2, 3)]


def test_a_match_over_two_lines_goes_when_either_changes() -> None:
    opened = document("one\ntwo\nthree", place(0, 1))
    opened.apply(replaced(1, 0, 1, 0, "x"), "utf-16", now=5.0)

    assert opened.places == []


def test_a_whole_new_text_keeps_the_matches_of_lines_that_stay() -> None:
    opened = document("one\ntwo\nthree", place(0), place(2))
    opened.apply(
        types.TextDocumentContentChangeWholeDocument("one\nnew\nnewer\nthree"), "utf-16", now=5.0
    )

    assert [match.line for match in opened.places] == [0, 3]


def test_a_line_feed_joins_the_carriage_return_before_it() -> None:
    opened = document("one\rtwo")
    opened.apply(replaced(1, 0, 1, 3, "\n"), "utf-16", now=5.0)

    assert opened.lines == ["one\r\n", ""]


def test_found_matches_replace_those_of_their_lines_only() -> None:
    opened = document("one\ntwo\nthree", place(0), place(1))
    opened.keep_found(Span(1, 2), [place(2), place(1, 2)])

    assert [(match.line, match.last_line) for match in opened.places] == [(0, 0), (1, 2)]


def test_matches_are_placed_by_line_and_column() -> None:
    lines = ["ab\n", "漢字\r\n", "c"]
    places = placed([memory(1, 2), memory(3, 5), memory(4, 8), memory(8, 9)], 10, lines)

    assert [(p.line, p.start, p.last_line, p.end) for p in places] == [
        (10, 1, 10, 2),
        (11, 0, 11, 2),
        (11, 1, 12, 1),
    ]  # the last one lies outside the text


@given(TEXTS, TEXTS, st.data())
def test_an_edit_of_lines_is_an_edit_of_the_text(
    before: str, text: str, data: st.DataObject
) -> None:
    opened = document(before)
    points = [
        (line, column)
        for line, content in enumerate(opened.lines)
        for column in range(len(content.rstrip("\r\n")) + 1)
    ]
    first = data.draw(st.integers(0, len(points) - 1))
    (line, start), (last, end) = (
        points[first],
        points[data.draw(st.integers(first, len(points) - 1))],
    )
    from_, to = (
        sum(map(len, opened.lines[:row])) + column for row, column in ((line, start), (last, end))
    )
    edit = replaced(
        line,
        units(opened.lines[line][:start], "utf-16"),
        last,
        units(opened.lines[last][:end], "utf-16"),
        text,
    )
    opened.apply(edit, "utf-16", now=1.0)

    after = before[:from_] + text + before[to:]
    assert opened.lines == lines_of(after)
    assert opened.unread.due(0.0) in (None, 1.0)


@given(st.lists(st.sampled_from("abc"), max_size=12), st.lists(st.sampled_from("abc"), max_size=12))
def test_a_match_stays_exactly_on_lines_that_say_the_same(old: list[str], new: list[str]) -> None:
    opened = document("\n".join(old), *(place(line) for line in range(len(old))))
    opened.apply(types.TextDocumentContentChangeWholeDocument("\n".join(new)), "utf-16", now=1.0)

    changed = opened.unread.settled(now=9.0, quiet=0.0)
    unread = {line for span in changed for line in range(*span)}
    assert not unread & {match.line for match in opened.places}
    assert all(0 <= match.line < max(1, len(new)) for match in opened.places)


# ---- which lines are matched, and when


def read(lines: int) -> Unread:
    unread = Unread(lines)
    unread.read(Span(0, lines))
    return unread


def test_a_changed_line_is_due_when_it_was_left_alone() -> None:
    unread = read(3)
    unread.replace(Span(1, 2), 1, now=10.0)

    assert unread.due(0.8) == pytest.approx(10.8)
    assert unread.settled(now=10.7, quiet=0.8) == []
    assert unread.settled(now=10.8, quiet=0.8) == [Span(1, 2)]


def test_typing_on_keeps_a_line_waiting() -> None:
    unread = read(3)
    unread.replace(Span(1, 2), 1, now=10.0)
    unread.replace(Span(1, 2), 1, now=10.5)

    assert unread.settled(now=11.0, quiet=0.8) == []


def test_near_lines_are_asked_as_one() -> None:
    unread = read(60)
    for line in (2, 10, 50):
        unread.replace(Span(line, line + 1), 1, now=0.0)

    assert unread.settled(now=9.0, quiet=0.8) == [Span(2, 11), Span(50, 51)]


def test_a_line_being_typed_is_not_asked_with_its_neighbours() -> None:
    unread = read(9)
    for line, at in ((2, 0.0), (4, 9.0), (6, 0.0)):
        unread.replace(Span(line, line + 1), 1, now=at)

    assert unread.settled(now=9.5, quiet=0.8) == [Span(2, 3), Span(6, 7)]


def test_forgotten_lines_are_due_again_but_not_sooner_than_those_being_typed() -> None:
    unread = read(3)
    unread.replace(Span(1, 2), 1, now=10.0)
    unread.forget(at=9.0)

    assert unread.settled(now=10.0, quiet=0.8) == [Span(0, 1), Span(2, 3)]


@given(st.lists(st.sampled_from([None, 0.0, 10.0]), max_size=80), st.integers(1, NEAR + 5))
def test_every_settled_line_is_in_a_span_and_no_typed_one(
    changed: list[float | None], stretch: int
) -> None:
    lines = [at for at in changed for _ in range(stretch)]
    unread = read(len(lines))
    for line, at in enumerate(lines):
        if at is not None:
            unread.replace(Span(line, line + 1), 1, now=at)

    spans = unread.settled(now=10.5, quiet=0.8)

    covered = {line for span in spans for line in range(*span)}
    assert {line for line, at in enumerate(lines) if at == 0.0} <= covered
    assert not {line for line, at in enumerate(lines) if at == 10.0} & covered


# ---- positions between code points and the editor's units


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
