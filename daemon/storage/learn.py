"""Runs that learnt documents in bulk: what each brought, and that taken back.

A run is the session of its journaled events, its memories and its passages; everything that it
wrote has one time, by which what it ended and revived is known. The journal keeps it for 30 days.
"""

from typing import Final, NamedTuple

from actors.intake.writes import RunTakenBack
from actors.memory.writes import Ended, Revived, ValiditySet
from daemon.storage import claims, forget, passages
from daemon.storage.database.sql import Sql
from daemon.storage.forget import HELD_ON_TO

PREFIX: Final = "learn-"
_IS_RUN: Final = f"session >= '{PREFIX}' AND session < 'learn.'"  # the point comes after the dash
_UPDATED: Final = (
    "SELECT d.memory_id FROM decision d JOIN journal j ON j.seq = d.seq"
    " WHERE j.session = :name AND d.action = 'UPDATE'"
)
# Made by the run, at the time of what it read; or of a document before and revived by it.
_BROUGHT: Final = (
    "m.project IS :project AND m.ended IS NULL AND (m.session = :name"
    " OR m.key >= 'document:' AND m.key < 'document;'"
    f" AND m.updated_at = :began AND m.created_at < :began AND m.id NOT IN ({_UPDATED}))"
)
# What another source said or a person judged of it since then: it is not of runs alone.
_SAID_ELSEWHERE: Final = (
    "EXISTS (SELECT 1 FROM decision d WHERE d.memory_id = m.id AND d.at >= :began"
    " AND d.action IN ('REINFORCE', 'UPDATE', 'CONFIRM')"
    f" AND (d.seq IS NULL OR d.seq NOT IN (SELECT seq FROM journal WHERE {_IS_RUN})))"
    " OR EXISTS (SELECT 1 FROM opinion o WHERE o.memory_id = m.id AND o.validations > 0)"
)


class Run(NamedTuple):
    """A run by its name, its project, and when it began."""

    name: str
    project: str
    began: float


class _Over(NamedTuple):
    """A memory that a run ended."""

    id: int
    valid_from: float | None
    valid_until: float | None
    ended_at: float


# ---- on a reading connection


def run_of(sql: Sql, project: str, name: str) -> Run | None:
    """Return the run of this name; with "" the project's last one with something to take back."""
    rows = sql.rows(
        f"SELECT session, project, received_at FROM journal WHERE {_IS_RUN}"
        " AND iif(?2 = '', project = ?1, session = ?2) GROUP BY session ORDER BY max(seq) DESC",
        (project, name),
    )
    return next((run for run in (Run(*row) for row in rows) if name or _is_left(sql, run)), None)


def _is_left(sql: Sql, run: Run) -> bool:
    """Tell whether taking a run back would change anything."""
    return bool(
        brought(sql, run)
        or _ended(sql, run, [])
        or rewritten(sql, run.name)
        or passages.count_of(sql, run.name)
    )


def rewritten(sql: Sql, name: str) -> list[int]:
    """Return living memories of others that a run rewrote and that say the same still."""
    return sql.column(
        "SELECT m.id FROM memory m JOIN decision d ON d.memory_id = m.id"
        " WHERE d.seq IN (SELECT seq FROM journal WHERE session = ?1) AND d.action = 'UPDATE'"
        " AND m.content_hash = d.content_hash AND m.ended IS NULL AND m.session IS NOT ?1",
        (name,),
    )


def brought(sql: Sql, run: Run) -> list[int]:
    """Return living memories that a run made or revived, and that nobody else said or holds on to."""
    return sql.column(
        f"SELECT m.id FROM memory m WHERE {_BROUGHT} AND NOT {HELD_ON_TO}"
        f" AND NOT ({_SAID_ELSEWHERE})",
        run._asdict(),
    )


def _ended(sql: Sql, run: Run, gone: list[int]) -> list[_Over]:
    """Return what a run ended, but for what has a successor that is not among those gone."""
    rows = sql.rows(
        "SELECT id, valid_from, valid_until, ended_at, superseded_by FROM memory"
        " WHERE project IS ?1 AND ended = 'deprecated' AND session IS NOT ?3"
        " AND (ended_at = ?2 AND created_at < ?2"
        "  OR superseded_by IN (SELECT id FROM memory WHERE session = ?3))",
        (run.project, run.began, run.name),
    )
    return [_Over(*over) for *over, by in rows if by is None or by in gone]


# ---- on the writing connection


def take_back(sql: Sql, order: RunTakenBack) -> int:
    """End what a run brought and bring back what it ended; its passages leave."""
    run = Run(order.run, order.project, order.began)
    ids = brought(sql, run)
    for memory_id in ids:
        forget.end(sql, Ended(memory_id, "deprecated", order.at))
    for over in _ended(sql, run, ids):
        forget.revive(sql, Revived(over.id, order.at))
        if over.valid_until == over.ended_at:
            claims.set_validity(sql, ValiditySet(over.id, over.valid_from, None))
    passages.drop_of(sql, run.name)
    return len(ids)
