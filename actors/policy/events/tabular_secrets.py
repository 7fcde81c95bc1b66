"""Values below the name of their column.

Loaded by the hook by its path: see `redaction`.
"""

from __future__ import annotations

from actors.policy.events.given_values import Given
from actors.policy.events.secret_values import LONG, compiled, is_secret
from actors.policy.events.secret_words import kind_of

TYPE_CHECKING = False  # the constant of typing, which costs a hook 10 ms to import
if TYPE_CHECKING:
    Span = tuple[int, int, str]  # start, end, kind


class Table:
    """The last table that was read: its rows, and how many names of its head were followed."""

    __slots__ = ("begin", "end", "followed", "head")

    def __init__(self) -> None:
        self.begin = self.end = self.head = self.followed = 0


def below(given: Given, end: int, table: Table, spans: list[Span]) -> None:
    """Judge the cells below a name at the head of a column."""
    text = given.text
    if text[end : end + 1] not in "\"'`* \t|,;\r\n":
        return
    if text[end : end + 1] == " " and text[end + 1 : end + 2] not in " \t|,;\r\n":
        return  # as in most sentences
    if not compiled(r"[\"'`*]{0,2}[ \t]{0,40}(?:[|\t,;\r\n]|[ ]{2})").match(text, end):
        return
    first = text.rfind("\n", max(0, given.start - 400), given.start) + 1
    last = text.find("\n", end, end + 400)
    if last < 0 or given.start - first > 400:
        return
    head = text[first:last]
    split = next(
        (mark for mark in ("|", "\t", ",", ";", "  ") if mark in head.strip(" \t\r,;")), ""
    )
    if table.head != first:
        table.head, table.followed = first, 0
    table.followed += 1
    if not split or table.followed > 4:
        return
    cells = head.count(split)
    column = given.start - first if split == "  " else head[: given.start - first].count(split)
    table.begin = at = last + 1
    while at < len(text):
        stop = text.find("\n", at)
        stop = len(text) if stop < 0 else stop
        row = text[at:stop]
        if compiled(r"[ \t]{0,8}[+|:\-= ]{3,}\r?\Z").match(row) is None:
            cell = _aligned(row, column) if split == "  " else _separated(row, column, split, cells)
            if cell is None:
                break
            _judge_cell(given, cell[1], at + cell[0], spans)
        at = stop + 1
    table.end = at


def _separated(row: str, column: int, split: str, cells: int) -> tuple[int, str] | None:
    """Return where a cell begins in a row of cells with a separator, and its text."""
    parts = row.split(split)
    if len(parts) != cells + 1:
        return None
    return sum(len(part) + 1 for part in parts[:column]), parts[column]


def _aligned(row: str, column: int) -> tuple[int, str] | None:
    """Return the cell at a column in a row whose columns are set with blanks."""
    cell = compiled(r"\S{1,120}").match(row, column)
    if cell is None or row[column - 1 : column].strip() or "  " not in row.strip():
        return None
    return column, cell.group()


def _judge_cell(given: Given, cell: str, offset: int, spans: list[Span]) -> None:
    """Keep where a cell's value is if it is a secret."""
    value = cell.strip(" \t\r\"'`")
    if is_secret(value[:LONG], given.says, "cell", False, False):
        start = offset + cell.index(value)
        spans.append((start, start + len(value), kind_of(given.name)))
