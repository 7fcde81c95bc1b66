"""Looking back from a failure: earlier memories, and what was found to be its cause."""

from collections.abc import Sequence
from json import dumps

from actors.capture.writes import Backfilled
from actors.memory.rows import Scope
from actors.policy.capture.backfill import DAY, Earlier
from daemon.storage.database.sql import Sql

# Of a failure's names, those looked for; and of the memories that have one, those read.
NAMES = 64
EARLIER = 2_000


def backfill(sql: Sql, found: Backfilled) -> int:
    """Strengthen a memory that may explain a failure, once a failure.

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


def earlier(
    sql: Sql, names: Sequence[str], scope: Scope, before: float, days: float, failure: str
) -> list[Earlier]:
    """Living memories of the days before that say one of these names, newest first.

    Without those that were strengthened for this failure already.
    """
    rows = sql.rows(
        "SELECT id, text, created_at, stability FROM memory m WHERE ended IS NULL"
        " AND (?1 OR project IS NULL OR project = ?2) AND created_at BETWEEN ?3 AND ?4"
        " AND EXISTS (SELECT 1 FROM json_each(?5) WHERE instr(m.text, value))"
        " AND NOT EXISTS (SELECT 1 FROM backfill WHERE memory_id = m.id AND failure = ?7)"
        " ORDER BY created_at DESC, id LIMIT ?6",
        (
            scope.everywhere, scope.project, before - days * DAY, before,
            dumps(list(names)[:NAMES]), EARLIER, failure,
        ),
    )  # fmt: skip
    return [Earlier(str(memory_id), *rest) for memory_id, *rest in rows]


def backfills_of(sql: Sql, memory_id: int) -> list[tuple[str, float, float, float]]:
    """Failures for which a memory was strengthened: failure, days before, after, and when."""
    return sql.rows(
        "SELECT failure, before, after, at FROM backfill WHERE memory_id = ? ORDER BY at",
        (memory_id,),
    )
