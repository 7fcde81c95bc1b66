"""A damaged database made readable: its log worked in, its schema written anew.

A damaged schema hides every table, although their pages are whole. Ours is known, all but the
page at which each table begins; that stands in the rows of the schema, which are found by their
bytes wherever they lie. The file is changed: it is a copy.
"""

import struct
from pathlib import Path
from typing import Final

import apsw

from daemon.storage.corpus import MEMORIES, PASSAGES
from daemon.storage.database import schema
from daemon.storage.database.sql import Sql

PAGE: Final = 4096  # bytes; SQLite's default, which nobody changes here
FRAME: Final = struct.Struct(">IIII8x")  # of a log: page, pages after a commit, two salts
HEADER: Final = struct.Struct(">16xII8x")  # of a log: its salts
VERSION_AT: Final = 60  # of a database: its ``user_version``
FARTHEST: Final = 10_000  # a schema's version above it is no version but damage
ROOTS: Final = frozenset({2, 5, 10, 13})  # first bytes of a page of a tree


def work_in(log: Path, database: Path) -> None:
    """Write the pages of a write-ahead log into its database, up to the last commit.

    A damaged frame ends SQLite's own reading; here its page is taken as it is, and what follows
    counts as well: rows are checked one by one later.
    """
    with log.open("rb") as frames, database.open("r+b") as file:
        beginning = frames.read(HEADER.size)
        salts = HEADER.unpack(beginning) if len(beginning) == HEADER.size else None
        newest: dict[int, int] = {}
        pending: dict[int, int] = {}
        while len(head := frames.read(FRAME.size)) == FRAME.size:
            number, committed, *said = FRAME.unpack(head)
            if tuple(said) == salts and number:
                pending[number] = frames.tell()
                if committed:
                    newest |= pending
                    pending = {}
            frames.seek(PAGE, 1)
        for number, place in sorted(newest.items()):
            frames.seek(place)
            file.seek((number - 1) * PAGE)
            file.write(frames.read(PAGE))


def version_of(database: Path) -> int:
    """The schema's version by the file's header; ours where that is damaged.

    Raises ``schema.StoreTooNew``.
    """
    with database.open("rb") as file:
        file.seek(VERSION_AT)
        found = int.from_bytes(file.read(4), "big")
    if schema.SCHEMA_VERSION < found < FARTHEST:
        raise schema.StoreTooNew(f"the store is of schema {found}: update reverie first")
    return found if 0 < found <= schema.SCHEMA_VERSION else schema.SCHEMA_VERSION


def known_schema(version: int) -> dict[str, tuple[str, str, str]]:
    """Kind, table and SQL of each table and index of this version that holds truth, by its name."""
    fresh = apsw.Connection(":memory:")
    try:
        sql = Sql(fresh)
        schema.migrate(sql, backups=Path(), migrations=schema.MIGRATIONS[:version])
        rows = sql.rows(
            "SELECT name, type, tbl_name, sql FROM sqlite_schema"
            " WHERE sql IS NOT NULL AND sql NOT LIKE 'CREATE VIRTUAL %'"
        )
    finally:
        fresh.close()
    derived = tuple(f"{corpus.words}_" for corpus in (MEMORIES, PASSAGES))
    return {
        name: (kind, table, text)
        for name, kind, table, text in rows
        if not name.startswith(derived)
    }


def give_schema(database: Path, known: dict[str, tuple[str, str, str]]) -> list[str]:
    """Write the first page anew, with every table of these that is found; the names of those."""
    data = database.read_bytes()
    size = -(-len(data) // PAGE)
    found = {
        name: root
        for name, (kind, table, _) in known.items()
        if (root := _root(data, kind, name, table))
    }
    roots = {name: root for name, root in found.items() if known[name][1] in found}
    with database.open("r+b") as file:
        file.truncate(size * PAGE)
        file.write(_first_page(size))
    opened = apsw.Connection(str(database))
    try:
        sql = Sql(opened)
        sql.rows("PRAGMA synchronous = OFF; PRAGMA writable_schema = ON")  # it is a copy
        rows = [
            (known[name][0], name, known[name][1], root, known[name][2])
            for name, root in roots.items()
        ]
        sql.insert("INSERT INTO sqlite_schema VALUES", rows, max(1, len(rows)))
    finally:
        opened.close()
    return list(roots)


def _root(data: bytes, kind: str, name: str, table: str) -> int:
    """Page at which this table begins, by a row of the schema: kind, name, table, page, SQL.

    0 when there is no such row. A page that can be one comes before others: these are damaged.
    """
    row = f"{kind}{name}{table}".encode()
    at, found = data.find(row), 0
    while at >= 0:
        place = at + len(row)
        number, made, _ = data[place : place + 10].partition(b"CREATE")
        start = (int.from_bytes(number, "big") - 1) * PAGE
        if made and 0 < start < len(data):
            found = start // PAGE + 1
            if data[start] in ROOTS:
                break
        at = data.find(row, place)
    return found


def _first_page(pages: int) -> bytes:
    """The first page of an empty database of so many pages."""
    fresh = apsw.Connection(":memory:")
    try:
        sql = Sql(fresh)
        sql.rows(f"PRAGMA page_size = {PAGE}; CREATE TABLE t (i); DROP TABLE t; VACUUM")
        page = bytearray(fresh.serialize("main")[:PAGE])
    finally:
        fresh.close()
    page[28:32] = max(1, pages).to_bytes(4, "big")
    return bytes(page)
