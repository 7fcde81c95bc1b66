"""The store in numbers: its size, what was shown and used, what is due."""

from typing import Any

from actors.memory.rows import Counts
from actors.memory.writes import DueAt
from daemon.storage.database.sql import Sql, writes


def tallies(sql: Sql, since: float) -> dict[str, Any]:
    """The store in numbers; showings and uses from ``since`` on."""
    living = "FROM memory WHERE ended IS NULL GROUP BY 1"
    return {
        "kinds": _tally(sql, f"SELECT kind, count(*) {living}"),
        "projects": _tally(sql, f"SELECT coalesce(project, ''), count(*) {living}"),
        "ended": _tally(
            sql, "SELECT ended, count(*) FROM memory WHERE ended IS NOT NULL GROUP BY 1"
        ),
        "actions": _tally(sql, "SELECT action, count(*) FROM decision GROUP BY 1"),
        "exposures": sql.number("SELECT count(*) FROM exposure WHERE at >= ?", (since,)),
        "uses": sql.number("SELECT count(*) FROM review WHERE grade > 1 AND at >= ?", (since,)),
    }


def _tally(sql: Sql, statement: str) -> dict[str, int]:
    """The commonest first."""
    return dict(sql.rows(f"{statement} ORDER BY 2 DESC, 1"))


def latencies(sql: Sql, since: float) -> dict[str, list[float]]:
    """Milliseconds of the answers since then, by the asking place, rising; of the last 20,000."""
    found: dict[str, list[float]] = {}
    for place, took in sql.rows(
        "SELECT place, milliseconds FROM (SELECT place, milliseconds FROM injection WHERE at >= ?"
        " ORDER BY at DESC LIMIT 20000) ORDER BY milliseconds",
        (since,),
    ):
        found.setdefault(str(place), []).append(float(took))
    return found


def read_by_day(sql: Sql, since: float) -> list[dict[str, Any]]:
    """Cost of the reader on each day since then; a day is 24 hours of UTC."""
    return sql.named(
        "SELECT CAST(ended_at / 86400 AS INTEGER) * 86400.0 AS day, count(*) AS readings,"
        " sum(failure <> '') AS failed, sum(written) AS notes, sum(tokens) AS tokens,"
        " sum(dollars) AS dollars FROM reading WHERE began_at >= ? GROUP BY 1 ORDER BY 1",
        (since,),
    )


# ---- sizes, and due jobs of the schedule


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


@writes
def set_due(sql: Sql, job: DueAt) -> int:
    """Set when a job of the schedule is due, and when it last ran."""
    sql.rows(
        "INSERT INTO schedule VALUES (?, ?, ?) ON CONFLICT DO UPDATE"
        " SET due_at = excluded.due_at, ran_at = coalesce(excluded.ran_at, ran_at)",
        (job.job, job.due_at, job.ran_at),
    )
    return 1
