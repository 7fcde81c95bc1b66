"""Notes that the reader wrote: the words that prove them, their cues, and what a person said of them."""

import json
from typing import Final

from actors.memory.writes import Ended
from actors.reader.writes import CueVectored, NoteJudged, NoteRead, NotesSeen
from daemon.storage import traces
from daemon.storage.database.sql import Sql, columns
from daemon.storage.forget import end

_NOTE: Final = (
    "memory_id", "reading", "session", "seq", "kind", "said_by", "scope", "quotation", "agreed_to",
    "relation", "named", "ended", "refusal", "waits",
)  # fmt: skip
_OF_EMPTY_EVENTS: Final = "seq IN (SELECT seq FROM journal WHERE body = x'')"


# ---- on the writing connection


def note_read(sql: Sql, note: NoteRead) -> int:
    """Keep what proves a memory, and its cues; one that waits for a person ends until then."""
    if not sql.rows("SELECT 1 FROM memory WHERE id = ?", (note.memory_id,)):
        return 0
    names = ", ".join(_NOTE)
    values = ", ".join(f":{name}" for name in _NOTE)
    sql.rows(
        f"INSERT INTO read_note ({names}) VALUES ({values}) ON CONFLICT DO NOTHING", columns(note)
    )
    sql.many(
        "INSERT INTO cue VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        [(note.memory_id, one.kind, one.text, one.vector, one.model) for one in note.cues],
    )
    if note.waits:
        end(sql, Ended(note.memory_id, "expired", note.at))
    return 1


def set_cue_vector(sql: Sql, made: CueVectored) -> int:
    """Give a prompt that is a cue its vector."""
    return sql.change(
        "UPDATE cue SET vector = ?, model = ? WHERE kind = 'prompt' AND text = ?",
        (made.vector, made.model, made.text),
    )


def see_notes(sql: Sql, seen: NotesSeen) -> int:
    """Note that a person saw these."""
    return sql.change(
        "UPDATE read_note SET seen_at = ? WHERE seen_at IS NULL"
        " AND memory_id IN (SELECT value FROM json_each(?))",
        (seen.at, json.dumps(seen.memory_ids)),
    )


def judge_note(sql: Sql, judged: NoteJudged) -> int:
    """Note what a person said of a note; whoever judges it has seen it."""
    return sql.change(
        "UPDATE read_note SET verdict = :verdict, ended = :ended, seen_at = coalesce(seen_at, :at)"
        " WHERE memory_id = :memory_id",
        columns(judged),
    )


def drop_quoting(sql: Sql, text: str) -> None:
    """Take what says an erased text out of quotations and cues, and all of events that were emptied."""
    condition, value = traces.held(sql, "read_note", text, "quotation", "agreed_to")
    quoting = f"({condition}) OR {_OF_EMPTY_EVENTS}"
    sql.rows(
        f"DELETE FROM cue WHERE memory_id IN (SELECT memory_id FROM read_note WHERE {quoting})",
        (value,),
    )
    sql.rows(f"UPDATE read_note SET quotation = '', agreed_to = '' WHERE {quoting}", (value,))
    condition, value = traces.held(sql, "cue", text, "text")
    sql.rows(f"DELETE FROM cue WHERE {condition}", (value,))


def drop_readings(sql: Sql, project: str | None) -> None:
    """Forget which sessions of a project, or of all, were read; their events leave with this."""
    meant = "(?1 IS NULL OR project = ?1)"
    sql.rows(
        "DELETE FROM read_session WHERE ?1 IS NULL OR session IN"
        f" (SELECT session FROM session WHERE {meant} UNION SELECT session FROM reading WHERE {meant})",
        (project,),
    )
    sql.rows(f"DELETE FROM reading WHERE {meant}", (project,))
