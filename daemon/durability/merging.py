"""Merging another home of the same person into this one.

A memory of the other store is the same as one here when an earlier merge brought it, when both
stores were one at the time it was made, or when both say the same in the same project: then
the one here stays as it is. One that was erased here stays away, by its digest or because this
store gave its number while both were one. What a dream noticed stays there: it quotes others, and
this home dreams its own. Every other one comes as it is, with its strength, pins, claim, versions and
links, under a number of this store; ended ones end here as well.

The copy of the other database is attached as ``theirs``. Events of the other home do not come.
"""

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from actors.intentions.writes import IntentionsDropped
from actors.memory.writes import Ended, Revived
from daemon.durability.belongings import Carried, carried, memory_columns
from daemon.durability.copies import counted_in, opened
from daemon.durability.copying import changing
from daemon.storage import forget, intentions
from daemon.storage.database.sql import Sql
from daemon.storage.memories import index_anew
from daemon.storage.purge import digest

Show = Callable[[str], None]

INTENTION: Final = (
    "text, trigger_form, priority, made_at, deadline, status, reminders, reminded_at,"
    " snoozed_until, ended_at, project, session"
)


@dataclass(slots=True)
class Found:
    """Memories of the other store by what becomes of them: numbers there, and here."""

    store: str
    new: list[int] = field(default_factory=list[int])  # that live there
    ended: list[int] = field(default_factory=list[int])  # that do not, and come all the same
    there: dict[int, int] = field(default_factory=dict[int, int])
    again: dict[int, int] = field(default_factory=dict[int, int])  # taken back by an undo
    erased: int = 0
    noticed: int = 0
    intentions: list[int] = field(default_factory=list[int])


@dataclass(frozen=True, slots=True)
class Merged:
    """What was merged, or would be, in numbers."""

    memories: int  # that live
    ended: int
    again: int  # that an undo had taken back
    there: int  # the one here stayed as it is
    erased: int
    noticed: int
    intentions: int
    run: str = ""


def summary(found: Found, run: str = "") -> Merged:
    """Count what was found."""
    return Merged(
        len(found.new), len(found.ended), len(found.again), len(found.there), found.erased,
        found.noticed, len(found.intentions), run,
    )  # fmt: skip


def preview(database: Path, copy: Path) -> Merged:
    """Count what merging would bring; nothing is written. Raises apsw's errors."""
    with closing(opened(database)) as connection:
        sql = Sql(connection)
        sql.rows("ATTACH ? AS theirs", (str(copy),))
        return summary(_found(sql))


def merge(database: Path, copy: Path, run: str, at: float, show: Show) -> Merged:
    """Bring what the other store has, all or nothing; ``at`` is now, seconds UTC.

    For whoever holds the home's lock. Raises apsw's errors.
    """
    with changing(database) as sql:
        sql.rows("ATTACH ? AS theirs", (str(copy),))
        sql.rows("BEGIN IMMEDIATE")
        found = _found(sql)
        here = _bring_memories(sql, found, run, at)
        _bring_rows(sql)
        _bring_intentions(sql, found, run, at)
        for number in found.again.values():
            forget.revive(sql, Revived(number, at))
        for done, number in enumerate(found.new, 1):
            index_anew(sql, here[number])  # the daemon makes its vectors
            show(f"{done:,} of {len(found.new):,} memories brought")
        sql.rows("COMMIT")
    return summary(found, run)


def run_of(database: Path, name: str) -> str | None:
    """The run of this name that was not taken back, or the last one where none is named."""
    named = (
        "SELECT run FROM brought WHERE undone_at IS NULL AND ?1 IN ('', run)"
        " GROUP BY run ORDER BY min(at) DESC LIMIT 1"
    )
    return next(iter(counted_in(database, lambda sql: sql.column(named, (name,)))), None)


def take_back(database: Path, run: str, at: float) -> int:
    """Forget what a run brought and nobody changed since; how many memories.

    For whoever holds the home's lock. Raises apsw's errors.
    """
    with changing(database) as sql:
        sql.rows("BEGIN IMMEDIATE")
        ids = sql.column(
            "SELECT m.id FROM brought b JOIN memory m ON m.id = b.here_id WHERE b.run = ?"
            " AND b.kind = 'memory' AND m.ended IS NULL AND m.updated_at <= b.at",
            (run,),
        )
        for number in ids:
            forget.end(sql, Ended(int(number), "forgotten", at))
        of_run = "FROM brought WHERE run = ? AND kind = 'intention'"
        gone = sql.column(f"SELECT here_id {of_run}", (run,))
        intentions.drop(sql, IntentionsDropped(tuple(gone)))
        sql.rows(f"DELETE {of_run}", (run,))
        sql.rows("UPDATE brought SET undone_at = ? WHERE run = ?", (at, run))
        sql.rows("COMMIT")
        return len(ids)


def _found(sql: Sql) -> Found:
    ours, theirs = (
        str(sql.column(f"SELECT value FROM {one}.store WHERE name = 'id'")[0])
        for one in ("main", "theirs")
    )
    found = Found(theirs)
    born: dict[int, float] = dict(sql.rows("SELECT id, created_at FROM main.memory"))
    lent = dict(_known(sql, theirs, "memory"))
    undone = set(
        sql.column(
            "SELECT b.other_id FROM brought b JOIN main.memory m ON m.id = b.here_id"
            " WHERE b.store = ? AND b.kind = 'memory' AND m.ended = 'forgotten'"
            " AND m.ended_at = b.undone_at",
            (theirs,),
        )
    )
    said = {
        (project, said): number
        for number, project, said in sql.rows(  # of two that say the same, one that lives
            "SELECT id, project, content_hash FROM main.memory ORDER BY ended IS NULL, id DESC"
        )
    }
    noticed = set(sql.column("SELECT memory_id FROM theirs.insight"))
    erased = _erased(sql, ours)
    rows = sql.rows(
        "SELECT id, created_at, project, content_hash, ended FROM theirs.memory ORDER BY id"
    )
    common = 0  # the last number that both gave while they were one store
    if ours == theirs:
        common = max((row[0] for row in rows if born.get(row[0]) == row[1]), default=0)
    for number, at, project, content, ended in rows:
        if number in lent and lent[number] not in born:
            found.erased += 1
        elif number in undone:
            found.again[number] = lent[number]
        elif number in lent:
            found.there[number] = lent[number]
        elif number <= common and born.get(number) == at:
            found.there[number] = number
        elif number <= common:
            found.erased += 1
        elif (project, content) in said:
            found.there[number] = said[project, content]
        elif number in erased:
            found.erased += 1
        elif number in noticed:
            found.noticed += 1
        else:
            (found.new if ended is None else found.ended).append(number)
    found.intentions = _new_intentions(sql, ours, theirs)
    return found


def _known(sql: Sql, store: str, kind: str) -> list[tuple[int, int]]:
    """What earlier merges brought of this store: numbers there and here."""
    return sql.rows(
        "SELECT other_id, here_id FROM brought WHERE store = ? AND kind = ?", (store, kind)
    )


def _erased(sql: Sql, ours: str) -> set[int]:
    """Memories of the other store of which a text, today's or an earlier one, was erased here."""
    digests = set(sql.column("SELECT digest FROM main.erased_text"))
    if not digests:
        return set()
    texts = sql.rows(
        "SELECT id, text FROM theirs.memory UNION ALL SELECT memory_id, text FROM"
        " theirs.memory_version"
    )
    return {int(number) for number, text in texts if digest(ours, str(text)) in digests}


def _new_intentions(sql: Sql, ours: str, theirs: str) -> list[int]:
    digests = set(sql.column("SELECT digest FROM main.erased_text"))
    known = {number for number, _ in _known(sql, theirs, "intention")}
    rows = sql.rows(
        "SELECT id, text FROM theirs.intention t WHERE NOT EXISTS (SELECT 1 FROM main.intention o"
        " WHERE o.text = t.text AND o.made_at = t.made_at AND o.project IS t.project) ORDER BY id"
    )
    return [
        int(number)
        for number, text in rows
        if number not in known and digest(ours, str(text)) not in digests
    ]


def _bring_memories(sql: Sql, found: Found, run: str, at: float) -> dict[int, int]:
    """Insert every new memory; the number here of each of theirs that has one."""
    names = [name for name in memory_columns(sql) if name != "superseded_by"]
    columns = ", ".join([*names, "created_at", "exposures", "rule", "ordinal"])
    here = found.there | found.again
    for number in sorted([*found.new, *found.ended]):
        sql.rows(
            f"INSERT INTO main.memory ({columns}) SELECT {columns} FROM theirs.memory WHERE id = ?",
            (number,),
        )
        here[number] = sql.last_id()
    brought = [*found.new, *found.ended, *found.again]
    sql.many(
        "INSERT OR REPLACE INTO brought SELECT ?, 'memory', ?, id, ?, max(?, updated_at), NULL"
        " FROM main.memory WHERE id = ?",  # what a person changes is newer than that
        [(found.store, one, run, at, here[one]) for one in brought],
    )
    sql.rows(
        "CREATE TEMP TABLE taken (old INTEGER PRIMARY KEY, new INTEGER, fresh INTEGER)",
    )
    fresh = {*found.new, *found.ended}
    sql.many("INSERT INTO taken VALUES (?, ?, ?)", [(a, b, a in fresh) for a, b in here.items()])
    sql.rows(
        "UPDATE main.memory SET superseded_by = s.new FROM taken k"
        " JOIN theirs.memory t ON t.id = k.old JOIN taken s ON s.old = t.superseded_by"
        " WHERE k.fresh AND main.memory.id = k.new"
    )
    return here


def _bring_rows(sql: Sql) -> None:
    """Bring the rows that belong to new memories; those between two that were here stay away."""
    for table in carried(sql):
        sql.rows(_insert(table))


def _insert(table: Carried) -> str:
    alias = {end: f"k{place}" for place, end in enumerate(table.ends)}
    columns = {name: f"t.{name}" for name in table.columns}
    if table.key == ("id",):
        del columns["id"]  # it gets a number of this store
    if table.name == "remark":
        columns["seq"] = "-abs(t.seq)"  # of no event here
    columns |= {end: f"{name}.new" for end, name in alias.items()}
    joins = " ".join(
        f"LEFT JOIN taken {name} ON {name}.old = t.{end}" for end, name in alias.items()
    )
    owners = [name for end, name in alias.items() if end in table.key or len(alias) == 1]
    # What a suppression took of a neighbour that was here was not taken of it here.
    fresh = (" AND " if table.name == "weakening" else " OR ").join(
        f"{one}.fresh" for one in owners
    )
    known = " AND ".join(f"{one}.new IS NOT NULL" for one in owners)
    return (
        f"INSERT OR IGNORE INTO main.{table.name} ({', '.join(columns)})"
        f" SELECT {', '.join(columns.values())} FROM theirs.{table.name} t {joins}"
        f" WHERE ({fresh}) AND {known}"
    )


def _bring_intentions(sql: Sql, found: Found, run: str, at: float) -> None:
    for number in found.intentions:
        sql.rows(
            f"INSERT INTO main.intention ({INTENTION}) SELECT {INTENTION} FROM theirs.intention"
            " WHERE id = ?",
            (number,),
        )
        here = sql.last_id()
        sql.rows(
            "INSERT INTO brought VALUES (?, 'intention', ?, ?, ?, ?, NULL)",
            (found.store, number, here, run, at),
        )
        sql.rows(
            "INSERT INTO main.intention_event SELECT ?, at, what, session"
            " FROM theirs.intention_event WHERE intention_id = ?",
            (here, number),
        )
