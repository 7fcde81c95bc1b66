"""Importance in the store: what it was changed by."""

from daemon.storage.database.sql import Sql, Value
from daemon.storage.tables import importance


def add_tables(sql: Sql) -> None:
    """The tables; what is there already counts as looked at, and what was captured as told."""
    sql.rows(importance.TABLES)
    if sql.add_columns("capture", reported_at="REAL"):
        sql.rows("UPDATE capture SET reported_at = at")
    sql.rows("CREATE INDEX IF NOT EXISTS capture_untold ON capture (at) WHERE reported_at IS NULL")
    sql.rows(
        "INSERT INTO importance_mark SELECT 'memory', coalesce(max(id), 0) FROM memory"
        " UNION ALL SELECT 'review', coalesce(max(id), 0) FROM review"
        " UNION ALL SELECT 'journal', coalesce(max(seq), 0) FROM journal WHERE 1"
        " ON CONFLICT DO NOTHING"
    )


# ---- on a reading connection
def changes_of(sql: Sql, memory_id: int) -> list[dict[str, Value]]:
    """Changes of a memory's importance, captures included, oldest first."""
    return sql.named(
        "SELECT cause, how, amount, before, after, at FROM importance_change WHERE memory_id = ?1"
        " UNION ALL SELECT 'capture', 'at_least', importance, before, max(before, importance), at"
        "  FROM capture WHERE memory_id = ?1 ORDER BY at",
        (memory_id,),
    )


def channels_of(sql: Sql, memory_id: int) -> tuple[float, float, float, float] | None:
    """Novelty, arousal, reward and attention of a memory, if an earlier version rated it."""
    rows = sql.rows(
        "SELECT novelty, arousal, reward, attention FROM importance_anchor"
        " WHERE memory_id = ? AND novelty IS NOT NULL",
        (memory_id,),
    )
    return rows[0] if rows else None
