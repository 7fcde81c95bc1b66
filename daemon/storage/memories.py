"""Memories on disk: made, rewritten, ended, revived, linked, and in the word index."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from actors.memory.writes import Created, Ended, Rewritten
from actors.policy.decay.states import PROTECTED_TIERS
from actors.policy.text.words import index_text
from daemon.storage import archive, claims, episodes, strength
from daemon.storage.index.words import words_changed
from daemon.storage.sql import ConstraintError, Sql, Value
from daemon.storage.vectors import drop_vectors, rescope_vectors

# Of a row ``m``: a person holds on to it, so nothing ends it by itself.
_PROTECTED: Final = ", ".join(f"'{tier}'" for tier in sorted(PROTECTED_TIERS))
HELD_ON_TO: Final = f"(m.pinned OR m.tier IN ({_PROTECTED}))"


COLUMNS: Final = (
    "key, text, title, kind, tier, memory_type, context_type, project, created_at, updated_at,"
    " content_hash, stability, difficulty, importance, unjudged, source, session, seq, rule,"
    " ordinal, tool, call_id, redacted, status, valid_from, valid_until, subject"
)


def columns_of(new: Created) -> tuple[Value, ...]:
    """What stands in ``COLUMNS`` of a new memory."""
    origin, standing = new.origin, new.standing
    return (
        new.key, new.text, new.title, new.kind, new.tier, new.memory_type, new.context_type,
        new.project, new.at, new.at, new.content_hash, new.stability, new.difficulty,
        new.importance, int(new.unjudged), origin.source, origin.session, origin.seq,
        origin.rule, origin.ordinal, origin.tool, origin.call_id, int(origin.redacted),
        standing.status, standing.valid_from, standing.valid_until, standing.subject,
    )  # fmt: skip


def create(sql: Sql, new: Created) -> int:
    origin = new.origin
    if origin.seq is not None and _was_erased(sql, origin.seq):
        return 0
    rows = sql.rows(
        f"INSERT INTO memory ({COLUMNS}) VALUES ({','.join('?' * len(COLUMNS.split()))})"
        " ON CONFLICT (seq, rule, ordinal) DO NOTHING RETURNING id",
        columns_of(new),
    )
    if not rows:
        return _made_before(sql, new)
    memory_id = int(rows[0][0])
    _add_triggers(sql, memory_id, new.triggers, new.derived)
    _index_words(sql, memory_id, new.title, (*new.triggers, *new.derived), new.text)
    episodes.tag(sql, memory_id, new.at, origin.source)
    if new.linked_to is not None:
        link(sql, memory_id, new.linked_to, "related", new.similarity, new.at)
    if new.supersedes is not None:
        link(sql, memory_id, new.supersedes, "supersedes", new.similarity, new.at)
        end(sql, Ended(new.supersedes, "deprecated", new.at, superseded_by=memory_id))
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


def link(
    sql: Sql,
    source: int,
    target: int,
    relation: str,
    similarity: float | None,
    at: float,
) -> None:
    sql.rows(
        "INSERT INTO memory_link (source_id, target_id, relation, similarity, at)"
        " VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        (source, target, relation, similarity, at),
    )


def _set_triggers(sql: Sql, memory_id: int, given: Sequence[str], derived: Sequence[str]) -> None:
    sql.rows("DELETE FROM trigger_phrase WHERE memory_id = ?", (memory_id,))
    _add_triggers(sql, memory_id, given, derived)


def _add_triggers(sql: Sql, memory_id: int, given: Sequence[str], derived: Sequence[str]) -> None:
    sql.many(
        "INSERT INTO trigger_phrase VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
        trigger_rows(memory_id, given, derived),
    )


def trigger_rows(
    memory_id: int, given: Sequence[str], derived: Sequence[str]
) -> list[tuple[Value, ...]]:
    """The rows of its phrases: one that a person set comes before the same one derived."""
    return [
        *((memory_id, phrase, 1) for phrase in given),
        *((memory_id, phrase, 0) for phrase in derived),
    ]


def _index_words(sql: Sql, memory_id: int, title: str, triggers: Sequence[str], text: str) -> None:
    sql.rows(
        "INSERT INTO memory_words (rowid, title, triggers, body) VALUES (?, ?, ?, ?)",
        word_row(memory_id, title, triggers, text),
    )
    words_changed(sql, memory_id)


def word_row(memory_id: int, title: str, triggers: Sequence[str], text: str) -> tuple[Value, ...]:
    """What full-text search indexes of a memory."""
    return (memory_id, index_text(title), index_text("\n".join(triggers)), index_text(text))


def _leave_indexes(sql: Sql, memory_id: int) -> None:
    sql.rows("DELETE FROM memory_words WHERE rowid = ?", (memory_id,))
    words_changed(sql, memory_id)
    drop_vectors(sql, memory_id)


def rewrite(sql: Sql, new: Rewritten) -> int:
    if not _versioned(sql, new):
        raise ConstraintError("the memory ended meanwhile")
    sql.rows(
        "UPDATE memory SET text = ?, title = ?, content_hash = ?, updated_at = ?,"
        " versions = versions + 1 WHERE id = ?",
        (new.text, new.title, new.content_hash, new.at, new.memory_id),
    )
    if new.standing is not None:
        claims.stand(sql, new.memory_id, new.standing)
    _set_triggers(sql, new.memory_id, new.triggers, new.derived)
    _leave_indexes(sql, new.memory_id)
    _index_words(sql, new.memory_id, new.title, (*new.triggers, *new.derived), new.text)
    return new.memory_id


def _versioned(sql: Sql, new: Rewritten) -> int:
    """Keep what a memory says until now; edits of one labile window keep it once (Q07).

    What somebody else made of it between two of them is kept as well.
    """
    again = new.while_labile and strength.count_edit(sql, new.memory_id, new.at) > 1
    if again and _last_reason(sql, new.memory_id) == new.reason:
        return sql.change(
            "UPDATE memory SET versions = versions - 1 WHERE id = ? AND ended IS NULL",
            (new.memory_id,),
        )
    return sql.change(
        "INSERT INTO memory_version SELECT id, versions, text, title, ?, ? FROM memory"
        " WHERE id = ? AND ended IS NULL",
        (new.at, new.reason, new.memory_id),
    )


def _last_reason(sql: Sql, memory_id: int) -> str | None:
    """Why a memory got the text that it has."""
    rows = sql.rows(
        "SELECT reason FROM memory_version WHERE memory_id = ? ORDER BY version DESC LIMIT 1",
        (memory_id,),
    )
    return str(rows[0][0]) if rows else None


def rescope(sql: Sql, memory_id: int, project: str | None, at: float) -> None:
    """Move a memory to this project, or to the user's own scope, in every index (Q06)."""
    sql.rows("UPDATE memory SET project = ?, updated_at = ? WHERE id = ?", (project, at, memory_id))
    words_changed(sql, memory_id)
    rescope_vectors(sql, memory_id, project)


def end(sql: Sql, end: Ended) -> int:
    changed = sql.change(
        "UPDATE memory SET ended = ?, ended_at = ?, superseded_by = ?"
        " WHERE id = ? AND ended IS NULL",
        (end.how, end.at, end.superseded_by, end.memory_id),
    )
    if changed:
        _leave_indexes(sql, end.memory_id)
        if end.how == "archived":
            archive.went_away(sql)
        _end_insights(sql, end)
    return changed


def _end_insights(sql: Sql, gone: Ended) -> None:
    """What a dream noticed ends with what it quotes when that is forgotten or refuted.

    That two memories contradict each other is settled when one of them ends, however it does.
    What is pinned or of a protected tier stays: a person holds on to it.
    """
    rows = sql.rows(
        "SELECT m.id FROM insight_source s JOIN insight i ON i.memory_id = s.insight_id"
        " JOIN memory m ON m.id = i.memory_id WHERE s.source_id = ? AND m.ended IS NULL"
        f" AND NOT {HELD_ON_TO} AND (? OR i.kind = 'contradiction')",
        (gone.memory_id, gone.how in ("forgotten", "refuted")),
    )
    for (insight_id,) in rows:
        end(sql, Ended(int(insight_id), "expired", gone.at))


def _revive_insights(sql: Sql, memory_id: int, ended_at: float, at: float) -> None:
    """Those that ended with it come back with it, unless they quote another that is gone."""
    rows = sql.rows(
        "SELECT m.id FROM insight_source s JOIN memory m ON m.id = s.insight_id"
        " WHERE s.source_id = ? AND m.ended = 'expired' AND m.ended_at = ?",
        (memory_id, ended_at),
    )
    for (insight_id,) in rows:
        gone = sql.rows(
            "SELECT o.ended_at FROM insight_source s JOIN insight i ON i.memory_id = s.insight_id"
            " JOIN memory o ON o.id = s.source_id WHERE s.insight_id = ? AND o.ended IS NOT NULL"
            " AND (o.ended IN ('forgotten', 'refuted') OR i.kind = 'contradiction') LIMIT 1",
            (insight_id,),
        )
        if gone:  # from now on it comes back with that one
            sql.rows("UPDATE memory SET ended_at = ? WHERE id = ?", (gone[0][0], insight_id))
        else:
            revive(sql, int(insight_id), at)


def revive(sql: Sql, memory_id: int, at: float) -> int:
    """Back into recall and the indexes; from the archive exactly as it was put there (G02)."""
    archived = sql.rows("SELECT 1 FROM memory WHERE id = ? AND ended = 'archived'", (memory_id,))
    ended = sql.rows("SELECT ended_at FROM memory WHERE id = ? AND ended IS NOT NULL", (memory_id,))
    changed = sql.change(
        "UPDATE memory SET ended = NULL, ended_at = NULL, superseded_by = NULL,"
        " updated_at = CASE WHEN ended = 'archived' THEN updated_at ELSE ? END"
        " WHERE id = ? AND ended IS NOT NULL",
        (at, memory_id),
    )
    if archived:
        archive.came_back(sql, memory_id, at)
    if changed:
        ((title, text),) = sql.rows("SELECT title, text FROM memory WHERE id = ?", (memory_id,))
        phrases = sql.rows("SELECT phrase FROM trigger_phrase WHERE memory_id = ?", (memory_id,))
        _index_words(sql, memory_id, str(title), [str(p) for (p,) in phrases], str(text))
        _revive_insights(sql, memory_id, float(ended[0][0] or 0.0), at)
    return changed
