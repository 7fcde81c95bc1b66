"""Claims and time in the store: status, validity and subject, written and read."""

from actors.memory.rows import Memory, Scope
from actors.memory.use import Retiered
from actors.memory.writes import MemoryClaim, StatusSet, ValiditySet
from actors.policy.decay.states import TEMPORARY_LIFETIME
from daemon.storage.database.sql import Effect, Sql, columns, writes
from daemon.storage.memories import MEMORY
from daemon.storage.tables import statements

DEEP = 500  # superseded memories looked at for a question about a time, the newest
# Source of a cause that an agent supposed. None is made any more; stores of before hold them.
SUPPOSITION = "supposition"


def add_columns(sql: Sql) -> None:
    """Bring the table of memories up to claims; temporary ones get the end of their tier."""
    sql.add_columns(
        "memory",
        status=(
            "TEXT NOT NULL DEFAULT 'confirmed'"
            " CHECK (status IN ('hypothesis', 'confirmed', 'refuted'))"
        ),
        valid_from="REAL",
        valid_until="REAL",
        subject="TEXT",
    )
    sql.rows(statements("claims"))
    sql.rows(
        "UPDATE memory SET valid_until = created_at + ? WHERE tier = 'temporary'"
        " AND valid_until IS NULL",
        (TEMPORARY_LIFETIME,),
    )


# ---- on the writing connection


def stand(sql: Sql, memory_id: int, standing: MemoryClaim) -> int:
    """Set all of a memory's claim."""
    return sql.change(
        "UPDATE memory SET status = :status, valid_from = :valid_from, valid_until = :valid_until,"
        " subject = :subject WHERE id = :memory_id",
        {**columns(standing), "memory_id": memory_id},
    )


@writes(Effect.INDEXES)
def set_status(sql: Sql, new: StatusSet) -> int:
    """Set how sure the claim is from now on."""
    return sql.change(
        "UPDATE memory SET status = ?, updated_at = ? WHERE id = ?",
        (new.status, new.at, new.memory_id),
    )


@writes(Effect.INDEXES)
def set_validity(sql: Sql, new: ValiditySet) -> int:
    """Set when the claim is true."""
    return sql.change(
        "UPDATE memory SET valid_from = ?, valid_until = ? WHERE id = ?",
        (new.valid_from, new.valid_until, new.memory_id),
    )


def follow_tier(sql: Sql, new: Retiered) -> None:
    """Set or take the end of the tier temporary with the tier."""
    sql.rows(
        "UPDATE memory SET valid_until = CASE WHEN ?1 = 'temporary'"
        " THEN min(coalesce(valid_until, ?2), ?2) ELSE NULL END"
        " WHERE id = ?3 AND ended IS NULL AND tier <> ?1 AND 'temporary' IN (tier, ?1)",
        (new.tier, new.at + TEMPORARY_LIFETIME, new.memory_id),
    )


# ---- on a reading connection


def of_subject(sql: Sql, subject: str, project: str | None) -> list[Memory]:
    """Living memories with the current value of this subject, in exactly this project."""
    return sql.records(
        Memory,
        f"{MEMORY} WHERE m.subject = ? AND m.project IS ? AND m.ended IS NULL ORDER BY m.id",
        (subject, project),
    )


def superseded(sql: Sql, at: float, scope: Scope) -> list[Memory]:
    """The newest memories in scope, true then and replaced since.

    They have left the indexes, so they are looked at one by one: at most ``DEEP``.
    """
    return sql.records(
        Memory,
        f"{MEMORY} WHERE m.superseded_by IS NOT NULL AND m.ended = 'deprecated'"
        " AND m.status <> 'refuted' AND m.valid_until > ?1"
        " AND (m.valid_from IS NULL OR m.valid_from <= ?1)"
        " AND (?2 OR m.project IS NULL OR m.project = ?3) ORDER BY +m.id DESC LIMIT ?4",
        (at, int(scope.everywhere), scope.project, DEEP),
    )


def refuted_before(sql: Sql, content_hash: bytes, project: str | None) -> bool:
    """Return whether this very text was refuted in this project."""
    return bool(
        sql.rows(
            # The plus: else SQLite goes through the whole project, 3 ms of 5,000 memories.
            "SELECT 1 FROM memory WHERE content_hash = ? AND +project IS ? AND ended = 'refuted'"
            " LIMIT 1",
            (content_hash, project),
        )
    )


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
