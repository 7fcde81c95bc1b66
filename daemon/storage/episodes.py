"""Tags, important moments and captures in the store: written and read."""

from collections.abc import Sequence
from dataclasses import dataclass
from json import dumps

from actors.capture.rows import TagRow
from actors.capture.writes import Captured, Faded, Raised
from actors.policy.capture.capture import Tag
from actors.policy.statements.sources import IMPORTS
from daemon.storage import traces
from daemon.storage.database.sql import Sql, Value, columns

_EVENT = "SELECT id, kind, strength, at, session, project, reason, seq, memory_id"
_CAPTURE = "SELECT memory_id, event_id, score, hours, importance, at, before FROM capture"


@dataclass(frozen=True, slots=True)
class CaptureRow:
    """A memory that an event captured, as it is stored."""

    memory_id: int
    event_id: str
    score: float
    hours: float  # from the memory to the event; negative: it was encoded after the event
    importance: float
    at: float
    before: float  # importance until then


@dataclass(frozen=True, slots=True)
class Episode:
    """An important moment and what it captured; of members the first ones of all."""

    event: Raised
    members: tuple[CaptureRow, ...]
    total: int


# ---- on the writing connection


def tag(sql: Sql, memory_id: int, at: float, source: str) -> None:
    """Mark a memory as just encoded, with full strength; in its own transaction."""
    if source not in IMPORTS:  # no experience of anybody's day: no moment is near it
        sql.rows(
            "INSERT INTO synaptic_tag (memory_id, at, strength) VALUES (?, ?, 1.0)",
            (memory_id, at),
        )


def raise_event(sql: Sql, event: Raised) -> int:
    """Note an important moment once; not one whose event was erased meanwhile."""
    if sql.rows("SELECT 1 FROM journal WHERE seq = ? AND body = x''", (event.seq,)):
        return 0
    return sql.change(
        "INSERT INTO importance_event (id, kind, strength, at, session, project, reason, seq,"
        " memory_id) VALUES (:id, :kind, :strength, :at, :session, :project, :reason, :seq,"
        " :memory_id) ON CONFLICT (id) DO NOTHING",
        columns(event),
    )


def capture(sql: Sql, taken: Captured) -> int:
    """Capture a memory whose tag is still loose: its record, its tag, how it lasts and matters."""
    changed = sql.change(
        "UPDATE synaptic_tag SET captured_at = ?1, captured_by = ?2 WHERE memory_id = ?3"
        " AND captured_at IS NULL AND EXISTS (SELECT 1 FROM importance_event WHERE id = ?2)"
        " AND EXISTS (SELECT 1 FROM memory WHERE id = ?3 AND ended IS NULL)",
        (taken.at, taken.event_id, taken.memory_id),
    )
    if changed:
        sql.rows(
            "INSERT INTO capture (memory_id, event_id, score, hours, importance, before, at)"
            " SELECT id, :event_id, :score, :hours, :importance, importance, :at FROM memory"
            " WHERE id = :memory_id",
            columns(taken),
        )
        sql.rows(
            # One that was never reviewed counts as reviewed when it was made: else its fading
            # would go by what is usual for its type.
            "UPDATE memory SET importance = max(importance, ?), stability = max(stability, ?),"
            " last_review = coalesce(last_review, created_at) WHERE id = ?",
            (taken.importance, taken.stability, taken.memory_id),
        )
    return changed


def fade(sql: Sql, faded: Faded) -> int:
    """Let go of tags that have served, and of old moments that captured nothing."""
    sql.rows(
        "DELETE FROM importance_event WHERE at < ?"
        " AND NOT EXISTS (SELECT 1 FROM capture WHERE event_id = importance_event.id)",
        (faded.before,),
    )
    return sql.change(
        "DELETE FROM synaptic_tag WHERE memory_id IN (SELECT value FROM json_each(?))"
        " OR memory_id IN (SELECT id FROM memory WHERE ended IS NOT NULL)",
        (dumps(faded.memory_ids),),
    )


def drop_traces(sql: Sql, memory_id: int) -> None:
    """Take out what moments keep of a memory that is about to be erased.

    Those that captured it alone are nothing without it; the others no longer say why they
    were important, because that may quote it.
    """
    sql.rows(
        "DELETE FROM importance_event WHERE id IN (SELECT event_id FROM capture c"
        " WHERE memory_id = ? AND NOT EXISTS (SELECT 1 FROM capture o"
        " WHERE o.event_id = c.event_id AND o.memory_id <> c.memory_id))",
        (memory_id,),
    )
    sql.rows(
        "UPDATE importance_event SET reason = '' WHERE id IN"
        " (SELECT event_id FROM capture WHERE memory_id = ?)",
        (memory_id,),
    )


def empty_reasons(sql: Sql, text: str) -> None:
    """Empty what moments say of events that were emptied, and what holds the text or is in it."""
    condition, value = traces.held(sql, "importance_event", text, "reason")
    sql.rows(
        f"UPDATE importance_event SET reason = '' WHERE {condition}"
        " OR (length(reason) >= 8 AND instr(?2, reason))"
        " OR seq IN (SELECT seq FROM journal WHERE body = x'')",
        (value, text),
    )


# ---- on a reading connection


def tags(sql: Sql, ids: Sequence[int] | None) -> list[TagRow]:
    """The tags of these memories, or all there are; of living memories only."""
    chosen = "" if ids is None else " AND t.memory_id IN (SELECT value FROM json_each(?))"
    rows = sql.rows(
        "SELECT m.project, t.memory_id, t.at, t.strength, m.session, t.captured_at, t.captured_by"
        " FROM synaptic_tag t JOIN memory m ON m.id = t.memory_id"
        f" WHERE m.ended IS NULL{chosen} ORDER BY t.memory_id",
        () if ids is None else (dumps(list(ids)),),
    )
    return [
        TagRow(Tag(str(memory_id), at, strength, session or "", *captured), project)
        for project, memory_id, at, strength, session, *captured in rows
    ]


def tagged_in_turn(sql: Sql, session: str | None, seq: int | None) -> list[int]:
    """The tagged memories made in the turn that this event belongs to: from prompt to prompt."""
    return sql.column(
        "SELECT m.id FROM synaptic_tag t JOIN memory m ON m.id = t.memory_id"
        " WHERE m.session = ?1 AND ?2 IS NOT NULL AND m.seq >= (SELECT coalesce(max(seq), 0) FROM journal"
        "  WHERE session = ?1 AND kind = 'prompt' AND seq <= ?2)"
        " AND NOT EXISTS (SELECT 1 FROM journal"
        "  WHERE session = ?1 AND kind = 'prompt' AND seq > ?2 AND seq <= m.seq)",
        (session, seq),
    )


def captured_among(sql: Sql, ids: Sequence[int]) -> list[int]:
    """Those of these memories that a moment captured."""
    return sql.column(
        "SELECT value FROM json_each(?) WHERE EXISTS"
        " (SELECT 1 FROM capture WHERE memory_id = value)",
        (dumps(list(ids)),),
    )


def importance_events(sql: Sql, begin: float, end: float) -> list[Raised]:
    """The important moments from ``begin`` to ``end``, oldest first."""
    return sql.records(
        Raised,
        f"{_EVENT} FROM importance_event WHERE at BETWEEN ? AND ? ORDER BY at, id",
        (begin, end),
    )


def capture_totals(sql: Sql) -> dict[str, Value]:
    """Totals of what is stored of tagging and capture."""
    (totals,) = sql.named(
        "SELECT (SELECT count(*) FROM synaptic_tag) AS tags,"
        " (SELECT count(captured_at) FROM synaptic_tag) AS captured_tags,"
        " (SELECT count(*) FROM importance_event) AS events, count(*) AS captures,"
        " count(DISTINCT event_id) AS episodes, coalesce(avg(score), 0) AS average_score,"
        " coalesce(avg(importance), 0) AS average_importance FROM capture"
    )
    return totals


def captures_of(sql: Sql, memory_id: int) -> list[tuple[CaptureRow, Raised]]:
    """Captures of a memory, oldest first; what it is with has the event's id."""
    taken = sql.records(
        CaptureRow, f"{_CAPTURE} WHERE memory_id = ? ORDER BY at, event_id", (memory_id,)
    )
    return [(one, _event(sql, one.event_id)) for one in taken]


def episodes_of(sql: Sql, memory_id: int, members: int) -> list[Episode]:
    """The episodes that a memory belongs to, oldest first."""
    rows = sql.rows("SELECT event_id FROM capture WHERE memory_id = ? ORDER BY at", (memory_id,))
    return [_episode(sql, str(event_id), members) for (event_id,) in rows]


def episodes(sql: Sql, project: str | None, members: int, limit: int) -> tuple[int, list[Episode]]:
    """Number of episodes, and the newest; ``None``: of every project."""
    where = (
        "(?1 IS NULL OR e.project IS ?1) AND EXISTS (SELECT 1 FROM capture WHERE event_id = e.id)"
    )
    total = sql.number(f"SELECT count(*) FROM importance_event e WHERE {where}", (project,))
    rows = sql.rows(
        f"SELECT id FROM importance_event e WHERE {where} ORDER BY at DESC, id LIMIT ?2",
        (project, limit),
    )
    return total, [_episode(sql, str(event_id), members) for (event_id,) in rows]


def episode(sql: Sql, event_id: str, members: int) -> Episode | None:
    """The episode of this event, if it captured anything."""
    found = sql.rows("SELECT 1 FROM capture WHERE event_id = ? LIMIT 1", (event_id,))
    return _episode(sql, event_id, members) if found else None


def _episode(sql: Sql, event_id: str, members: int) -> Episode:
    """Members of the event's own session come first, then by score."""
    found = sql.records(
        CaptureRow,
        f"{_CAPTURE} JOIN (SELECT id, session AS mine FROM memory) ON id = memory_id"
        " WHERE event_id = ?1 ORDER BY mine IS NOT NULL AND mine IS"
        " (SELECT session FROM importance_event WHERE id = ?1) DESC, score DESC, memory_id LIMIT ?2",
        (event_id, members),
    )
    total = sql.number("SELECT count(*) FROM capture WHERE event_id = ?", (event_id,))
    return Episode(_event(sql, event_id), tuple(found), total)


def _event(sql: Sql, event_id: str) -> Raised:
    (found,) = sql.records(Raised, f"{_EVENT} FROM importance_event WHERE id = ?", (event_id,))
    return found
