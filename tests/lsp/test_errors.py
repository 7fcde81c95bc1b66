"""Errors that went away where a memory was read."""

from __future__ import annotations

from lsp.documents import Place
from lsp.errors import READ, Errors
from tests.lsp.fake_daemon import Kept, matched

NOW = 1000.0


def place(line: int, id_: str = "m1", lines: int = 1) -> Place:
    return Place(line, 0, line, 6, matched(Kept(id_, "charge"), lines=lines))


def failing(*lines: int, read: Place | None = None) -> Errors:
    errors = Errors()
    errors.told(lines)
    if read is not None:
        errors.reading(read, NOW)
    return errors


def test_an_error_that_is_gone_after_a_save_is_told_once() -> None:
    errors = failing(4, read=place(3, lines=2))
    errors.told([])

    assert errors.cleared([place(3, lines=2)], NOW + 1) == []  # not saved
    errors.saved = True
    assert errors.cleared([place(3, lines=2)], NOW + 2) == ["m1"]
    assert errors.cleared([place(3, lines=2)], NOW + 3) == []


def test_what_was_read_where_no_error_stood_has_cleared_none() -> None:
    errors = failing(9, read=place(3, lines=2))
    errors.told([])
    errors.saved = True

    assert errors.cleared([place(3)], NOW) == []


def test_an_error_that_only_moved_with_its_lines_stands() -> None:
    errors = failing(4, read=place(3, lines=2))
    errors.told([14])
    errors.saved = True

    assert errors.cleared([place(13, lines=2)], NOW) == []


def test_another_error_in_the_file_holds_up_nothing() -> None:
    errors = failing(4, 50, read=place(4))
    errors.told([50])
    errors.saved = True

    assert errors.cleared([place(4), place(50, "m2")], NOW) == ["m1"]


def test_a_memory_without_a_place_is_asked_about_again_and_forgotten_after_half_an_hour() -> None:
    errors = failing(4, read=place(4))
    errors.told([])
    errors.saved = True

    assert errors.cleared([], NOW) == []
    assert errors.cleared([place(4)], NOW + READ) == ["m1"]

    errors = failing(4, read=place(4))
    errors.told([])
    errors.saved = True

    assert errors.cleared([place(4)], NOW + READ + 1) == []


def test_lines_that_are_none_are_left_out() -> None:
    errors = Errors()
    errors.told(["4", None, -1, 2.5, 7])

    assert errors.lines == {7}
