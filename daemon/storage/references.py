"""References of memories, written and read."""

from itertools import groupby

from actors.policy.references.references import Reference, State
from actors.staleness.rows import Referring
from actors.staleness.writes import ReferencesSet
from daemon.storage.database.sql import Row, Sql, Values
from daemon.storage.tables import references

_COLUMNS = "r.path, r.symbol, r.command, r.digest, r.state"


def add_tables(sql: Sql) -> None:
    """Bring the store up to references."""
    sql.rows(references.TABLES)
    sql.add_columns("memory", **references.COLUMNS)


def set_references(sql: Sql, new: ReferencesSet) -> int:
    """Keep what a memory is about, and what is said of it, instead of what was there."""
    before = sql.column(
        "SELECT stale FROM memory WHERE id = ? AND content_hash = ?",
        (new.memory_id, new.content_hash),
    )
    if not before:
        return 0
    sql.rows("DELETE FROM reference WHERE memory_id = ?", (new.memory_id,))
    sql.many(
        "INSERT INTO reference VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                new.memory_id, place, one.path, one.symbol, one.command, one.digest,
                one.state.value, new.content_hash,
            )
            for place, one in enumerate(new.references)
        ],
    )  # fmt: skip
    sql.rows(
        "UPDATE memory SET stale = ?, freshness = ? WHERE id = ?",
        (new.stale, new.freshness, new.memory_id),
    )
    return 2 if before != [new.stale] else 1


def referring(sql: Sql, after: int, limit: int) -> list[Referring]:
    """Read living memories with references and an id over ``after``, in the order of ids."""
    return _referring(
        sql,
        "r.memory_id > ? AND m.ended IS NULL"
        " AND m.project IS NOT NULL ORDER BY r.memory_id LIMIT ?",
        (after, limit),
    )


def about_symbols_of(sql: Sql, project: str, path: str, limit: int) -> list[Referring]:
    """Read the newest living memories that name a symbol of a file, in the order of ids."""
    return _referring(
        sql,
        "m.project = ? AND r.path = ? AND r.symbol <> '' AND m.ended IS NULL"
        " ORDER BY r.memory_id DESC LIMIT ?",
        (project, path, limit),
    )


def referring_in(sql: Sql, project: str, limit: int) -> list[Referring]:
    """Read the newest living memories of a project with references, in the order of ids."""
    return _referring(
        sql,
        "m.project = ? AND m.ended IS NULL ORDER BY r.memory_id DESC LIMIT ?",
        (project, limit),
    )


def shared_symbols(sql: Sql, project: str) -> dict[tuple[str, str], int]:
    """Count the memories of each symbol of a project that several name."""
    rows = sql.rows(
        "SELECT r.path, r.symbol, count(*) FROM reference r JOIN memory m ON m.id = r.memory_id"
        " WHERE m.project = ? AND m.ended IS NULL AND r.symbol <> '' AND r.command = ''"
        " GROUP BY r.path, r.symbol HAVING count(*) > 1",
        (project,),
    )
    return {(path, symbol): count for path, symbol, count in rows}


def _referring(sql: Sql, chosen: str, values: Values) -> list[Referring]:
    rows = sql.rows(
        f"SELECT m.id, m.project, m.session, r.content_hash, {_COLUMNS}"
        " FROM memory m JOIN reference r ON r.memory_id = m.id"
        " WHERE m.id IN (SELECT DISTINCT r.memory_id FROM reference r JOIN memory m"
        f"  ON m.id = r.memory_id WHERE {chosen})"
        " ORDER BY m.id, r.place",
        values,
    )
    return [
        Referring(memory_id, project, session, content_hash, tuple(map(_reference, group)))
        for (memory_id, project, session, content_hash), group in groupby(
            rows, key=lambda row: row[:4]
        )
    ]


def references_of(sql: Sql, memory_id: int) -> tuple[Reference, ...]:
    """Return what a memory is about."""
    rows = sql.rows(
        f"SELECT 0, 0, 0, 0, {_COLUMNS} FROM reference r WHERE r.memory_id = ? ORDER BY r.place",
        (memory_id,),
    )
    return tuple(_reference(row) for row in rows)


def _reference(row: Row) -> Reference:
    *_, path, symbol, command, lines, state = row
    return Reference(path, symbol, command, lines, State(state))
