"""The journal of events: written, read, and pruned when it is old."""

from actors.intake.rows import JournalRow
from actors.intake.writes import Derived, Journaled
from actors.memory.writes import Pruned
from daemon.storage.sql import Sql, columns

EXPOSURES_KEPT = 150 * 86_400.0  # seconds past the journal's horizon; no rule looks back further
DECISIONS_KEPT = 335 * 86_400.0  # seconds past it: a year of reasons for ``show``


def journal(sql: Sql, event: Journaled) -> int:
    rows = sql.rows(
        "INSERT INTO journal (event_id, agent, received_at, kind, session, project, body, done)"
        " VALUES (:event_id, :agent, :received_at, :kind, :session, :project, :body, :done)"
        " ON CONFLICT (event_id) DO NOTHING RETURNING seq",
        columns(event),
    )
    return int(rows[0][0]) if rows else 0


def derived(sql: Sql, event: Derived) -> int:
    """Everything was made of this event."""
    return sql.change("UPDATE journal SET done = 1 WHERE seq = ?", (event.seq,))


def prune(sql: Sql, order: Pruned) -> int:
    before = order.before
    gone = sql.change("DELETE FROM journal WHERE done = 1 AND received_at < ?", (before,))
    sql.rows("DELETE FROM delivery WHERE at < ?", (before,))
    # A vector that a living chunk has is not only a cache: exact cosines are read from it.
    sql.rows(
        "DELETE FROM embedding_cache WHERE last_used < ?"
        " AND content_hash NOT IN (SELECT content_hash FROM chunk)",
        (before,),
    )
    sql.rows("DELETE FROM exposure WHERE at < ?", (before - EXPOSURES_KEPT,))
    sql.rows("DELETE FROM decision WHERE at < ?", (before - DECISIONS_KEPT,))
    for table in ("working_memory", "session_event"):
        sql.rows(
            f"DELETE FROM {table} WHERE session NOT IN"
            " (SELECT session FROM session WHERE seen_at >= ?)",
            (before,),
        )
    sql.rows("DELETE FROM session WHERE seen_at < ?", (before,))
    return gone


JOURNAL = (
    "SELECT event_id, agent, received_at, kind, session, project, body, done, seq FROM journal"
)


def undone(sql: Sql, after: int, limit: int) -> list[JournalRow]:
    """Journaled events whose derivation is not finished, oldest first."""
    return sql.records(
        JournalRow, f"{JOURNAL} WHERE done = 0 AND seq > ? ORDER BY seq LIMIT ?", (after, limit)
    )


def journal_page(sql: Sql, after: int, limit: int) -> list[JournalRow]:
    """Every journaled event, oldest first."""
    return sql.records(JournalRow, f"{JOURNAL} WHERE seq > ? ORDER BY seq LIMIT ?", (after, limit))


def events_of(
    sql: Sql, session: str, since: float, before: int | None, limit: int
) -> list[JournalRow]:
    """The last events of a session since then, those before this one; oldest first."""
    return sql.records(
        JournalRow,
        f"{JOURNAL} WHERE session = ?1 AND received_at >= ?2 AND (?3 IS NULL OR seq < ?3)"
        " ORDER BY seq DESC LIMIT ?4",
        (session, since, before, limit),
    )[::-1]


def prompts_after(sql: Sql, after: int, limit: int) -> list[JournalRow]:
    """Journaled prompts after this one, oldest first."""
    return sql.records(
        JournalRow,
        f"{JOURNAL} WHERE seq > ? AND kind = 'prompt' ORDER BY seq LIMIT ?",
        (after, limit),
    )


def journaled(sql: Sql, seq: int) -> JournalRow | None:
    """The journaled event of this number, while the journal has it."""
    return sql.record(JournalRow, f"{JOURNAL} WHERE seq = ?", (seq,))


def event_behind(sql: Sql, memory_id: int) -> JournalRow | None:
    """The journaled event that a memory was made of, while the journal has it."""
    return sql.record(
        JournalRow, f"{JOURNAL} WHERE seq = (SELECT seq FROM memory WHERE id = ?)", (memory_id,)
    )
