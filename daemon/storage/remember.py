"""Many new memories at once: a page of an import, a table at a time and in few statements.

One by one, a row cost 130 us of SQLite, of which full-text search took 80: every further statement
of the transaction able to fail by itself, such as the next INSERT ... RETURNING, makes FTS5 write a
segment of its input so far. Here all else comes first and its words last: 36 us a row.
"""

from collections.abc import Sequence
from typing import Final, TypeGuard

from msgspec.structs import astuple

from actors.memory.commit import Unit
from actors.memory.particulars import NAMES
from actors.memory.writes import Created, Ended, Linked
from daemon.storage.database.sql import Effect, Sql, Value, writes
from daemon.storage.forget import end
from daemon.storage.index.words import words_changed
from daemon.storage.link import link
from daemon.storage.memories import add_triggers, index_words, trigger_rows, word_row

MEMORIES: Final = 64  # rows a statement: apsw keeps statements of up to 16 KB prepared
ROWS: Final = 512  # of the tables with few columns


def at_once(unit: Unit) -> TypeGuard[tuple[Created, ...]]:
    """Return whether a unit makes several memories without an event and another memory."""
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
    ids = [number for number, _ in numbered]
    words_changed(sql, *ids)
    words = [
        word_row(number, new.title, (*new.triggers, *new.derived), new.text)
        for number, new in numbered
    ]
    sql.insert("INSERT INTO memory_words (rowid, title, triggers, body) VALUES", words, ROWS)
    return ids


def _next_id(sql: Sql) -> int:
    """The next id as by AUTOINCREMENT: ids are never used again."""
    return 1 + sql.number("SELECT seq FROM sqlite_sequence WHERE name = 'memory'")


COLUMNS: Final = (
    "key, text, title, kind, tier, memory_type, context_type, project, created_at, updated_at,"
    " content_hash, stability, difficulty, importance, unjudged, source, session, seq, rule,"
    " ordinal, tool, call_id, redacted, status, valid_from, valid_until, subject,"
    " confidence, commit_hash, author, " + ", ".join(NAMES)
)


def columns_of(new: Created) -> tuple[Value, ...]:
    """Values of ``COLUMNS`` for a new memory."""
    origin, standing = new.origin, new.standing
    return (
        new.key, new.text, new.title, new.kind, new.tier, new.memory_type, new.context_type,
        new.project, new.at, new.at if new.since is None else new.since, new.content_hash, new.stability, new.difficulty,
        new.importance, int(new.unjudged), origin.source, origin.session, origin.seq,
        origin.rule, origin.ordinal, origin.tool, origin.call_id, int(origin.redacted),
        standing.status, standing.valid_from, standing.valid_until, standing.subject,
        new.confidence, origin.commit, origin.author, *astuple(new.particulars),
    )  # fmt: skip


@writes(Effect.INDEXES)
def create(sql: Sql, new: Created) -> int:
    origin = new.origin
    if origin.seq is not None and _was_erased(sql, origin.seq):
        return 0
    rows = sql.rows(
        f"INSERT INTO memory ({COLUMNS}) VALUES ({','.join('?' * len(COLUMNS.split()))})"
        " ON CONFLICT (seq, rule, ordinal) DO NOTHING RETURNING id",
        columns_of(new),
    )
    if not rows:
        return _made_before(sql, new)
    memory_id = int(rows[0][0])
    add_triggers(sql, memory_id, new.triggers, new.derived)
    index_words(sql, memory_id, new.title, (*new.triggers, *new.derived), new.text)
    if new.linked_to is not None:
        link(sql, Linked(memory_id, new.linked_to, "related", new.similarity, new.at))
    if new.supersedes is not None:
        link(sql, Linked(memory_id, new.supersedes, "supersedes", new.similarity, new.at))
        end(sql, Ended(new.supersedes, "deprecated", new.at, superseded_by=memory_id))
    return memory_id


def _was_erased(sql: Sql, seq: int) -> bool:
    """Return whether the event was emptied by an erasure while it was being made into memories."""
    return bool(sql.rows("SELECT 1 FROM journal WHERE seq = ? AND body = x''", (seq,)))


def _made_before(sql: Sql, new: Created) -> int:
    (row,) = sql.rows(
        "SELECT id FROM memory WHERE seq = ? AND rule = ? AND ordinal = ?",
        (new.origin.seq, new.origin.rule, new.origin.ordinal),
    )
    return int(row[0])
