"""Readings of sessions: unread events, costs of requests, progress in a session."""

from json import dumps
from typing import Final

from actors.policy.reader.exchange import Reason
from actors.policy.reader.next_session import PastReading, Unread
from actors.reader.messages import (
    Consented,
    ConsentEnded,
    Journaled,
    ReaderLookedAt,
    ReadingBegun,
    ReadingEnded,
    SessionFailed,
    SessionRead,
)
from daemon.storage.database.sql import Sql, columns, writes

HEARD: Final = 20_000  # events of one session that a reading takes, the oldest first

# ---- on the writing connection


@writes
def begin(sql: Sql, begun: ReadingBegun) -> int:
    """Count a request from before it is sent."""
    made = columns(begun)
    sql.put("reading", ended_at=made.pop("at"), **made)
    return sql.last_id()


@writes
def end(sql: Sql, ended: ReadingEnded) -> int:
    """Note the cost of a request, and its results."""
    return sql.change(
        "UPDATE reading SET ended_at = ?, tokens = ?, dollars = ?, failure = ?, written = ?,"
        " dropped = ? WHERE id = ?",
        (
            ended.at, ended.tokens, ended.dollars, ended.failure, ended.written,
            dumps(dict(ended.dropped or {}), sort_keys=True), ended.reading,
        ),
    )  # fmt: skip


@writes
def read_to(sql: Sql, read: SessionRead) -> int:
    """Move a session's mark; it never goes back."""
    again = (
        "ON CONFLICT (session) DO UPDATE SET upto = max(upto, excluded.upto), tries = 0,"
        " next_try = 0, failure = '', given_up = 0"
    )
    return sql.put("read_session", again, session=read.session, upto=read.upto)


@writes
def fail(sql: Sql, failed: SessionFailed) -> int:
    """Note one more failure in a row of reading a session."""
    return sql.number(
        "INSERT INTO read_session (session, tries, next_try, failure, given_up)"
        " VALUES (:session, 1, :next_try, :failure, :given_up)"
        " ON CONFLICT (session) DO UPDATE SET tries = tries + 1, next_try = excluded.next_try,"
        " failure = excluded.failure, given_up = excluded.given_up RETURNING tries",
        columns(failed),
    )


@writes
def consent(sql: Sql, given: Consented) -> int:
    """Note since when a person agrees to an engine, and to no other."""
    sql.rows("DELETE FROM reader_consent WHERE engine <> ?", (given.engine,))
    return sql.change(
        "INSERT INTO reader_consent (engine, at, looked_at) VALUES (?1, ?2, ?2)"
        " ON CONFLICT DO NOTHING",
        (given.engine, given.at),
    )


@writes
def end_consent(sql: Sql, _: ConsentEnded) -> int:
    """Forget a person's agreement."""
    return sql.change("DELETE FROM reader_consent")


@writes
def look(sql: Sql, looked: ReaderLookedAt) -> int:
    """Note a person's look."""
    return sql.change(
        "UPDATE reader_consent SET looked_at = ? WHERE engine = ?", (looked.at, looked.engine)
    )


# ---- questions

# A moment of the session itself, or one that captured a turn of it; the last one.
_CAPTURED = (
    "(SELECT {} FROM importance_event e"
    " WHERE e.seq > coalesce(r.upto, 0) AND (e.session = s.session OR e.id IN"
    " (SELECT c.event_id FROM turn_capture c JOIN turn_tag t ON t.first_seq = c.first_seq"
    "  WHERE t.session = s.session AND t.seq > coalesce(r.upto, 0)))"
    " ORDER BY e.at DESC LIMIT 1)"
)


def unread_sessions(sql: Sql, since: float, limit: int) -> list[Unread]:
    """The newest sessions begun since then with unread events."""
    return sql.records(
        Unread,
        "SELECT s.session, s.agent, s.project, s.started_at, s.seen_at, s.status, s.emptied_at,"
        " min(j.seq), max(j.seq), sum(j.kind = 'prompt'), coalesce(r.tries, 0),"
        " coalesce(r.next_try, 0.0), coalesce(r.given_up, 0), coalesce(r.failure, ''),"
        f" coalesce({_CAPTURED.format('e.kind')}, ''), coalesce({_CAPTURED.format('e.at')}, 0.0),"
        " min(j.received_at)"
        " FROM (SELECT * FROM session WHERE started_at >= ?1 ORDER BY seen_at DESC LIMIT ?2) s"
        " LEFT JOIN read_session r ON r.session = s.session"
        " JOIN journal j ON j.session = s.session AND j.seq > coalesce(r.upto, 0)"
        " AND length(j.body) > 0 GROUP BY s.session ORDER BY s.seen_at DESC",
        (since, limit),
    )


def events_of_session(sql: Sql, session: str, *, unread: bool) -> list[Journaled]:
    """Events of a session in the journal, all or the unread ones, oldest first."""
    return sql.records(
        Journaled,
        "SELECT seq, received_at, agent, body FROM journal WHERE session = ?1 AND length(body) > 0"
        " AND seq > coalesce((SELECT upto FROM read_session WHERE ?2 AND session = ?1), 0)"
        " ORDER BY seq LIMIT ?3",
        (session, int(unread), HEARD),
    )


def captured_turns(sql: Sql, session: str) -> list[int]:
    """The first events of a session's turns captured by a moment."""
    return sql.column(
        "SELECT first_seq FROM turn_tag t WHERE session = ? AND EXISTS"
        " (SELECT 1 FROM turn_capture c WHERE c.first_seq = t.first_seq) ORDER BY first_seq",
        (session,),
    )


_PAST = (
    "SELECT id, session, project, engine, why, began_at, ended_at, tokens, dollars, failure, written"
    " FROM reading"
)


def readings_since(sql: Sql, since: float) -> list[PastReading]:
    """Requests ended since then, oldest first."""
    return sql.records(PastReading, f"{_PAST} WHERE ended_at >= ? ORDER BY id", (since,))


def last_readings(sql: Sql, limit: int) -> list[PastReading]:
    """The last requests, the newest first."""
    return sql.records(PastReading, f"{_PAST} ORDER BY id DESC LIMIT ?", (limit,))


def much_noted(sql: Sql, new: int) -> str | None:
    """The project with the most notes since they were read together, if it has so many.

    A failed request counts as an answered one, or each dream would make it again.
    """
    found: str | None = sql.value(
        "SELECT m.project FROM read_note n JOIN memory m ON m.id = n.memory_id"
        " JOIN reading r ON r.id = n.reading WHERE m.ended IS NULL AND m.project IS NOT NULL"
        " AND r.ended_at > coalesce((SELECT max(ended_at) FROM reading WHERE session = ''"
        "  AND project = m.project AND failure <> ?), 0)"
        " GROUP BY m.project HAVING count(*) >= ? ORDER BY count(*) DESC, m.project LIMIT 1",
        (Reason.INTERRUPTED.value, new),
    )
    return found


def reading_totals(sql: Sql) -> tuple[int, int, int, float | None]:
    """Count the sessions read, notes, tokens, and the cost as far as engines told."""
    (row,) = sql.rows(
        "SELECT count(DISTINCT CASE WHEN failure = '' AND session <> '' THEN session END), coalesce(sum(written), 0),"
        " coalesce(sum(tokens), 0), sum(dollars) FROM reading"
    )
    return (row[0], row[1], row[2], row[3])


def consent_to(sql: Sql, engine: str) -> tuple[float, float] | None:
    """Tell when a person agreed to this engine, and when one last looked; None: nobody agreed."""
    rows = sql.rows("SELECT at, looked_at FROM reader_consent WHERE engine = ?", (engine,))
    return (rows[0][0], rows[0][1]) if rows else None


def failing(sql: Sql) -> tuple[int, str]:
    """Count the sessions not readable so far, with the reason of the last one."""
    (row,) = sql.rows(
        "SELECT count(*), coalesce((SELECT failure FROM read_session WHERE tries > 0"
        " ORDER BY next_try DESC LIMIT 1), '') FROM read_session WHERE tries > 0"
    )
    return (row[0], row[1])
