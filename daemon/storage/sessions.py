"""Sessions on disk: the task of each, and the notes it was told, made and used."""

from collections.abc import Sequence
from typing import Any

from actors.policy.statements.sources import AGENT
from actors.policy.statements.trust import STATED
from actors.session.shapes import Delivered, SessionRow, SessionSeen
from daemon.storage.database.sql import Sql, Values, columns, writes

SAME = 80  # characters of a task that a script's sessions have in common; what a person types again is shorter
SLACK = 3.0  # seconds between an answer and the end of its turn; a client counts whole ones
SCRIPTED = 3  # sessions of one such task
MADE = 40  # memories that a session made, the newest: more than it attends to


@writes
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
    if seen.cleared:
        sql.rows(
            "UPDATE session SET cleared_at = max(cleared_at, ?) WHERE session = ?",
            (seen.at, seen.session),
        )
        sql.rows("DELETE FROM delivery WHERE session = ? AND at <= ?", (seen.session, seen.at))
    return changed


@writes
def deliver(sql: Sql, told: Delivered) -> int:
    """A session has these notes in its context."""
    sql.many(
        "INSERT INTO delivery (session, content_hash, at, anchor) VALUES (?, ?, ?, ?)"
        " ON CONFLICT DO UPDATE SET at = excluded.at, anchor = excluded.anchor",
        [(told.session, one, told.at, told.anchor) for one in told.content_hashes],
    )
    return len(told.content_hashes)


_STORED = (
    "SELECT session, agent, project, started_at, seen_at, status, task, summary, transcript,"
    " silent, emptied_at, cleared_at FROM session"
)


def delivered(sql: Sql, session: str, since: float) -> list[tuple[bytes, float, float]]:
    """The session's ledger since then: content hash, time, and attention at the time."""
    return sql.rows(
        "SELECT content_hash, at, anchor FROM delivery WHERE session = ? AND at >= ? ORDER BY at",
        (session, since),
    )


def prompts_of(sql: Sql, session: str, since: float, limit: int) -> list[float]:
    """Times of the last prompts of a session since then, oldest first, while the journal has them."""
    times: list[float] = sql.column(
        "SELECT received_at FROM journal WHERE session = ? AND kind = 'prompt' AND received_at >= ?"
        " ORDER BY received_at DESC LIMIT ?",
        (session, since, limit),
    )
    return times[::-1]


def saying(sql: Sql, contents: Sequence[bytes]) -> dict[bytes, int]:
    """The newest living memory with each of these contents, where there is one."""
    rows = sql.rows(
        "SELECT m.content_hash, max(m.id) FROM json_each(?) picked"
        " JOIN memory m ON m.content_hash = unhex(picked.value)"
        " WHERE m.ended IS NULL GROUP BY m.content_hash",
        (contents,),
    )
    return {bytes(content): int(memory_id) for content, memory_id in rows}


def made_and_used_in(sql: Sql, session: str, since: float) -> list[tuple[int, float]]:
    """Statements, notes and uses of a session since then, each with its time."""
    used = sql.rows(
        # By what was shown there: credits have no index by session.
        "SELECT memory_id, max(at) FROM credit WHERE session = ?1 AND at > ?2 AND memory_id IN"
        " (SELECT memory_id FROM exposure WHERE session = ?1) GROUP BY memory_id",
        (session, since),
    )
    begun = sql.rows("SELECT project, started_at FROM session WHERE session = ?", (session,))
    project, started = begun[0] if begun else (None, since)
    made = sql.rows(
        # By the project's memories since the session began: they have no index by session.
        "SELECT id, created_at FROM memory WHERE project IS ?1 AND ended IS NULL AND session = ?2"
        " AND created_at >= ?3 AND created_at > ?4"
        " AND source IN (SELECT value FROM json_each(?5)) ORDER BY created_at DESC LIMIT ?6",
        (project, session, started, since, sorted(STATED | {AGENT}), MADE),
    )
    return [*used, *made]


def session_row(sql: Sql, session: str) -> SessionRow | None:
    """Facts of the session."""
    return sql.record(SessionRow, f"{_STORED} WHERE session = ?", (session,))


def session_before(
    sql: Sql, session: str, project: str | None, since: float, quiet: float
) -> SessionRow | None:
    """The project's last other session to stop, if it was seen after ``since``.

    One not ended has stopped when it was not seen after ``quiet``. Sessions without a task do not
    count, nor a script's: the same long task in several.
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


def last_task(sql: Sql, session: str, project: str | None) -> str:
    """The task of the project's last seen other session; "" where none had any."""
    task = sql.value(
        "SELECT task FROM session WHERE project IS ? AND session <> ? AND task <> ''"
        " ORDER BY seen_at DESC LIMIT 1",
        (project, session),
    )
    return str(task or "")


def is_scripted(sql: Sql, session: str, project: str | None, task: str) -> bool:
    """Return whether so many sessions of the project had a task with the same beginning, it included."""
    found = sql.number(
        "SELECT count(*) FROM session WHERE project IS ?1 AND session <> ?2 AND length(task) >= ?3"
        " AND substr(task, 1, ?3) = substr(?4, 1, ?3)",
        (project, session, SAME, task),
    )
    return found >= SCRIPTED - 1


def last_start(sql: Sql, session: str, before: float) -> float | None:
    """Tell when the session started, or went on, the last time before then; None: it was never heard of."""
    found: float | None = sql.value(
        "SELECT coalesce((SELECT max(received_at) FROM journal"
        "  WHERE session = ?1 AND kind = 'session_start' AND received_at < ?2),"
        " (SELECT started_at FROM session WHERE session = ?1 AND started_at < ?2))",
        (session, before),
    )
    return found


def answered_at(sql: Sql, project: str | None, without: str, at: float) -> str | None:
    """The one other session of the project with a turn ended about then; None where there are several."""
    found: list[str] = sql.column(
        "SELECT s.session FROM session s WHERE s.project IS ?1 AND s.session <> ?2"
        " AND s.started_at <= ?4 AND s.seen_at >= ?3 AND EXISTS (SELECT 1 FROM journal j"
        "  WHERE j.session = s.session AND j.kind = 'turn_end' AND j.received_at BETWEEN ?3 AND ?4)"
        " LIMIT 2",
        (project, without, at - SLACK, at + SLACK),
    )
    return found[0] if len(found) == 1 else None


_SESSION = (
    "SELECT s.session, s.agent, s.project, s.started_at, s.seen_at, s.status, s.task, s.silent,"
    " (SELECT count(*) FROM delivery d WHERE d.session = s.session AND d.at >= s.emptied_at)"
    " AS delivered"
    " FROM session s"
)


def sessions(sql: Sql, limit: int) -> tuple[int, list[dict[str, Any]]]:
    """Number of sessions, and the ones seen last."""
    found = _sessions(sql, "ORDER BY s.seen_at DESC, s.session LIMIT ?", (limit,))
    return sql.number("SELECT count(*) FROM session"), found


def sessions_between(sql: Sql, since: float, until: float, limit: int) -> list[dict[str, Any]]:
    """Sessions of this span, the last seen first."""
    span = "WHERE s.seen_at >= ? AND s.started_at < ? ORDER BY s.seen_at DESC, s.session LIMIT ?"
    return _sessions(sql, span, (since, until, limit))


def sessions_called(sql: Sql, name: str, limit: int) -> list[dict[str, Any]]:
    """The session of this name, or else the ones with names beginning with it."""
    begins = "WHERE substr(s.session, 1, length(?1)) = ?1 ORDER BY s.session LIMIT ?2"
    return _sessions(sql, "WHERE s.session = ?", (name,)) or _sessions(sql, begins, (name, limit))


def _sessions(sql: Sql, rest: str, values: Values) -> list[dict[str, Any]]:
    found = sql.named(f"{_SESSION} {rest}", values)
    return [{**one, "silent": bool(one["silent"])} for one in found]


def deliveries(sql: Sql, session: str) -> list[tuple[int | None, str, float, bytes]]:
    """Deliveries in the session's context: memory, title, time and content hash, oldest first."""
    rows = sql.rows(
        "SELECT d.at, max(m.id), m.title, d.content_hash FROM delivery d LEFT JOIN session s USING (session)"
        " LEFT JOIN memory m ON m.content_hash = d.content_hash"
        " WHERE d.session = ? AND d.at >= coalesce(s.emptied_at, 0)"
        " GROUP BY d.content_hash ORDER BY d.at, 2",
        (session,),
    )
    return [(memory_id, title or "", float(at), said) for at, memory_id, title, said in rows]


def last_session(sql: Sql, project: str) -> str | None:
    """The last seen session of this project."""
    found: str | None = sql.value(
        "SELECT session FROM session WHERE project = ? ORDER BY seen_at DESC, session LIMIT 1",
        (project,),
    )
    return found
