"""Editing: versions of a text, its claim and time."""

from typing import Final

from msgspec.structs import astuple

from actors.memory.particulars import NAMES
from actors.memory.rows import Memory
from actors.memory.writes import ParticularsSet, Rewritten, StatusSet, ValiditySet
from daemon.storage import traces
from daemon.storage.database.sql import ConstraintError, Sql, columns, writes
from daemon.storage.index.words import note_change
from daemon.storage.memories import MEMORY, index_words, leave_indexes, set_triggers

SETTLES: Final = 300.0  # seconds in which edits by one hand are one version


def last_version(sql: Sql, memory_id: int) -> tuple[str, str] | None:
    """The text and title of a memory before its last rewriting."""
    rows = sql.rows(
        "SELECT text, title FROM memory_version WHERE memory_id = ? ORDER BY version DESC LIMIT 1",
        (memory_id,),
    )
    return (rows[0][0], rows[0][1]) if rows else None


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


@writes
def rewrite(sql: Sql, new: Rewritten) -> int:
    if not _versioned(sql, new):
        raise ConstraintError("the memory ended meanwhile")
    sql.rows(
        "UPDATE memory SET text = ?, title = ?, content_hash = ?, updated_at = ?,"
        " versions = versions + 1 WHERE id = ?",
        (new.text, new.title, new.content_hash, new.at, new.memory_id),
    )
    if new.standing is not None:
        sql.rows(
            "UPDATE memory SET status = :status, valid_from = :valid_from,"
            " valid_until = :valid_until, subject = :subject WHERE id = :memory_id",
            {**columns(new.standing), "memory_id": new.memory_id},
        )
    set_triggers(sql, new.memory_id, new.triggers, new.derived)
    leave_indexes(sql, new.memory_id)
    index_words(sql, new.memory_id, new.title, (*new.triggers, *new.derived), new.text)
    return new.memory_id


@writes
def set_particulars(sql: Sql, new: ParticularsSet) -> int:
    """Set the particulars beside the text."""
    columns = ", ".join(f"{name} = ?" for name in NAMES)
    return sql.change(
        f"UPDATE memory SET {columns}, updated_at = ? WHERE id = ? AND ended IS NULL",
        (*astuple(new.particulars), new.at, new.memory_id),
    )


def quoting(sql: Sql, text: str) -> list[int]:
    """Memories beside which this text is quoted."""
    condition, value = traces.holding_condition(sql, "memory", text, *NAMES)
    return sql.column(f"SELECT id FROM memory WHERE {condition}", (value,))


def particulars_of(sql: Sql, memory_id: int) -> list[str]:
    """What is said beside a memory's text."""
    rows = sql.rows(f"SELECT {', '.join(NAMES)} FROM memory WHERE id = ?", (memory_id,))
    return [str(said) for row in rows for said in row if said]


def _versioned(sql: Sql, new: Rewritten) -> int:
    """Keep a memory's text until now; edits by one hand within five minutes keep it once.

    Another's text between two of them is kept as well.
    """
    last = "SELECT * FROM memory_version WHERE memory_id = ? ORDER BY version DESC LIMIT 1"
    joined = f"SELECT count(*) FROM ({last}) WHERE reason = ? AND replaced_at > ?"
    if new.joins and sql.number(joined, (new.memory_id, new.reason, new.at - SETTLES)):
        return sql.change(
            "UPDATE memory SET versions = versions - 1 WHERE id = ? AND ended IS NULL",
            (new.memory_id,),
        )
    return sql.change(
        "INSERT INTO memory_version SELECT id, versions, text, title, ?, ? FROM memory"
        " WHERE id = ? AND ended IS NULL",
        (new.at, new.reason, new.memory_id),
    )


# ---- claims and time: status, validity and subject


# Source of a cause that an agent supposed. None is made any more; stores of before hold them.
SUPPOSITION = "supposition"


@writes
def set_status(sql: Sql, new: StatusSet) -> int:
    """Set how sure the claim is from now on."""
    note_change(sql, new.memory_id)
    return sql.change(
        "UPDATE memory SET status = ?, updated_at = ? WHERE id = ?",
        (new.status, new.at, new.memory_id),
    )


@writes
def set_validity(sql: Sql, new: ValiditySet) -> int:
    """Set when the claim is true."""
    note_change(sql, new.memory_id)
    return sql.change(
        "UPDATE memory SET valid_from = ?, valid_until = ? WHERE id = ?",
        (new.valid_from, new.valid_until, new.memory_id),
    )


def of_subject(sql: Sql, subject: str, project: str | None) -> list[Memory]:
    """Living memories with the current value of this subject, in exactly this project."""
    return sql.records(
        Memory,
        f"{MEMORY} WHERE m.subject = ? AND m.project IS ? AND m.ended IS NULL ORDER BY m.id",
        (subject, project),
    )


def refuted_before(sql: Sql, content_hash: bytes, project: str | None) -> bool:
    """Return whether this very text was refuted in this project."""
    rows = sql.rows(
        # The plus: else SQLite goes through the whole project, 3 ms of 5,000 memories.
        "SELECT 1 FROM memory WHERE content_hash = ? AND +project IS ? AND ended = 'refuted'"
        " LIMIT 1",
        (content_hash, project),
    )
    return bool(rows)


def expired(sql: Sql, at: float, limit: int) -> list[int]:
    """Living memories past their time, except pinned ones.

    The ones of tier temporary, and an agent's suppositions, neither decided nor used: of 52 beside
    the prompts of real sessions none was useful (ADR 0018).
    """
    return sql.column(
        "SELECT id FROM memory WHERE ended IS NULL AND NOT pinned AND"
        " (valid_until <= ? AND tier = 'temporary' OR"
        " status = 'hypothesis' AND source = ? AND uses = 0)"
        " ORDER BY id LIMIT ?",
        (at, SUPPOSITION, limit),
    )
