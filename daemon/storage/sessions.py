"""Sessions on disk: what each was doing, what it attends to and what it was told."""

from typing import Any

from actors.policy.session.attention import Trace
from actors.session.rows import SessionRow
from actors.session.writes import Delivered, Held, SessionSeen, Undelivered
from daemon.storage.database.sql import Sql, columns

SAME = 80  # characters of a task that a script's sessions have in common; what a person types again is shorter
SCRIPTED = 3  # sessions of one such task


def see_session(sql: Sql, seen: SessionSeen) -> int:
    changed = sql.change(
        "INSERT INTO session (session, agent, project, started_at, seen_at, status, task, summary,"
        " transcript) VALUES (:session, :agent, :project, :at, :at, :status, coalesce(:task, ''),"
        " coalesce(:summary, ''), :transcript)"
        " ON CONFLICT (session) DO UPDATE SET"
        " seen_at = excluded.seen_at, status = excluded.status,"
        " task = coalesce(:task, task), summary = coalesce(:summary, summary),"
        " project = coalesce(excluded.project, project),"
        " transcript = coalesce(excluded.transcript, transcript)"
        " WHERE excluded.seen_at >= seen_at",
        columns(seen),
    )
    if seen.silent is not None:
        changed = sql.change(
            "UPDATE session SET silent = ? WHERE session = ?", (int(seen.silent), seen.session)
        )
    if seen.emptied:
        changed = sql.change(
            "UPDATE session SET emptied_at = max(emptied_at, ?) WHERE session = ?",
            (seen.at, seen.session),
        )
    return changed


def deliver(sql: Sql, told: Delivered) -> int:
    """A session has these notes in its context."""
    sql.many(
        "INSERT INTO delivery VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET at = excluded.at",
        [(told.session, content_hash, told.at) for content_hash in told.content_hashes],
    )
    return len(told.content_hashes)


def undeliver(sql: Sql, emptied: Undelivered) -> int:
    """A session's context is empty."""
    return sql.change("DELETE FROM delivery WHERE session = ?", (emptied.session,))


def hold(sql: Sql, held: Held) -> int:
    sql.rows("DELETE FROM working_memory WHERE session = ?", (held.session,))
    sql.many(
        "INSERT INTO working_memory SELECT ?, id, ?, ?, ?, ? FROM memory WHERE id = ?",
        [
            (held.session, one.score, one.event, one.mentions, one.focus_count, int(one.memory_id))
            for one in held.traces
        ],
    )
    sql.rows(
        "INSERT INTO session_event VALUES (?, ?) ON CONFLICT DO UPDATE"
        " SET counter = excluded.counter",
        (held.session, held.event),
    )
    return len(held.traces)


_STORED = (
    "SELECT session, agent, project, started_at, seen_at, status, task, summary, transcript,"
    " silent, emptied_at FROM session"
)


def delivered(sql: Sql, session: str, since: float) -> list[tuple[bytes, float]]:
    """The session's ledger since then: content hash and time."""
    return sql.rows(
        "SELECT content_hash, at FROM delivery WHERE session = ? AND at >= ? ORDER BY at",
        (session, since),
    )


def session_row(sql: Sql, session: str) -> SessionRow | None:
    """Facts of the session."""
    return sql.record(SessionRow, f"{_STORED} WHERE session = ?", (session,))


def session_before(
    sql: Sql, session: str, project: str | None, since: float, quiet: float
) -> SessionRow | None:
    """The project's other session that stopped last, if it was seen after ``since``.

    One that has not ended has stopped when it was not seen after ``quiet``. None are sessions without
    a task, and those of a script: the same long task in several.
    """
    return sql.record(
        SessionRow,
        f"{_STORED} WHERE project IS ?1 AND session <> ?2 AND seen_at >= ?3 AND task <> ''"
        " AND (status = 'ended' OR seen_at <= ?4)"
        " AND substr(task, 1, ?5) NOT IN (SELECT substr(task, 1, ?5) FROM session"
        "  WHERE project IS ?1 AND length(task) >= ?5 GROUP BY 1 HAVING count(*) >= ?6)"
        " ORDER BY seen_at DESC, session LIMIT 1",
        (project, session, since, quiet, SAME, SCRIPTED),
    )


def held(sql: Sql, session: str, at: float) -> tuple[int, list[Trace]]:
    """The session's event counter and its traces, as if each was focused on at this time."""
    counter = sql.number("SELECT counter FROM session_event WHERE session = ?", (session,))
    rows = sql.rows(
        "SELECT memory_id, anchor, anchor_event, ?, mentions, focus FROM working_memory"
        " WHERE session = ? ORDER BY memory_id",
        (at, session),
    )
    return counter, [Trace(str(memory_id), *rest) for memory_id, *rest in rows]


_SESSION = (
    "SELECT s.session, s.agent, s.project, s.started_at, s.seen_at, s.status, s.task, s.silent,"
    " (SELECT count(*) FROM working_memory w WHERE w.session = s.session) AS held,"
    " (SELECT count(*) FROM delivery d WHERE d.session = s.session AND d.at >= s.emptied_at)"
    " AS delivered"
    " FROM session s"
)


def sessions(sql: Sql, limit: int) -> tuple[int, list[dict[str, Any]]]:
    """Number of sessions, and those seen last."""
    found = sql.named(f"{_SESSION} ORDER BY s.seen_at DESC, s.session LIMIT ?", (limit,))
    return sql.number("SELECT count(*) FROM session"), [_session(one) for one in found]


def sessions_called(sql: Sql, name: str, limit: int) -> list[dict[str, Any]]:
    """The session of this name, or else those whose names begin with it."""
    found = sql.named(f"{_SESSION} WHERE s.session = ?", (name,)) or sql.named(
        f"{_SESSION} WHERE substr(s.session, 1, length(?1)) = ?1 ORDER BY s.session LIMIT ?2",
        (name, limit),
    )
    return [_session(one) for one in found]


def _session(found: dict[str, Any]) -> dict[str, Any]:
    return {**found, "silent": bool(found["silent"])}


def deliveries(sql: Sql, session: str) -> list[tuple[int | None, str, float]]:
    """Deliveries in the session's context: memory, title and time, oldest first."""
    rows = sql.rows(
        "SELECT d.at, max(m.id), m.title FROM delivery d LEFT JOIN session s USING (session)"
        " LEFT JOIN memory m ON m.content_hash = d.content_hash"
        " WHERE d.session = ? AND d.at >= coalesce(s.emptied_at, 0)"
        " GROUP BY d.content_hash ORDER BY d.at, 2",
        (session,),
    )
    return [(memory_id, title or "", float(at)) for at, memory_id, title in rows]


def last_session(sql: Sql, project: str) -> str | None:
    """The session of this project that was seen last."""
    rows = sql.rows(
        "SELECT session FROM session WHERE project = ? ORDER BY seen_at DESC, session LIMIT 1",
        (project,),
    )
    return str(rows[0][0]) if rows else None
