"""Repair of a damaged store: a new one of its readable rows, of a backup and of the journal.

The damaged file is copied and never written. The new store takes its place only when it is whole, and
the damaged one is kept beside the backups. For whoever holds the home's lock.
"""

import shutil
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Final

import apsw
from msgspec import Struct
from msgspec.structs import replace

from daemon.durability import readable
from daemon.durability.copies import LIVING, changing, copy_whole, examined, log_of, sound_copies
from daemon.durability.marker import fullest, read_marker
from daemon.durability.restoring import exchange
from daemon.durability.salvage import Salvaged, salvage, table, truths
from daemon.home import FILE_MODE, FOLDER_MODE, Home, flushed
from daemon.storage import passages
from daemon.storage.database import schema
from daemon.storage.database.connection import configured
from daemon.storage.database.sql import Row, Sql
from daemon.storage.memories import index_anew

READY: Final = "ready.db"  # the new store, whole
BACKUP: Final = "backup.db"  # a copy of the backup, of today's schema
LONGEST: Final = 64 * 1024**2  # bytes of a value: a damaged length asks for as much as it likes
# What comes out of a backup with a memory: traces of people and use. Notes of the days (exposures, traces,
# plans) and rows computed of texts and vectors (chunks, associations, connections, insights) do not: they
# are made anew, or stay with their own days.
CARRIED: Final = (
    "memory_version", "trigger_phrase", "memory_link", "declared_link", "opinion", "verdict",
    "weakening", "relevance", "importance_anchor", "importance_change", "review", "credit",
    "reference", "hint", "archival_return", "read_note", "cue",
)  # fmt: skip


class NothingToRepair(Exception):
    """There is neither a database nor a sound backup."""


class Came(Struct, frozen=True):
    """Where the rows of a kind came from, and how many did not come."""

    salvaged: int  # from the damaged file
    restored: int  # from the backup
    missing: int  # known of, and nowhere to be read


class Repaired(Struct, frozen=True):
    """Recovered rows, their origins, and the losses; numbers alone."""

    memories: Came
    events: Came
    replayed: int  # events that memories were lost of: they are worked through again
    backup: str | None
    aside: str | None = None  # where the damaged file is kept


def repair(home: Home, at: float) -> Repaired:
    """Put a new store in the place of the damaged one; ``at`` is now, seconds UTC.

    Raises ``NothingToRepair``, ``StoreTooNew``, ``OSError`` and apsw's errors; then nothing is changed.
    """
    shutil.rmtree(home.repair, ignore_errors=True)
    home.repair.mkdir(mode=FOLDER_MODE)
    ready = home.repair / READY
    try:
        damaged, fresh = home.repair / "damaged.db", home.repair / "fresh.db"
        damaged.touch(mode=FILE_MODE)
        if home.database.exists():
            shutil.copyfile(home.database, damaged)
        if log_of(home.database).exists():
            readable.work_in(log_of(home.database), damaged)
        version = readable.version_of(damaged)
        readable.give_schema(damaged, readable.known_schema(version))
        copy = _backup(home)
        fresh.touch(mode=FILE_MODE)
        with closing(_reading(damaged)) as source, closing(apsw.Connection(str(fresh))) as target:
            made = _made(Sql(source), Sql(target), home, version, copy)
        flushed(fresh)
        fresh.rename(ready)
    except BaseException:
        shutil.rmtree(home.repair, ignore_errors=True)
        raise
    aside = exchange(home, ready, at)
    shutil.rmtree(home.repair, ignore_errors=True)
    return replace(made, aside=None if aside is None else str(aside))


def finish(home: Home, at: float) -> bool:
    """Put the finished store of an earlier, killed repair in its place; returns whether there was one."""
    ready = home.repair / READY
    if home.database.exists() or not ready.exists():
        return False
    exchange(home, ready, at)
    return True


def _backup(home: Home) -> str | None:
    """A copy of the newest sound backup, of today's schema; its name."""
    found = next(sound_copies(home), None)
    marker = read_marker(home)
    if (best := fullest(home)) is not None:
        found = best[0], examined(best[0].path)
    if found is None or (marker is not None and marker.store_id != found[1].store_id):
        if not home.database.exists() and not log_of(home.database).exists():
            raise NothingToRepair(
                f"{home.database} is gone, and {home.backups} has no sound backup"
            )
        return None
    copy_whole(found[0].path, home.repair / BACKUP)
    with changing(home.repair / BACKUP) as sql:
        schema.migrate(sql, backups=None)
    return found[0].path.name


def _reading(damaged: Path) -> apsw.Connection:
    connection = apsw.Connection(str(damaged))
    connection.limit(apsw.SQLITE_LIMIT_LENGTH, LONGEST)
    return connection


def _made(source: Sql, target: Sql, home: Home, version: int, copy: str | None) -> Repaired:
    """Fill the new store. Raises ``NothingToRepair``."""
    configured(target, read_only=False)
    target.rows("PRAGMA foreign_keys = OFF; PRAGMA synchronous = OFF")  # flushed when it is whole
    schema.migrate(target, backups=None, migrations=schema.MIGRATIONS[:version])
    target.rows("BEGIN")
    found = salvage(source, target)
    if not found.rows["memory"] + found.rows["journal"]:
        found.damaged |= set(truths(target))  # of an empty one all is missing
    target.rows("COMMIT")
    schema.migrate(target, backups=None)
    restored: Mapping[str, int] = {}
    if copy is not None:
        target.rows("ATTACH ? AS backup", (str(home.repair / BACKUP),))
        restored = _restored(target, found)
        target.rows("DETACH backup")
    elif not found.rows["memory"] + found.rows["journal"]:
        raise NothingToRepair(
            f"nothing can be read of {home.database}, and {home.backups} has no sound backup of it:"
            f" move it and {home.marker.name} aside to begin anew"
        )
    target.rows("BEGIN")
    lost = _lost(target, "memory", found.known["memory"] | _named_memories(target))
    replayed = _told_again(target, lost)
    while any(_parted(target, name) for name in truths(target)):
        pass  # the belongings of removed rows go, as their leaving would have taken them
    _settle(target, home)
    _index(target)
    target.rows("COMMIT")
    target.rows("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE")
    marker = read_marker(home)
    marked = 0 if marker is None else marker.memories
    gone = max(len(lost), marked - target.number(LIVING))
    memories = Came(found.rows["memory"], restored.get("memory", 0), gone)
    gone = len(_lost(target, "journal", found.known["journal"]))
    events = Came(found.rows["journal"], restored.get("journal", 0), gone)
    return Repaired(memories, events, replayed, copy)


def _restored(target: Sql, found: Salvaged) -> dict[str, int]:
    """Put in the backup's rows of damaged tables, and memories with their belongings."""
    counts: dict[str, int] = {}
    target.rows(
        "CREATE TEMP TABLE returned AS SELECT id FROM backup.memory"
        " WHERE id NOT IN (SELECT id FROM main.memory)"
    )
    target.rows("BEGIN")
    for name in sorted(found.damaged | {"memory"}):
        columns = ", ".join(table(target, name).columns)
        counts[name] = target.change(
            f"INSERT INTO {name} ({columns}) SELECT {columns} FROM backup.{name} WHERE true"
            " ON CONFLICT DO NOTHING"
        )
    for name in CARRIED:
        columns = ", ".join(table(target, name).columns)
        belongs = " OR ".join(
            f"{column} IN (SELECT id FROM temp.returned)"
            for parent, column, _, _ in _parents(target, name)
            if parent == "memory"
        )
        counts[name] = counts.get(name, 0) + target.change(
            f"INSERT INTO {name} ({columns}) SELECT {columns} FROM backup.{name}"
            f" WHERE {belongs} ON CONFLICT DO NOTHING"
        )
    target.rows("COMMIT; DROP TABLE temp.returned")
    return counts


def _lost(target: Sql, name: str, known: set[int]) -> list[int]:
    return sorted(known.difference(target.column(f"SELECT rowid FROM {name}")))


def _named_memories(target: Sql) -> set[int]:
    """Memories with rows belonging to them: such rows leave with a memory, so it was there."""
    return {
        int(number)
        for name in truths(target)
        for parent, column, _, then in _parents(target, name)
        if parent == "memory" and then == "CASCADE"
        for number in target.column(f"SELECT DISTINCT {column} FROM {name}")
        if number is not None
    }


def _parents(target: Sql, name: str) -> list[Row]:
    return target.rows(
        'SELECT "table", "from", "to", on_delete FROM pragma_foreign_key_list(?)', (name,)
    )


def _told_again(target: Sql, lost: list[int]) -> int:
    """Have the events behind lost memories worked through once more; returns their number."""
    of_lost = "memory_id IN (SELECT value FROM json_each(?1)) AND seq IS NOT NULL"
    count = target.change(
        "UPDATE journal SET done = 0 WHERE body <> x''"
        f" AND seq IN (SELECT seq FROM decision WHERE {of_lost})",
        (lost,),
    )
    target.rows(f"DELETE FROM decision WHERE {of_lost}", (lost,))
    return count


def _parted(target: Sql, name: str) -> int:
    return sum(
        target.change(
            (f"UPDATE {name} SET {column} = NULL" if then == "SET NULL" else f"DELETE FROM {name}")
            + f" WHERE {column} IS NOT NULL AND {column} NOT IN (SELECT {other} FROM {parent})"
        )
        for parent, column, other, then in _parents(target, name)
    )


def _settle(target: Sql, home: Home) -> None:
    """Same store as before; without vectors, until the daemon has chosen a model."""
    target.rows("DELETE FROM store WHERE name IN ('model', 'dimensions')")
    marker = read_marker(home)
    if marker is not None:
        target.rows("INSERT INTO store VALUES ('id', ?) ON CONFLICT DO NOTHING", (marker.store_id,))


def _index(target: Sql) -> None:
    for number in target.column("SELECT id FROM memory WHERE ended IS NULL ORDER BY id"):
        index_anew(target, number)
    for number in target.column("SELECT id FROM passage ORDER BY id"):
        passages.rewritten(target, number)
