"""Sizes of the store, and due jobs of the schedule."""

from actors.memory.rows import Counts
from actors.memory.writes import DueAt
from daemon.storage.database.sql import Effect, Sql, writes


def counts(sql: Sql) -> Counts:
    """The size of the store."""
    living = sql.number("SELECT count(*) FROM memory WHERE ended IS NULL")
    return Counts(
        memories=living,
        ended=sql.number("SELECT count(*) FROM memory WHERE ended IS NOT NULL"),
        undone=sql.number("SELECT count(*) FROM journal WHERE done = 0"),
        # Only living memories have chunks, and each that has any has a first one.
        unvectored=living - sql.number("SELECT count(*) FROM chunk WHERE ordinal = 0"),
        chunks=sql.number("SELECT count(*) FROM chunk"),
    )


def due(sql: Sql) -> dict[str, tuple[float, float | None]]:
    """Times when each background job is due and last ran."""
    rows = sql.rows("SELECT job, due_at, ran_at FROM schedule")
    return {job: (due_at, ran_at) for job, due_at, ran_at in rows}


@writes(Effect.NOTHING)
def set_due(sql: Sql, job: DueAt) -> int:
    """Set when a job of the schedule is due, and when it last ran."""
    sql.rows(
        "INSERT INTO schedule VALUES (?, ?, ?) ON CONFLICT DO UPDATE"
        " SET due_at = excluded.due_at, ran_at = coalesce(excluded.ran_at, ran_at)",
        (job.job, job.due_at, job.ran_at),
    )
    return 1
