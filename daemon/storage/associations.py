"""Associations in the store: which memories are alike, as their vectors say."""

from collections.abc import Sequence
from json import dumps

from actors.links.rows import Unlooked
from actors.links.writes import Associated
from actors.memory.rows import Scope
from actors.policy.graph.graph_channel import Link
from daemon.storage.database.effects import Effect, writes
from daemon.storage.database.sql import Sql
from daemon.storage.vectors import has_vectors

SIMILAR = "similar"
_UNLOOKED = (
    "SELECT m.id, m.project, c.id FROM chunk c JOIN memory m ON m.id = c.memory_id"
    " LEFT JOIN association_look l ON l.memory_id = m.id"
    " WHERE c.ordinal = 0 AND m.ended IS NULL"
    " AND (l.chunk_id IS NOT c.id OR l.reach < ?1)"
)


# ---- on the writing connection
@writes(Effect.INDEXES)
def associate(sql: Sql, made: Associated) -> int:
    """The pairs of kind ``similar`` of a memory are these and no others from now on."""
    known = sql.rows(
        "SELECT 1 FROM chunk WHERE id = ? AND memory_id = ?", (made.chunk_id, made.memory_id)
    )
    if not known:
        return 0
    pairs = [(*sorted((made.memory_id, other)), strength) for other, strength in made.alike]
    sql.rows(
        "DELETE FROM association WHERE kind = ?1 AND (one_id = ?2 OR other_id = ?2)"
        " AND one_id + other_id - ?2 NOT IN (SELECT value FROM json_each(?3))",
        (SIMILAR, made.memory_id, dumps([other for other, _ in made.alike])),
    )
    sql.many(
        "INSERT INTO association (one_id, other_id, kind, strength, made_at, touched_at)"
        " SELECT ?1, ?2, ?3, ?4, ?5, ?5 WHERE 2 ="
        " (SELECT count(*) FROM memory WHERE id IN (?1, ?2))"  # one may be erased by now
        " ON CONFLICT DO UPDATE SET strength = excluded.strength, touched_at = excluded.touched_at",
        [(one, other, SIMILAR, strength, made.at) for one, other, strength in pairs],
    )
    sql.rows(
        "INSERT INTO association_look VALUES (?, ?, ?) ON CONFLICT DO UPDATE"
        " SET chunk_id = excluded.chunk_id, reach = excluded.reach",
        (made.memory_id, made.chunk_id, made.reach),
    )
    return 1


# ---- on a reading connection
def unlooked(
    sql: Sql, ids: Sequence[int] | None, below: int, reach: int, limit: int
) -> list[Unlooked]:
    """Living memories whose vectors were not compared yet, the newest first."""
    among = "c.id < ?2" if ids is None else "c.memory_id IN (SELECT value FROM json_each(?2))"
    return sql.records(
        Unlooked,
        f"{_UNLOOKED} AND {among} ORDER BY c.id DESC LIMIT ?3",
        (reach, below if ids is None else dumps(list(ids)), limit),
    )


def own_vectors(sql: Sql, memory_id: int, limit: int) -> list[bytes]:
    """The first vectors of a memory."""
    if not has_vectors(sql):
        return []
    return sql.column(
        "SELECT v.embedding FROM chunk c JOIN memory_vector v ON v.chunk_id = c.id"
        " WHERE c.memory_id = ? ORDER BY c.ordinal LIMIT ?",
        (memory_id, limit),
    )


def alike(sql: Sql, memory_id: int) -> list[int]:
    """The memories that are stored as like this one."""
    return sql.column(
        "SELECT one_id + other_id - ?1 FROM association"
        " WHERE kind = ?2 AND (one_id = ?1 OR other_id = ?1)",
        (memory_id, SIMILAR),
    )


def associations(sql: Sql, ids: Sequence[int], scope: Scope, each: int) -> list[Link]:
    """The strongest associations of each of these, which is the one, with living memories."""
    found: list[Link] = []
    for memory_id in ids:
        found += sql.records(
            Link,
            "SELECT ?1, other, a.kind, strength FROM"
            " (SELECT other_id AS other, kind, strength FROM association WHERE one_id = ?1"
            "  UNION ALL SELECT one_id, kind, strength FROM association WHERE other_id = ?1) a"
            " JOIN memory m ON m.id = other WHERE m.ended IS NULL"
            " AND (?2 OR m.project IS NULL OR m.project = ?3)"
            " ORDER BY strength DESC, other LIMIT ?4",
            (memory_id, int(scope.everywhere), scope.project, each),
        )
    return found
