"""The graph of memories as a whole, for an export: connections, causal edges, associations."""

from __future__ import annotations

from collections.abc import Sequence
from json import dumps
from typing import Final

from actors.memory.rows import Scope
from daemon.storage.link import DECLARED
from daemon.storage.sql import Row, Sql

_EDGES: Final = (
    "SELECT one_id AS one, other_id AS other, kind, strength, evidence, found_by FROM connection"
    " UNION ALL SELECT source_id, target_id, relation, strength, evidence, CASE"
    f" WHEN evidence = '{DECLARED}' THEN 'text'"
    " WHEN source_id IN (SELECT memory_id FROM insight) THEN 'dreaming'"
    " WHEN similarity IS NOT NULL OR relation = 'related' THEN 'gate' ELSE 'person' END"
    " FROM memory_link"
    " UNION ALL SELECT one_id, other_id, kind, strength, evidence, 'vectors' FROM association"
)
_INSIDE: Final = (
    "inside AS MATERIALIZED (SELECT id FROM memory WHERE ended IS NULL"
    " AND (?1 OR project IS NULL OR project = ?2))"
)


def joined(sql: Sql, scope: Scope, limit: int) -> tuple[list[int], int]:
    """The living memories that are joined most strongly with others, and how many are at all."""
    rows = sql.rows(
        f"WITH {_INSIDE}, edge AS MATERIALIZED (SELECT one, other, strength FROM ({_EDGES})"
        " WHERE one IN inside AND other IN inside)"
        " SELECT id, count(*) OVER () FROM"
        " (SELECT one AS id, strength FROM edge UNION ALL SELECT other, strength FROM edge)"
        " GROUP BY id ORDER BY sum(strength) DESC, id LIMIT ?3",
        (int(scope.everywhere), scope.project, limit),
    )
    return [int(row[0]) for row in rows], int(rows[0][1]) if rows else 0


def edges_among(sql: Sql, ids: Sequence[int], limit: int) -> tuple[list[Row], int]:
    """One, other, kind, strength, evidence and finder of what joins these, the strongest first.

    And how many there are.
    """
    rows = sql.rows(
        "WITH chosen AS MATERIALIZED (SELECT value FROM json_each(?1))"
        f" SELECT *, count(*) OVER () FROM ({_EDGES})"
        " WHERE one IN chosen AND other IN chosen"
        " ORDER BY strength DESC, one, other, kind LIMIT ?2",
        (dumps(list(ids)), limit),
    )
    return [row[:6] for row in rows], int(rows[0][6]) if rows else 0
