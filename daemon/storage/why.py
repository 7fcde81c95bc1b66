"""Origin of a memory, and where it was shown last."""

from dataclasses import dataclass
from typing import Any

from daemon.storage.database.sql import Sql


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


def provenance(sql: Sql, memory_id: int) -> Provenance:
    """Origin of the memory."""
    (found,) = sql.records(
        Provenance,
        "SELECT m.rule, m.tool, m.redacted, m.ended_at, j.kind, j.agent, j.received_at"
        " FROM memory m LEFT JOIN journal j ON j.seq = m.seq WHERE m.id = ?",
        (memory_id,),
    )
    return found


def predecessors(sql: Sql, memory_id: int) -> list[int]:
    """The memories whose place it took, oldest first."""
    return sql.column("SELECT id FROM memory WHERE superseded_by = ? ORDER BY id", (memory_id,))


def reviews(sql: Sql, memory_id: int) -> list[dict[str, Any]]:
    """Every change of its strength, oldest first."""
    return sql.named(
        "SELECT at, grade, cause, stability, difficulty FROM review"
        " WHERE memory_id = ? AND (grade > 0 OR cause = 'backfill') ORDER BY id",
        (memory_id,),
    )


def last_shown(sql: Sql, memory_id: int) -> tuple[float, str] | None:
    """Time and place of its last showing."""
    rows = sql.rows(
        "SELECT at, place FROM exposure WHERE memory_id = ? ORDER BY at DESC, id DESC LIMIT 1",
        (memory_id,),
    )
    return (float(rows[0][0]), str(rows[0][1])) if rows else None
