"""Secrets in a store written with other rules: their places, and taking them out.

Every table is looked at, and every column of text in it; an index's entries for a text (words,
vectors, phrases) are made anew. A memory keeps its place, its strength and its links: only its text
changes. Rows are read in the order of their table's key, a page at a time, with others reading and
writing in between.
"""

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple, cast

import msgspec
from msgspec import Struct, field

from actors.gate.drafts import TRIGGERS, content_hash
from actors.memory.writes import Cell, CellsRedacted, SecretsRemoved
from actors.policy.events.cutting import Json, Limits, Redact, cut
from actors.policy.secrets.secret_commands import masked
from actors.policy.text.phrases import phrases_of
from daemon.storage import passages
from daemon.storage.corpora import PASSAGES, drop_vectors
from daemon.storage.database.sql import ConstraintError, Effect, Sql, Value, writes
from daemon.storage.index.words import note_change
from daemon.storage.memories import set_triggers, word_row

PAGE: Final = 16 * 1024  # characters read in one turn: whoever asks meanwhile waits for no more
ROWS: Final = 256  # and rows at most
# What names a row for an agent or for us: random, no secret, and what rows are found by.
IDENTIFIERS: Final = frozenset({"session", "call_id", "model"})
# Names and numbers that we made; and phrases, which are written with their memories.
ASIDE: Final = frozenset({"store", "schedule", "trigger_phrase"})
BODIES: Final = ("journal", "body")  # events, as MessagePack
WORDS: Final = frozenset({"text", "title"})  # of a memory: what its indexes are made of
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
    writes: list[CellsRedacted | SecretsRemoved] = field(
        default_factory=list[CellsRedacted | SecretsRemoved]
    )


def places(sql: Sql) -> list[Place]:
    """Every ordinary table with text, the memories first: their phrases are written with them."""
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
        if place.table == "memory":
            _of_memory(sql, int(row[0]), values, redact, found)
        for column, value in values.items():
            if place.table == "memory" and column in WORDS:
                continue
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


def _rows(sql: Sql, place: Place, after: tuple[Any, ...] | None) -> Iterator[tuple[Any, ...]]:
    key = ", ".join(f'"{name}"' for name in place.key)
    columns = ", ".join(f'"{name}"' for name in (*place.key, *place.columns))
    where = "" if after is None else f"WHERE ({key}) > ({', '.join('?' * len(place.key))})"
    yield from sql.rows(
        f'SELECT {columns} FROM "{place.table}" {where} ORDER BY {key} LIMIT {ROWS}', after or ()
    )


def _of_memory(
    sql: Sql, memory_id: int, values: dict[str, Any], redact: Redact, found: Page
) -> None:
    """Text and phrases of a memory, without secrets."""
    before = content_hash(values["text"])
    text, in_text = redact(values["text"])
    title, in_title = redact(values["title"])
    phrases = sql.rows(
        "SELECT phrase, given FROM trigger_phrase WHERE memory_id = ? ORDER BY phrase", (memory_id,)
    )
    given = {redact(phrase)[0]: None for phrase, by_hand in phrases if by_hand}
    in_phrases = sum(len(redact(phrase)[1]) for phrase, _ in phrases)
    for column, count in (
        ("text", len(in_text)), ("title", len(in_title)), ("phrases", in_phrases),
    ):  # fmt: skip
        if count:
            found.secrets[column] = found.secrets.get(column, 0) + count
    if not (in_text or in_title or in_phrases):
        return
    derived = [phrase for phrase in phrases_of(title, text) if phrase not in given][:TRIGGERS]
    found.writes.append(
        SecretsRemoved(
            memory_id, before, text, title, tuple(given), tuple(derived), content_hash(text)
        )
    )


def _cleaned(value: object, table: str, column: str, redact: Redact) -> tuple[str | bytes, int]:
    """The value without secrets, and how many there were."""
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
        event: object = msgspec.msgpack.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return b"", 1
    whole = cast("Json", event)
    without = masked(whole) if isinstance(whole, dict) else whole
    cleaned, kinds = cut(without, redact, WHOLE)
    return msgspec.msgpack.encode(cleaned), len(kinds) + (without != whole)


@writes(Effect.INDEXES)
def redact_cells(sql: Sql, order: CellsRedacted) -> int:
    """Write the cells; a row equal to another one without its secret goes."""
    where = " AND ".join(f'"{name}" IS ?' for name in order.key)
    changed = 0
    for cell in order.cells:
        values: list[Value] = [cell.after, *cell.key, cell.before]
        try:
            changed += sql.change(
                f'UPDATE "{order.table}" SET "{cell.column}" = ?'
                f' WHERE {where} AND "{cell.column}" IS ?',
                values,
            )
        except ConstraintError:
            changed += sql.change(f'DELETE FROM "{order.table}" WHERE {where}', cell.key)
    if order.table == PASSAGES.texts:
        for passage in {cell.key for cell in order.cells}:
            passages.rewritten(sql, int(str(*passage)))
    return changed


@writes(Effect.INDEXES)
def redact_memory(sql: Sql, new: SecretsRemoved) -> int:
    """Write the rest of a memory, and take its old text's entries out of every index."""
    rows = sql.rows("SELECT text, content_hash, ended FROM memory WHERE id = ?", (new.memory_id,))
    if not rows or content_hash(rows[0][0]) != new.before:
        return 0
    ((_, before, ended),) = rows
    sql.rows(
        "UPDATE memory SET text = ?, title = ?, content_hash = ?, redacted = 1 WHERE id = ?",
        (new.text, new.title, new.content_hash, new.memory_id),
    )
    set_triggers(sql, new.memory_id, new.triggers, new.derived)
    if not ended:
        sql.rows("DELETE FROM memory_words WHERE rowid = ?", (new.memory_id,))
        row = word_row(new.memory_id, new.title, (*new.triggers, *new.derived), new.text)
        sql.rows("INSERT INTO memory_words (rowid, title, triggers, body) VALUES (?, ?, ?, ?)", row)
    note_change(sql, new.memory_id)
    drop_vectors(sql, new.memory_id)
    # A hash of a short text can be guessed; those of its versions stand in the gate's decisions.
    sql.rows("DELETE FROM delivery WHERE content_hash = ?", (before,))
    sql.rows(
        "UPDATE decision SET content_hash = ? WHERE memory_id = ?",
        (new.content_hash, new.memory_id),
    )
    return 1
