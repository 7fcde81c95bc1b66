"""Opinions of people and verdicts on memories: confidence, usefulness, hints, suppression."""

from collections.abc import Sequence

from actors.memory.rows import Scope
from actors.memory.use import FoundUseful, HintMuted, Opinion, Suppressed, Validated
from actors.policy.decay.curve import validated
from actors.policy.recall.evidence import SESSIONS
from daemon.storage.database.sql import Row, Sql, Value, columns, writes
from daemon.storage.strength import note_review


@writes
def validate(sql: Sql, verdict: Validated) -> int:
    """Set or move the confidence after a verdict, and count one verdict more.

    It stands among the reviews without a grade: it is no answer of the memory's.
    """
    sure = verdict.confidence
    if sure is None:
        before = sql.value("SELECT confidence FROM memory WHERE id = ?", (verdict.memory_id,))
        sure = validated(before or 0.0, useful=verdict.cause == "useful")
    changed = sql.change("UPDATE memory SET confidence = ? WHERE id = ?", (sure, verdict.memory_id))
    if changed:
        sql.rows(
            "INSERT INTO opinion (memory_id, validations) VALUES (?, 1)"
            " ON CONFLICT DO UPDATE SET validations = validations + 1",
            (verdict.memory_id,),
        )
        note_review(sql, verdict, grade=0)
    return changed


@writes
def find_useful(sql: Sql, found: FoundUseful) -> int:
    """Count one more verdict of a project."""
    return sql.change(
        "INSERT INTO verdict (memory_id, project, useful, useless)"
        " SELECT id, :project, :useful, 1 - :useful FROM memory WHERE id = :memory_id"
        " ON CONFLICT DO UPDATE SET useful = useful + excluded.useful,"
        " useless = useless + excluded.useless",
        columns(found),
    )


@writes
def mute_hint(sql: Sql, wanted: HintMuted) -> int:
    """Show no hint of a memory in a file, or show it again."""
    return sql.change(
        "INSERT INTO hint (memory_id, project, path, muted)"
        " SELECT id, :project, :path, :muted FROM memory WHERE id = :memory_id"
        " ON CONFLICT DO UPDATE SET muted = excluded.muted",
        columns(wanted),
    )


def muted(sql: Sql, project: str, path: str) -> set[int]:
    """Memories of which a person wants no hint in a file."""
    rows = sql.column(
        "SELECT memory_id FROM hint WHERE project = ? AND path = ? AND muted = 1", (project, path)
    )
    return set(rows)


_OPINION = (
    "SELECT m.id, m.confidence, coalesce(o.validations, 0), coalesce(o.suppressions, 0), o.suppressed_at,"
    " coalesce(sum(v.useful), 0), coalesce(sum(v.useless), 0),"
    # Who was never used is counted until it is enough, and everybody else not at all.
    " CASE WHEN m.uses = 0 AND m.exposures > 0 THEN (SELECT count(*) FROM ("
    "  SELECT DISTINCT e.session FROM exposure e WHERE e.memory_id = m.id AND e.place = 'prompt'"
    "  AND e.session IS NOT NULL LIMIT :enough)) ELSE 0 END"
    " FROM memory m LEFT JOIN opinion o ON o.memory_id = m.id"
    " LEFT JOIN verdict v ON v.memory_id = m.id AND v.project IN (:project, '')"
    " WHERE m.id IN (SELECT value FROM json_each(:ids))"
)


def opinions(sql: Sql, ids: Sequence[int], project: str | None = None) -> dict[int, Opinion]:
    """Opinions about these memories as they hold in a project; memories without one are left out."""
    return _said(sql.rows(f"{_OPINION} GROUP BY m.id", _asked(ids, project)))


def _asked(ids: Sequence[int], project: str | None) -> dict[str, Value]:
    return {"ids": ids, "project": project or "", "enough": SESSIONS}


def seen(sql: Sql, ids: Sequence[int], scope: Scope) -> tuple[frozenset[int], dict[int, Opinion]]:
    """The living ones of these memories visible from there, and the opinions of them."""
    rows = sql.rows(
        f"{_OPINION} AND m.ended IS NULL"
        " AND (:everywhere OR m.project IS NULL OR m.project = :project) GROUP BY m.id",
        {**_asked(ids, scope.project), "everywhere": int(scope.everywhere)},
    )
    return frozenset([row[0] for row in rows]), _said(rows)


def _said(rows: Sequence[Row]) -> dict[int, Opinion]:
    return {
        memory_id: Opinion(confidence, validations, suppressions, at, *prompted)
        for memory_id, confidence, validations, suppressions, at, *prompted in rows
        if validations or suppressions or at is not None or any(prompted)
    }


# ---- suppression
@writes
def suppress(sql: Sql, change: Suppressed) -> int:
    """Count one suppression more, or one less."""
    if not sql.rows("SELECT 1 FROM memory WHERE id = ?", (change.memory_id,)):
        return 0
    return sql.number(
        "INSERT INTO opinion (memory_id, suppressions, suppressed_at)"
        " VALUES (:memory_id, :at IS NOT NULL, :at)"
        " ON CONFLICT DO UPDATE SET"
        " suppressions = max(0, suppressions + iif(:at IS NULL, -1, 1)),"
        " suppressed_at = excluded.suppressed_at RETURNING suppressions",
        columns(change),
    )
