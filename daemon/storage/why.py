"""Origin of a memory and where it was shown last; how a session's prompts were answered."""

from dataclasses import dataclass
from typing import Any, Final

from actors.strength.writes import Injected
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


# ---- how prompts were answered
# Where what was weighed is kept, and the sign of its number there.
WEIGHED: Final = (("considered", "memory", 1), ("considered_passage", "passage", -1))


def inject(sql: Sql, made: Injected) -> int:
    """Keep how a prompt was answered; what was weighed and is gone by now is left out."""
    number = sql.number(
        "INSERT INTO injection (session, project, place, at, characters, milliseconds, mode)"
        " VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id",
        (
            made.session, made.project, made.where, made.at, made.characters,
            round(made.milliseconds, 1), made.mode,
        ),
    )  # fmt: skip
    for table, kind, sign in WEIGHED:
        sql.many(
            f"INSERT INTO {table} SELECT ?, id, ?, ?, ? FROM {kind} WHERE id = ?",
            [
                (number, round(one.confidence, 4), one.reason, one.fate.value, sign * one.identity)
                for one in made.considered
                if sign * one.identity > 0
            ],
        )
    return number


@dataclass(frozen=True, slots=True)
class InjectionRow:
    """A prompt or a start that was answered."""

    id: int
    place: str
    at: float
    characters: int
    milliseconds: float
    mode: str


@dataclass(frozen=True, slots=True)
class ConsideredRow:
    """A memory or passage that was weighed for it, and whether the session made use of it."""

    injection_id: int
    identity: int  # of a passage below zero
    title: str
    ended: str | None
    confidence: float
    reason: str
    fate: str
    used: str | None  # how: opened, cited, done, edited_after, confirmed


def injections(sql: Sql, session: str, limit: int) -> list[InjectionRow]:
    """The last answers to a session's prompts, oldest first."""
    return sql.records(
        InjectionRow,
        "SELECT id, place, at, characters, milliseconds, mode FROM injection WHERE session = ?"
        " ORDER BY at DESC, id DESC LIMIT ?",
        (session, limit),
    )[::-1]


def untold(sql: Sql, memory_id: int) -> dict[str, int]:
    """Why prompts were not told of a memory that was weighed for them, and how many, most first."""
    return dict(
        sql.rows(
            "SELECT fate, count(*) FROM considered WHERE memory_id = ? AND fate <> 'told'"
            " GROUP BY fate ORDER BY 2 DESC, 1",
            (memory_id,),
        )
    )


def considered(sql: Sql, session: str, since: float) -> list[ConsideredRow]:
    """What was weighed for a session's prompts since then: what was told first, the surest first."""
    return sql.records(
        ConsideredRow,
        "SELECT * FROM (SELECT c.injection_id, c.memory_id AS identity, m.title, m.ended,"
        " c.confidence, c.reason, c.fate,"
        " (SELECT min(u.cause) FROM credit u WHERE u.memory_id = c.memory_id"
        "  AND u.session = i.session AND u.at >= i.at AND c.fate = 'told') AS used"
        " FROM injection i JOIN considered c ON c.injection_id = i.id"
        " JOIN memory m ON m.id = c.memory_id WHERE i.session = ?1 AND i.at >= ?2"
        " UNION ALL SELECT c.injection_id, -c.passage_id, p.title, NULL, c.confidence, c.reason,"
        " c.fate, NULL FROM injection i JOIN considered_passage c ON c.injection_id = i.id"
        " JOIN passage p ON p.id = c.passage_id WHERE i.session = ?1 AND i.at >= ?2"
        ") ORDER BY injection_id, fate <> 'told', confidence DESC, identity",
        (session, since),
    )
