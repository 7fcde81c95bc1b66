"""Suppressions, their duration, and the neighbours of a suppressed memory."""

from actors.memory.use import Suppressed
from daemon.storage.database.sql import Effect, Sql, writes


# ---- suppression
@writes(Effect.NOTHING)
def suppress(sql: Sql, change: Suppressed) -> int:
    """Set how often a memory is suppressed, and take from its neighbours, or give back."""
    if not sql.rows("SELECT 1 FROM memory WHERE id = ?", (change.memory_id,)):
        return 0
    if change.at is None:
        _give_back(sql, change.memory_id)
    else:
        sql.many(
            # The factor of stability is that of stores of before, which is given back.
            "INSERT INTO weakening VALUES (?, ?, ?, 1.0, ?) ON CONFLICT DO NOTHING",
            [(change.memory_id, one, change.at, edge) for one, edge in change.neighbours],
        )
    sql.rows(
        "INSERT INTO opinion (memory_id, suppressions, suppressed_at) VALUES (?, ?, ?)"
        " ON CONFLICT DO UPDATE SET suppressions = excluded.suppressions,"
        " suppressed_at = excluded.suppressed_at",
        (change.memory_id, change.times, change.at),
    )
    return change.times


def _give_back(sql: Sql, memory_id: int) -> None:
    """Undo the last suppression's effect on the neighbours."""
    taken = sql.rows(
        "DELETE FROM weakening WHERE memory_id = ?1 AND at ="
        " (SELECT suppressed_at FROM opinion WHERE memory_id = ?1) RETURNING factor, neighbour_id",
        (memory_id,),
    )
    sql.many("UPDATE memory SET stability = stability / ? WHERE id = ?", taken)


def neighbours(sql: Sql, memory_id: int) -> list[tuple[int, float]]:
    """The living memories linked with one: id and the strongest edge (0..1)."""
    return sql.rows(
        "WITH edges (id, edge) AS ("
        " SELECT target_id, coalesce(similarity, strength) FROM memory_link"
        "  WHERE source_id = ?1 AND relation <> 'supersedes'"
        " UNION ALL SELECT source_id, coalesce(similarity, strength) FROM memory_link"
        "  WHERE target_id = ?1 AND relation <> 'supersedes'"
        " UNION ALL SELECT other_id, strength FROM association WHERE one_id = ?1"
        " UNION ALL SELECT one_id, strength FROM association WHERE other_id = ?1)"
        " SELECT m.id, max(e.edge) FROM edges e JOIN memory m ON m.id = e.id"
        # What is pinned or of a protected tier is not weakened by what is said of another.
        " WHERE m.ended IS NULL AND NOT m.pinned"
        " AND m.tier NOT IN ('constitutional', 'critical') GROUP BY m.id ORDER BY m.id",
        (memory_id,),
    )
