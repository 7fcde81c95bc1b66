"""Counts of notes shown to agents and used by them."""

from typing import Final

from daemon.storage.database.sql import Row, Sql

WEEK: Final = 604_800.0  # seconds

# A memory once a session: when it was first shown there unasked, and whether there is any
# credit of it in that session. What a person asked for does not count.
_SHOWN: Final = (
    "WITH shown (memory_id, session, at) AS ("
    " SELECT memory_id, session, min(at) FROM exposure"
    "  WHERE session IS NOT NULL AND place IN ('prompt', 'session_start')"
    "  GROUP BY memory_id, session),"
    " made (memory_id, session, at, cited, used) AS ("
    " SELECT s.memory_id, s.session, s.at,"
    "  EXISTS (SELECT 1 FROM credit c WHERE c.memory_id = s.memory_id"
    "   AND c.session = s.session AND c.cause = 'cited'),"
    "  EXISTS (SELECT 1 FROM credit c WHERE c.memory_id = s.memory_id"
    "   AND c.session = s.session)"
    " FROM shown s WHERE s.at > ?1 - ?2 * ?3 AND s.at <= ?1)"
)


def weeks(sql: Sql, now: float, count: int) -> list[Row]:
    """Weeks back from now, sessions, shown, cited, used: of weeks with anything shown."""
    return sql.rows(
        f"{_SHOWN} SELECT cast((?1 - at) / ?3 AS INTEGER), count(DISTINCT session), count(*),"
        " sum(cited), sum(used) FROM made GROUP BY 1 ORDER BY 1",
        (now, count, WEEK),
    )


def most_ignored(sql: Sql, now: float, count: int, limit: int) -> list[Row]:
    """Living memories shown in these weeks and never used: id, title, sessions."""
    return sql.rows(
        f"{_SHOWN} SELECT m.id, m.title, count(*) FROM made JOIN memory m ON m.id = memory_id"
        " WHERE m.ended IS NULL GROUP BY m.id HAVING sum(used) = 0"
        " ORDER BY count(*) DESC, m.id LIMIT ?4",
        (now, count, WEEK, limit),
    )
