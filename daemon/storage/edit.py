"""Editing: versions of a memory, and the window in which it is labile after use."""

from collections.abc import Sequence

from msgspec.structs import astuple

from actors.memory.particulars import NAMES
from actors.memory.use import Resettled, Window
from actors.memory.writes import ParticularsSet, Rewritten
from actors.policy.decay.reinforcement import LABILE, WINDOWS_KEPT
from daemon.storage import claims, traces
from daemon.storage.database.sql import ConstraintError, Effect, Sql, Value, writes
from daemon.storage.memories import index_words, leave_indexes, set_triggers


def last_version(sql: Sql, memory_id: int) -> tuple[str, str] | None:
    """The text and title of a memory before its last rewriting."""
    rows = sql.rows(
        "SELECT text, title FROM memory_version WHERE memory_id = ? ORDER BY version DESC LIMIT 1",
        (memory_id,),
    )
    return (str(rows[0][0]), str(rows[0][1])) if rows else None


def history(sql: Sql, memory_id: int) -> list[dict[str, object]]:
    """Versions, reviews, exposures and captures of a memory, oldest first."""
    return sql.named(
        "SELECT replaced_at AS at, 'rewritten' AS what, reason AS detail FROM memory_version"
        "  WHERE memory_id = ?1"
        " UNION ALL SELECT at, 'reviewed', cause FROM review WHERE memory_id = ?1"
        " UNION ALL SELECT at, 'shown', place FROM exposure WHERE memory_id = ?1"
        " UNION ALL SELECT v.at, 'captured', replace(v.kind, '_', ' ') || ' ' || c.event_id"
        "  FROM memory m JOIN turn_tag t ON m.session = t.session"
        "  AND m.seq BETWEEN t.first_seq AND t.seq JOIN turn_capture c USING (first_seq)"
        "  JOIN importance_event v ON v.id = c.event_id WHERE m.id = ?1"
        " ORDER BY 1 LIMIT 500",
        (memory_id,),
    )


@writes(Effect.INDEXES)
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
    set_triggers(sql, new.memory_id, new.triggers, new.derived)
    leave_indexes(sql, new.memory_id)
    index_words(sql, new.memory_id, new.title, (*new.triggers, *new.derived), new.text)
    return new.memory_id


@writes(Effect.NOTHING)
def set_particulars(sql: Sql, new: ParticularsSet) -> int:
    """Set the particulars beside the text."""
    columns = ", ".join(f"{name} = ?" for name in NAMES)
    return sql.change(
        f"UPDATE memory SET {columns}, updated_at = ? WHERE id = ? AND ended IS NULL",
        (*astuple(new.particulars), new.at, new.memory_id),
    )


def empty_quoting(sql: Sql, text: str) -> None:
    """Empty what is said beside memories where it quotes this text."""
    for name in NAMES:
        condition, value = traces.holding_condition(sql, "memory", text, name)
        sql.rows(f"UPDATE memory SET {name} = '' WHERE {name} <> '' AND ({condition})", (value,))


def quoting(sql: Sql, text: str) -> list[int]:
    """Memories beside which this text is quoted."""
    condition, value = traces.holding_condition(sql, "memory", text, *NAMES)
    return sql.column(f"SELECT id FROM memory WHERE {condition}", (value,))


def particulars_of(sql: Sql, memory_id: int) -> list[str]:
    """What is said beside a memory's text."""
    rows = sql.rows(f"SELECT {', '.join(NAMES)} FROM memory WHERE id = ?", (memory_id,))
    return [str(said) for row in rows for said in row if said]


def _versioned(sql: Sql, new: Rewritten) -> int:
    """Keep a memory's text until now; edits of one labile window keep it once.

    Another's text between two of them is kept as well.
    """
    again = new.while_labile and count_edit(sql, new.memory_id, new.at) > 1
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
    """Reason of a memory's present text."""
    reasons = sql.column(
        "SELECT reason FROM memory_version WHERE memory_id = ? ORDER BY version DESC LIMIT 1",
        (memory_id,),
    )
    return reasons[0] if reasons else None


# ---- reconsolidation
def open_windows(sql: Sql, ids: Sequence[int], at: float) -> None:
    """Make each of these labile from now on, unless it is so already; windows over leave."""
    sql.rows(
        "DELETE FROM labile WHERE settled_at IS NULL AND edits = 0 AND opened_at <= ?",
        (at - LABILE,),
    )
    sql.many(
        "INSERT INTO labile (memory_id, opened_at) SELECT ?1, ?2 WHERE NOT EXISTS"
        " (SELECT 1 FROM labile WHERE memory_id = ?1 AND opened_at > ?2 - ?3)",
        [(memory_id, at, LABILE) for memory_id in ids],
    )


def window(sql: Sql, memory_id: int, at: float) -> Window | None:
    """The window in which a memory is labile at this time."""
    return sql.record(
        Window,
        "SELECT memory_id, opened_at, edits FROM labile WHERE memory_id = ? AND settled_at IS NULL"
        " AND opened_at > ? - ? AND opened_at <= ? ORDER BY opened_at DESC LIMIT 1",
        (memory_id, at, LABILE, at),
    )


def count_edit(sql: Sql, memory_id: int, at: float) -> int:
    """Count one more edit in the open window; returns its number, 0 when none is open."""
    open_one = window(sql, memory_id, at)
    if open_one is None:
        return 0
    sql.rows(
        "UPDATE labile SET edits = edits + 1 WHERE memory_id = ? AND opened_at = ?",
        (memory_id, open_one.opened_at),
    )
    return open_one.edits + 1


def windows_to_settle(sql: Sql, at: float) -> list[Window]:
    """Windows over with an edit, oldest first."""
    return sql.records(
        Window,
        "SELECT memory_id, opened_at, edits FROM labile WHERE settled_at IS NULL AND edits > 0"
        " AND opened_at <= ? ORDER BY opened_at, memory_id",
        (at - LABILE,),
    )


@writes(Effect.NOTHING)
def resettle(sql: Sql, window: Resettled) -> int:
    """Settle a window; the ones settled 30 days before leave."""
    settled = sql.change(
        "UPDATE labile SET settled_at = ? WHERE memory_id = ? AND opened_at = ?"
        " AND settled_at IS NULL",
        (window.at, window.memory_id, window.opened_at),
    )
    sql.rows("DELETE FROM labile WHERE settled_at < ?", (window.at - WINDOWS_KEPT,))
    return settled


def settled_windows(sql: Sql, memory_id: int) -> list[dict[str, Value]]:
    """The windows of the last 30 days in which a memory was edited, oldest first."""
    return sql.named(
        "SELECT opened_at, settled_at, edits FROM labile WHERE memory_id = ? AND edits > 0"
        " ORDER BY opened_at",
        (memory_id,),
    )
