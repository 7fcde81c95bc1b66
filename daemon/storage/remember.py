"""Many new memories at once: a page of an import, a table at a time and in few statements.

One by one, a row cost 130 us of SQLite, of which full-text search took 80: every further statement
of the transaction that may fail by itself, such as the next INSERT ... RETURNING, makes FTS5 write
a segment of what it was given so far. Here all else comes first and its words last: 36 us a row.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeGuard

from actors.memory.unit import Unit
from actors.memory.writes import Created
from daemon.storage import episodes
from daemon.storage.index.words import words_changed
from daemon.storage.memories import COLUMNS, columns_of, trigger_rows, word_row
from daemon.storage.sql import Sql

MEMORIES: Final = 64  # rows a statement: apsw keeps statements of up to 16 KB prepared
ROWS: Final = 512  # of the tables with few columns


def at_once(unit: Unit) -> TypeGuard[tuple[Created, ...]]:
    """Whether a unit makes several memories that are about no event and no other memory."""
    return len(unit) > 1 and all(isinstance(write, Created) and _alone(write) for write in unit)


def _alone(new: Created) -> bool:
    return new.origin.seq is None and new.supersedes is None and new.linked_to is None


def create_all(sql: Sql, made: Sequence[Created]) -> list[int]:
    """Make all of them; their ids, in order."""
    first = _next_id(sql)
    numbered = list(enumerate(made, first))
    memories = [(number, *columns_of(new)) for number, new in numbered]
    sql.insert(f"INSERT INTO memory (id, {COLUMNS}) VALUES", memories, MEMORIES)
    phrases = [
        row for number, new in numbered for row in trigger_rows(number, new.triggers, new.derived)
    ]
    sql.insert("INSERT INTO trigger_phrase VALUES", phrases, ROWS, "ON CONFLICT DO NOTHING")
    for number, new in numbered:
        episodes.tag(sql, number, new.at, new.origin.source)
    ids = [number for number, _ in numbered]
    words_changed(sql, *ids)
    words = [
        word_row(number, new.title, (*new.triggers, *new.derived), new.text)
        for number, new in numbered
    ]
    sql.insert("INSERT INTO memory_words (rowid, title, triggers, body) VALUES", words, ROWS)
    return ids


def _next_id(sql: Sql) -> int:
    """What AUTOINCREMENT would give: ids are never used again."""
    return 1 + sql.number("SELECT seq FROM sqlite_sequence WHERE name = 'memory'")
