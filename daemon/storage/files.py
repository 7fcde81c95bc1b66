"""Files in the store: references of memories, files changed together, failures and their fixes."""

import json
from collections.abc import Sequence
from itertools import groupby
from typing import Final

from actors.intake.messages import FailureEnded
from actors.policy.events.commands import without_varying
from actors.policy.references.references import Reference, State, freshness, phrase
from actors.staleness.messages import Referring
from daemon.storage import traces
from daemon.storage.database.sql import Row, Sql, Values, writes

_KEPT = ("path", "symbol", "digest", "state", "line", "given")
_OWN = "r.command = '' AND r.path <> ''"  # earlier versions kept commands, and symbols of no file
_COLUMNS = ", ".join(f"r.{name}" for name in _KEPT)


@writes
def set_references(sql: Sql, new: Referring) -> int:
    """Keep a memory's references, and the remark on them, in place of the former ones."""
    before = sql.column(
        "SELECT stale FROM memory WHERE id = ? AND content_hash = ?",
        (new.memory_id, new.content_hash),
    )
    if not before:
        return 0
    places, stale = _places(references_of(sql, new.memory_id)), phrase(new.references)
    sql.rows("DELETE FROM reference WHERE memory_id = ?", (new.memory_id,))
    sql.many(
        f"INSERT INTO reference (memory_id, place, content_hash, {', '.join(_KEPT)}, command)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, '')",
        [
            (
                new.memory_id, place, new.content_hash, one.path, one.symbol, one.digest,
                one.state.value, one.line, int(one.given),
            )
            for place, one in enumerate(new.references)
        ],
    )  # fmt: skip
    sql.rows(
        "UPDATE memory SET stale = ?, freshness = ?, looked = ? WHERE id = ?",
        (stale, freshness(new.references), new.content_hash, new.memory_id),
    )
    return 2 if before != [stale] or places != _places(new.references) else 1


def unread(sql: Sql, project: str, before: int, limit: int) -> list[int]:
    """List living memories with a text never searched for names, the newest first.

    Memories of a project, with ids below ``before``.
    """
    return sql.column(
        "SELECT id FROM memory m WHERE project = ? AND id < ? AND ended IS NULL"
        " AND looked IS NOT content_hash AND NOT EXISTS (SELECT 1 FROM reference r"
        "  WHERE r.memory_id = m.id AND r.content_hash = m.content_hash)"
        " ORDER BY id DESC LIMIT ?",
        (project, before, limit),
    )


def _places(kept: Sequence[Reference]) -> list[tuple[str, str]]:
    """Return where these are looked for by who shows hints."""
    return [(one.path, one.symbol) for one in kept]


def referring(sql: Sql, after: int, limit: int) -> list[Referring]:
    """Read living memories with references and an id over ``after``, in the order of ids."""
    return _referring(
        sql,
        "r.memory_id > ? AND m.ended IS NULL"
        " AND m.project IS NOT NULL ORDER BY r.memory_id LIMIT ?",
        (after, limit),
    )


def about_places_of(sql: Sql, project: str, path: str, limit: int) -> list[Referring]:
    """Read the newest living memories about a symbol or a line of a file, in the order of ids."""
    return _referring(
        sql,
        "m.project = ? AND r.path = ? AND (r.symbol <> '' OR r.line > 0)"
        " AND m.ended IS NULL ORDER BY r.memory_id DESC LIMIT ?",
        (project, path, limit),
    )


def referring_in(sql: Sql, project: str, limit: int) -> list[Referring]:
    """Read the newest living memories of a project with references, in the order of ids."""
    return _referring(
        sql, "m.project = ? AND m.ended IS NULL ORDER BY r.memory_id DESC LIMIT ?", (project, limit)
    )


def shared_symbols(sql: Sql, project: str) -> dict[tuple[str, str], int]:
    """Count the memories of each symbol of a project named by several."""
    rows = sql.rows(
        "SELECT r.path, r.symbol, count(*) FROM reference r JOIN memory m ON m.id = r.memory_id"
        " WHERE m.project = ? AND m.ended IS NULL AND r.symbol <> ''"
        f" AND {_OWN}"
        " GROUP BY r.path, r.symbol HAVING count(*) > 1",
        (project,),
    )
    return {(path, symbol): count for path, symbol, count in rows}


def _referring(sql: Sql, chosen: str, values: Values) -> list[Referring]:
    rows = sql.rows(
        f"SELECT m.id, m.project, m.session, r.content_hash, {_COLUMNS}"
        " FROM memory m JOIN reference r ON r.memory_id = m.id"
        " WHERE m.id IN (SELECT DISTINCT r.memory_id FROM reference r JOIN memory m"
        f"  ON m.id = r.memory_id WHERE {_OWN} AND {chosen})"
        f" AND {_OWN}"
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
    """Return a memory's references."""
    rows = sql.rows(
        f"SELECT {_COLUMNS} FROM reference r WHERE r.memory_id = ? AND {_OWN} ORDER BY r.place",
        (memory_id,),
    )
    return tuple(_reference(row) for row in rows)


def _reference(row: Row) -> Reference:
    path, symbol, lines, state, line, given = row[-len(_KEPT) :]
    return Reference(path, symbol, lines, State(state), line, bool(given))


# ---- failures and their fixes


FAILURES: Final = 2_000  # of one project, the newest


@writes
def end_failure(sql: Sql, new: FailureEnded) -> int:
    """Keep the fix of a failure; the newest counts."""
    changed = sql.change(
        "INSERT INTO ended_failure (project, family, paths, repairs, session, seq, at,"
        " signature) VALUES (?, ?, ?, '[]', ?, ?, ?, ?) ON CONFLICT DO UPDATE SET"
        " family = excluded.family, paths = excluded.paths, repairs = '[]',"
        " session = excluded.session, seq = excluded.seq, at = excluded.at WHERE excluded.seq > ended_failure.seq",
        (
            new.project, new.family,
            json.dumps(new.paths, ensure_ascii=False),  # each as it is, so an erased one is found
            new.session, new.seq, new.at, new.signature,
        ),
    )  # fmt: skip
    rows = "FROM ended_failure WHERE project = ?1"
    oldest = f"SELECT at {rows} ORDER BY at DESC LIMIT 1 OFFSET {FAILURES - 1}"
    sql.rows(f"DELETE {rows} AND at < ({oldest})", (new.project,))
    return changed


_ENDED: Final = (
    "SELECT project, signature, family, paths, session, seq, at FROM ended_failure"
    " WHERE paths != '[]'"  # of earlier versions, with an install alone
)


def ended_failure(sql: Sql, project: str, signature: str) -> FailureEnded | None:
    """Look up the last fix of a failure of this signature."""
    return sql.record(
        FailureEnded, f"{_ENDED} AND project = ? AND signature = ?", (project, signature)
    )


def ended_by(sql: Sql, project: str, path: str, limit: int) -> list[FailureEnded]:
    """List the failures ended by an edit of this file, the newest first."""
    return sql.records(
        FailureEnded,
        f"{_ENDED} AND project = ? AND ? IN (SELECT value FROM json_each(paths))"
        " ORDER BY at DESC LIMIT ?",
        (project, path, limit),
    )


def drop_quoting(sql: Sql, text: str) -> None:
    """Let go of rows with an erased text, and of failures with a message quoted in it."""
    masked = without_varying(text)
    sql.rows(
        "DELETE FROM ended_failure WHERE instr(?1, substr(signature, instr(signature, ': ') + 1))"
        " AND length(signature) - instr(signature, ': ') > ?2",
        (masked, traces.SHORT),
    )
    for said in dict.fromkeys((text, masked)):
        for table, names in (
            ("changed_file", ("path",)),
            ("ended_failure", ("signature", "family", "paths", "repairs")),
        ):
            condition, value = traces.holding_condition(sql, table, said, *names)
            sql.rows(f"DELETE FROM {table} WHERE {condition}", (value,))
