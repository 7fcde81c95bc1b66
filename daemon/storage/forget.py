"""Memories end and are revived: out of the indexes, and into them again."""

from typing import Final

from actors.memory.writes import Ended, Revived
from actors.policy.decay.states import PROTECTED_TIERS
from daemon.storage import archive
from daemon.storage.database.sql import Effect, Sql, writes
from daemon.storage.memories import index_anew, leave_indexes

# Of a row ``m``: a person holds on to it, so nothing ends it by itself.
_PROTECTED: Final = ", ".join(f"'{tier}'" for tier in sorted(PROTECTED_TIERS))
HELD_ON_TO: Final = f"(m.pinned OR m.tier IN ({_PROTECTED}))"


@writes(Effect.INDEXES)
def end(sql: Sql, end: Ended) -> int:
    changed = sql.change(
        "UPDATE memory SET ended = ?, ended_at = ?, superseded_by = ?"
        " WHERE id = ? AND ended IS NULL",
        (end.how, end.at, end.superseded_by, end.memory_id),
    )
    if changed:
        leave_indexes(sql, end.memory_id)
        if end.how == "archived":
            archive.went_away(sql)
        _end_insights(sql, end)
    return changed


def _end_insights(sql: Sql, gone: Ended) -> None:
    """End insights quoting a memory forgotten or refuted.

    A contradiction of two memories is settled when one of them ends, however it does. A pinned or
    protected insight stays: a person holds on to it.
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
    """Bring insights back ended with this memory, unless they quote another one gone."""
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
            revive(sql, Revived(int(insight_id), at))


@writes(Effect.INDEXES)
def revive(sql: Sql, back: Revived) -> int:
    """Back into recall and the indexes; from the archive exactly as it was put there."""
    memory_id, at = back.memory_id, back.at
    ended = sql.rows("SELECT ended, ended_at FROM memory WHERE id = ?", (memory_id,))
    changed = sql.change(
        "UPDATE memory SET ended = NULL, ended_at = NULL, superseded_by = NULL,"
        " updated_at = CASE WHEN ended = 'archived' THEN updated_at ELSE ? END"
        " WHERE id = ? AND ended IS NOT NULL",
        (at, memory_id),
    )
    if changed:
        ((how, ended_at),) = ended
        if how in ("archived", "forgotten"):
            archive.came_back(sql, memory_id, at, was_archived=how == "archived")
        index_anew(sql, memory_id)
        _revive_insights(sql, memory_id, ended_at or 0.0, at)
    return changed
