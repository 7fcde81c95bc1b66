"""A connection on its own thread, with every statement run to its end; functions that write by it.

apsw executes lazily: an unexhausted cursor leaves the later statements of a script unrun, silently.
Everything here fetches all. apsw's own types are partly unknown to one of our type checkers; this
is the boundary where they become plain.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeVar, cast, get_origin, get_type_hints

import apsw
import msgspec
from msgspec import Struct
from msgspec.structs import asdict

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., int])
Value = None | int | float | str | bytes | object
Values = Sequence[Value] | Mapping[str, Value]
Read = Callable[[Any], Any]  # of a column, what it means
Row = tuple[Any, ...]  # columns of a SQLite row: their types are the query's affair

ConstraintError = apsw.ConstraintError
BusyError = apsw.BusyError


def columns(record: Struct) -> dict[str, Any]:
    """The fields of a value by their names, as values of a statement with ``:name``."""
    values = asdict(record)
    return {name: one.value if isinstance(one, Enum) else one for name, one in values.items()}


class Sql:
    """The blocking face of one connection; used only on the connection's thread."""

    __slots__ = ("raw",)

    def __init__(self, raw: apsw.Connection) -> None:
        self.raw = raw
        raw.convert_binding = _bound

    def rows(self, statement: str, values: Values = ()) -> list[Row]:
        """All rows of the statement (or script)."""
        execute = cast("Callable[..., Iterable[Row]]", self.raw.execute)
        return list(execute(statement, values))

    def each(self, statement: str, values: Values = ()) -> Iterator[Row]:
        """Rows one by one, of a query possibly failing on its way."""
        execute = cast("Callable[..., Iterable[Row]]", self.raw.execute)
        yield from execute(statement, values)

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

    def put(self, table: str, then: str = "", /, **values: Value) -> int:
        """Insert a row by its columns; ``then``: in a conflict. Returns the number of rows changed."""
        names, places = ", ".join(values), ", ".join(f":{name}" for name in values)
        return self.change(f"INSERT INTO {table} ({names}) VALUES ({places}) {then}", values)

    def change(self, statement: str, values: Values = ()) -> int:
        """Number of rows changed by the statement."""
        self.rows(statement, values)
        return self.raw.changes()

    def number(self, statement: str, values: Values = ()) -> int:
        """The integer in the first column of the first row; 0 when there is none."""
        found = self.rows(statement, values)
        return int(found[0][0] or 0) if found else 0

    def value(self, statement: str, values: Values = ()) -> Any:
        """The first column of the first row; ``None`` when there is none."""
        return next(iter(self.column(statement, values)), None)

    def column(self, statement: str, values: Values = ()) -> list[Any]:
        """The first column of all rows."""
        return [row[0] for row in self.rows(statement, values)]

    def records(self, kind: Callable[..., T], statement: str, values: Values = ()) -> list[T]:
        """All rows as structs or named tuples, with the columns as fields in their order.

        The last field may be a struct, of the remaining columns.
        """
        reads, last = _shape(kind)
        made: list[T] = []
        for row in self.rows(statement, values):
            fields = list(row)
            for place, read in reads:
                fields[place] = read(fields[place])
            if last is not None:
                place, struct = last
                fields[place:] = (struct(*fields[place:]),)
            made.append(kind(*fields))
        return made

    def record(self, kind: Callable[..., T], statement: str, values: Values = ()) -> T | None:
        """The first row as ``records`` has it; ``None`` when there is none."""
        return next(iter(self.records(kind, statement, values)), None)

    def named(self, statement: str, values: Values = ()) -> list[dict[str, Value]]:
        """All rows by the names of their columns."""
        execute = cast("Callable[..., apsw.Cursor]", self.raw.execute)
        cursor = execute(statement, values)
        return [
            dict(zip((name for name, _ in cursor.get_description()), row, strict=True))
            for row in cursor
        ]

    def add_columns(self, table: str, **definitions: str) -> list[str]:
        """Add the columns missing from a table; returns their names.

        SQLite has no ADD COLUMN IF NOT EXISTS.
        """
        there = self.column("SELECT name FROM pragma_table_info(?)", (table,))
        missing = [name for name in definitions if name not in there]
        for name in missing:
            self.rows(f"ALTER TABLE {table} ADD COLUMN {name} {definitions[name]}")
        return missing

    def last_id(self) -> int:
        """The row id of the last insert."""
        return self.raw.last_insert_rowid()

    def in_transaction(self) -> bool:
        """Return whether a transaction is open."""
        return self.raw.in_transaction

    def tokens(self, tokenizer: str, text: str) -> list[str]:
        """Tokens of the text by a full-text tokenizer."""
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


def _bound(_cursor: object, _number: int, value: Any) -> str:
    """Several values as a JSON array, for ``json_each``; of a hash its hexadecimal digits."""
    return json.dumps([one.hex() if isinstance(one, bytes) else one for one in value])


@cache
def _shape(kind: Hashable) -> tuple[list[tuple[int, Read]], tuple[int, type[Struct]] | None]:
    """Places and readers of fields of types missing from SQLite; place and kind of a last struct."""
    hints: list[Any] = list(get_type_hints(kind).values())
    reads = [(place, read) for place, hint in enumerate(hints) if (read := _read(hint)) is not None]
    is_struct = isinstance(hints[-1], type) and issubclass(hints[-1], Struct)
    return reads, (len(hints) - 1, cast("type[Struct]", hints[-1])) if is_struct else None


def _read(hint: Any) -> Read | None:
    """Reader of a flag, a member of an enumeration, a tuple or a mapping from a column."""
    if get_origin(hint) is tuple:
        return lambda array: tuple(msgspec.json.decode(array))
    if get_origin(hint) is Mapping:
        return json.loads
    return hint if isinstance(hint, type) and issubclass(hint, bool | Enum) else None


# ---- functions that write


WRITES: Final[dict[type, Callable[[Sql, Any], int]]] = {}  # by the kind of write


def writes(function: F) -> F:
    """Mark a function as the one that carries out writes of its second parameter's type.

    Its result is a number of its own.
    """
    WRITES[list(get_type_hints(function).values())[1]] = function
    return function
