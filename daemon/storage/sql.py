"""A connection on its own thread, with every statement run to its end.

apsw executes lazily: a cursor that is not exhausted leaves the later statements of a
script unrun, silently. Everything here fetches all. apsw's own types are partly
unknown to one of our type checkers; this is the boundary where they become plain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import apsw

Value = None | int | float | str | bytes | object
Values = Sequence[Value] | Mapping[str, Value]
Row = tuple[Any, ...]  # columns of a SQLite row: their types are the query's affair

ConstraintError = apsw.ConstraintError
BusyError = apsw.BusyError


class Sql:
    """The blocking face of one connection; used only on the connection's thread."""

    __slots__ = ("raw",)

    def __init__(self, raw: apsw.Connection) -> None:
        self.raw = raw

    def rows(self, statement: str, values: Values = ()) -> list[Row]:
        """All rows of the statement (or script)."""
        execute = cast("Callable[..., Iterable[Row]]", self.raw.execute)
        return list(execute(statement, values))

    def many(self, statement: str, rows: Iterable[Values]) -> None:
        """The statement once a row of values."""
        execute = cast("Callable[..., Iterable[Row]]", self.raw.executemany)
        for _ in execute(statement, rows):
            pass

    def insert(self, start: str, rows: Sequence[Sequence[Value]], size: int, end: str = "") -> None:
        """Insert so many rows a statement; ``start`` goes up to VALUES, ``end`` follows the rows.

        SQLite works without Python's lock inside a statement, and asks for it after each: with one
        a row, whoever computes meanwhile makes it wait every time, up to 5 ms.
        """
        for at in range(0, len(rows), size):
            some = rows[at : at + size]
            places = f"({','.join('?' * len(some[0]))})"
            statement = f"{start} {','.join([places] * len(some))} {end}"
            self.rows(statement, [value for row in some for value in row])

    def change(self, statement: str, values: Values = ()) -> int:
        """How many rows the statement changed."""
        self.rows(statement, values)
        return self.raw.changes()

    def number(self, statement: str, values: Values = ()) -> int:
        """The integer in the first column of the first row; 0 when there is none."""
        found = self.rows(statement, values)
        return int(found[0][0] or 0) if found else 0

    def last_id(self) -> int:
        """The row id of the last insert."""
        return self.raw.last_insert_rowid()

    def in_transaction(self) -> bool:
        """Whether a transaction is open."""
        return self.raw.in_transaction

    def tokens(self, tokenizer: str, text: str) -> list[str]:
        """What a full-text tokenizer makes of the text."""
        name, *arguments = tokenizer.split()
        split = self.raw.fts5_tokenizer(name, arguments)
        return [
            str(token)
            for token in split(
                text.encode(),
                apsw.FTS5_TOKENIZE_QUERY,
                None,
                include_offsets=False,
                include_colocated=False,
            )
        ]

    def copy_to(self, path: Path) -> None:
        """Write a consistent copy of the database to this path."""
        copy = apsw.Connection(str(path))
        try:
            with copy.backup("main", self.raw, "main") as backup:
                backup.step()
        finally:
            copy.close()

    def load_extension(self, path: Path) -> None:
        """Load one extension, and let nobody load another."""
        self.raw.enable_load_extension(True)
        try:
            self.raw.load_extension(str(path))
        finally:
            self.raw.enable_load_extension(False)
