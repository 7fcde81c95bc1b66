"""Notes of the reader: the words proving them, their cues, and a person's verdicts on them."""

from collections.abc import Sequence
from typing import Any, Final

from actors.intake.messages import JournalRow, event_of
from actors.policy.recall.notes import Named
from actors.policy.text.wording import shortened
from actors.reader.messages import (
    CueVectored,
    Mark,
    NoteJudged,
    NoteRead,
    NoteRow,
    NotesSeen,
    StoppedAt,
)
from daemon.storage.database.sql import Sql, columns, writes
from daemon.storage.journal import JOURNAL

_NOTE: Final = (
    "memory_id", "reading", "session", "seq", "kind", "said_by", "scope", "quotation", "agreed_to",
    "relation", "named", "ended", "refusal",
)  # fmt: skip
PROMPT: Final = 600  # characters of a prompt that a cue is compared with
_TYPED_OF: Final = 6  # prompts looked at for one that is wanted: others are copies, or a machine's


# ---- on the writing connection


@writes
def note_read(sql: Sql, note: NoteRead) -> int:
    """Keep the proof of a memory, and its cues."""
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
    return 1


@writes
def set_cue_vector(sql: Sql, made: CueVectored) -> int:
    """Give a prompt among the cues its vector."""
    return sql.change(
        "UPDATE cue SET vector = ?, model = ? WHERE kind = 'prompt' AND text = ?",
        (made.vector, made.model, made.text),
    )


@writes
def see_notes(sql: Sql, seen: NotesSeen) -> int:
    """Note these as seen by a person."""
    return sql.change(
        "UPDATE read_note SET seen_at = ? WHERE seen_at IS NULL"
        " AND memory_id IN (SELECT value FROM json_each(?))",
        (seen.at, seen.memory_ids),
    )


@writes
def judge_note(sql: Sql, judged: NoteJudged) -> int:
    """Note a person's verdict on a note; whoever judges it has seen it, and may not have."""
    return sql.change(
        "UPDATE read_note SET verdict = :verdict, ended = :ended,"
        " before = CASE WHEN :undoes THEN '' ELSE verdict END,"
        " seen_at = CASE WHEN :verdict = '' THEN NULL ELSE coalesce(seen_at, :at) END"
        " WHERE memory_id = :memory_id",
        columns(judged),
    )


@writes
def stop(sql: Sql, said: StoppedAt) -> int:
    """Note where a session stopped; "" when nothing of it is open."""
    return sql.change(
        "INSERT INTO read_session (session, stopped) VALUES (:session, :text)"
        " ON CONFLICT (session) DO UPDATE SET stopped = excluded.stopped",
        columns(said),
    )


def drop_readings(sql: Sql, project: str | None) -> None:
    """Forget which sessions of a project, or of all, were read; their events leave with this."""
    meant = "(?1 IS NULL OR project = ?1)"
    sql.rows(
        "DELETE FROM read_session WHERE ?1 IS NULL OR session IN"
        f" (SELECT session FROM session WHERE {meant} UNION SELECT session FROM reading WHERE {meant})",
        (project,),
    )
    sql.rows(f"DELETE FROM reading WHERE {meant}", (project,))


# ---- questions


def given_by(sql: Sql, first_seq: int, last_seq: int, limit: int) -> list[int]:
    """Living memories from these events of the first one's session, the most important first."""
    return sql.column(
        "SELECT id FROM memory WHERE seq BETWEEN ?1 AND ?2 AND ended IS NULL"
        " AND session = (SELECT session FROM journal WHERE seq = ?1)"
        " ORDER BY importance DESC, id DESC LIMIT ?3",
        (first_seq, last_seq, limit),
    )


def prompts_elsewhere(sql: Sql, session: str, limit: int) -> list[str]:
    """Prompts typed by persons in other sessions, each text once, the newest first."""
    rows = sql.records(
        JournalRow,
        f"{JOURNAL} WHERE kind = 'prompt' AND session <> ? AND length(body) > 0"
        " ORDER BY seq DESC LIMIT ?",
        (session, limit * _TYPED_OF),
    )
    events = (event for row in rows if (event := event_of(row)) is not None)
    texts = (
        shortened(" ".join(one.prompt.split()), PROMPT) for one in events if one.is_typed_prompt
    )
    return list(dict.fromkeys(filter(None, texts)))[:limit]


def marks(sql: Sql, project: str | None, limit: int) -> dict[int, Mark]:
    """Living notes of the reader in a project, by their memories; the newest ones."""
    rows = sql.rows(
        "SELECT n.memory_id, n.kind, n.scope, n.verdict FROM memory m"
        " JOIN read_note n ON n.memory_id = m.id"
        " WHERE m.project IS ? AND m.ended IS NULL ORDER BY m.id DESC LIMIT ?",
        (project, limit),
    )
    return {int(number): Mark(*map(str, said)) for number, *said in rows}


def cue_vectors(sql: Sql, project: str | None, limit: int) -> list[tuple[int, bytes | None]]:
    """Notes of a project with the vectors of their prompt cues, by the model in use.

    An agent's or a tool's statement is a line of the page until it was of use or a person kept it.
    """
    return sql.rows(
        # From the notes, which are few: a project has many other memories.
        "SELECT n.memory_id, c.vector FROM read_note n CROSS JOIN memory m ON m.id = n.memory_id"
        " LEFT JOIN cue c ON c.memory_id = n.memory_id AND c.kind = 'prompt'"
        " AND c.model = (SELECT value FROM store WHERE name = 'model')"
        " WHERE m.project IS ?1 AND m.ended IS NULL"
        " AND (n.said_by = 'user' OR n.verdict <> '' OR m.uses > 0)"
        " ORDER BY n.memory_id DESC LIMIT ?2",
        (project, limit),
    )


def cued_by_files(sql: Sql, project: str, paths: Sequence[str]) -> list[int]:
    """Living notes of a project of which one of these files is a cue."""
    return sql.column(
        "SELECT DISTINCT c.memory_id FROM cue c JOIN memory m ON m.id = c.memory_id"
        " WHERE c.kind = 'file' AND c.text IN (SELECT value FROM json_each(?))"
        " AND m.project = ? AND m.ended IS NULL",
        (paths, project),
    )


def cued_at(
    sql: Sql, project: str, paths: Sequence[str], limit: int
) -> list[tuple[int, str, bool]]:
    """Living notes of a project brought by their cues to a file of these names, the newest first.

    With a symbol each, "" for the file itself, and whether the file is a cue. One without a file
    among its cues may be about any; one with a known place in code stands there alone.
    """
    rows = sql.rows(
        "WITH own AS MATERIALIZED (SELECT m.id, c.kind, c.text FROM cue c"
        "  JOIN memory m ON m.id = c.memory_id"
        "  WHERE c.kind IN ('file', 'symbol') AND m.project = ?1 AND m.ended IS NULL),"
        " here AS (SELECT DISTINCT id FROM own WHERE kind = 'file'"
        "  AND text IN (SELECT value FROM json_each(?2)))"
        " SELECT id, '', 1 FROM here UNION SELECT id, text, id IN (SELECT id FROM here) FROM own"
        "  WHERE kind = 'symbol' AND (id IN (SELECT id FROM here)"
        "   OR id NOT IN (SELECT id FROM own WHERE kind = 'file'))"
        "  AND id NOT IN (SELECT memory_id FROM reference WHERE symbol <> '' AND command = '')"
        " ORDER BY 1 DESC, 2 LIMIT ?3",
        (project, paths, limit),
    )
    return [(int(number), str(symbol), bool(here)) for number, symbol, here in rows]


def cued_by(
    sql: Sql, project: str, files: Sequence[str], symbols: Sequence[str], limit: int
) -> list[Named]:
    """Living notes of a project about these files and symbols, the most important first.

    By their cues, and by the references of a confirmed memory's text. A file without a folder may lie in any.
    """
    return sql.records(
        Named,
        "WITH file AS MATERIALIZED (SELECT value, instr(value, '/') = 0 AS bare FROM json_each(?1)),"
        " about AS (SELECT c.memory_id, c.text FROM cue c JOIN file f ON c.kind = 'file'"
        "  AND (c.text = f.value OR f.bare AND substr(c.text, -length(f.value) - 1) = '/' || f.value)"
        " UNION SELECT memory_id, text FROM cue WHERE kind = 'symbol'"
        "  AND text IN (SELECT value FROM json_each(?2))"
        " UNION SELECT r.memory_id, r.path FROM reference r JOIN memory m ON m.id = r.memory_id"
        "  WHERE r.state = 'held' AND m.status = 'confirmed' AND r.path IN (SELECT value FROM file)"
        " UNION SELECT r.memory_id, r.symbol FROM reference r JOIN memory m ON m.id = r.memory_id"
        "  WHERE r.state = 'held' AND m.status = 'confirmed'"
        "  AND r.symbol IN (SELECT value FROM json_each(?2)))"
        " SELECT m.id, about.text, count(*) OVER (PARTITION BY about.text)"
        " FROM about JOIN memory m ON m.id = about.memory_id"
        " WHERE m.project = ?3 AND m.ended IS NULL ORDER BY m.importance DESC, m.id DESC LIMIT ?4",
        (files, symbols, project, limit),
    )


def cues(sql: Sql, project: str, kind: str) -> list[tuple[int, str]]:
    """Cues of a kind of the living notes of a project, with their memories."""
    return sql.rows(
        "SELECT c.memory_id, c.text FROM cue c JOIN memory m ON m.id = c.memory_id"
        " WHERE c.kind = ? AND m.project = ? AND m.ended IS NULL",
        (kind, project),
    )


def cues_to_embed(sql: Sql, model: str, limit: int) -> list[str]:
    """Prompts among the cues of living notes without a vector of this model."""
    return sql.column(
        "SELECT DISTINCT c.text FROM cue c JOIN memory m ON m.id = c.memory_id"
        " WHERE c.kind = 'prompt' AND c.model <> ? AND m.ended IS NULL LIMIT ?",
        (model, limit),
    )


_ROW: Final = (
    "SELECT n.memory_id, m.title, m.text, n.kind, n.said_by, n.scope, m.project, n.session, n.seq,"
    " m.created_at, coalesce(r.ended_at, m.created_at), coalesce(r.engine, ''), coalesce(r.why, ''),"
    " n.quotation, n.agreed_to, n.relation, n.named, coalesce(o.text, ''), n.ended, n.refusal,"
    " m.ended IS NULL, n.seen_at, n.verdict, n.before"
    " FROM read_note n JOIN memory m ON m.id = n.memory_id"
    " LEFT JOIN reading r ON r.id = n.reading LEFT JOIN memory o ON o.id = n.named"
)
# What a person has not seen; what something later ended is over.
_NEW: Final = "n.verdict = '' AND n.seen_at IS NULL AND m.ended IS NULL"


def inbox(sql: Sql, limit: int) -> list[NoteRow]:
    """Notes unseen by a person, the newest reading first."""
    return sql.records(
        NoteRow, f"{_ROW} WHERE {_NEW} ORDER BY n.reading DESC, n.memory_id LIMIT ?", (limit,)
    )


def inbox_count(sql: Sql) -> int:
    """Count the notes that a person has not seen."""
    return sql.number(
        f"SELECT count(*) FROM read_note n JOIN memory m ON m.id = n.memory_id WHERE {_NEW}"
    )


def notes_of(sql: Sql, ids: Sequence[int]) -> dict[int, NoteRow]:
    """Facts of the ones of these memories written by the reader."""
    rows = sql.records(
        NoteRow, f"{_ROW} WHERE n.memory_id IN (SELECT value FROM json_each(?))", (ids,)
    )
    return {row.memory_id: row for row in rows}


def note_of(sql: Sql, memory_id: int) -> NoteRow | None:
    """Facts of a memory written by the reader; None of any other."""
    return notes_of(sql, [memory_id]).get(memory_id)


def carried(sql: Sql, ids: Sequence[int]) -> dict[int, dict[str, Any]]:
    """Proofs of the ones of these memories written by a reader, and their cues, for another home."""
    rows = sql.rows(
        "SELECT memory_id, kind, said_by, scope, quotation, agreed_to, session FROM read_note"
        " WHERE memory_id IN (SELECT value FROM json_each(?))",
        (ids,),
    )
    names = ("kind", "said_by", "scope", "quotation", "agreed_to", "session")
    brought = cues_of(sql, ids)
    return {
        int(number): {
            **dict(zip(names, said, strict=True)),
            "cues": [{"kind": kind, "text": text} for kind, text in brought.get(number, ())],
        }
        for number, *said in rows
    }


def cues_of(sql: Sql, ids: Sequence[int]) -> dict[int, list[tuple[str, str]]]:
    """The cues of these memories, each with its kind."""
    found: dict[int, list[tuple[str, str]]] = {}
    for number, kind, text in sql.rows(
        "SELECT memory_id, kind, text FROM cue WHERE memory_id IN (SELECT value FROM json_each(?))",
        (ids,),
    ):
        found.setdefault(int(number), []).append((str(kind), str(text)))
    return found


def kept_beside(sql: Sql, memory_id: int) -> list[tuple[int, str]]:
    """Living notes refused the ending of a memory, and why."""
    return sql.rows(
        "SELECT n.memory_id, n.refusal FROM read_note n JOIN memory m ON m.id = n.memory_id"
        " WHERE n.named = ? AND n.refusal <> '' AND m.ended IS NULL ORDER BY n.memory_id",
        (memory_id,),
    )


def stopped_at(sql: Sql, session: str) -> str:
    """Place where a session stopped, by the reader's word; empty when something came since."""
    stopped = sql.value(
        "SELECT stopped FROM read_session WHERE session = ?1 AND upto >="
        " coalesce((SELECT max(seq) FROM journal WHERE session = ?1 AND kind = 'prompt'), 0)",
        (session,),
    )
    return str(stopped or "")
