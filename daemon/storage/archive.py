"""What the archivist and people put away and brought back (rows G01 to G03)."""

from actors.plans.writes import Scanned
from daemon.storage.sql import Sql

_COUNT = (
    "INSERT INTO archival_figure VALUES (?, ?) ON CONFLICT DO UPDATE SET"
    " value = value + excluded.value"
)
OLD = "ended IS NULL AND created_at < ?"


# ---- on the writing connection


def went_away(sql: Sql) -> None:
    """A memory was archived, by whomever."""
    sql.rows(_COUNT, ("archived", 1.0))


def came_back(sql: Sql, memory_id: int, at: float) -> None:
    """A memory was brought back: it is left alone for a while."""
    sql.rows(_COUNT, ("unarchived", 1.0))
    sql.rows(
        "INSERT INTO archival_return VALUES (?, ?) ON CONFLICT DO UPDATE SET at = excluded.at",
        (memory_id, at),
    )


def scanned(sql: Sql, scan: Scanned) -> int:
    """Count a scan, and say when it was."""
    sql.many(_COUNT, [("scanned", float(scan.memories)), ("errors", float(scan.errors))])
    sql.rows(
        "INSERT INTO archival_figure VALUES ('last_scan', ?) ON CONFLICT DO UPDATE"
        " SET value = max(value, excluded.value)",
        (scan.at,),
    )
    return scan.memories


# ---- on a reading connection


def figures(sql: Sql) -> dict[str, int | float | None]:
    """What the archivist and people did since ever, by the names of row G03."""
    rows = sql.rows("SELECT name, value FROM archival_figure")
    stored: dict[str, float] = dict(rows)
    return {
        "totalScanned": int(stored.get("scanned", 0)),
        "totalArchived": int(stored.get("archived", 0)),
        "totalUnarchived": int(stored.get("unarchived", 0)),
        "lastScanTime": stored.get("last_scan"),
        "errors": int(stored.get("errors", 0)),
    }


def older_than(sql: Sql, before: float) -> int:
    """How many living memories were made before then."""
    return sql.number(f"SELECT count(*) FROM memory WHERE {OLD}", (before,))


def archivable(sql: Sql, before: float, uses: int, confidence: float) -> list[int]:
    """Living memories made before then, used less and trusted less, the longest unused first."""
    return sql.column(
        f"SELECT id FROM memory WHERE {OLD} AND uses < ? AND confidence < ?"
        " ORDER BY coalesce(last_use, created_at), id",
        (before, uses, confidence),
    )


def left_alone(sql: Sql, since: float) -> frozenset[int]:
    """What a person did not want archived since then: left it, undid it, brought it back."""
    return frozenset(
        sql.column(
            "SELECT memory_id FROM archival_return WHERE at > ?1 UNION"
            " SELECT s.memory_id FROM plan_step s JOIN plan p ON p.id = s.plan_id"
            " WHERE s.act = 'archive' AND p.state IN ('dismissed', 'undone')"
            " AND coalesce(p.undone_at, p.decided_at) > ?1",
            (since,),
        )
    )


def archived_lately(sql: Sql, since: float) -> int:
    """How many memories the archivist put away since then without asking."""
    return sql.number(
        "SELECT count(*) FROM plan p JOIN plan_step s ON s.plan_id = p.id"
        " WHERE p.applied_by = 'archivist' AND p.decided_at > ? AND s.done",
        (since,),
    )
