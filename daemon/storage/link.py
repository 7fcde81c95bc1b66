"""Links between memories: causal edges."""

from actors.memory.writes import Connected, Disconnected, Linked
from daemon.storage.database.sql import Effect, Sql, columns, writes


# ---- on the writing connection
@writes(Effect.INDEXES)
def connect(sql: Sql, edge: Connected) -> int:
    """Keep an edge, or the new strength and evidence of an existing one."""
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
    return sql.record(
        Connected,
        "SELECT source_id, target_id, relation, strength, evidence, at FROM memory_link"
        " WHERE source_id = ? AND target_id = ? AND relation = ?",
        (source, target, relation),
    )


@writes(Effect.INDEXES)
def disconnect(sql: Sql, edge: Disconnected) -> int:
    """Take an edge out."""
    return sql.change(
        "DELETE FROM memory_link WHERE source_id = ? AND target_id = ? AND relation = ?",
        (edge.source_id, edge.target_id, edge.relation),
    )


def drop_references(sql: Sql, memory_id: int) -> None:
    """Forget the names that texts of earlier versions have for a memory about to be erased."""
    sql.rows("DELETE FROM declared_link WHERE other_id = ?", (memory_id,))


@writes(Effect.INDEXES)
def link(sql: Sql, made: Linked) -> int:
    sql.put("memory_link", "ON CONFLICT DO NOTHING", **columns(made))
    return 1
