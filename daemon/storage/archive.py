"""Memories put away and brought back by the archivist and people."""

import json
from collections.abc import Sequence

from actors.night.shapes import Scanned
from actors.policy.recall.listing import Listing
from daemon.storage.database.sql import Effect, Sql, writes

_COUNT = (
    "INSERT INTO archival_figure VALUES (?, ?) ON CONFLICT DO UPDATE SET"
    " value = value + excluded.value"
)
OLD = "ended IS NULL AND created_at < ?"


# ---- on the writing connection


def went_away(sql: Sql) -> None:
    """A memory was archived, by whomever."""
    sql.rows(_COUNT, ("archived", 1.0))


def came_back(sql: Sql, memory_id: int, at: float, *, was_archived: bool) -> None:
    """A memory was brought back: it is left alone for a while, and the log says so."""
    if was_archived:
        sql.rows(_COUNT, ("unarchived", 1.0))
    sql.rows(
        "INSERT INTO archival_return VALUES (?, ?) ON CONFLICT DO UPDATE SET at = excluded.at",
        (memory_id, at),
    )
    sql.rows("DELETE FROM listing WHERE memory_id = ?", (memory_id,))  # the page tries it anew


@writes(Effect.INDEXES)
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
    """Counts of the archivist's and people's acts since ever, by name."""
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
    """Count the living memories made before then."""
    return sql.number(f"SELECT count(*) FROM memory WHERE {OLD}", (before,))


def ignored(sql: Sql, before: float, sessions: int) -> dict[int, int]:
    """Unused living memories made before then, oldest first, and the sessions shown each unasked:
    at least so many.
    """
    return dict(
        sql.rows(
            "SELECT m.id, count(DISTINCT e.session) FROM memory m"
            " JOIN exposure e ON e.memory_id = m.id AND e.session IS NOT NULL"
            "  AND e.place IN ('prompt', 'session_start')"
            " WHERE m.ended IS NULL AND m.created_at < ?1 AND m.uses = 0 AND m.exposures >= ?2"
            "  AND NOT EXISTS (SELECT 1 FROM credit WHERE memory_id = m.id)"
            " GROUP BY m.id HAVING count(DISTINCT e.session) >= ?2 ORDER BY m.created_at, m.id",
            (before, sessions),
        )
    )


def followed(sql: Sql, before: float, alike: float, limit: int) -> list[tuple[int, int]]:
    """Living memories made before then and not used since a living one of their kind was linked
    with them, or is so much alike: both ids, the newest last.
    """
    return sql.rows(
        "SELECT o.id, n.id FROM (SELECT source_id AS one, target_id AS other FROM memory_link"
        "  WHERE relation IN ('related', 'supersedes')"
        "  UNION SELECT one_id, other_id FROM association WHERE strength >= ?2) pair"
        " JOIN memory o ON o.id = min(pair.one, pair.other) AND o.ended IS NULL"
        " JOIN memory n ON n.id = max(pair.one, pair.other) AND n.ended IS NULL"
        " WHERE o.created_at < ?1"
        "  AND n.created_at > o.created_at AND n.kind = o.kind AND n.project IS o.project"
        "  AND coalesce(o.last_use, o.created_at) < n.created_at"
        " GROUP BY o.id, n.id ORDER BY o.created_at, o.id, n.created_at LIMIT ?3",
        (before, alike, limit),
    )


def outlived(sql: Sql, before: float) -> dict[int, float]:
    """Living memories true until then or before, and their ends."""
    return dict(
        sql.rows(
            "SELECT id, valid_until FROM memory WHERE ended IS NULL AND valid_until IS NOT NULL"
            " AND valid_until < ? ORDER BY valid_until",
            (before,),
        )
    )


def unneeded(sql: Sql, starts: int, before: float) -> dict[int, Listing]:
    """Unused living memories listed at so many starts, the last of them before then.

    A memory waiting for its own command or failure is needed there, and left out.
    """
    rows = sql.rows(
        "SELECT m.id, l.starts, l.first_at, l.last_at FROM listing l JOIN memory m ON m.id = l.memory_id"
        " WHERE m.ended IS NULL AND m.uses = 0 AND l.starts >= ? AND l.last_at <= ?"
        "  AND NOT EXISTS (SELECT 1 FROM credit WHERE memory_id = m.id)"
        "  AND NOT EXISTS (SELECT 1 FROM cue WHERE memory_id = m.id AND kind IN ('command', 'error'))"
        " ORDER BY l.starts DESC, m.id",
        (starts, before),
    )
    return {memory_id: Listing(*listed) for memory_id, *listed in rows}


def left_alone(sql: Sql, since: float) -> frozenset[int]:
    """Memories a person did not want archived since then: left, undone, brought back; kept."""
    return frozenset(
        sql.column(
            "SELECT memory_id FROM archival_return WHERE at > ?1 UNION"
            " SELECT memory_id FROM read_note WHERE verdict IN ('kept', 'edited') UNION"
            " SELECT s.memory_id FROM plan_step s JOIN plan p ON p.id = s.plan_id"
            " WHERE s.act = 'archive' AND p.state IN ('dismissed', 'undone')"
            " AND coalesce(p.undone_at, p.decided_at) > ?1",
            (since,),
        )
    )


def kept_by_hand(sql: Sql, ids: Sequence[int]) -> frozenset[int]:
    """Select the ones of these memories somebody ever brought back, or promoted and did not demote since."""
    return frozenset(
        sql.column(
            "SELECT e.value FROM json_each(?) e WHERE"
            " EXISTS (SELECT 1 FROM archival_return WHERE memory_id = e.value)"
            " OR (SELECT r.cause FROM review r"
            " WHERE r.memory_id = e.value AND r.cause IN ('promoted', 'demoted')"
            " ORDER BY r.id DESC LIMIT 1) = 'promoted'",
            (json.dumps(list(ids)),),
        )
    )


def archived_lately(sql: Sql, since: float) -> int:
    """Count the memories put away by the archivist since then without asking."""
    return sql.number(
        "SELECT count(*) FROM plan p JOIN plan_step s ON s.plan_id = p.id"
        " WHERE p.applied_by = 'archivist' AND p.decided_at > ? AND s.done",
        (since,),
    )
