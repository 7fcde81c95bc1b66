"""Bringing a copy back: in the place of the database, or the memories of a project alone."""

from contextlib import closing, suppress
from pathlib import Path
from typing import Final

import apsw
from msgspec import Struct

from actors.memory.writes import Ended, Revived
from daemon import lock
from daemon.durability.copies import (
    ASIDE,
    UNFINISHED,
    Copy,
    Examined,
    copies,
    copy_name,
    counted_in,
    log_of,
    opened,
)
from daemon.durability.copying import changing, copy_whole
from daemon.durability.marker import marker_of, write_marker
from daemon.home import Home, flushed
from daemon.storage import lifecycle
from daemon.storage.database.schema import SCHEMA_VERSION
from daemon.storage.database.sql import Sql
from daemon.storage.memories import index_anew, leave_indexes

# ---- rows belonging to memories: the tables for carrying a memory from one database to another
#
# Traces of people and use are carried: versions, phrases, links, opinions, reviews. Notes of the days
# (exposures, traces, plans) and rows computed of texts and vectors (chunks, associations,
# connections, insights) are not: they are made anew, or stay with their own days.


CARRIED: Final = (
    "memory_version", "trigger_phrase", "memory_link", "declared_link", "opinion", "verdict",
    "weakening", "relevance", "importance_anchor", "importance_change", "review", "credit",
    "reference", "hint", "archival_return", "read_note", "cue",
)  # fmt: skip
# Of a memory itself: who it is, the event it came from, and what exposures count.
OWN: Final = frozenset({"id", "created_at", "exposures", "seq", "rule", "ordinal"})


class Carried(Struct, frozen=True):
    """A table as its rows are carried."""

    name: str
    columns: tuple[str, ...]
    key: tuple[str, ...]
    ends: tuple[str, ...]  # columns that name a memory


def carried(sql: Sql) -> list[Carried]:
    """Return every table of rows belonging to memories."""
    return [_table(sql, name) for name in CARRIED]


def _table(sql: Sql, name: str) -> Carried:
    rows = sql.rows("SELECT name, pk FROM pragma_table_info(?) ORDER BY cid", (name,))
    ends = sql.column(
        'SELECT "from" FROM pragma_foreign_key_list(?) WHERE "table" = \'memory\'', (name,)
    )
    key = tuple(column for column, place in rows if place)
    return Carried(name, tuple(column for column, _ in rows), key, tuple(ends))


def memory_columns(sql: Sql) -> tuple[str, ...]:
    """Return the columns for a memory's state, not its identity."""
    names = sql.column("SELECT name FROM pragma_table_info('memory') ORDER BY cid")
    return tuple(name for name in names if name not in OWN)


# ---- in the place of the database, which is kept aside
#
# For whoever holds the home's lock, so no daemon has the database open. A process killed in the
# middle leaves the database where it was, or none beside a marker: then no daemon begins anew in its
# place, and bringing a copy back can be done again.


class BroughtBack(Struct, frozen=True):
    """Result of bringing a copy back."""

    aside: Path | None  # where the database that was in its place is, if there was one
    events: int | None  # of that one, which are worked through again; None: it cannot be read


def why_not(found: Examined) -> str:
    """Why this copy cannot be brought back; empty when it can."""
    if found.damage:
        return f"it is not sound: {found.damage}"
    if found.schema > SCHEMA_VERSION:
        return f"it is of schema {found.schema} and this reverie knows {SCHEMA_VERSION}: update it"
    return ""


def bring_back(home: Home, copy: Copy, at: float) -> BroughtBack:
    """Put a sound copy in the place of the database, with the events of the latter alone.

    ``at`` is now, seconds UTC. Kept indexes go: they are of other memories. Raises ``OSError`` and
    apsw's errors; then the database is as it was, or aside. Where there is none, an earlier call
    may have been killed: then the newest one aside has the events.
    """
    today = home.database if home.database.exists() else _newest_aside(home)
    fresh = home.backups / f"restored{UNFINISHED}"  # where an erasure finds what a kill leaves
    copy_whole(copy.path, fresh)
    events = _events_taken(today or home.database, fresh)
    flushed(fresh)
    return BroughtBack(exchange(home, fresh, at) or today, events)


def _newest_aside(home: Home) -> Path | None:
    return next((copy.path for copy in copies(home) if copy.is_aside), None)


def _events_taken(today: Path, fresh: Path) -> int | None:
    """Take over events of this store missing from the copy, to be worked through at the next start.

    Memories kept by hand came by no event. Returns how many; ``None`` when today's cannot be read.
    """
    flags = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_URI
    if today.exists() and not today.stat().st_size:
        return None  # opening it would remove its log
    try:
        with closing(apsw.Connection(str(fresh), flags=flags)) as connection:
            sql = Sql(connection)
            # A log would be moved when it is closed, and a full disk then goes unsaid.
            sql.rows("PRAGMA journal_mode = DELETE")
            sql.rows("ATTACH ? AS today", (f"{today.absolute().as_uri()}?mode=ro",))
            return sql.change(
                "INSERT INTO journal (event_id, agent, received_at, kind, session, project, body)"
                " SELECT event_id, agent, received_at, kind, session, project, body"
                " FROM today.journal WHERE body <> x''"
                " AND (SELECT value FROM today.store WHERE name = 'id')"
                "   = (SELECT value FROM main.store WHERE name = 'id')"
                " ORDER BY seq ON CONFLICT DO NOTHING"
            )
    except apsw.FullError:
        raise  # of the copy that is being made: today's database is as it was
    except (apsw.Error, UnicodeDecodeError):
        return None


def exchange(home: Home, fresh: Path, at: float) -> Path | None:
    """Give a sound store on the disk the database's place; returns the path of the former one, if there was one."""
    aside = set_aside(home, at)
    for index in home.indexes.glob("*"):
        index.unlink()
    fresh.rename(home.database)
    flushed(home.root)
    write_marker(home, counted_in(home.database, marker_of))
    lock.forget_failed_start(home)  # hooks need not rest any more
    return aside


def set_aside(home: Home, at: float) -> Path | None:
    """Move the database with its log into the folder of copies, as it is; returns its new path.

    An erasure finds it there, as every copy. ``None`` when there was no database. The log has both
    names meanwhile, where the disk can do so: a kill leaves the two together.
    """
    aside = home.backups / copy_name(ASIDE, at)
    log, kept = log_of(home.database), log_of(aside)
    if not home.database.exists():
        if log.exists():  # of a database that is gone: no other one may take it up
            _rename_log(log, kept, home)
        return None
    if log.exists():
        with suppress(OSError):
            kept.hardlink_to(log)
    home.database.rename(aside)
    if log.exists():
        _rename_log(log, kept, home)
    home.database.with_name(f"{home.database.name}-shm").unlink(missing_ok=True)
    return aside


def _rename_log(log: Path, kept: Path, home: Home) -> None:
    """Move a log into the folder of copies, unless it is there by another name already."""
    if any(there.samefile(log) for there in home.backups.glob("*-wal")):
        log.unlink()
    else:
        log.rename(kept)


# ---- the memories of a project, as they were then, in a living database
#
# The copy is attached as ``past``; both are of one store, so a memory has one number in both. One
# missing from the database stays away: no memory leaves but by being erased. A newer one is left
# alone, and so are its links.


_IN_BOTH = (
    "CREATE TEMP TABLE same AS SELECT id FROM main.memory JOIN past.memory p USING (id, created_at);"
    "CREATE UNIQUE INDEX temp.same_id ON same (id)"
)
_CHOSEN = (
    "CREATE TEMP TABLE chosen AS SELECT m.id FROM main.memory m"
    " JOIN past.memory p USING (id, created_at) WHERE ? IN (m.project, p.project);"
    "CREATE UNIQUE INDEX temp.chosen_id ON chosen (id)"
)


class Differences(Struct, frozen=True):
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
        lifecycle.end(sql, Ended(number, how, ended_at))
    for number in found.back:
        lifecycle.revive(sql, Revived(number, at))
    said = sql.column(
        "SELECT m.id FROM main.memory m JOIN past.memory p USING (id) WHERE p.ended IS NULL AND"
        " m.id IN (SELECT value FROM json_each(?))"
        " AND (m.title, m.text, m.project) IS NOT (p.title, p.text, p.project)",
        (found.all,),
    )
    columns = ", ".join(name for name in memory_columns(sql) if name != "superseded_by")
    sql.rows(
        f"UPDATE main.memory SET ({columns}) = (SELECT {columns} FROM past.memory p"
        " WHERE p.id = main.memory.id) WHERE id IN (SELECT value FROM json_each(?))",
        (found.all,),
    )
    sql.rows(
        "UPDATE main.memory SET superseded_by = (SELECT superseded_by FROM past.memory p"
        " WHERE p.id = main.memory.id AND superseded_by IN (SELECT id FROM same))"
        " WHERE id IN (SELECT value FROM json_each(?))",
        (found.all,),
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
