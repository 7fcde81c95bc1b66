"""Reading what happened, and how much there is: for people, one function a question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from json import dumps
from typing import Any

from actors.memory.rows import Scope
from daemon.storage.index import tokens
from daemon.storage.sql import Row, Sql

_IN_SCOPE = "(?1 OR m.project IS NULL OR m.project = ?2)"


@dataclass(frozen=True, slots=True)
class Happening:
    """Something that happened to a memory."""

    memory_id: int
    at: float
    what: str
    detail: str


@dataclass(frozen=True, slots=True)
class Provenance:
    """The event and the rule that a memory was made of, as far as they are known."""

    rule: str | None
    tool: str | None
    redacted: bool
    ended_at: float | None
    event: str | None  # its kind; None when it was by hand, or has left the journal
    agent: str | None
    received_at: float | None


def moments(sql: Sql, scope: Scope, begin: float, end: float) -> list[tuple[int, float]]:
    """Memories made from ``begin`` to ``end``, ended or not, with the time of each."""
    return [
        (int(memory_id), float(at))
        for memory_id, at in sql.rows(
            f"SELECT m.id, m.created_at FROM memory m WHERE {_IN_SCOPE}"
            " AND m.created_at BETWEEN ?3 AND ?4",
            (int(scope.everywhere), scope.project, begin, end),
        )
    ]


def newest(sql: Sql, scope: Scope, limit: int) -> tuple[int, list[tuple[int, float]]]:
    """How many memories there are, ended or not, and the time of each of the newest."""
    values = (int(scope.everywhere), scope.project)
    total = sql.number(f"SELECT count(*) FROM memory m WHERE {_IN_SCOPE}", values)
    rows = sql.rows(
        f"SELECT m.id, m.created_at FROM memory m WHERE {_IN_SCOPE}"
        " ORDER BY m.created_at DESC, m.id DESC LIMIT ?3",
        (*values, limit),
    )
    return total, [(int(memory_id), float(at)) for memory_id, at in rows]


def happened(sql: Sql, ids: Sequence[int]) -> list[Happening]:
    """What happened to these memories, oldest first; all showings of one in one entry."""
    rows = sql.rows(
        "WITH wanted (id) AS (SELECT value FROM json_each(?))"
        " SELECT memory_id, at, lower(action), reason FROM decision"
        "  WHERE memory_id IN (SELECT id FROM wanted)"
        " UNION ALL SELECT memory_id, replaced_at, 'rewritten', reason FROM memory_version"
        "  WHERE memory_id IN (SELECT id FROM wanted)"
        " UNION ALL SELECT memory_id, at, 'reviewed', cause FROM review"
        "  WHERE memory_id IN (SELECT id FROM wanted)"
        " UNION ALL SELECT memory_id, max(at), 'shown',"
        "  count(*) || CASE count(*) WHEN 1 THEN ' time' ELSE ' times' END FROM exposure"
        "  WHERE memory_id IN (SELECT id FROM wanted) GROUP BY memory_id"
        " UNION ALL SELECT c.memory_id, c.at, 'captured',"
        "  replace(v.kind, '_', ' ') || ' ' || c.event_id FROM capture c"
        "  JOIN importance_event v ON v.id = c.event_id"
        "  WHERE c.memory_id IN (SELECT id FROM wanted)"
        " UNION ALL SELECT id, ended_at, ended, '' FROM memory"
        "  WHERE id IN (SELECT id FROM wanted) AND ended_at IS NOT NULL"
        " ORDER BY 2, 1",
        (dumps(list(ids)),),
    )
    return [Happening(*row) for row in rows]


def provenance(sql: Sql, memory_id: int) -> Provenance:
    """What the memory was made of."""
    ((rule, tool, redacted, *others),) = sql.rows(
        "SELECT m.rule, m.tool, m.redacted, m.ended_at, j.kind, j.agent, j.received_at"
        " FROM memory m LEFT JOIN journal j ON j.seq = m.seq WHERE m.id = ?",
        (memory_id,),
    )
    return Provenance(rule, tool, bool(redacted), *others)


def predecessors(sql: Sql, memory_id: int) -> list[int]:
    """The memories whose place it took, oldest first."""
    rows = sql.rows("SELECT id FROM memory WHERE superseded_by = ? ORDER BY id", (memory_id,))
    return [int(found) for (found,) in rows]


def reviews(sql: Sql, memory_id: int) -> list[dict[str, Any]]:
    """Every change of its strength, oldest first."""
    names = ("at", "grade", "cause", "stability", "difficulty")
    rows = sql.rows(
        "SELECT at, grade, cause, stability, difficulty FROM review"
        " WHERE memory_id = ? ORDER BY id",
        (memory_id,),
    )
    return [dict(zip(names, row, strict=True)) for row in rows]


def last_shown(sql: Sql, memory_id: int) -> tuple[float, str] | None:
    """When and where it was shown last."""
    rows = sql.rows(
        "SELECT at, place FROM exposure WHERE memory_id = ? ORDER BY at DESC, id DESC LIMIT 1",
        (memory_id,),
    )
    return (float(rows[0][0]), str(rows[0][1])) if rows else None


def tallies(sql: Sql, since: float) -> dict[str, dict[str, int]]:
    """The store in numbers; showings and uses from ``since`` on."""
    living = "FROM memory WHERE ended IS NULL GROUP BY 1"
    kept = tokens.totals(sql)
    return {
        "kinds": _tally(sql, f"SELECT kind, count(*) {living}"),
        "tiers": _tally(sql, f"SELECT tier, count(*) {living}"),
        "projects": _tally(sql, f"SELECT coalesce(project, ''), count(*) {living}"),
        "ended": _tally(
            sql, "SELECT ended, count(*) FROM memory WHERE ended IS NOT NULL GROUP BY 1"
        ),
        "actions": _tally(sql, "SELECT action, count(*) FROM decision GROUP BY 1"),
        "journal": {
            "events": sql.number("SELECT count(*) FROM journal"),
            "undone": sql.number("SELECT count(*) FROM journal WHERE done = 0"),
        },
        "vectors": {
            "memories": sql.number("SELECT count(*) FROM chunk WHERE ordinal = 0"),
            "chunks": sql.number("SELECT count(*) FROM chunk"),
            "with_tokens": kept.chunks,
            "token_bytes": kept.bytes,
        },
        "lately": {
            "exposures": sql.number("SELECT count(*) FROM exposure WHERE at >= ?", (since,)),
            "uses": sql.number("SELECT count(*) FROM review WHERE grade > 1 AND at >= ?", (since,)),
        },
    }


def decisions_on_the_whole(sql: Sql) -> tuple[int, float | None]:
    """How many decisions saw a contradiction, and how near the neighbours were (C-05)."""
    ((contradictions, similarity),) = sql.rows(
        "SELECT count(contradiction),"
        " round(avg(similarity) FILTER (WHERE existing_id IS NOT NULL), 2) FROM decision"
    )
    return int(contradictions), similarity


def _tally(sql: Sql, statement: str) -> dict[str, int]:
    """The commonest first."""
    found: list[Row] = sorted(sql.rows(statement), key=lambda row: (-row[1], row[0]))
    return {str(name): int(count) for name, count in found}


_SESSION = (
    "SELECT s.session, s.agent, s.project, s.started_at, s.seen_at, s.status, s.task, s.silent,"
    " (SELECT count(*) FROM working_memory w WHERE w.session = s.session) AS held,"
    # What a compaction took out of the context was moved to the time 0.
    " (SELECT count(*) FROM delivery d WHERE d.session = s.session AND d.at > 0) AS delivered"
    " FROM session s"
)
_SESSION_NAMES = (
    "session", "agent", "project", "started_at", "seen_at", "status", "task", "silent", "held",
    "delivered",
)  # fmt: skip


def sessions(sql: Sql, limit: int) -> tuple[int, list[dict[str, Any]]]:
    """How many sessions are known, and those seen last."""
    rows = sql.rows(f"{_SESSION} ORDER BY s.seen_at DESC, s.session LIMIT ?", (limit,))
    return sql.number("SELECT count(*) FROM session"), [_session(row) for row in rows]


def sessions_called(sql: Sql, name: str, limit: int) -> list[dict[str, Any]]:
    """The session of this name, or else those whose names begin with it."""
    rows = sql.rows(f"{_SESSION} WHERE s.session = ?", (name,)) or sql.rows(
        f"{_SESSION} WHERE substr(s.session, 1, length(?1)) = ?1 ORDER BY s.session LIMIT ?2",
        (name, limit),
    )
    return [_session(row) for row in rows]


def _session(row: Row) -> dict[str, Any]:
    found = dict(zip(_SESSION_NAMES, row, strict=True))
    return {**found, "silent": bool(found["silent"])}


def deliveries(sql: Sql, session: str) -> list[tuple[int | None, str, float]]:
    """What the session has in its context: memory, title and time, oldest first."""
    rows = sql.rows(
        "SELECT d.at, max(m.id), m.title FROM delivery d"
        " LEFT JOIN memory m ON m.content_hash = d.content_hash"
        " WHERE d.session = ? AND d.at > 0 GROUP BY d.content_hash ORDER BY d.at, 2",
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


def journal_bytes(sql: Sql) -> int:
    """Of the journal and its indexes."""
    return sql.number(
        "SELECT sum(pgsize) FROM dbstat WHERE aggregate = TRUE AND name IN"
        " (SELECT name FROM sqlite_schema WHERE tbl_name = 'journal')"
    )
