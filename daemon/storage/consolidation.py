"""Relevance and associations in the store, and what consolidation reads."""

from collections.abc import Sequence
from json import dumps
from typing import Final

from actors.consolidation.rows import UseRow
from actors.consolidation.writes import RelevanceComputed
from actors.links.rows import Unlooked
from actors.links.writes import Associated
from actors.memory.rows import Memory, Scope
from actors.policy.graph.graph_channel import Link
from daemon.storage.database.sql import Sql
from daemon.storage.memories import MEMORY, memories
from daemon.storage.vectors import has_vectors


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
    rows = sql.rows(
        "SELECT id, count(*), avg(min(strength, 1.0)) FROM ("
        " SELECT source_id AS id, strength FROM memory_link WHERE source_id BETWEEN ?1 AND ?2"
        " UNION ALL SELECT target_id, strength FROM memory_link WHERE target_id BETWEEN ?1 AND ?2"
        " UNION ALL SELECT one_id, strength FROM connection WHERE one_id BETWEEN ?1 AND ?2"
        " UNION ALL SELECT other_id, strength FROM connection WHERE other_id BETWEEN ?1 AND ?2"
        ") GROUP BY id",
        (first, last),
    )
    return {memory_id: (count, mean) for memory_id, count, mean in rows}


def projects_of_living(sql: Sql, limit: int) -> list[str | None]:
    """Projects with living memories, those with the newest first."""
    return sql.column(
        "SELECT project FROM memory WHERE ended IS NULL GROUP BY project"
        " ORDER BY max(id) DESC LIMIT ?",
        (limit,),
    )


def newest(sql: Sql, project: str | None, limit: int) -> list[Memory]:
    """The newest living memories of exactly this project."""
    return sql.records(
        Memory,
        f"{MEMORY} WHERE m.ended IS NULL AND m.project IS ?"
        " ORDER BY m.created_at DESC, m.id DESC LIMIT ?",
        (project, limit),
    )


def faded(
    sql: Sql, before: float, threshold: float, after: int, limit: int
) -> list[tuple[Memory, float]]:
    """Living memories made before then with less relevance than that, in the order of ids."""
    rows = sql.rows(
        "SELECT m.id, r.value FROM relevance r JOIN memory m ON m.id = r.memory_id"
        " WHERE r.memory_id > ? AND r.value < ?"
        " AND m.ended IS NULL AND m.created_at <= ? ORDER BY m.id LIMIT ?",
        (after, threshold, before, limit),
    )
    found = memories(sql, [memory_id for memory_id, _ in rows])
    return [(found[memory_id], value) for memory_id, value in rows]


def living_count(sql: Sql) -> int:
    """Count the living memories."""
    return sql.number("SELECT count(*) FROM memory WHERE ended IS NULL")


def relevance_of(sql: Sql, memory_id: int) -> tuple[float, float] | None:
    """A memory's relevance and when it was computed."""
    rows = sql.rows("SELECT value, at FROM relevance WHERE memory_id = ?", (memory_id,))
    return (float(rows[0][0]), float(rows[0][1])) if rows else None


SIMILAR = "similar"
_UNLOOKED = (
    "SELECT m.id, m.project, c.id FROM chunk c JOIN memory m ON m.id = c.memory_id"
    " LEFT JOIN association_look l ON l.memory_id = m.id"
    " WHERE c.ordinal = 0 AND m.ended IS NULL"
    " AND (l.chunk_id IS NOT c.id OR l.reach < ?1)"
)


# ---- on the writing connection
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
