"""The graph of memories: connections as they are written, edges around some, the whole for an export."""

from collections.abc import Collection, Sequence
from typing import Final

from actors.memory.rows import Scope, Unlooked
from actors.memory.writes import Associated, Connected, Disconnected, Linked
from actors.night.shapes import SOURCE, ConnectionsDrawn, ConnectionsFaded, ConnectionsStrengthened
from actors.policy.graph.link_graph import LIKENESS, Link, Relation
from actors.policy.night.replay import Connection
from daemon.storage.corpora import has_vectors
from daemon.storage.database.sql import Row, Sql, columns, writes
from daemon.storage.index.words import note_change

_EDGES: Final = (
    "SELECT one_id AS one, other_id AS other, kind, strength, evidence, found_by FROM connection"
    " UNION ALL SELECT source_id, target_id, relation, strength, evidence, CASE"
    " WHEN evidence = 'declared in its text' THEN 'text'"  # by an earlier version
    " WHEN source_id IN (SELECT memory_id FROM insight) THEN 'dreaming'"
    " WHEN similarity IS NOT NULL OR relation = 'related' THEN 'gate' ELSE 'person' END"
    " FROM memory_link"
    " UNION ALL SELECT one_id, other_id, kind, strength, evidence, 'vectors' FROM association"
)


def joined(sql: Sql, scope: Scope, limit: int) -> list[int]:
    """The living memories joined most strongly with others."""
    return sql.column(
        "WITH inside AS MATERIALIZED (SELECT id FROM memory WHERE ended IS NULL"
        " AND (?1 OR project IS NULL OR project = ?2)),"
        f" edge AS MATERIALIZED (SELECT one, other, strength FROM ({_EDGES})"
        " WHERE one IN inside AND other IN inside)"
        " SELECT id FROM"
        " (SELECT one AS id, strength FROM edge UNION ALL SELECT other, strength FROM edge)"
        " GROUP BY id ORDER BY sum(strength) DESC, id LIMIT ?3",
        (int(scope.everywhere), scope.project, limit),
    )


def edges_among(sql: Sql, ids: Sequence[int], limit: int) -> list[Row]:
    """One, other, kind, strength, evidence and finder of the edges among these, the strongest first."""
    return sql.rows(
        "WITH chosen AS MATERIALIZED (SELECT value FROM json_each(?1))"
        f" SELECT * FROM ({_EDGES}) WHERE one IN chosen AND other IN chosen"
        " ORDER BY strength DESC, one, other, kind LIMIT ?2",
        (ids, limit),
    )


# 'related', which the gate writes into the same table, is no cause of anything.
_CAUSAL: Final = f"relation IN ({', '.join(repr(relation.value) for relation in Relation)})"
_SAID: Final = "NOT EXISTS (SELECT 1 FROM insight WHERE memory_id = source_id)"
_LIKENESS: Final = ", ".join(repr(kind) for kind in sorted(LIKENESS))
# Each half of a pair has an index of its own. 'related', which the gate writes, is likeness; that
# an insight was drawn from memories joins these by its own words (docs/measured/dreaming.md).
_AROUND: Final = " UNION ALL ".join(
    f"SELECT {', '.join(ends)}, {kind}, strength FROM {table} WHERE {end} = ?1 AND {wanted}"
    for table, kind, ends, wanted in (
        ("memory_link", "relation", ("source_id", "target_id"), f"{_CAUSAL} AND {_SAID}"),
        ("connection", "kind", ("one_id", "other_id"), f"(?2 OR kind NOT IN ({_LIKENESS}))"),
        ("association", "kind", ("one_id", "other_id"), f"(?2 OR kind NOT IN ({_LIKENESS}))"),
    )
    for end in ends
)


def links_of(sql: Sql, ids: Sequence[int], each: int, likeness: bool) -> list[Link]:
    """The strongest links of each of these: causal edges, connections and associations.

    ``likeness``: also links of mere likeness of two texts.
    """
    found: list[Link] = []
    for memory_id in ids:
        found += sql.records(
            Link,
            f"SELECT * FROM ({_AROUND}) ORDER BY 4 DESC, 1, 2, 3 LIMIT ?3",
            (memory_id, int(likeness), each),
        )
    return found


_EDGE: Final = "SELECT source_id, target_id, relation, strength, evidence, at FROM memory_link"
_TOUCHING: Final = (  # some memories
    f"{_EDGE} WHERE {_CAUSAL} AND source_id IN (SELECT value FROM json_each(?1))"
    f" UNION {_EDGE} WHERE {_CAUSAL} AND target_id IN (SELECT value FROM json_each(?1))"
)


# ---- on a reading connection
def edges_from(sql: Sql, ids: Sequence[int]) -> list[Connected]:
    """The causal edges from these."""
    chosen = "source_id IN (SELECT value FROM json_each(?))"
    return sql.records(Connected, f"{_EDGE} WHERE {_CAUSAL} AND {chosen}", (ids,))


def edges_around(
    sql: Sql, memory_id: int, limit: int, projects: Collection[str | None] | None = None
) -> list[Connected]:
    """The causal edges of a memory to those of these projects (``None``: of all), the surest first."""
    return sql.records(
        Connected,
        f"SELECT * FROM ({_TOUCHING}) WHERE ?3 IS NULL OR EXISTS (SELECT 1 FROM memory"
        " WHERE id = iif(source_id = ?4, target_id, source_id)"
        " AND coalesce(project, '') IN (SELECT value FROM json_each(?3)))"
        " ORDER BY 4 DESC, 1, 2 LIMIT ?2",
        (
            [memory_id],
            limit,
            None if projects is None else [project or "" for project in projects],
            memory_id,
        ),
    )


def edges_within(sql: Sql, ids: Sequence[int], scope: Scope) -> list[Connected]:
    """The causal edges of these with the other ends living in scope."""
    return sql.records(
        Connected,
        f"SELECT * FROM ({_TOUCHING}) WHERE NOT EXISTS (SELECT 1 FROM memory"
        " WHERE id IN (source_id, target_id) AND id NOT IN (SELECT value FROM json_each(?1))"
        " AND (ended IS NOT NULL OR NOT (?2 OR project IS NULL OR project = ?3)))",
        (ids, int(scope.everywhere), scope.project),
    )


# ---- on the writing connection
@writes
def draw(sql: Sql, drawn: ConnectionsDrawn) -> int:
    """Store connections; returns how many were not known."""
    before = sql.number("SELECT count(*) FROM connection")
    # One statement, which does not hold Python's lock: 4,000 rows would keep everybody waiting.
    sql.rows(
        "INSERT INTO connection"
        " (one_id, other_id, kind, found_by, strength, evidence, made_at, touched_at)"
        " SELECT value ->> 0, value ->> 1, value ->> 2, ?3, value ->> 3, value ->> 4, ?2, ?2"
        " FROM json_each(?1) WHERE"  # one of them may be erased by now
        " EXISTS (SELECT 1 FROM memory WHERE id = value ->> 0)"
        " AND EXISTS (SELECT 1 FROM memory WHERE id = value ->> 1)"
        " ON CONFLICT DO UPDATE SET strength = max(strength, excluded.strength),"
        " evidence = excluded.evidence, touched_at = excluded.touched_at",
        (
            [(one.one, one.other, one.kind.value, one.strength, one.evidence)
                   for one in drawn.connections],
            drawn.at,
            SOURCE,
        ),
    )  # fmt: skip
    return sql.number("SELECT count(*) FROM connection") - before


@writes
def strengthen(sql: Sql, order: ConnectionsStrengthened) -> int:
    """Raise the strength of every connection between these pairs."""
    return sum(
        sql.change(
            "UPDATE connection SET strength = min(?, strength + ?), touched_at = ?"
            " WHERE (one_id = ? AND other_id = ?) OR (one_id = ? AND other_id = ?)",
            (order.cap, gain, order.at, one, other, other, one),
        )
        for one, other, gain in order.gains
    )


@writes
def fade(sql: Sql, order: ConnectionsFaded) -> int:
    """Weaken every connection and drop the weakest, and the ones beyond so many."""
    sql.rows("UPDATE connection SET strength = strength * ?", (order.factor,))
    return sql.change(
        "DELETE FROM connection WHERE strength < ?1 OR (one_id, other_id, kind) IN"
        " (SELECT one_id, other_id, kind FROM connection ORDER BY strength DESC, touched_at DESC"
        " LIMIT -1 OFFSET ?2)",
        (order.floor, order.kept),
    )


# ---- on a reading connection
def connections_of(sql: Sql, ids: Sequence[int], limit: int) -> list[Connection]:
    """The connections of these memories, the strongest first.

    Connections of earlier versions' consolidation are left out: they fade.
    """
    return sql.records(
        Connection,
        "SELECT one_id, other_id, kind, strength, evidence FROM connection WHERE found_by = ?3 AND"
        " (one_id IN (SELECT value FROM json_each(?1)) OR other_id IN"
        " (SELECT value FROM json_each(?1))) ORDER BY strength DESC, one_id, other_id, kind LIMIT ?2",
        (ids, limit, SOURCE),
    )


# ---- likeness: which memories are alike, as their vectors say

SIMILAR: Final = "similar"
_UNLOOKED: Final = (
    "SELECT m.id, m.project, c.id FROM chunk c JOIN memory m ON m.id = c.memory_id"
    " LEFT JOIN association_look l ON l.memory_id = m.id"
    " WHERE c.ordinal = 0 AND m.ended IS NULL"
    " AND (l.chunk_id IS NOT c.id OR l.reach < ?1)"
)


@writes
def associate(sql: Sql, made: Associated) -> int:
    """The pairs of kind ``similar`` of a memory are these and no others from now on."""
    known = sql.rows(
        "SELECT 1 FROM chunk WHERE id = ? AND memory_id = ?", (made.chunk_id, made.memory_id)
    )
    if not known:
        return 0
    sql.rows(
        "DELETE FROM association WHERE kind = ?1 AND (one_id = ?2 OR other_id = ?2)"
        " AND one_id + other_id - ?2 NOT IN (SELECT value FROM json_each(?3))",
        (SIMILAR, made.memory_id, [other for other, _ in made.alike]),
    )
    sql.many(
        "INSERT INTO association (one_id, other_id, kind, strength, made_at, touched_at)"
        " SELECT ?1, ?2, ?3, ?4, ?5, ?5 WHERE 2 ="
        " (SELECT count(*) FROM memory WHERE id IN (?1, ?2))"  # one may be erased by now
        " ON CONFLICT DO UPDATE SET strength = excluded.strength, touched_at = excluded.touched_at",
        [
            (*sorted((made.memory_id, other)), SIMILAR, strength, made.at)
            for other, strength in made.alike
        ],
    )
    sql.rows(
        "INSERT INTO association_look VALUES (?, ?, ?) ON CONFLICT DO UPDATE"
        " SET chunk_id = excluded.chunk_id, reach = excluded.reach",
        (made.memory_id, made.chunk_id, made.reach),
    )
    return 1


def uncompared(sql: Sql, reach: int, limit: int) -> list[int]:
    """Living memories with vectors not compared yet, the newest first."""
    return sql.column(f"{_UNLOOKED} ORDER BY c.id DESC LIMIT ?2", (reach, limit))


def unlooked(sql: Sql, ids: Sequence[int], reach: int) -> list[Unlooked]:
    """The ones of these not compared yet, the newest first."""
    return sql.records(
        Unlooked,
        f"{_UNLOOKED} AND c.memory_id IN (SELECT value FROM json_each(?2)) ORDER BY c.id DESC",
        (reach, ids),
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


def like(sql: Sql, memory_id: int) -> list[int]:
    """The memories stored as similar to this one."""
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


# ---- causal edges as they are written, one by one


@writes
def connect(sql: Sql, edge: Connected) -> int:
    """Keep an edge, or the new strength and evidence of an existing one."""
    note_change(sql, edge.source_id, edge.target_id)
    there = sql.change(
        "UPDATE memory_link SET strength = ?, evidence = ?, at = ?"
        " WHERE source_id = ? AND target_id = ? AND relation = ?",
        (edge.strength, edge.evidence, edge.at, edge.source_id, edge.target_id, edge.relation),
    )
    if not there:
        sql.put("memory_link", **columns(edge))
    return int(not there)


def drawn(sql: Sql, source: int, relation: str, target: int) -> Connected | None:
    """The edge between two memories, by a reading connection."""
    known = "source_id = ? AND target_id = ? AND relation = ?"
    return sql.record(Connected, f"{_EDGE} WHERE {known}", (source, target, relation))


@writes
def disconnect(sql: Sql, edge: Disconnected) -> int:
    """Take an edge out."""
    note_change(sql, edge.source_id, edge.target_id)
    return sql.change(
        "DELETE FROM memory_link WHERE source_id = ? AND target_id = ? AND relation = ?",
        (edge.source_id, edge.target_id, edge.relation),
    )


@writes
def link(sql: Sql, made: Linked) -> int:
    sql.put("memory_link", "ON CONFLICT DO NOTHING", **columns(made))
    return 1
