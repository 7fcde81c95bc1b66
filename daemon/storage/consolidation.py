"""What consolidation reads, and relevance in the store (rows J02 to J06, J12)."""

from __future__ import annotations

import json
from typing import Any, Final

from actors.consolidation.rows import FadedRow, ObservationRow, UseRow
from actors.consolidation.writes import RelevanceComputed
from daemon.storage.sql import Row, Sql

# ---- on the writing connection


def compute(sql: Sql, computed: RelevanceComputed) -> int:
    """Store relevances; of a memory that is gone by now nothing."""
    sql.many(
        "INSERT INTO relevance SELECT ?1, ?2, ?3 WHERE EXISTS (SELECT 1 FROM memory WHERE id = ?1)"
        " ON CONFLICT DO UPDATE SET value = excluded.value, at = excluded.at",
        [(memory_id, value, computed.at) for memory_id, value in computed.values],
    )
    return len(computed.values)


# ---- on a reading connection

_ALONE: Final[tuple[int, float | None]] = (0, None)


def uses_of_living(sql: Sql, after: int, limit: int) -> list[UseRow]:
    """A page of living memories with their relations: declared links and connections."""
    rows = sql.rows(
        "SELECT m.id, m.created_at, m.last_use, m.importance, r.value FROM memory m"
        " LEFT JOIN relevance r ON r.memory_id = m.id"
        " WHERE m.id > ? AND m.ended IS NULL ORDER BY m.id LIMIT ?",
        (after, limit),
    )
    if not rows:
        return []
    joined = _relations(sql, rows[0][0], rows[-1][0])
    found: list[UseRow] = []
    for memory_id, created_at, last_use, importance, before in rows:
        count, mean = joined.get(memory_id, _ALONE)
        found.append(UseRow(memory_id, created_at, last_use, importance, count, mean, before))
    return found


def _relations(sql: Sql, first: int, last: int) -> dict[int, tuple[int, float]]:
    """How many relations these memories have, and their mean strength, which is 1 at most."""
    between = (first, last)
    rows = sql.rows(
        "SELECT id, count(*), avg(min(strength, 1.0)) FROM ("
        " SELECT source_id AS id, strength FROM memory_link WHERE source_id BETWEEN ?1 AND ?2"
        " UNION ALL SELECT target_id, strength FROM memory_link WHERE target_id BETWEEN ?1 AND ?2"
        " UNION ALL SELECT one_id, strength FROM connection WHERE one_id BETWEEN ?1 AND ?2"
        " UNION ALL SELECT other_id, strength FROM connection WHERE other_id BETWEEN ?1 AND ?2"
        ") GROUP BY id",
        between,
    )
    return {memory_id: (count, mean) for memory_id, count, mean in rows}


def projects_of_living(sql: Sql, limit: int) -> list[str | None]:
    """Projects with living memories, those with the newest first."""
    rows = sql.rows(
        "SELECT project FROM memory WHERE ended IS NULL GROUP BY project"
        " ORDER BY max(id) DESC LIMIT ?",
        (limit,),
    )
    return [project for (project,) in rows]


_OBSERVED = (
    "SELECT m.id, m.kind, m.created_at, m.project, m.title, m.text,"
    " (SELECT json_group_array(phrase) FROM trigger_phrase t WHERE t.memory_id = m.id)"
    " FROM memory m WHERE m.ended IS NULL AND m.project IS ?1"
)


def newest(sql: Sql, project: str | None, limit: int) -> list[ObservationRow]:
    """The newest living memories of exactly this project."""
    rows = sql.rows(f"{_OBSERVED} ORDER BY m.created_at DESC, m.id DESC LIMIT ?2", (project, limit))
    return [_observation(row) for row in rows]


def _observation(row: Row) -> ObservationRow:
    values: list[Any] = list(row)
    values[-1] = tuple(json.loads(values[-1]))
    return ObservationRow(*values)


def faded(sql: Sql, before: float, threshold: float, after: int, limit: int) -> list[FadedRow]:
    """Living memories made before then with less relevance than that, in the order of ids."""
    rows = sql.rows(
        "SELECT m.id, m.kind, m.tier, m.pinned, m.created_at, m.last_use, m.importance, r.value,"
        " m.content_hash, m.source, m.text, m.uses, m.exposures, m.confidence FROM relevance r"
        " JOIN memory m ON m.id = r.memory_id WHERE r.memory_id > ? AND r.value < ?"
        " AND m.ended IS NULL AND m.created_at <= ? ORDER BY m.id LIMIT ?",
        (after, threshold, before, limit),
    )
    return [_faded(row) for row in rows]


def _faded(row: Row) -> FadedRow:
    values: list[Any] = list(row)
    values[3] = bool(values[3])
    return FadedRow(*values)


def living_count(sql: Sql) -> int:
    """How many memories live."""
    return sql.number("SELECT count(*) FROM memory WHERE ended IS NULL")


def relevance_of(sql: Sql, memory_id: int) -> tuple[float, float] | None:
    """A memory's relevance and when it was computed."""
    rows = sql.rows("SELECT value, at FROM relevance WHERE memory_id = ?", (memory_id,))
    return (float(rows[0][0]), float(rows[0][1])) if rows else None
