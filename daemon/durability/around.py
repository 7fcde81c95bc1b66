"""Rows of a damaged table: read from both ends, and around unreadable parts."""

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import Final

import apsw

from daemon.storage.database.sql import Row, Sql, Values

ROWID: Final = ("rowid",)
UNREADABLE: Final = (apsw.Error, UnicodeDecodeError)
BEYOND: Final = 1_000  # keys past the last one read, when the end of a tree cannot be
MOST: Final = 1_000_000  # keys past it at most, whatever a number says that may be damaged

Part = Generator[Row, None, tuple[int | None, bool]]  # the last key, and whether there was an end


@dataclass(frozen=True, slots=True)
class Table:
    """A table as it is read in the order of its tree."""

    name: str
    columns: tuple[str, ...]
    key: tuple[str, ...]  # the row id, or the columns of its primary key
    is_numbered: bool  # the key begins with an integer


def table(sql: Sql, name: str) -> Table:
    """The table of this name; a column that is another name of the row id is read as the id."""
    ((rowless,),) = sql.rows("SELECT wr FROM pragma_table_list(?) WHERE schema = 'main'", (name,))
    rows = sql.rows("SELECT name, type, pk FROM pragma_table_info(?)", (name,))
    columns = tuple(str(column) for column, _, _ in rows)
    key = sorted((row for row in rows if row[2]), key=lambda row: int(row[2]))
    if rowless:
        return Table(name, columns, tuple(row[0] for row in key), key[0][1] == "INTEGER")
    alias = [column for column, kind, _ in key if kind == "INTEGER"]
    others = tuple(column for column in columns if column not in alias)
    return Table(name, ("rowid", *others), ROWID, is_numbered=True)


@dataclass(slots=True)
class Reading:
    """Reading of one table; ``is_damaged`` once a part of it could not be read."""

    sql: Sql
    table: Table
    highest: int = 0  # a key that was given once, as far as it is known
    is_damaged: bool = False

    def rows(self) -> Iterator[Row]:
        """Every readable row; some come twice."""
        last, ended = yield from self._part("ASC")
        if ended:
            return
        first, _ = yield from self._part("DESC")
        if self.table.is_numbered:
            low = 0 if last is None else last + 1
            known = min(max(low + BEYOND, self.highest), low + MOST)
            yield from self._around(low, known if first is None else first - 1)

    def _around(self, low: int, high: int) -> Iterator[Row]:
        """Rows of this range of keys: a failing range is halved, down to single keys."""
        ranges = [(low, high)] if low <= high else []
        while ranges:
            low, high = ranges.pop()
            last, ended = yield from self._part("ASC", low, high)
            if ended:
                continue
            low = low if last is None else last + 1
            first, _ = yield from self._part("DESC", high, low)
            high = high if first is None else first - 1
            if low < high:
                middle = (low + high) // 2
                ranges += [(low, middle), (middle + 1, high)]

    def _part(self, direction: str, start: int | None = None, end: int | None = None) -> Part:
        """Rows in one direction, from one key to another or all, until one fails."""
        order = ", ".join(f"{column} {direction}" for column in self.table.key)
        sign = 1 if direction == "ASC" else -1
        where = (
            f"WHERE {self.table.key[0]} {'>=' if sign > 0 else '<='} ?" if start is not None else ""
        )
        rows = self._each(f"{where} ORDER BY {order}", () if start is None else (start,))
        last: int | None = None
        try:
            for number, *row in self._in_order(rows, sign) if self.table.is_numbered else rows:
                if end is not None and sign * number > sign * end:
                    return last, True
                last = number if self.table.is_numbered else None
                yield tuple(row)
        except UNREADABLE:
            self.is_damaged = True
            return last, False
        return last, True

    def _each(self, rest: str, values: Values) -> Iterator[Row]:
        columns = ", ".join((self.table.key[0], *self.table.columns))
        return self.sql.each(f"SELECT {columns} FROM {self.table.name} {rest}", values)

    def _in_order(self, rows: Iterator[Row], sign: int) -> Iterator[Row]:
        """Leave out rows with a damaged number: it is out of the order of its tree."""
        least = 1 if self.table.key == ROWID else 0  # from one number to the next
        before: int | None = None
        held: Row | None = None
        failed: Exception | None = None
        try:
            for row in rows:
                if not isinstance(row[0], int):
                    self.is_damaged = True
                    continue
                if held is not None and sign * (row[0] - held[0]) < least:
                    self.is_damaged = True
                    if before is not None and sign * (row[0] - before) < least:
                        continue  # this one is wrong, else the one that is held
                elif held is not None:
                    before = held[0]
                    yield held
                held = row
        except UNREADABLE as error:
            failed = error  # what is held was read
        if held is not None:
            yield held
        if failed is not None:
            raise failed
