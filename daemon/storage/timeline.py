"""Memories by the time they were made, and their past."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from json import dumps

from actors.memory.rows import Scope
from daemon.storage.database.sql import Sql

_IN_SCOPE = "(?1 OR m.project IS NULL OR m.project = ?2)"


@dataclass(frozen=True, slots=True)
class Happening:
    """An event of a memory."""

    memory_id: int
    at: float
    what: str
    detail: str


def moments(sql: Sql, scope: Scope, begin: float, end: float) -> list[tuple[int, float]]:
    """Memories made from ``begin`` to ``end``, ended or not, with the time of each."""
    return sql.rows(
        f"SELECT m.id, m.created_at FROM memory m WHERE {_IN_SCOPE}"
        " AND m.created_at BETWEEN ?3 AND ?4",
        (int(scope.everywhere), scope.project, begin, end),
    )


def newest(
    sql: Sql,
    scope: Scope,
    limit: int,
    span: tuple[float, float] = (-math.inf, math.inf),
    kind: str | None = None,
) -> tuple[int, list[tuple[int, float]]]:
    """Number of memories of a span, ended or not, and the time of each of the newest."""
    wanted = f"{_IN_SCOPE} AND m.created_at BETWEEN ?3 AND ?4 AND (?5 IS NULL OR m.kind = ?5)"
    values = (int(scope.everywhere), scope.project, *span, kind)
    total = sql.number(f"SELECT count(*) FROM memory m WHERE {wanted}", values)
    rows = sql.rows(
        f"SELECT m.id, m.created_at FROM memory m WHERE {wanted}"
        " ORDER BY m.created_at DESC, m.id DESC LIMIT ?6",
        (*values, limit),
    )
    return total, rows


def happened(sql: Sql, ids: Sequence[int]) -> list[Happening]:
    """Events of these memories, oldest first; all showings of one in one entry."""
    return sql.records(
        Happening,
        "WITH wanted (id) AS (SELECT value FROM json_each(?))"
        " SELECT memory_id, at, lower(action), reason FROM decision"
        "  WHERE memory_id IN (SELECT id FROM wanted)"
        " UNION ALL SELECT memory_id, replaced_at, 'rewritten', reason FROM memory_version"
        "  WHERE memory_id IN (SELECT id FROM wanted)"
        " UNION ALL SELECT memory_id, at, 'reviewed', cause FROM review"
        "  WHERE memory_id IN (SELECT id FROM wanted)"
        " UNION ALL SELECT memory_id, max(at), 'shown',"
        "  count(*) || CASE count(*) WHEN 1 THEN ' time' ELSE ' times' END FROM exposure"
        "  WHERE memory_id IN (SELECT id FROM wanted) GROUP BY memory_id"
        " UNION ALL SELECT id, ended_at, ended, '' FROM memory"
        "  WHERE id IN (SELECT id FROM wanted) AND ended_at IS NOT NULL"
        " ORDER BY 2, 1",
        (dumps(list(ids)),),
    )
