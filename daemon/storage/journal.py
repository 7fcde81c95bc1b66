"""The journal of events: written, read, pruned; and what happened to memories, by day and by time."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from actors.intake.messages import Derived, Journaled, JournalRow
from actors.memory.rows import Scope
from actors.memory.writes import Pruned
from daemon.storage.database.sql import Sql, columns, writes
from daemon.storage.index.words import prune_changes

EXPOSURES_KEPT = 150 * 86_400.0  # seconds past the journal's horizon; no rule looks back further
CHANGES_KEPT = 335 * 86_400.0  # seconds past it: what belonged together a year ago may no longer
DECISIONS_KEPT = 335 * 86_400.0  # seconds past it: a year of reasons for ``show``


@writes
def journal(sql: Sql, event: Journaled) -> int:
    """Keep an event once; its number."""
    kept = sql.put("journal", "ON CONFLICT (event_id) DO NOTHING", **columns(event))
    return sql.last_id() if kept else 0


@writes
def derived(sql: Sql, event: Derived) -> int:
    """Everything was made of this event."""
    return sql.change("UPDATE journal SET done = 1 WHERE seq = ?", (event.seq,))


@writes
def prune(sql: Sql, order: Pruned) -> int:
    before = order.before
    gone = sql.change("DELETE FROM journal WHERE done = 1 AND received_at < ?", (before,))
    sql.rows("DELETE FROM delivery WHERE at < ?", (before,))
    sql.rows("DELETE FROM injection WHERE at < ?", (before,))
    # A vector that a living chunk has is not only a cache: exact cosines are read from it.
    sql.rows(
        "DELETE FROM embedding_cache WHERE last_used < ?"
        " AND content_hash NOT IN (SELECT content_hash FROM chunk)"
        " AND content_hash NOT IN (SELECT content_hash FROM passage_chunk)",
        (before,),
    )
    sql.rows("DELETE FROM exposure WHERE at < ?", (before - EXPOSURES_KEPT,))
    sql.rows("DELETE FROM decision WHERE at < ?", (before - DECISIONS_KEPT,))
    for table in ("changed_file", "ended_failure"):
        sql.rows(f"DELETE FROM {table} WHERE at < ?", (before - CHANGES_KEPT,))
    sql.rows("DELETE FROM session WHERE seen_at < ?", (before,))
    prune_changes(sql)
    return gone


JOURNAL = (
    "SELECT event_id, agent, received_at, kind, session, project, body, done, seq FROM journal"
)


def undone(sql: Sql, after: int, limit: int) -> list[JournalRow]:
    """Journaled events with an unfinished derivation, oldest first."""
    return sql.records(
        JournalRow, f"{JOURNAL} WHERE done = 0 AND seq > ? ORDER BY seq LIMIT ?", (after, limit)
    )


def journal_page(sql: Sql, after: int, limit: int) -> list[JournalRow]:
    """Every journaled event, oldest first."""
    return sql.records(JournalRow, f"{JOURNAL} WHERE seq > ? ORDER BY seq LIMIT ?", (after, limit))


def events_of(
    sql: Sql,
    session: str,
    since: float = 0.0,
    before: int | None = None,
    limit: int = -1,
    kinds: Sequence[str] = (),
) -> list[JournalRow]:
    """The last events of a session since then, before this one, of these kinds or of all; oldest first."""
    return sql.records(
        JournalRow,
        f"{JOURNAL} WHERE session = ?1 AND received_at >= ?2 AND (?3 IS NULL OR seq < ?3)"
        " AND (?5 = '[]' OR kind IN (SELECT value FROM json_each(?5))) ORDER BY seq DESC LIMIT ?4",
        (session, since, before, limit, kinds),
    )[::-1]


def calls_in(sql: Sql, session: str, tools: Sequence[str], limit: int) -> list[JournalRow]:
    """The last rows of a session's tool calls with one of these names in them, oldest first."""
    named = " OR ".join("instr(body, ?)" for _ in tools)
    return sql.records(
        JournalRow,
        f"{JOURNAL} WHERE session = ? AND kind = 'tool' AND ({named}) ORDER BY seq DESC LIMIT ?",
        (session, *(tool.encode() for tool in tools), limit),
    )[::-1]


def happenings(sql: Sql, since: float, limit: int) -> list[dict[str, object]]:
    """Entries of memories learnt, changed and shown since then, oldest first."""
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
        " UNION ALL SELECT n.at, n.what, NULL, i.text, 'i' || i.id, coalesce(n.session, i.session)"
        "  FROM intention_event n JOIN intention i ON i.id = n.intention_id WHERE n.at >= ?1"
        " UNION ALL SELECT m.ended_at, m.ended, m.id, m.title, coalesce((SELECT s.evidence FROM plan p"
        "  JOIN plan_step s ON s.plan_id = p.id AND s.memory_id = m.id AND s.done"
        "  WHERE p.decided_at = m.ended_at), ''), m.session"
        "  FROM memory m WHERE m.ended_at >= ?1"
        " UNION ALL SELECT p.decided_at, CASE s.act WHEN 'archive' THEN 'archived' ELSE 'forgotten' END,"
        "  m.id, m.title, s.evidence, m.session FROM plan p JOIN plan_step s ON s.plan_id = p.id"
        "  JOIN memory m ON m.id = s.memory_id WHERE p.decided_at >= ?1"
        "  AND s.act IN ('archive', 'forget') AND (s.done OR s.outcome = 'restored')"
        "  AND m.ended_at IS NOT p.decided_at"  # it came back since: the row above is gone
        " UNION ALL SELECT a.at, 'returned', a.memory_id, m.title, '', m.session"
        "  FROM archival_return a JOIN memory m ON m.id = a.memory_id WHERE a.at >= ?1)"
        " ORDER BY at DESC LIMIT ?2",
        (since, limit),
    )
    return newest[::-1]


# ---- a day

MOST: Final = 5_000  # moments of a span


class Moment(Struct, frozen=True):
    """An event of a memory."""

    memory_id: int
    at: float  # seconds UTC
    how: str  # made, read, edited, or how it ended
    successor: int | None = None  # the memory that replaced it
    version: int = 0  # that was edited
    text: str = ""  # what it said until then


_BETWEEN: Final = "{0} >= ?1 AND {0} < ?2 AND (?4 OR m.project IS ?3)"  # of a project, or all


def moments_between(
    sql: Sql, since: float, until: float, project: str | None, everywhere: bool
) -> list[Moment]:
    """Memories made, ended and given another text in this span, the newest first.

    The reader's are made at the time of reading; ones revived since have not ended.
    """
    return sql.records(
        Moment,
        "SELECT m.id, m.created_at, 'made', NULL, 0, '' FROM memory m"
        f" WHERE {_BETWEEN.format('m.created_at')} AND NOT EXISTS (SELECT 1"
        "  FROM read_note n JOIN reading r ON r.id = n.reading WHERE n.memory_id = m.id)"
        " UNION ALL SELECT m.id, r.ended_at, 'read', NULL, 0, '' FROM reading r"
        " JOIN read_note n ON n.reading = r.id JOIN memory m ON m.id = n.memory_id"
        f" WHERE {_BETWEEN.format('r.ended_at')}"
        " UNION ALL SELECT m.id, m.ended_at, m.ended, m.superseded_by, 0, '' FROM memory m"
        f" WHERE {_BETWEEN.format('m.ended_at')}"
        " UNION ALL SELECT m.id, v.replaced_at, 'edited', NULL, v.version, v.text"
        " FROM memory_version v JOIN memory m ON m.id = v.memory_id"
        f" WHERE {_BETWEEN.format('v.replaced_at')} ORDER BY 2 DESC, 1 DESC LIMIT ?5",
        (since, until, project, everywhere, MOST),
    )


# ---- memories by the time they were made, and their past


_IN_SCOPE = "(?1 OR m.project IS NULL OR m.project = ?2)"


def newest(sql: Sql, scope: Scope, limit: int) -> tuple[int, dict[int, float | None]]:
    """Number of memories, ended or not, and the newest of them, each with the time of its end."""
    wanted = f"FROM memory m WHERE {_IN_SCOPE}"
    values = (int(scope.everywhere), scope.project)
    newest = sql.rows(
        f"SELECT m.id, m.ended_at {wanted} ORDER BY m.created_at DESC, m.id DESC LIMIT ?3",
        (*values, limit),
    )
    return sql.number(f"SELECT count(*) {wanted}", values), dict(newest)
