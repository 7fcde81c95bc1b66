"""Origin of a memory and where it was shown last; how a session's prompts were answered."""

from collections.abc import Sequence
from typing import Any, Final

from msgspec import Struct

from actors.memory.use import Injected
from actors.policy.recall.notes import Fate
from actors.policy.recall.page import Listing
from daemon.storage.database.sql import Sql, writes


class Provenance(Struct, frozen=True):
    """The event and the rule behind a memory, as far as they are known."""

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
    """The memories replaced by it, oldest first."""
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


@writes
def inject(sql: Sql, made: Injected) -> int:
    """Keep the answer to a prompt; candidates gone by now are left out."""
    sql.put(
        "injection", session=made.session, project=made.project, place=made.where, at=made.at,
        characters=made.characters, milliseconds=round(made.milliseconds, 1), mode=made.mode,
    )  # fmt: skip
    number = sql.last_id()
    for table, kind, sign in WEIGHED:
        sql.many(
            f"INSERT INTO {table} SELECT ?, id, ?, ?, ? FROM {kind} WHERE id = ?",
            [
                (number, round(one.confidence, 4), one.reason, one.fate.value, sign * one.identity)
                for one in made.considered
                if sign * one.identity > 0
            ],
        )
    _list(sql, made, number)
    return number


# ---- what the page of a start listed


def _list(sql: Sql, made: Injected, number: int) -> None:
    """Count a start at which notes were lines; a repeated page of a session is the same."""
    listed = [one.identity for one in made.considered if one.fate is Fate.LISTED]
    sql.many(
        "INSERT INTO listing SELECT id, 1, ?1, ?1, ?2 FROM memory WHERE id = ?3"
        " ON CONFLICT DO UPDATE SET starts = starts + 1, last_at = max(last_at, excluded.last_at),"
        " session = excluded.session WHERE session <> excluded.session AND NOT EXISTS"
        " (SELECT 1 FROM considered c JOIN injection i ON i.id = c.injection_id WHERE"
        "  c.memory_id = ?3 AND i.session = ?2 AND i.id <> ?4 AND c.fate = ?5)",
        [(made.at, made.session, memory_id, number, Fate.LISTED) for memory_id in listed],
    )


def listings(sql: Sql, ids: Sequence[int]) -> dict[int, Listing]:
    """Starts at which each of these memories was a line; none for others."""
    rows = sql.rows(
        "SELECT memory_id, starts, first_at, last_at FROM listing"
        " WHERE memory_id IN (SELECT value FROM json_each(?))",
        (ids,),
    )
    return {memory_id: Listing(*listed) for memory_id, *listed in rows}


class InjectionRow(Struct, frozen=True):
    """An answered prompt or start."""

    id: int
    place: str
    at: float
    characters: int
    milliseconds: float
    mode: str


class ConsideredRow(Struct, frozen=True):
    """A memory or passage weighed for it, and whether the session made use of it."""

    injection_id: int
    identity: int  # of a passage below zero
    title: str
    ended: str | None
    confidence: float
    reason: str
    fate: str
    length: int  # characters of its text
    useless: int  # whether it is called so in the project more often than useful
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
    """Reasons of prompts not told of a memory weighed for them, and how many, most first."""
    rows = sql.rows(
        "SELECT fate, count(*) FROM considered WHERE memory_id = ? AND fate NOT IN (?, ?, ?)"
        " GROUP BY fate ORDER BY 2 DESC, 1",
        (memory_id, Fate.TOLD.value, Fate.LISTED.value, Fate.LEFT.value),
    )
    return dict(rows)


def considered(sql: Sql, session: str, since: float) -> list[ConsideredRow]:
    """Candidates for a session's prompts since then: told ones, then lines, the surest first."""
    return sql.records(
        ConsideredRow,
        "SELECT * FROM (SELECT c.injection_id, c.memory_id AS identity, m.title, m.ended,"
        " c.confidence, c.reason, c.fate, length(m.text) AS length,"
        " (SELECT coalesce(sum(v.useless) > sum(v.useful), 0) FROM verdict v"
        "  WHERE v.memory_id = c.memory_id AND v.project IN (coalesce(i.project, ''), '')) AS useless,"
        " (SELECT min(u.cause) FROM credit u WHERE u.memory_id = c.memory_id"
        "  AND u.session = i.session AND u.at >= i.at AND c.fate IN (?3, ?4)) AS used"
        " FROM injection i JOIN considered c ON c.injection_id = i.id"
        " JOIN memory m ON m.id = c.memory_id WHERE i.session = ?1 AND i.at >= ?2"
        " UNION ALL SELECT c.injection_id, -c.passage_id, p.title, NULL, c.confidence, c.reason,"
        " c.fate, length(p.text), 0, NULL FROM injection i JOIN considered_passage c ON c.injection_id = i.id"
        " JOIN passage p ON p.id = c.passage_id WHERE i.session = ?1 AND i.at >= ?2"
        ") ORDER BY injection_id, fate <> ?3, fate <> ?4, confidence DESC, identity",
        (session, since, Fate.TOLD.value, Fate.LISTED.value),
    )
