"""The journal, and what leaves the store when it is old."""

from __future__ import annotations

from actors.intake.writes import Journaled
from daemon.storage.sql import Sql

EXPOSURES_KEPT = 150 * 86_400.0  # seconds past the journal's horizon; no rule looks back further
DECISIONS_KEPT = 335 * 86_400.0  # seconds past it: a year of reasons for ``show``


def journal(sql: Sql, event: Journaled) -> int:
    rows = sql.rows(
        "INSERT INTO journal (event_id, agent, received_at, kind, session, project, body, done)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (event_id) DO NOTHING RETURNING seq",
        (
            event.event_id,
            event.agent,
            event.received_at,
            event.kind,
            event.session,
            event.project,
            event.body,
            int(event.done),
        ),
    )
    return int(rows[0][0]) if rows else 0


def prune(sql: Sql, before: float) -> int:
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
