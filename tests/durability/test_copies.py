"""Copies of the database: their order, and whether they are sound."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from daemon.durability.copies import (
    ASIDE,
    BACKUP,
    copies,
    copy_at,
    copy_name,
    examined,
    log_of,
    memories_in,
    newest,
    sound_copies,
)
from daemon.home import Home
from daemon.storage.database.schema import SCHEMA_VERSION
from daemon.storage.database.sql import Sql
from daemon.storage.store import open_store
from tests.clock import BEGINNING
from tests.writing import new, written

DAY = 86_400.0


async def filled(home: Home, *texts: str) -> str:
    """A closed store of these memories; its id."""
    async with open_store(home) as store:
        await written(store, *(new(text) for text in texts))
        return store.store_id


def exclusive(home: Home) -> apsw.Connection:
    """Another program's connection, which lets nobody else even read."""
    connection = apsw.Connection(str(home.database))
    Sql(connection).rows("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE")
    return connection


def copied(home: Home, name: str) -> Path:
    """A copy of the database under this name, as SQLite makes one."""
    path = home.backups / name
    source = apsw.Connection(str(home.database))
    Sql(source).copy_to(path)
    source.close()
    return path


def test_a_name_tells_the_moment_and_sorts_by_it() -> None:
    names = [copy_name(BACKUP, at) for at in (0.0, 1e9, 1.7e9, 1.8e9)]

    assert names[1] == "backup-20010909T014640Z.db"
    assert names == sorted(names)


def test_the_newest_come_first_by_name_or_by_time(home: Home) -> None:
    for name in (copy_name(BACKUP, BEGINNING), copy_name(BACKUP, BEGINNING + DAY)):
        (home.backups / name).write_bytes(b"x" * 10)
    migration = home.backups / "before-schema-3.db"
    migration.write_bytes(b"")
    os.utime(migration, (BEGINNING + 60, BEGINNING + 60))
    (home.backups / "backup-20260101T000000Z.part").write_bytes(b"")

    found = copies(home)

    assert [copy.path.name for copy in found] == [
        copy_name(BACKUP, BEGINNING + DAY), "before-schema-3.db", copy_name(BACKUP, BEGINNING),
    ]  # fmt: skip
    assert [copy.at for copy in found] == [BEGINNING + DAY, BEGINNING + 60, BEGINNING]
    assert found[0].size == 10
    assert [copy.is_rotated for copy in found] == [True, False, True]


def test_digits_that_are_no_date_are_no_reason_to_fail(home: Home) -> None:
    (home.backups / "backup-20269999T000000Z.db").write_bytes(b"")

    assert [copy.at for copy in copies(home)] == [0.0]


def test_of_no_copy_there_is_no_newest(home: Home) -> None:
    assert newest(home) is None
    assert list(sound_copies(home)) == []
    assert copy_at(home.backups / "nothing.db") is None


@pytest.mark.trio
async def test_a_sound_copy_is_counted_and_nothing_is_made_beside_it(home: Home) -> None:
    store_id = await filled(home, "the port is 5432", "the host is db1")
    path = copied(home, copy_name(BACKUP, BEGINNING))

    found = examined(path)

    assert (found.damage, found.memories, found.store_id) == ("", 2, store_id)
    assert found.schema == SCHEMA_VERSION
    assert memories_in(path) == 2
    assert list(home.backups.iterdir()) == [path]


@pytest.mark.trio
@pytest.mark.parametrize("left", [0, 1, 100, 5_000, 30_000])
async def test_a_copy_that_was_cut_is_not_sound(home: Home, left: int) -> None:
    await filled(home, *(f"memory {number} " + "x" * 500 for number in range(50)))
    path = copied(home, copy_name(BACKUP, BEGINNING))
    os.truncate(path, left)

    assert examined(path).damage


@pytest.mark.trio
async def test_what_cannot_be_looked_at_now_is_not_called_damaged(home: Home) -> None:
    await filled(home, "the port is 5432")
    with closing(exclusive(home)), pytest.raises(apsw.BusyError):
        examined(home.database)
    with pytest.raises(apsw.CantOpenError):
        examined(home.backups / "nothing.db")

    assert not examined(home.database).damage


@pytest.mark.trio
async def test_a_backup_that_cannot_be_looked_at_hides_no_older_one(home: Home) -> None:
    await filled(home, "the port is 5432")
    older = copied(home, copy_name(BACKUP, BEGINNING))
    (home.backups / copy_name(BACKUP, BEGINNING + DAY)).mkdir()

    found = next(sound_copies(home), None)

    assert found is not None
    assert found[0].path == older


@pytest.mark.trio
async def test_looking_at_an_emptied_database_leaves_its_log(home: Home) -> None:
    await filled(home, "the port is 5432")
    os.truncate(home.database, 0)
    log_of(home.database).write_bytes(b"the only place where a memory is now")

    assert examined(home.database).damage
    assert log_of(home.database).exists()


def test_what_is_no_database_is_not_sound(home: Home) -> None:
    other = home.backups / "other.db"
    other.write_bytes(b"not a database " * 100)

    assert examined(other).damage
    assert memories_in(other) is None


@pytest.mark.trio
async def test_the_newest_sound_one_is_none_that_is_damaged_or_was_set_aside(home: Home) -> None:
    await filled(home, "the port is 5432")
    older = copied(home, copy_name(BACKUP, BEGINNING))
    copied(home, copy_name(ASIDE, BEGINNING + 3 * DAY))
    damaged = copied(home, copy_name(BACKUP, BEGINNING + DAY))
    damaged.write_bytes(damaged.read_bytes()[:9_000])

    found = next(sound_copies(home), None)
    named = newest(home)

    assert found is not None
    assert found[0].path == older
    assert found[1].memories == 1
    assert named is not None
    assert named.path == damaged


@pytest.mark.trio
async def test_what_lies_in_a_log_beside_it_counts(home: Home) -> None:
    async with open_store(home) as store:
        await written(store, new("the port is 5432"))
        for suffix in ("", "-wal"):
            source = home.database.with_name(home.database.name + suffix)
            (home.backups / f"aside-20260101T000000Z.db{suffix}").write_bytes(source.read_bytes())
    (copy,) = copies(home)

    assert examined(copy.path).memories == 1
    assert copy.size > copy.path.stat().st_size
