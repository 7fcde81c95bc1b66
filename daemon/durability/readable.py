"""A damaged database made readable: its log worked in, its schema written anew.

A damaged schema hides every table, although their pages are whole. Ours is known, all but the first
page of each table; its number stands in the rows of the schema, which are found by their bytes
wherever they lie. The file is changed: it is a copy.
"""

import os
import struct
import sys
from collections.abc import Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import BinaryIO, Final

import apsw

from daemon.storage.corpora import MEMORIES, PASSAGES
from daemon.storage.database import schema
from daemon.storage.database.sql import Sql

PAGE: Final = 4096  # bytes; SQLite's default, which nobody changes here
FRAME: Final = struct.Struct(">IIII8x")  # of a log: page, pages after a commit, two salts
HEADER: Final = struct.Struct(">16xII8x")  # of a log: its salts
LOG: Final = b"\x37\x7f\x06"  # a log begins with it
LAST_FRAME_AT: Final = 16  # of the shared memory: the last frame that is read
VERSION_AT: Final = 60  # of a database: its ``user_version``
FARTHEST_PAGE: Final = 1 << 20  # of a log, 4 GB: a number above it is damaged
FARTHEST: Final = 10_000  # a schema's version above it is no version but damage
ROOTS: Final = frozenset({2, 5, 10, 13})  # first bytes of a page of a tree


def work_in(log: Path, database: Path) -> None:
    """Write the pages of a write-ahead log into its database, up to the last commit.

    A damaged frame ends SQLite's own reading; here its page is taken as it is, and later ones count
    as well: rows are checked one by one later.
    """
    with log.open("rb") as file, database.open("r+b") as target:
        newest: dict[int, int] = {}
        pending: dict[int, int] = {}
        for number, page, committed in _frames(file):
            pending[page] = number * (FRAME.size + PAGE) + HEADER.size - PAGE
            if committed:
                newest |= pending
                pending = {}
        for page, place in sorted(newest.items()):
            file.seek(place)
            target.seek((page - 1) * PAGE)
            target.write(file.read(PAGE))


def unread(database: Path) -> int:
    """Count commits in the log behind the damaged frame at which SQLite stopped.

    For an open database: the place of the stop stands in the shared memory beside it
    (https://sqlite.org/walformat.html). The next commit would overwrite them.
    """
    try:
        with database.with_name(f"{database.name}-shm").open("rb") as shared:
            shared.seek(LAST_FRAME_AT)
            last = int.from_bytes(shared.read(4), sys.byteorder)
        with database.with_name(f"{database.name}-wal").open("rb") as log:
            return sum(number > last and committed > 0 for number, _, committed in _frames(log))
    except OSError:  # without a log nothing is unread
        return 0


def _frames(log: BinaryIO) -> Iterator[tuple[int, int, int]]:
    """Number, page and pages after a commit (else 0) of each frame of the log, damaged or not.

    Behind them may lie frames from before the log was begun anew, with other salts. Ours are in the
    header; where the header is damaged, in the first two agreeing neighbours.
    """
    header, heads = log.read(HEADER.size), list[tuple[int, ...]]()
    whole = (os.fstat(log.fileno()).st_size - HEADER.size) // (FRAME.size + PAGE)
    for _ in range(whole):
        heads.append(FRAME.unpack(log.read(FRAME.size)))
        log.seek(PAGE, 1)
    said = [tuple(salts) for _, _, *salts in heads]
    ours = HEADER.unpack(header) if header[: len(LOG)] == LOG and len(header) == HEADER.size else ()
    if ours not in said:
        ours = next((one for one, other in pairwise(said) if one == other), ours)
    for number, (page, committed, *_) in enumerate(heads, 1):
        if said[number - 1] == ours and 0 < page < FARTHEST_PAGE:
            yield number, page, committed


def version_of(database: Path) -> int:
    """The schema's version by the file's header; ours where the header is damaged.

    Raises ``schema.StoreTooNew``.
    """
    with database.open("rb") as file:
        file.seek(VERSION_AT)
        found = int.from_bytes(file.read(4), "big")
    if schema.SCHEMA_VERSION < found < FARTHEST:
        raise schema.StoreTooNew(f"the store is of schema {found}: update reverie first")
    return found if 0 < found <= schema.SCHEMA_VERSION else schema.SCHEMA_VERSION


def known_schema(version: int) -> dict[str, tuple[str, str, str]]:
    """Kind, table and SQL of each table and index of this version for original data, by its name."""
    with closing(apsw.Connection(":memory:")) as fresh:
        sql = Sql(fresh)
        schema.migrate(sql, backups=Path(), migrations=schema.MIGRATIONS[:version])
        rows = sql.rows(
            "SELECT name, type, tbl_name, sql FROM sqlite_schema"
            " WHERE sql IS NOT NULL AND sql NOT LIKE 'CREATE VIRTUAL %'"
        )
    derived = tuple(f"{corpus.words}_" for corpus in (MEMORIES, PASSAGES))
    return {
        name: (kind, table, text)
        for name, kind, table, text in rows
        if not name.startswith(derived)
    }


def give_schema(database: Path, known: dict[str, tuple[str, str, str]]) -> list[str]:
    """Write the first page anew, with every table of these found; returns their names."""
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
    with closing(apsw.Connection(str(database))) as opened:
        sql = Sql(opened)
        sql.rows("PRAGMA synchronous = OFF; PRAGMA writable_schema = ON")  # it is a copy
        rows = [
            (known[name][0], name, known[name][1], root, known[name][2])
            for name, root in roots.items()
        ]
        sql.insert("INSERT INTO sqlite_schema VALUES", rows, max(1, len(rows)))
    return list(roots)


def _root(data: bytes, kind: str, name: str, table: str) -> int:
    """First page of this table, by a row of the schema: kind, name, table, page, SQL.

    0 when there is no such row. A possible page comes before others: these are damaged.
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
    with closing(apsw.Connection(":memory:")) as fresh:
        Sql(fresh).rows(f"PRAGMA page_size = {PAGE}; CREATE TABLE t (i); DROP TABLE t; VACUUM")
        page = bytearray(fresh.serialize("main")[:PAGE])
    page[28:32] = max(1, pages).to_bytes(4, "big")
    return bytes(page)
