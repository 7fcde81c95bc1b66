"""Bringing back the memories of a project from a copy: as they were then, in a living database.

The copy is attached as ``past``; both are of one store, so a memory has one number in both. One
missing from the database stays away: no memory leaves but by being erased. A newer one is left
alone, and so are its links.
"""

from contextlib import closing
from dataclasses import dataclass
from json import dumps
from pathlib import Path

from actors.memory.writes import Ended, Revived
from daemon.durability.belongings import Carried, carried, memory_columns
from daemon.durability.copies import opened
from daemon.durability.copying import changing
from daemon.storage import forget
from daemon.storage.database.sql import Sql
from daemon.storage.memories import index_anew, leave_indexes

_IN_BOTH = (
    "CREATE TEMP TABLE same AS SELECT id FROM main.memory JOIN past.memory p USING (id, created_at);"
    "CREATE UNIQUE INDEX temp.same_id ON same (id)"
)
_CHOSEN = (
    "CREATE TEMP TABLE chosen AS SELECT m.id FROM main.memory m"
    " JOIN past.memory p USING (id, created_at) WHERE ? IN (m.project, p.project);"
    "CREATE UNIQUE INDEX temp.chosen_id ON chosen (id)"
)


@dataclass(frozen=True, slots=True)
class Differences:
    """Differences of today from the copy, by numbers of memories."""

    back: tuple[int, ...]  # lived then and ended since
    ended: tuple[int, ...]  # had ended then and live today
    changed: tuple[int, ...]  # in any other way
    unchanged: int
    erased: int  # are not there any more, and stay away
    newer: int  # of the project, that live and came since: left alone

    @property
    def all(self) -> tuple[int, ...]:
        """Every memory with a difference."""
        return (*self.back, *self.ended, *self.changed)


def differences(database: Path, copy: Path, project: str) -> Differences:
    """Compare a project's memories, past and present, with a copy of today's schema; nothing is written.

    Raises apsw's errors.
    """
    with closing(opened(database)) as connection:
        sql = Sql(connection)
        sql.rows("PRAGMA temp_store = MEMORY")
        sql.rows("ATTACH ? AS past", (str(copy),))
        return _compared(sql, project)


def bring_project_back(database: Path, copy: Path, project: str, at: float) -> Differences:
    """Bring the memories of a project to their state in the copy, all or none; ``at`` is now, seconds UTC.

    For whoever holds the home's lock. Raises apsw's errors.
    """
    with changing(database) as sql:
        sql.rows("ATTACH ? AS past", (str(copy),))
        sql.rows("BEGIN IMMEDIATE")
        found = _compared(sql, project)
        _carry(sql, found, at)
        sql.rows("COMMIT")
        return found


def _compared(sql: Sql, project: str) -> Differences:
    sql.rows(_IN_BOTH)
    sql.rows(_CHOSEN, (project,))
    memory = Carried("memory", ("id", *memory_columns(sql)), ("id",), ("id",))
    differing: set[int] = set()
    for table in (memory, *carried(sql)):
        rows = _differing(_rows(table))
        for end in table.ends:
            chosen = f"{end} IN (SELECT id FROM chosen)"
            differing.update(sql.column(f"SELECT {end} FROM ({rows}) WHERE {chosen}"))
    lives = sql.rows(
        "SELECT m.id, m.ended IS NULL, p.ended IS NULL FROM main.memory m"
        " JOIN past.memory p USING (id) JOIN chosen USING (id) ORDER BY m.id"
    )
    told = [one for one in lives if one[0] in differing]
    return Differences(
        back=tuple(number for number, today, then in told if then > today),
        ended=tuple(number for number, today, then in told if then < today),
        changed=tuple(number for number, today, then in told if then == today),
        unchanged=len(lives) - len(told),
        erased=sql.number(
            "SELECT count(*) FROM past.memory WHERE project = ? AND id NOT IN (SELECT id FROM same)",
            (project,),
        ),
        newer=sql.number(
            "SELECT count(*) FROM main.memory m WHERE m.project = ? AND m.ended IS NULL"
            " AND m.id NOT IN (SELECT id FROM same)",
            (project,),
        ),
    )


def _rows(table: Carried) -> str:
    """Select the rows of chosen memories with all their memories in both databases."""
    one = " OR ".join(f"{end} IN (SELECT id FROM chosen)" for end in table.ends)
    every = " AND ".join(f"({end} IS NULL OR {end} IN (SELECT id FROM same))" for end in table.ends)
    return f"SELECT {', '.join(table.columns)} FROM {{}}.{table.name} WHERE ({one}) AND {every}"


def _differing(rows: str) -> str:
    """Select the rows in only one of the two databases."""
    return " UNION ALL ".join(
        f"SELECT * FROM ({rows.format(one)} EXCEPT {rows.format(other)})"
        for one, other in (("main", "past"), ("past", "main"))
    )


def _carry(sql: Sql, found: Differences, at: float) -> None:
    for number in found.ended:
        ((how, ended_at),) = sql.rows(
            "SELECT ended, ended_at FROM past.memory WHERE id = ?", (number,)
        )
        forget.end(sql, Ended(number, how, ended_at))
    for number in found.back:
        forget.revive(sql, Revived(number, at))
    changed = dumps(found.all)
    said = sql.column(
        "SELECT m.id FROM main.memory m JOIN past.memory p USING (id) WHERE p.ended IS NULL AND"
        " m.id IN (SELECT value FROM json_each(?))"
        " AND (m.title, m.text, m.project) IS NOT (p.title, p.text, p.project)",
        (changed,),
    )
    columns = ", ".join(name for name in memory_columns(sql) if name != "superseded_by")
    sql.rows(
        f"UPDATE main.memory SET ({columns}) = (SELECT {columns} FROM past.memory p"
        " WHERE p.id = main.memory.id) WHERE id IN (SELECT value FROM json_each(?))",
        (changed,),
    )
    sql.rows(
        "UPDATE main.memory SET superseded_by = (SELECT superseded_by FROM past.memory p"
        " WHERE p.id = main.memory.id AND superseded_by IN (SELECT id FROM same))"
        " WHERE id IN (SELECT value FROM json_each(?))",
        (changed,),
    )
    phrases = _rows(next(one for one in carried(sql) if one.name == "trigger_phrase"))
    said += sql.column(f"SELECT memory_id FROM ({_differing(phrases)})")
    for table in carried(sql):
        _carry_rows(sql, table)
    for number in set(said):
        leave_indexes(sql, number)
        index_anew(sql, number)  # the daemon makes its vectors


def _carry_rows(sql: Sql, table: Carried) -> None:
    """Take out rows of today alone, and put in rows of the copy alone."""
    rows, key = _rows(table), ", ".join(table.key)
    today, then = rows.format("main"), rows.format("past")
    sql.rows(
        f"DELETE FROM main.{table.name} WHERE ({key}) IN"
        f" (SELECT {key} FROM ({today} EXCEPT {then}))"
    )
    sql.rows(
        f"INSERT OR IGNORE INTO main.{table.name} ({', '.join(table.columns)})"
        f" {then} EXCEPT {today}"
    )
