"""The store in numbers."""

from typing import Any

from daemon.storage.database.sql import Sql


def tallies(sql: Sql, since: float) -> dict[str, Any]:
    """The store in numbers; showings and uses from ``since`` on."""
    living = "FROM memory WHERE ended IS NULL GROUP BY 1"
    return {
        "kinds": _tally(sql, f"SELECT kind, count(*) {living}"),
        "tiers": _tally(sql, f"SELECT tier, count(*) {living}"),
        "projects": _tally(sql, f"SELECT coalesce(project, ''), count(*) {living}"),
        "ended": _tally(
            sql, "SELECT ended, count(*) FROM memory WHERE ended IS NOT NULL GROUP BY 1"
        ),
        "actions": _tally(sql, "SELECT action, count(*) FROM decision GROUP BY 1"),
        "journal": {
            "events": sql.number("SELECT count(*) FROM journal"),
            "undone": sql.number("SELECT count(*) FROM journal WHERE done = 0"),
        },
        "vectors": {
            "memories": sql.number("SELECT count(*) FROM chunk WHERE ordinal = 0"),
            "chunks": sql.number("SELECT count(*) FROM chunk"),
            "with_tokens": sql.number("SELECT count(*) FROM chunk_tokens"),
            "token_bytes": sql.number("SELECT sum(length(tokens)) FROM chunk_tokens"),
        },
        "exposures": sql.number("SELECT count(*) FROM exposure WHERE at >= ?", (since,)),
        "uses": sql.number("SELECT count(*) FROM review WHERE grade > 1 AND at >= ?", (since,)),
    }


def decisions_on_the_whole(sql: Sql) -> tuple[int, float | None]:
    """Number of decisions with a contradiction, and nearness of the neighbours."""
    ((contradictions, similarity),) = sql.rows(
        "SELECT count(contradiction),"
        " round(avg(similarity) FILTER (WHERE existing_id IS NOT NULL), 2) FROM decision"
    )
    return int(contradictions), similarity


def tiers_of_projects(sql: Sql) -> list[tuple[str | None, str, int, float]]:
    """Project, tier, number of living memories, and when the newest of them changed."""
    return sql.rows(
        "SELECT project, tier, count(*), max(updated_at) FROM memory WHERE ended IS NULL"
        " GROUP BY 1, 2"
    )


def _tally(sql: Sql, statement: str) -> dict[str, int]:
    """The commonest first."""
    return dict(sql.rows(f"{statement} ORDER BY 2 DESC, 1"))


def journal_bytes(sql: Sql) -> int:
    """Bytes of the journal and its indexes."""
    return sql.number(
        "SELECT sum(pgsize) FROM dbstat WHERE aggregate = TRUE AND name IN"
        " (SELECT name FROM sqlite_schema WHERE tbl_name = 'journal')"
    )


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
