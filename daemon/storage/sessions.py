"""Sessions on disk: what each was doing, and what it attends to."""

from __future__ import annotations

from actors.session.writes import Held, SessionSeen
from daemon.storage.sql import Sql


def see_session(sql: Sql, seen: SessionSeen) -> int:
    changed = sql.change(
        "INSERT INTO session (session, agent, project, started_at, seen_at, status, task, summary,"
        " transcript) VALUES (?1, ?2, ?3, ?4, ?4, ?5, coalesce(?6, ''), coalesce(?7, ''), ?8)"
        " ON CONFLICT (session) DO UPDATE SET"
        " seen_at = excluded.seen_at, status = excluded.status,"
        " task = coalesce(?6, task), summary = coalesce(?7, summary),"
        " project = coalesce(excluded.project, project),"
        " transcript = coalesce(excluded.transcript, transcript)"
        " WHERE excluded.seen_at >= seen_at",
        (
            seen.session,
            seen.agent,
            seen.project,
            seen.at,
            seen.status,
            seen.task,
            seen.summary,
            seen.transcript,
        ),
    )
    if seen.silent is not None:
        changed = sql.change(
            "UPDATE session SET silent = ? WHERE session = ?", (int(seen.silent), seen.session)
        )
    return changed


def hold(sql: Sql, held: Held) -> int:
    sql.rows("DELETE FROM working_memory WHERE session = ?", (held.session,))
    sql.many(
        "INSERT INTO working_memory SELECT ?, id, ?, ?, ?, ? FROM memory WHERE id = ?",
        [
            (held.session, anchor, event, mentions, focus, memory_id)
            for memory_id, anchor, event, mentions, focus in held.traces
        ],
    )
    sql.rows(
        "INSERT INTO session_event VALUES (?, ?) ON CONFLICT DO UPDATE"
        " SET counter = excluded.counter",
        (held.session, held.event),
    )
    return len(held.traces)
