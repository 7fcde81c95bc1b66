"""Erasing: the text of a memory leaves every table, every index and every old page.

Its text may stand in its versions, in the event it came from, in other events and reasons quoting
it, in another memory of the same content, in the full-text segments and in pages freed by SQLite
but not overwritten: ``scrub`` rewrites the file, so the last two are gone as well. Only a digest
stays, so the text does not come back from another home.
"""

import re
from collections.abc import Sequence
from typing import Any, Final

from actors.memory.particulars import NAMES
from actors.memory.writes import Erased, ErasedEverything, FormerErased
from actors.policy.gate.gate_features import content_hash
from actors.session.shapes import IntentionErased
from daemon.storage import (
    dreams,
    edit,
    episodes,
    files,
    homes,
    intentions,
    passages,
    plans,
    read_notes,
    traces,
)
from daemon.storage.corpora import MEMORIES, PASSAGES
from daemon.storage.database.sql import BusyError, Sql, Value, Values, writes
from daemon.storage.index.snapshots import was_erased
from daemon.storage.memories import leave_indexes

# What a memory made of several events quotes of them: an error, a command. Shorter
# pieces are words of every session.
_QUOTED: Final = re.compile(r"[“`]([^”`]{8,})([”`]|\Z)")  # to the end: never closed


_NOTHING: Final = "0"
_PART: Final = "length({0}) >= 8 AND instr(?2, {0})"  # a shorter one stands in the text by chance
_OF_EMPTIED: Final = "seq IN (SELECT seq FROM journal WHERE body = x'')"
_CUES: Final = "DELETE FROM cue WHERE memory_id IN (SELECT memory_id FROM read_note WHERE {1})"

# Words about memories that may quote another one: table, column, what becomes of it, and where
# else than in a row with the text.
QUOTING: Final = (
    # The reason of a moment, of a decision to refute, of a plan; the evidence of a link.
    ("importance_event", "reason", "UPDATE importance_event SET {0} = '' WHERE {1}",
     f"{_PART} OR {_OF_EMPTIED}"),
    ("decision", "reason", "UPDATE decision SET {0} = 'erased' WHERE {1}", _NOTHING),
    ("plan", "reason", "UPDATE plan SET {0} = 'erased' WHERE {1}", _NOTHING),
    ("plan_step", "evidence", "UPDATE plan_step SET {0} = 'erased' WHERE {1}", _NOTHING),
    ("memory_link", "evidence", "UPDATE memory_link SET {0} = '' WHERE {1}", _PART),
    ("association", "evidence", "UPDATE association SET {0} = '' WHERE {1}", _PART),
    # The words that prove a note of the reader, its cues, and where a session stopped.
    ("read_note", "quotation", _CUES, _OF_EMPTIED),
    ("read_note", "agreed_to", _CUES, _OF_EMPTIED),
    ("read_note", "quotation", "UPDATE read_note SET {0} = '', agreed_to = '' WHERE {1}", _OF_EMPTIED),
    ("read_note", "agreed_to", "UPDATE read_note SET {0} = '', quotation = '' WHERE {1}", _OF_EMPTIED),
    ("cue", "text", "DELETE FROM cue WHERE {1}", _NOTHING),
    ("read_session", "stopped", "UPDATE read_session SET {0} = '' WHERE {1}", _NOTHING),
    *(("memory", name, "UPDATE memory SET {0} = '' WHERE {1}", _NOTHING) for name in NAMES),
)  # fmt: skip


@writes
def erased(sql: Sql, order: Erased) -> int:
    """Take these memories out of every table; returns how many there were."""
    was_erased(sql)
    count = 0
    named = list(order.memory_ids) if order.elsewhere else with_copies(sql, order.memory_ids)
    if order.mentions:
        found = traces.mentions(sql, texts_of(sql, named))
        _empty_bodies(sql, found.events)
        _empty_sessions(sql, found.sessions)
        passages.drop(sql, found.passages)
    for memory_id in (*dreams.made_of(sql, named), *named):  # an insight quotes what it rests on
        rows = sql.rows("SELECT seq, session FROM memory WHERE id = ?", (memory_id,))
        for seq, session in rows:
            _empty_events(sql, edit.particulars_of(sql, memory_id), seq)
            _unsay(sql, texts_of(sql, [memory_id]), seq, session)
            _drop(sql, memory_id, order.at, noted=not order.elsewhere)
            count += memory_id in named
    _drop_unused_vectors(sql)
    return count


@writes
def former_erased(sql: Sql, order: FormerErased) -> int:
    """Take a memory's former text out of every table; returns how often it had it."""
    was_erased(sql)
    rows = sql.rows(
        "SELECT v.version, v.text, m.seq, m.session FROM memory_version v"
        " JOIN memory m ON m.id = v.memory_id WHERE m.id = ?",
        (order.memory_id,),
    )
    said = [row for row in rows if content_hash(row[1]) == order.content]
    for version, text, seq, session in said:
        _unsay(sql, [text], seq, session)
        sql.rows(
            "DELETE FROM memory_version WHERE memory_id = ? AND version = ?",
            (order.memory_id, version),
        )
    return len(said)


def _unsay(sql: Sql, texts: Sequence[str], seq: int | None, session: str | None) -> None:
    """Take the texts of a memory of this event and session out of all other places."""
    _empty_events(sql, texts, seq, session)
    passages.drop(sql, passages.made_of(sql, seq, session))
    _empty_quoted(sql, texts, session)
    for said in texts:
        intentions.drop_quoting(sql, traces.core(said), seq)
        _unquote(sql, said)


def _unquote(sql: Sql, text: str) -> None:
    """Take a text out of all words about other memories, and their passages and files."""
    files.drop_quoting(sql, text)
    passages.drop(sql, passages.quoting(sql, text))
    for table, column, statement, further in QUOTING:
        condition, value = traces.holding_condition(sql, table, text, column)
        where = f"({condition} OR {further.format(column)}) AND ?2 IS NOT NULL"
        sql.rows(statement.format(column, where), (value, text))


def texts_of(sql: Sql, memory_ids: Sequence[int]) -> list[str]:
    """All texts of these memories, present and former."""
    return sql.column(
        "SELECT text FROM memory WHERE id IN (SELECT value FROM json_each(?1)) UNION"
        " SELECT text FROM memory_version WHERE memory_id IN (SELECT value FROM json_each(?1))",
        (memory_ids,),
    )


def remaining(sql: Sql, memory_ids: Sequence[int]) -> traces.Mentions:
    """Find the remaining mentions of these memories, in another form, after their erasure."""
    named = with_copies(sql, memory_ids)
    texts = texts_of(sql, named)
    emptied = {one for text in texts for one in edit.quoting(sql, text)}
    found = traces.mentions(sql, texts, emptied)
    of = "SELECT seq, session FROM memory WHERE id IN (SELECT value FROM json_each(?))"
    origins = sql.rows(of, (named,))
    events = {seq for seq, _ in origins}.union(*(_events_saying(sql, text) for text in texts))
    pieces = set[int]().union(*(passages.quoting(sql, text) for text in texts))
    pieces.update(*(passages.made_of(sql, seq, session) for seq, session in origins))
    sessions = {
        one for text in texts for _, at in origins for one in _sessions_saying(sql, text, at)
    }
    return traces.Mentions(
        events=tuple(one for one in found.events if one not in events),
        passages=tuple(one for one in found.passages if one not in pieces),
        sessions=tuple(one for one in found.sessions if one not in sessions),
        memories=tuple(one for one in found.memories if one not in named),
    )


def _empty_bodies(sql: Sql, events: Sequence[Value]) -> None:
    sql.rows(
        "UPDATE journal SET body = x'', done = 1 WHERE seq IN (SELECT value FROM json_each(?))",
        (events,),
    )


def _empty_sessions(sql: Sql, sessions: Sequence[str]) -> None:
    sql.rows(
        "UPDATE session SET task = '', summary = ''"
        " WHERE session IN (SELECT value FROM json_each(?))",
        (sessions,),
    )


def with_copies(sql: Sql, memory_ids: Sequence[int]) -> list[int]:
    """These memories and every other one with the same text."""
    return sql.column(
        "SELECT id FROM memory WHERE content_hash IN (SELECT content_hash FROM memory"
        " WHERE id IN (SELECT value FROM json_each(?))) ORDER BY id",
        (memory_ids,),
    )


def _empty_events(sql: Sql, texts: Sequence[str], seq: Value, session: Value = None) -> None:
    _empty_bodies(sql, [seq])
    for text in texts:
        _empty_bodies(sql, _events_saying(sql, text))
        _empty_sessions(sql, _sessions_saying(sql, text, session))


def _events_saying(sql: Sql, text: str) -> list[int]:
    if traces.is_short(text):
        return traces.events_with(sql, text)
    said = traces.core(text).encode("utf-8", "replace")
    return sql.column("SELECT seq FROM journal WHERE instr(body, ?)", (said,))


def _sessions_saying(sql: Sql, text: str, session: Value) -> list[str]:
    """Sessions with a task around the text or within it; ``session`` brought it."""
    told: list[Any] = [session] if _is_told(sql, text, session) else []
    parts = sql.rows(
        "SELECT session, task FROM session WHERE task <> '' AND instr(?, task)", (text,)
    )
    # A task of a few letters is in a long text by chance as well.
    told += [
        number
        for number, task in parts
        if not traces.is_short(task) or traces.stands_in(task, text)
    ]
    condition, value = traces.holding_condition(sql, "session", text, "task", "summary")
    return [*told, *sql.column(f"SELECT session FROM session WHERE {condition}", (value,))]


def _is_told(sql: Sql, text: str, session: Value) -> bool:
    """Return whether telling the memory was its session's own task: "remember: ok"."""
    rows = sql.rows("SELECT task, summary FROM session WHERE session = ?", (session,))
    return any(traces.stands_in(text, str(said)) for row in rows for said in row)


def _empty_quoted(sql: Sql, texts: Sequence[str], session: Value) -> None:
    """Empty the events of its session quoted in the memory."""
    quoted = (piece for text in texts for piece, closed in _QUOTED.findall(text) if closed)
    for said in quoted:
        piece = str(said).strip("… ")  # a long one was shortened
        sql.rows(
            "UPDATE journal SET body = x'', done = 1 WHERE session = ? AND instr(body, ?)",
            (session, piece.encode("utf-8", "replace")),
        )


def _drop(sql: Sql, memory_id: int, at: float | None, *, noted: bool = True) -> None:
    if noted:
        homes.note(sql, _said_nowhere_else(sql, memory_id), at)
    made = (*plans.drop_traces(sql, memory_id), *dreams.made_of(sql, [memory_id]))
    for other in made:
        _drop(sql, other, at, noted=noted)  # it was made of what this memory says
    leave_indexes(sql, memory_id)
    sql.rows(
        "UPDATE decision SET content_hash = x'', reason = 'erased'"
        " WHERE memory_id = ?1 OR existing_id = ?1",
        (memory_id,),
    )
    sql.rows(
        "DELETE FROM delivery WHERE content_hash = (SELECT content_hash FROM memory WHERE id = ?)",
        (memory_id,),
    )
    episodes.drop_traces(sql, memory_id)
    # The names that texts of earlier versions have for it.
    sql.rows("DELETE FROM declared_link WHERE other_id = ?", (memory_id,))
    if sql.change("DELETE FROM memory WHERE id = ?", (memory_id,)):
        sql.rows(
            "INSERT INTO store VALUES ('erased', '1')"
            " ON CONFLICT DO UPDATE SET value = CAST(value AS INTEGER) + 1"
        )


def _said_nowhere_else(sql: Sql, memory_id: int) -> list[str]:
    """Texts of a memory, the former ones too, except ones still in another memory."""
    texts = {content_hash(text): text for text in texts_of(sql, [memory_id])}
    others = sql.column(
        "SELECT content_hash FROM memory WHERE id <> ?"
        " AND content_hash IN (SELECT unhex(value) FROM json_each(?))",
        (memory_id, texts),
    )
    return [text for one, text in texts.items() if one not in {bytes(other) for other in others}]


def _drop_unused_vectors(sql: Sql) -> None:
    """Drop cached vectors without a text; a memory ended before its erasure has lost track of its own."""
    sql.rows(
        "DELETE FROM embedding_cache WHERE content_hash NOT IN (SELECT content_hash FROM chunk)"
        " AND content_hash NOT IN (SELECT content_hash FROM passage_chunk)"
    )


@writes
def intention_erased(sql: Sql, order: IntentionErased) -> int:
    """Take an intention out, and its text out of every event."""
    for text, seq in sql.rows("SELECT text, seq FROM intention WHERE id = ?", (order.number,)):
        homes.note(sql, [text], order.at)
        _empty_events(sql, [text], seq)
        _unquote(sql, text)
    return intentions.drop(sql, [order.number])


def forgotten(sql: Sql) -> list[int]:
    """Memories forgotten by a person, in their order."""
    return sql.column("SELECT id FROM memory WHERE ended = 'forgotten' ORDER BY id")


@writes
def everything_erased(sql: Sql, order: ErasedEverything) -> int:
    """Take out everything forgotten (the default), of a project, or of the whole store."""
    was_erased(sql)
    if not order.whole_store and order.project is None:
        return erased(sql, Erased(tuple(forgotten(sql)), at=order.at))
    values: Values = () if order.whole_store else (order.project,)
    condition = "1" if order.whole_store else "project = ?"
    ids = sql.rows(f"SELECT id FROM memory WHERE {condition}", values)
    for (memory_id,) in ids:
        _drop(sql, int(memory_id), order.at)
    passages.drop_where(sql, condition, values)
    _drop_unused_vectors(sql)
    read_notes.drop_readings(sql, order.project)
    for table in (
        "journal", "session", "turn_tag", "importance_event", "intention", "changed_file", "ended_failure",
        "injection", "shared_remote",
    ):  # fmt: skip
        sql.rows(f"DELETE FROM {table} WHERE {condition}", values)
    if order.whole_store:
        for table in (
            "calibration", "delivery", "embedding_cache", "decision", "plan",
            "archival_figure", "dream", "brought", "erased_text",
        ):  # fmt: skip
            sql.rows(f"DELETE FROM {table}")
    return len(ids)


def scrub(sql: Sql) -> None:
    """Rewrite the database, with nothing erased left in its files.

    Outside a transaction. Each full-text index is merged into one segment, which drops the words of
    removed rows; the file is rebuilt without its free pages; the write-ahead log is emptied. Raises
    ``BusyError`` while another program reads.
    """
    for words in (MEMORIES.words, PASSAGES.words):
        sql.rows(f"INSERT INTO {words} ({words}) VALUES ('optimize')")
    _empty_log(sql)
    sql.rows("VACUUM")
    _empty_log(sql)


def _empty_log(sql: Sql) -> None:
    """Raises ``BusyError`` when somebody reads an older state: its pages are still there."""
    if sql.number("PRAGMA wal_checkpoint(TRUNCATE)"):
        raise BusyError
