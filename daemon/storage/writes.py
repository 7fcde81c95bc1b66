"""Carrying out writes, on the writing connection's thread.

``carry_out`` is one transaction over many units: the group commit. A unit that breaks
a constraint is rolled back alone; the others stand. What leaves the indexes when a
memory ends comes back when it is revived.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from actors.policy.words import index_text
from actors.writes import (
    Audited,
    Captured,
    Created,
    Delivered,
    Derived,
    DueAt,
    Ended,
    Erased,
    ErasedEverything,
    Exposed,
    Faded,
    Held,
    Journaled,
    Judged,
    Linked,
    ModelChosen,
    Pinned,
    Pruned,
    Raised,
    Reviewed,
    Revived,
    Rewritten,
    SessionSeen,
    Undelivered,
    Unit,
    Vectored,
    Write,
)
from daemon.storage import capturing
from daemon.storage.erasing import erased, everything_erased
from daemon.storage.sql import ConstraintError, Sql

EXPOSURES_KEPT = 150 * 86_400.0  # seconds past the journal's horizon; no rule looks back further


DECISIONS_KEPT = 335 * 86_400.0  # seconds past it: a year of reasons for ``show``


def carry_out(sql: Sql, units: Sequence[Unit]) -> list[list[int] | Exception]:
    """All units in one transaction; one outcome each.

    Raises apsw's error when the transaction as a whole cannot be made durable.
    """
    sql.rows("BEGIN IMMEDIATE")
    try:
        outcomes = [_carried_out(sql, unit) for unit in units]
        sql.rows("COMMIT")
    except BaseException:
        if sql.in_transaction():
            sql.rows("ROLLBACK")
        raise
    return outcomes


def _carried_out(sql: Sql, unit: Unit) -> list[int] | Exception:
    sql.rows("SAVEPOINT unit")
    numbers: list[int] = []
    try:
        for write in unit:
            last = numbers[-1] if numbers else 0
            numbers.append(_write(sql, write, last))
    except ConstraintError as error:
        sql.rows("ROLLBACK TO unit")
        sql.rows("RELEASE unit")
        return error
    sql.rows("RELEASE unit")
    return numbers


def _write(sql: Sql, write: Write, last: int) -> int:
    """Carry out one write; ``last`` is the number the one before it produced."""
    match write:
        case Journaled():
            return _journal(sql, write)
        case Derived(seq):
            return sql.change("UPDATE journal SET done = 1 WHERE seq = ?", (seq,))
        case Created():
            return _create(sql, write)
        case Rewritten():
            return _rewrite(sql, write)
        case Ended():
            return _end(sql, write)
        case Revived(memory_id, at):
            return _revive(sql, memory_id, at)
        case Linked(source, target, relation, similarity, at):
            _link(sql, source, target, relation, similarity, at)
            return 1
        case Judged(memory_id):
            return sql.change("UPDATE memory SET unjudged = 0 WHERE id = ?", (memory_id,))
        case Audited():
            return _audit(sql, write, last)
        case Reviewed():
            return _review(sql, write)
        case Exposed():
            return _expose(sql, write)
        case Delivered(session, hashes, at):
            sql.many(
                "INSERT INTO delivery VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET at = excluded.at",
                [(session, content_hash, at) for content_hash in hashes],
            )
            return len(hashes)
        case Undelivered(session):
            return sql.change("DELETE FROM delivery WHERE session = ?", (session,))
        case SessionSeen():
            return _see_session(sql, write)
        case Held():
            return _hold(sql, write)
        case Vectored():
            return _store_vectors(sql, write)
        case ModelChosen(model, dimensions):
            return _choose_model(sql, model, dimensions)
        case Pinned(memory_id, pinned, at):
            return sql.change(
                "UPDATE memory SET pinned = ?, updated_at = ? WHERE id = ?",
                (int(pinned), at, memory_id),
            )
        case DueAt(job, due_at, ran_at):
            sql.rows(
                "INSERT INTO schedule VALUES (?, ?, ?) ON CONFLICT DO UPDATE"
                " SET due_at = excluded.due_at, ran_at = coalesce(excluded.ran_at, ran_at)",
                (job, due_at, ran_at),
            )
            return 1
        case Pruned(before):
            return _prune(sql, before)
        case Erased(memory_ids):
            return erased(sql, memory_ids)
        case ErasedEverything(project, whole_store):
            return everything_erased(sql, project, whole_store=whole_store)
        case Raised():
            return capturing.raise_event(sql, write)
        case Captured():
            return capturing.capture(sql, write)
        case Faded():
            return capturing.fade(sql, write)
        case _:
            assert_never(write)


def _journal(sql: Sql, event: Journaled) -> int:
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


def _create(sql: Sql, new: Created) -> int:
    origin = new.origin
    if origin.seq is not None and _was_erased(sql, origin.seq):
        return 0
    rows = sql.rows(
        "INSERT INTO memory (key, text, title, kind, tier, memory_type, context_type, project,"
        " created_at, updated_at, content_hash, stability, difficulty, importance, unjudged,"
        " source, session, seq, rule, ordinal, tool, call_id, redacted)"
        " VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"
        " ON CONFLICT (seq, rule, ordinal) DO NOTHING RETURNING id",
        (
            new.key, new.text, new.title, new.kind, new.tier, new.memory_type, new.context_type,
            new.project, new.at, new.at, new.content_hash, new.stability, new.difficulty,
            new.importance, int(new.unjudged), origin.source, origin.session, origin.seq,
            origin.rule, origin.ordinal, origin.tool, origin.call_id, int(origin.redacted),
        ),
    )  # fmt: skip
    if not rows:
        return _made_before(sql, new)
    memory_id = int(rows[0][0])
    _set_triggers(sql, memory_id, new.triggers, new.derived)
    _index_words(sql, memory_id, new.title, (*new.triggers, *new.derived), new.text)
    capturing.tag(sql, memory_id, new.at, origin.source)
    if new.linked_to is not None:
        _link(sql, memory_id, new.linked_to, "related", new.similarity, new.at)
    if new.supersedes is not None:
        _link(sql, memory_id, new.supersedes, "supersedes", new.similarity, new.at)
        _end(sql, Ended(new.supersedes, "deprecated", new.at, superseded_by=memory_id))
    return memory_id


def _was_erased(sql: Sql, seq: int) -> bool:
    """Whether the event was emptied by an erasure while it was being made into memories."""
    return bool(sql.rows("SELECT 1 FROM journal WHERE seq = ? AND body = x''", (seq,)))


def _made_before(sql: Sql, new: Created) -> int:
    (row,) = sql.rows(
        "SELECT id FROM memory WHERE seq = ? AND rule = ? AND ordinal = ?",
        (new.origin.seq, new.origin.rule, new.origin.ordinal),
    )
    return int(row[0])


def _link(
    sql: Sql,
    source: int,
    target: int,
    relation: str,
    similarity: float | None,
    at: float,
) -> None:
    sql.rows(
        "INSERT INTO memory_link VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        (source, target, relation, similarity, at),
    )


def _set_triggers(sql: Sql, memory_id: int, given: Sequence[str], derived: Sequence[str]) -> None:
    sql.rows("DELETE FROM trigger_phrase WHERE memory_id = ?", (memory_id,))
    sql.many(
        "INSERT INTO trigger_phrase VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
        [
            *((memory_id, phrase, 1) for phrase in given),
            *((memory_id, phrase, 0) for phrase in derived),
        ],
    )


def _index_words(sql: Sql, memory_id: int, title: str, triggers: Sequence[str], text: str) -> None:
    sql.rows(
        "INSERT INTO memory_words (rowid, title, triggers, body) VALUES (?, ?, ?, ?)",
        (memory_id, index_text(title), index_text("\n".join(triggers)), index_text(text)),
    )


def _leave_indexes(sql: Sql, memory_id: int) -> None:
    sql.rows("DELETE FROM memory_words WHERE rowid = ?", (memory_id,))
    if has_vectors(sql):
        sql.rows(
            "DELETE FROM memory_vector WHERE chunk_id IN (SELECT id FROM chunk WHERE memory_id = ?)",
            (memory_id,),
        )
    sql.rows("DELETE FROM chunk WHERE memory_id = ?", (memory_id,))


def _rewrite(sql: Sql, new: Rewritten) -> int:
    changed = sql.change(
        "INSERT INTO memory_version SELECT id, versions, text, title, ?, ? FROM memory"
        " WHERE id = ? AND ended IS NULL",
        (new.at, new.reason, new.memory_id),
    )
    if not changed:
        raise ConstraintError("the memory ended meanwhile")
    sql.rows(
        "UPDATE memory SET text = ?, title = ?, content_hash = ?, updated_at = ?,"
        " versions = versions + 1 WHERE id = ?",
        (new.text, new.title, new.content_hash, new.at, new.memory_id),
    )
    _set_triggers(sql, new.memory_id, new.triggers, new.derived)
    _leave_indexes(sql, new.memory_id)
    _index_words(sql, new.memory_id, new.title, (*new.triggers, *new.derived), new.text)
    return new.memory_id


def _end(sql: Sql, end: Ended) -> int:
    changed = sql.change(
        "UPDATE memory SET ended = ?, ended_at = ?, superseded_by = ?"
        " WHERE id = ? AND ended IS NULL",
        (end.how, end.at, end.superseded_by, end.memory_id),
    )
    if changed:
        _leave_indexes(sql, end.memory_id)
    return changed


def _revive(sql: Sql, memory_id: int, at: float) -> int:
    changed = sql.change(
        "UPDATE memory SET ended = NULL, ended_at = NULL, superseded_by = NULL, updated_at = ?"
        " WHERE id = ? AND ended IS NOT NULL",
        (at, memory_id),
    )
    if changed:
        ((title, text),) = sql.rows("SELECT title, text FROM memory WHERE id = ?", (memory_id,))
        phrases = sql.rows("SELECT phrase FROM trigger_phrase WHERE memory_id = ?", (memory_id,))
        _index_words(sql, memory_id, str(title), [str(p) for (p,) in phrases], str(text))
    return changed


def _audit(sql: Sql, decision: Audited, last: int) -> int:
    sql.rows(
        "INSERT INTO decision (action, memory_id, existing_id, similarity, reason, contradiction,"
        " content_hash, project, at, seq, rule, ordinal)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        (
            decision.action,
            decision.memory_id or last,
            decision.existing_id,
            decision.similarity,
            decision.reason,
            decision.contradiction,
            decision.content_hash,
            decision.project,
            decision.at,
            decision.origin.seq if decision.origin else None,
            decision.origin.rule if decision.origin else None,
            decision.origin.ordinal if decision.origin else 0,
        ),
    )
    return decision.memory_id or last


def _review(sql: Sql, review: Reviewed) -> int:
    changed = sql.change(
        "UPDATE memory SET stability = ?, difficulty = ?, last_review = ?, last_use = ?,"
        " lapses = ?, phase = ?, reviews = reviews + 1, uses = uses + ?,"
        " last_implicit = CASE WHEN ? THEN ? ELSE last_implicit END WHERE id = ?",
        (
            review.stability,
            review.difficulty,
            review.at,
            review.at,
            review.lapses,
            review.phase,
            int(review.grade > 1),
            int(review.implicit),
            review.at,
            review.memory_id,
        ),
    )
    if changed:
        sql.rows(
            "INSERT INTO review (memory_id, grade, cause, stability, difficulty, at)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            (
                review.memory_id,
                review.grade,
                review.cause,
                review.stability,
                review.difficulty,
                review.at,
            ),
        )
    return changed


def _expose(sql: Sql, shown: Exposed) -> int:
    present = [
        (memory_id,)
        for memory_id in shown.memory_ids
        if sql.rows("SELECT 1 FROM memory WHERE id = ?", (memory_id,))
    ]
    sql.many("UPDATE memory SET exposures = exposures + 1 WHERE id = ?", present)
    sql.many(
        "INSERT INTO exposure (memory_id, session, place, at) VALUES (?, ?, ?, ?)",
        [(memory_id, shown.session, shown.where, shown.at) for (memory_id,) in present],
    )
    return len(present)


def _see_session(sql: Sql, seen: SessionSeen) -> int:
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


def _hold(sql: Sql, held: Held) -> int:
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


def has_vectors(sql: Sql) -> bool:
    """Whether a model was ever chosen."""
    return bool(sql.rows("SELECT 1 FROM sqlite_schema WHERE name = 'memory_vector'"))


def _choose_model(sql: Sql, model: str, dimensions: int) -> int:
    """Another model means other vectors: those of the last one are dropped."""
    chosen: dict[str, str] = dict(
        sql.rows("SELECT name, value FROM store WHERE name IN ('model', 'dimensions')")
    )
    if chosen == {"model": model, "dimensions": str(dimensions)} and has_vectors(sql):
        return 0
    sql.rows("DROP TABLE IF EXISTS memory_vector")
    sql.rows("DELETE FROM chunk")
    sql.rows(
        "CREATE VIRTUAL TABLE memory_vector USING vec0(chunk_id INTEGER PRIMARY KEY,"
        f" project TEXT PARTITION KEY, embedding FLOAT[{int(dimensions)}] distance_metric=cosine,"
        " +memory_id INTEGER)"
    )
    sql.many(
        "INSERT INTO store VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
        [("model", model), ("dimensions", str(dimensions))],
    )
    return 1


def _store_vectors(sql: Sql, made: Vectored) -> int:
    """Keep the vectors, unless the memory was rewritten or ended while they were made."""
    rows = sql.rows(
        "SELECT project FROM memory WHERE id = ? AND content_hash = ? AND ended IS NULL"
        " AND (SELECT value FROM store WHERE name = 'model') = ?",
        (made.memory_id, made.content_hash, made.model),
    )
    if not rows:
        return 0
    sql.rows(
        "DELETE FROM memory_vector WHERE chunk_id IN (SELECT id FROM chunk WHERE memory_id = ?)",
        (made.memory_id,),
    )
    sql.rows("DELETE FROM chunk WHERE memory_id = ?", (made.memory_id,))
    project = rows[0][0] or ""
    for chunk in made.chunks:
        sql.rows(
            "INSERT INTO chunk (memory_id, ordinal, content_hash) VALUES (?, ?, ?)",
            (made.memory_id, chunk.ordinal, chunk.content_hash),
        )
        sql.rows(
            "INSERT INTO memory_vector (chunk_id, project, embedding, memory_id)"
            " VALUES (?, ?, ?, ?)",
            (sql.last_id(), project, chunk.vector, made.memory_id),
        )
        sql.rows(
            "INSERT INTO embedding_cache VALUES (?, ?, ?, ?)"
            " ON CONFLICT DO UPDATE SET last_used = excluded.last_used",
            (chunk.content_hash, made.model, chunk.vector, made.at),
        )
    return len(made.chunks)


def _prune(sql: Sql, before: float) -> int:
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
