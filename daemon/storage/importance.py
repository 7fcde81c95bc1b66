"""Importance in the store: what rates it, what it was changed by, since when it is what it is."""

from __future__ import annotations

from collections.abc import Sequence
from json import dumps

from actors.capture.rows import AnchorRow, ChangeRow, EarlierRow, RatedRow
from actors.capture.writes import Backfilled, Dimmed, ImportanceRated, Marked
from actors.intake.rows import JournalRow
from actors.memory.rows import Scope
from actors.policy.capture.backfill import DAY
from actors.policy.capture.importance import changed
from actors.strength.rows import ReviewRow
from daemon.storage.recall import JOURNAL, journal_row
from daemon.storage.sql import Sql
from daemon.storage.tables import importance

# Of a failure's names, those looked for; and of the memories that have one, those read.
NAMES = 64
EARLIER = 2_000


def add_tables(sql: Sql) -> None:
    """The tables; what is there already counts as looked at, and what was captured as told."""
    sql.rows(importance.TABLES)
    columns = {name for (name,) in sql.rows("SELECT name FROM pragma_table_info('capture')")}
    if "reported_at" not in columns:
        sql.rows("ALTER TABLE capture ADD COLUMN reported_at REAL")
        sql.rows("UPDATE capture SET reported_at = at")
    sql.rows("CREATE INDEX IF NOT EXISTS capture_untold ON capture (at) WHERE reported_at IS NULL")
    sql.rows(
        "INSERT INTO importance_mark SELECT 'memory', coalesce(max(id), 0) FROM memory"
        " UNION ALL SELECT 'review', coalesce(max(id), 0) FROM review"
        " UNION ALL SELECT 'journal', coalesce(max(seq), 0) FROM journal WHERE 1"
        " ON CONFLICT DO NOTHING"
    )


# ---- on the writing connection


def rate(sql: Sql, rated: ImportanceRated) -> int:
    """Change an importance by what it is now, once on an occasion; a living memory's only."""
    rows = sql.rows(
        "SELECT importance FROM memory WHERE id = ? AND ended IS NULL", (rated.memory_id,)
    )
    if not rows:
        return 0
    before = float(rows[0][0])
    if rated.how == "stay":
        anchor(sql, rated.memory_id, rated.at)
        return 1
    after = changed(before, rated.how, rated.amount)
    noted = sql.change(
        "INSERT INTO importance_change VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        (
            rated.memory_id, rated.cause, rated.occasion, rated.how, rated.amount, before, after,
            rated.at,
        ),
    )  # fmt: skip
    if not noted:
        return 0
    sql.rows("UPDATE memory SET importance = ? WHERE id = ?", (after, rated.memory_id))
    anchor(sql, rated.memory_id, rated.at)
    _note_channels(sql, rated)
    return 1


def _note_channels(sql: Sql, rated: ImportanceRated) -> None:
    if rated.channels is not None:
        sql.rows(
            "UPDATE importance_anchor SET (novelty, arousal, reward, attention) = (?, ?, ?, ?)"
            " WHERE memory_id = ?",
            (*rated.channels, rated.memory_id),
        )
    if rated.reward is not None:
        sql.rows(
            "UPDATE importance_anchor SET reward = ? WHERE memory_id = ?",
            (rated.reward, rated.memory_id),
        )


def anchor(sql: Sql, memory_id: int, at: float) -> None:
    """An importance fades from here on (Q09): news came of the memory at this time."""
    sql.rows(
        "INSERT INTO importance_anchor (memory_id, value, at)"
        " SELECT id, importance, ? FROM memory WHERE id = ? ON CONFLICT DO UPDATE"
        " SET value = excluded.value, at = max(at, excluded.at)",
        (at, memory_id),
    )


def dim(sql: Sql, dimmed: Dimmed) -> int:
    """Fade importances (Q09), each only when it is still that of the anchor it was computed of."""
    for memory_id, at, value in dimmed.memories:
        sql.rows(
            "UPDATE memory SET importance = ? WHERE id = ? AND EXISTS"
            " (SELECT 1 FROM importance_anchor WHERE memory_id = memory.id AND at = ?)",
            (value, memory_id, at),
        )
    return len(dimmed.memories)


def mark(sql: Sql, marked: Marked) -> int:
    """Everything up to here was looked at; never backwards."""
    return sql.change(
        "INSERT INTO importance_mark VALUES (?, ?) ON CONFLICT DO UPDATE"
        " SET value = max(value, excluded.value)",
        (marked.name, marked.value),
    )


def backfill(sql: Sql, found: Backfilled) -> int:
    """Strengthen a memory that may explain a failure (H17), once a failure.

    Only if it is as strong as it was when that was proposed. One that was never reviewed counts as
    reviewed when it was made: else its fading would go by what is usual for its type.
    """
    changed_ = sql.change(
        "UPDATE memory SET stability = ?1, last_review = coalesce(last_review, created_at) WHERE id = ?2 AND stability = ?3 AND ended IS NULL"
        " AND NOT EXISTS (SELECT 1 FROM backfill WHERE memory_id = ?2 AND failure = ?4)",
        (found.after, found.memory_id, found.before, found.failure),
    )
    if changed_:
        sql.rows(
            "INSERT INTO backfill VALUES (?, ?, ?, ?, ?)",
            (found.memory_id, found.failure, found.before, found.after, found.at),
        )
        sql.rows(
            "INSERT INTO review (memory_id, grade, cause, stability, difficulty, at)"
            " SELECT id, 0, 'backfill', stability, difficulty, ? FROM memory WHERE id = ?",
            (found.at, found.memory_id),
        )
    return changed_


# ---- on a reading connection


def marks(sql: Sql) -> dict[str, int]:
    """How far memories, reviews and the journal were looked at."""
    return {str(name): int(value) for name, value in sql.rows("SELECT * FROM importance_mark")}


def reviews_after(sql: Sql, after: int, limit: int) -> list[ReviewRow]:
    """Reviews with an id over ``after``, oldest first."""
    rows = sql.rows(
        "SELECT id, memory_id, cause, at FROM review WHERE id > ? ORDER BY id LIMIT ?",
        (after, limit),
    )
    return [ReviewRow(*row) for row in rows]


def causes_of_reviews(sql: Sql, memory_id: int, until: int) -> list[str]:
    """The causes of a memory's reviews up to this one, oldest first."""
    rows = sql.rows(
        "SELECT cause FROM review WHERE memory_id = ? AND id <= ? ORDER BY id",
        (memory_id, until),
    )
    return [str(cause) for (cause,) in rows]


def journal_of(sql: Sql, session: str, before: int, limit: int) -> list[JournalRow]:
    """The last events of a session before ``before``, oldest first."""
    rows = sql.rows(
        f"{JOURNAL} WHERE session = ? AND seq < ? ORDER BY seq DESC LIMIT ?",
        (session, before, limit),
    )
    return [journal_row(row) for row in reversed(rows)]


def prompts_after(sql: Sql, after: int, limit: int) -> list[JournalRow]:
    """Journaled prompts after this one, oldest first."""
    rows = sql.rows(
        f"{JOURNAL} WHERE seq > ? AND kind = 'prompt' ORDER BY seq LIMIT ?",
        (after, limit),
    )
    return [journal_row(row) for row in rows]


def event_behind(sql: Sql, memory_id: int) -> JournalRow | None:
    """The journaled event that a memory was made of, while the journal has it."""
    rows = sql.rows(f"{JOURNAL} WHERE seq = (SELECT seq FROM memory WHERE id = ?)", (memory_id,))
    return journal_row(rows[0]) if rows else None


def newest_rated(sql: Sql, project: str | None, until: int, limit: int) -> list[RatedRow]:
    """The newest living memories of a project up to this id with their novelty, oldest first."""
    rows = sql.rows(
        "SELECT m.id, a.novelty FROM memory m"
        " LEFT JOIN importance_anchor a ON a.memory_id = m.id"
        " WHERE m.project IS ? AND m.id <= ? AND m.ended IS NULL AND m.source <> 'import'"
        " ORDER BY m.id DESC LIMIT ?",
        (project, until, limit),
    )
    return [RatedRow(*row) for row in reversed(rows)]


def anchors(sql: Sql, after: int, limit: int) -> list[AnchorRow]:
    """Living memories whose importance has an anchor, in the order of ids."""
    rows = sql.rows(
        "SELECT m.id, a.value, a.at, m.importance, m.tier, m.pinned FROM importance_anchor a"
        " JOIN memory m ON m.id = a.memory_id WHERE m.id > ? AND m.ended IS NULL"
        " ORDER BY m.id LIMIT ?",
        (after, limit),
    )
    return [
        AnchorRow(memory_id, value, at, importance, tier, bool(pinned))
        for memory_id, value, at, importance, tier, pinned in rows
    ]


def changes_of(sql: Sql, memory_id: int) -> list[ChangeRow]:
    """What changed a memory's importance, captures included, oldest first."""
    rows = sql.rows(
        "SELECT cause, how, amount, before, after, at FROM importance_change WHERE memory_id = ?1"
        " UNION ALL SELECT 'capture', 'at_least', importance, before, max(before, importance), at"
        "  FROM capture WHERE memory_id = ?1 ORDER BY at",
        (memory_id,),
    )
    return [ChangeRow(*row) for row in rows]


def channels_of(sql: Sql, memory_id: int) -> tuple[float, float, float, float] | None:
    """Novelty, arousal, reward and attention of a memory, if it was rated."""
    rows = sql.rows(
        "SELECT novelty, arousal, reward, attention FROM importance_anchor"
        " WHERE memory_id = ? AND novelty IS NOT NULL",
        (memory_id,),
    )
    return rows[0] if rows else None


def earlier(
    sql: Sql, names: Sequence[str], scope: Scope, before: float, days: float
) -> list[EarlierRow]:
    """Living memories of the days before that say one of these names, newest first (H17)."""
    rows = sql.rows(
        "SELECT id, text, created_at, stability FROM memory m WHERE ended IS NULL"
        " AND (?1 OR project IS NULL OR project = ?2) AND created_at BETWEEN ?3 AND ?4"
        " AND EXISTS (SELECT 1 FROM json_each(?5) WHERE instr(m.text, value))"
        " ORDER BY created_at DESC, id LIMIT ?6",
        (
            scope.everywhere, scope.project, before - days * DAY, before,
            dumps(list(names)[:NAMES]), EARLIER,
        ),
    )  # fmt: skip
    return [EarlierRow(*row) for row in rows]


def backfilled(sql: Sql, failure: str) -> set[int]:
    """The memories that were strengthened for this failure already."""
    rows = sql.rows("SELECT memory_id FROM backfill WHERE failure = ?", (failure,))
    return {int(memory_id) for (memory_id,) in rows}


def backfills_of(sql: Sql, memory_id: int) -> list[tuple[str, float, float, float]]:
    """For which failures a memory was strengthened: failure, days before, after, and when."""
    return list(
        sql.rows(
            "SELECT failure, before, after, at FROM backfill WHERE memory_id = ? ORDER BY at",
            (memory_id,),
        )
    )
