"""Secrets in a store written with other rules: their places, and taking them out.

Every table is looked at, and every column of text in it, in one way, a page at a time, with others reading
and writing in between. A memory keeps its place, its strength and its links: only its text changes, and
what is made of it (words, vectors, phrases) is made anew.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple, cast

import msgspec
from msgspec import Struct, field

from actors.gate.drafts import TRIGGERS
from actors.memory.writes import Cell, CellsRedacted
from actors.policy.events.cutting import Json, Limits, Redact, cut
from actors.policy.gate.gate_features import content_hash
from actors.policy.secrets.secret_commands import masked
from actors.policy.text.phrases import phrases_of
from daemon.storage import passages
from daemon.storage.corpora import MEMORIES, PASSAGES
from daemon.storage.database.sql import ConstraintError, Row, Sql, Value, writes
from daemon.storage.memories import index_words, leave_indexes, set_triggers

PAGE: Final = 16 * 1024  # characters read in one turn: whoever asks meanwhile waits for no more
ROWS: Final = 256  # and rows at most
# What names a row for an agent or for us: random, no secret, and what rows are found by.
IDENTIFIERS: Final = frozenset({"session", "call_id", "model"})
ASIDE: Final = frozenset({"store", "schedule"})  # names and numbers that we made
BODIES: Final = ("journal", "body")  # events, as MessagePack
# An event in the journal was cut when it came.
WHOLE: Final = Limits(side=2**40, depth=10_000, leaves=2**40, total=2**40)


class Place(NamedTuple):
    """A table with possible secrets: the columns of its key, and the ones with text."""

    table: str
    key: tuple[str, ...]
    columns: tuple[str, ...]


class Page(Struct):
    """Findings in a page of rows: how many secrets in which column, and the writes for them."""

    rows: int = 0
    last: tuple[Any, ...] | None = None  # the key of its last row; None: there are no more
    secrets: dict[str, int] = field(default_factory=dict[str, int])
    writes: list[CellsRedacted] = field(default_factory=list[CellsRedacted])


def places(sql: Sql) -> list[Place]:
    """Every ordinary table with text, the memories first: phrases are derived from them."""
    names = sql.column(
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'"
        " AND name NOT LIKE 'sqlite~_%' ESCAPE '~' ORDER BY name <> 'memory', name"
    )
    found = [_place(sql, str(name)) for name in names if name not in ASIDE]
    return [place for place in found if place.columns]


def _place(sql: Sql, table: str) -> Place:
    columns = sql.rows("SELECT name, type, pk FROM pragma_table_info(?) ORDER BY cid", (table,))
    key = [str(name) for name, _, place in sorted(columns, key=lambda one: one[2]) if place]
    texts = [
        str(name)
        for name, kind, _ in columns
        if (kind == "TEXT" or (table, name) == BODIES) and name not in IDENTIFIERS
    ]
    return Place(table, tuple(key or ["rowid"]), tuple(texts))


def count_rows(sql: Sql, found: Sequence[Place]) -> int:
    """Count the rows of these places together."""
    return sum(sql.number(f'SELECT count(*) FROM "{place.table}"') for place in found)


def page(sql: Sql, place: Place, after: tuple[Any, ...] | None, redact: Redact) -> Page:
    """The next rows of a place, and the writes for taking secrets out of them."""
    found = Page()
    cells: list[Cell] = []
    size = 0
    width = len(place.key)
    for row in _rows(sql, place, after):
        found.rows += 1
        found.last = tuple(row[:width])
        values = dict(zip(place.columns, row[width:], strict=True))
        size += sum(len(value) for value in values.values() if isinstance(value, str | bytes))
        for column, value in values.items():
            cleaned, count = _cleaned(value, place.table, column, redact)
            if count:
                found.secrets[column] = found.secrets.get(column, 0) + count
                cells.append(Cell(found.last, column, cast("str | bytes", value), cleaned))
        if size > PAGE:
            break
    else:
        if found.rows < ROWS:
            found.last = None
    if cells:
        found.writes.append(CellsRedacted(place.table, place.key, tuple(cells)))
    return found


def _rows(sql: Sql, place: Place, after: tuple[Any, ...] | None) -> list[Row]:
    key = ", ".join(f'"{name}"' for name in place.key)
    columns = ", ".join(f'"{name}"' for name in (*place.key, *place.columns))
    where = "" if after is None else f"WHERE ({key}) > ({', '.join('?' * len(place.key))})"
    return sql.rows(
        f'SELECT {columns} FROM "{place.table}" {where} ORDER BY {key} LIMIT {ROWS}', after or ()
    )


def _cleaned(value: object, table: str, column: str, redact: Redact) -> tuple[str | bytes, int]:
    if (table, column) == BODIES and isinstance(value, bytes):
        return _cleaned_body(value, redact)
    if not isinstance(value, str):
        return "", 0
    if value[:1] in ("{", "["):
        try:
            cleaned, kinds = cut(json.loads(value), redact, WHOLE)
        except (ValueError, RecursionError):
            pass  # it only begins like JSON
        else:
            return json.dumps(cleaned, ensure_ascii=False, separators=(",", ":")), len(kinds)
    text, kinds = redact(value)
    return text, len(kinds)


def _cleaned_body(body: bytes, redact: Redact) -> tuple[bytes, int]:
    """An event without secrets; an unreadable one says nothing to anybody and is emptied."""
    if not body:
        return body, 0
    try:
        whole: Json = msgspec.msgpack.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return b"", 1
    without = masked(whole) if isinstance(whole, dict) else whole
    cleaned, kinds = cut(without, redact, WHOLE)
    return msgspec.msgpack.encode(cleaned), len(kinds) + (without != whole)


def are_pending(sql: Sql) -> bool:
    """Return whether secrets were taken out of rows, and no scrub has followed."""
    return bool(sql.number("SELECT count(*) FROM store WHERE name = 'secrets'"))


def scrubbed(sql: Sql) -> None:
    """Note that nothing taken out is left in any file."""
    sql.rows("DELETE FROM store WHERE name = 'secrets'")


@writes
def redact_cells(sql: Sql, order: CellsRedacted) -> int:
    """Write the cells; a row equal to another one without its secret goes.

    Free pages and backups have the secrets until the scrub, which takes the mark away.
    """
    sql.rows("INSERT INTO store VALUES ('secrets', 'pending') ON CONFLICT DO NOTHING")
    where = " AND ".join(f'"{name}" IS ?' for name in order.key)
    changed, rows = 0, dict[Any, None]()
    for cell in order.cells:
        values: list[Value] = [cell.after, *cell.key, cell.before]
        try:
            done = sql.change(
                f'UPDATE "{order.table}" SET "{cell.column}" = ?'
                f' WHERE {where} AND "{cell.column}" IS ?',
                values,
            )
        except ConstraintError:
            done = sql.change(f'DELETE FROM "{order.table}" WHERE {where}', cell.key)
        changed += done
        rows |= dict.fromkeys(cell.key[:1] if done else ())
    for row in rows if order.table in INDEXED else ():
        INDEXED[order.table](sql, row)
    return changed


def _memory_anew(sql: Sql, memory_id: int) -> None:
    """Make what is made of a memory's words anew, and take the old ones' entries out of every index."""
    ((title, text, before, ended),) = sql.rows(
        "SELECT title, text, content_hash, ended FROM memory WHERE id = ?", (memory_id,)
    )
    given = sql.column(
        "SELECT phrase FROM trigger_phrase WHERE memory_id = ? AND given ORDER BY phrase",
        (memory_id,),
    )
    derived = [phrase for phrase in phrases_of(title, text) if phrase not in given][:TRIGGERS]
    set_triggers(sql, memory_id, given, derived)
    leave_indexes(sql, memory_id)
    if not ended:
        index_words(sql, memory_id, title, (*given, *derived), text)
    after = content_hash(text)
    sql.rows("UPDATE memory SET content_hash = ?, redacted = 1 WHERE id = ?", (after, memory_id))
    # A hash of a short text can be guessed; those of its versions stand in the gate's decisions.
    sql.rows("DELETE FROM delivery WHERE content_hash = ?", (before,))
    sql.rows("UPDATE decision SET content_hash = ? WHERE memory_id = ?", (after, memory_id))


# Tables with texts that indexes are made of; the first column of each key is the text's number.
INDEXED: Final[Mapping[str, Callable[[Sql, int], None]]] = {
    MEMORIES.texts: _memory_anew,
    "trigger_phrase": _memory_anew,
    PASSAGES.texts: passages.rewritten,
}
