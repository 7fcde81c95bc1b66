"""Readable content of a damaged store: around its damage, into a new one row by row."""

import math
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping
from typing import Final

import apsw
import msgspec
from msgspec import Struct, field

from actors.policy.gate.gate_features import content_hash
from daemon.storage.corpora import MEMORIES, PASSAGES
from daemon.storage.database.sql import ConstraintError, Row, Sql, Value

ROWID: Final = ("rowid",)
UNREADABLE: Final = (apsw.Error, UnicodeDecodeError)
BEYOND: Final = 1_000  # keys past the last one read, when the end of a tree cannot be
MOST: Final = 1_000_000  # keys past it at most, whatever a number says that may be damaged

Part = Generator[Row, None, tuple[int | None, bool]]  # the last key, and whether there was an end


class Table(Struct, frozen=True):
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


class Reading(Struct):
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
        columns = ", ".join((self.table.key[0], *self.table.columns))
        rows = self.sql.each(
            f"SELECT {columns} FROM {self.table.name} {where} ORDER BY {order}",
            () if start is None else (start,),
        )
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


# ---- row by row into a new store

Named = Mapping[str, Value]

# Made anew from the texts.
DERIVED: Final = frozenset(
    {"chunk_tokens", "embedding_cache"}
    | {name for corpus in (MEMORIES, PASSAGES) for name in (corpus.chunks, corpus.changes)}
)
FARTHEST: Final = 1e11  # no time, strength or figure of a store is as large
NEAREST: Final = 1e-100  # nor as small, but for 0
# An index that has every row of a table: it names those that cannot be read.
WITNESSES: Final = {"memory": ("memory_project", "project, id"),
                    "journal": ("journal_session", "session, seq")}  # fmt: skip


class Salvaged(Struct):
    """Numbers of rows by table, and the damaged tables."""

    rows: Counter[str] = field(default_factory=Counter[str])
    damaged: set[str] = field(default_factory=set[str])
    known: dict[str, set[int]] = field(default_factory=dict[str, set[int]])  # by their indexes


def truths(sql: Sql) -> list[str]:
    """Names of the tables with original data, which nothing else can restore."""
    names = sql.column(
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'"
        " AND name NOT LIKE 'sqlite%' ORDER BY name"
    )
    return [name for name in names if name not in DERIVED]


def salvage(source: Sql, target: Sql) -> Salvaged:
    """Put every readable and sound row of the source into the target."""
    found = Salvaged()
    there = set(source.column("SELECT name FROM sqlite_schema"))
    numbers = dict(_numbers(source)) if "sqlite_sequence" in there else {}
    for name in truths(target):
        if name in there:
            highest = numbers.get(name, numbers.get("memory", 0))
            _salvage_table(Reading(source, table(target, name), highest), target, found)
        else:
            found.damaged.add(name)
    for name, (index, order) in WITNESSES.items():
        seen = _witnessed(source, name, index, order) if {name, index} <= there else set[int]()
        # A damaged entry may name a number that was never given.
        found.known[name] = {one for one in seen if 0 < one <= numbers.get(name, one)}
    for name, number in numbers.items():  # ids are never used again
        target.rows("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?", (number, name))
    return found


def flaws(sql: Sql) -> int:
    """Count rows unreadable, or different from their writing: SQLite's check sees no text."""
    count = 0
    for name in truths(sql):
        reading = Reading(sql, table(sql, name))
        count += sum(not _is_true(reading.table, row) for row in reading.rows())
        count += reading.is_damaged
    return count


def _salvage_table(reading: Reading, target: Sql, found: Salvaged) -> None:
    name, columns = reading.table.name, reading.table.columns
    places = ", ".join("?" * len(columns))
    insert = f"INSERT INTO {name} ({', '.join(columns)}) VALUES ({places}) ON CONFLICT DO NOTHING"
    for row in reading.rows():
        try:
            sound = _is_true(reading.table, row)
            added = target.change(insert, row) if sound else 0
        except ConstraintError:
            sound, added = False, 0
        found.rows[name] += added
        if not sound:  # read, and no longer true
            found.damaged.add(name)
    if reading.is_damaged:
        found.damaged.add(name)


def _is_true(of: Table, row: Row) -> bool:
    if any(map(_is_far, row)):
        return False
    check = CHECKS.get(of.name)
    return check is None or check(dict(zip(of.columns, row, strict=True)))


def _numbers(source: Sql) -> Iterator[tuple[str, int]]:
    """The highest id ever given, by table."""
    try:
        for name, number in source.each("SELECT name, seq FROM sqlite_sequence"):
            if isinstance(name, str) and isinstance(number, int) and 0 < number < FARTHEST:
                yield name, number
    except UNREADABLE:
        return


def _witnessed(source: Sql, name: str, index: str, order: str) -> set[int]:
    """Row ids named in an index, as far as it can be read from both ends."""
    found: set[int] = set()
    for direction in ("ASC", "DESC"):
        way = ", ".join(f"{column} {direction}" for column in order.split(", "))
        statement = f"SELECT rowid FROM {name} INDEXED BY {index} ORDER BY {way}"
        try:
            for (number,) in source.each(statement):
                found.add(int(number))
        except UNREADABLE:
            continue
    return found


def _is_far(value: Value) -> bool:
    if not isinstance(value, float) or value == 0.0:
        return False
    return not NEAREST < math.fabs(value) < FARTHEST


def _is_true_memory(row: Named) -> bool:
    """Check the text against its hash, and the figures against their range."""
    shares = (row["importance"], row["confidence"])
    return content_hash(str(row["text"])) == row["content_hash"] and all(
        isinstance(share, int | float) and 0 <= share <= 1 for share in shares
    )


def _is_true_passage(row: Named) -> bool:
    title, text = str(row["title"]), str(row["text"])
    return content_hash(f"{title}\n{text}") == row["content_hash"]


def _is_true_event(row: Named) -> bool:
    """Check for an empty body, or MessagePack of an event."""
    body = row["body"]
    if not isinstance(body, bytes):
        return False
    try:
        return not body or isinstance(msgspec.msgpack.decode(body), dict)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return False


CHECKS: Final[Mapping[str, Callable[[Named], bool]]] = {
    "memory": _is_true_memory,
    "passage": _is_true_passage,
    "journal": _is_true_event,
}
