"""The log of what was learnt, changed and shown."""

from daemon.storage.sql import Sql


def happenings(
    sql: Sql, since: float, session_name: str | None, limit: int
) -> list[dict[str, object]]:
    """What was learnt, changed and shown since then, oldest first."""
    newest = sql.named(
        "SELECT * FROM ("
        " SELECT d.at AS at, lower(d.action) AS what, d.memory_id AS memory, m.title AS title,"
        "  d.reason AS detail, m.session AS session"
        "  FROM decision d LEFT JOIN memory m ON m.id = d.memory_id WHERE d.at >= ?1"
        " UNION ALL SELECT e.at, 'shown', e.memory_id, m.title, e.place, e.session"
        "  FROM exposure e JOIN memory m ON m.id = e.memory_id WHERE e.at >= ?1"
        " UNION ALL SELECT r.at,"
        "  CASE WHEN r.grade = 0 AND r.cause <> 'backfill' THEN 'judged' ELSE 'strengthened' END, r.memory_id, m.title, r.cause, m.session"
        "  FROM review r JOIN memory m ON m.id = r.memory_id WHERE r.at >= ?1"
        " UNION ALL SELECT c.at, 'captured', c.memory_id, m.title,"
        "  replace(v.kind, '_', ' ') || ' ' || c.event_id, m.session FROM capture c"
        "  JOIN memory m ON m.id = c.memory_id JOIN importance_event v ON v.id = c.event_id"
        "  WHERE c.at >= ?1"
        " UNION ALL SELECT n.at, n.what, NULL, i.text, 'i' || i.id, coalesce(n.session, i.session)"
        "  FROM intention_event n JOIN intention i ON i.id = n.intention_id WHERE n.at >= ?1"
        " UNION ALL SELECT m.ended_at, m.ended, m.id, m.title, '', m.session"
        "  FROM memory m WHERE m.ended_at >= ?1)"
        " WHERE ?2 IS NULL OR session = ?2 ORDER BY at DESC LIMIT ?3",
        (since, session_name, limit),
    )
    return newest[::-1]
