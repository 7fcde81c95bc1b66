"""Opening the store: pragmas, modes, and what is refused."""

from __future__ import annotations

import stat
from functools import partial
from pathlib import Path

import apsw
import pytest
import trio

from actors.core.failures import Unwritable
from daemon.durability.marker import Marker, read_marker, write_marker
from daemon.home import Home
from daemon.storage.database.connection import PRAGMAS, open_connection
from daemon.storage.database.schema import SCHEMA_VERSION, StoreTooNew
from daemon.storage.database.sql import Sql
from daemon.storage.store import OpenStore, StoreBroken, StoreVanished, open_store
from tests.writing import new, written

pytestmark = pytest.mark.trio

# What SQLite answers for the values that are set by a word.
AS_NUMBERS = {"ON": 1, "OFF": 0, "FULL": 2, "MEMORY": 2}


async def begun(home: Home) -> None:
    """Open the store, and close it."""
    async with open_store(home):
        pass


@pytest.mark.parametrize("read_only", [False, True], ids=["writing", "reading"])
async def test_every_pragma_holds(home: Home, read_only: bool) -> None:
    async with (
        open_store(home),
        open_connection(home.database, thread="t", read_only=read_only) as connection,
    ):
        for name, value, why in PRAGMAS:
            expected = AS_NUMBERS.get(str(value), value)

            assert why
            assert await connection.run(partial(Sql.number, statement=f"PRAGMA {name}")) == expected
        mode = await connection.run(lambda sql: sql.rows("PRAGMA journal_mode"))
        assert mode == [("wal",)]


async def test_a_reading_connection_cannot_write(home: Home) -> None:
    async with (
        open_store(home),
        open_connection(home.database, thread="t", read_only=True) as connection,
    ):
        with pytest.raises(apsw.ReadOnlyError):
            await connection.run(lambda sql: sql.rows("DELETE FROM memory"))


async def test_no_further_extension_can_be_loaded(home: Home) -> None:
    async with (
        open_store(home),
        open_connection(home.database, thread="t", read_only=True) as connection,
    ):
        with pytest.raises(apsw.SQLError, match="not authorized"):
            await connection.run(lambda sql: sql.rows("SELECT load_extension('x')"))


async def test_files_are_the_owners_alone(store: OpenStore, home: Home) -> None:
    await written(store, new("x"))
    await store.writing.mark()
    files = {path.name: stat.S_IMODE(path.stat().st_mode) for path in home.root.glob("reverie*")}

    assert set(files) >= {"reverie.db", "reverie.db-wal", "reverie.db-shm", "reverie.db.store"}
    assert set(files.values()) == {0o600}


async def test_folders_are_the_owners_alone_even_when_they_were_not(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    home.spool.mkdir(parents=True)
    home.spool.chmod(0o755)
    home.prepare()
    folders = [home.root, home.spool, home.models, home.log.parent, home.backups]

    assert {stat.S_IMODE(folder.stat().st_mode) for folder in folders} == {0o700}


async def test_a_store_keeps_its_id_and_its_memories(home: Home) -> None:
    async with open_store(home) as store:
        first = store.store_id
        await written(store, new("the port is 5432"))
    async with open_store(home) as store:
        again = store.store_id
        memories = await store.reading.living(0, 10)

    assert first == again
    assert [memory.text for memory in memories] == ["the port is 5432"]


async def test_a_store_of_a_newer_reverie_is_refused(home: Home) -> None:
    async with open_store(home) as store:
        await store.writing.checkpoint(truncate=True)
    Sql(apsw.Connection(str(home.database))).rows(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    with pytest.raises(StoreTooNew, match="update"):
        await begun(home)

    assert not list(home.backups.iterdir())


# -- what is wrong with the file


async def test_a_vanished_database_is_refused_and_no_new_one_is_made(home: Home) -> None:
    write_marker(home, Marker("a1", 12))
    with pytest.raises(StoreVanished, match="12 memories"):
        await begun(home)

    assert not home.database.exists()


async def test_an_emptied_database_is_refused(home: Home) -> None:
    write_marker(home, Marker("a1", 12))
    home.database.touch()
    with pytest.raises(StoreVanished, match=r"reverie\.db\.store"):
        await begun(home)


async def test_another_and_empty_store_in_its_place_is_refused(home: Home) -> None:
    await begun(home)
    write_marker(home, Marker("another store", 12))
    with pytest.raises(StoreVanished, match="12 memories"):
        await begun(home)


async def test_a_store_that_was_emptied_on_purpose_opens(home: Home) -> None:
    async with open_store(home) as store:
        write_marker(home, Marker(store.store_id, 12))  # the daemon died before it marked 0
    async with open_store(home) as store:
        assert (await store.reading.counts()).memories == 0


async def test_a_marker_without_memories_lets_a_fresh_store_begin(home: Home) -> None:
    write_marker(home, Marker("a1", 0))
    async with open_store(home) as store:
        assert (await store.reading.counts()).memories == 0


@pytest.mark.parametrize("text", ["", "{", "[]", '{"store_id": 1}', "\x00"])
async def test_a_marker_that_cannot_be_read_is_none(home: Home, text: str) -> None:
    home.marker.write_text(text)

    assert read_marker(home) is None


async def test_the_marker_says_what_was_written(store: OpenStore, home: Home) -> None:
    await written(store, new("x"), new("y"))
    await store.writing.mark()
    marker = read_marker(home)

    assert marker is not None
    assert (marker.store_id, marker.memories, marker.loss) == (store.store_id, 2, "")
    assert marker.rows > 2


async def test_a_file_that_is_no_database_is_named_in_one_line_with_the_remedy(home: Home) -> None:
    home.database.write_bytes(b"this is not a database at all" * 400)
    with pytest.raises(StoreBroken) as caught:
        await begun(home)

    line = str(caught.value)
    assert "\n" not in line
    assert str(home.database) in line
    assert "reverie doctor --fix" in line


async def test_a_database_with_torn_pages_is_named(home: Home) -> None:
    async with open_store(home) as store:
        await written(store, *(new(f"memory {number}") for number in range(50)))
    data = bytearray(home.database.read_bytes())
    data[100:4096] = b"\xff" * 3996
    home.database.write_bytes(data)
    with pytest.raises(StoreBroken, match="not a sound database"):
        await begun(home)


async def test_a_database_that_another_program_holds_is_named(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    await begun(home)
    monkeypatch.setattr(
        "daemon.storage.database.connection.PRAGMAS", (("busy_timeout", 1, "quick"), *PRAGMAS[1:])
    )
    other = apsw.Connection(str(home.database))
    Sql(other).rows("BEGIN EXCLUSIVE")
    try:
        with pytest.raises(StoreBroken, match="held by another program"):
            await begun(home)
    finally:
        other.close()


async def test_a_folder_in_the_place_of_the_database_is_named(home: Home) -> None:
    home.database.mkdir()
    with pytest.raises(StoreBroken, match="cannot be written"):
        await begun(home)


# -- what goes wrong later


async def test_a_full_disk_is_unwritable_and_loses_nothing(store: OpenStore) -> None:
    kept = await written(store, new("before the disk was full"))
    connection = store.writing._connection  # pyright: ignore[reportPrivateUsage]
    pages = await connection.run(lambda sql: sql.number("PRAGMA page_count"))
    await connection.run(lambda sql: sql.rows(f"PRAGMA max_page_count = {pages}"))
    with pytest.raises(Unwritable, match="is full"):
        await store.writing.commit([(new("x" * 100_000),), (new("small"),)])
    await connection.run(lambda sql: sql.rows("PRAGMA max_page_count = 1000000"))
    after = await written(store, new("when there was room again"))
    texts = [memory.text for memory in await store.reading.living(0, 10)]

    assert texts == ["before the disk was full", "when there was room again"]
    assert after[0] > kept[0]
    assert await connection.run(lambda sql: sql.rows("PRAGMA integrity_check")) == [("ok",)]


async def test_a_store_made_read_only_is_unwritable(store: OpenStore) -> None:
    connection = store.writing._connection  # pyright: ignore[reportPrivateUsage]
    await connection.run(lambda sql: sql.rows("PRAGMA query_only = ON"))
    with pytest.raises(Unwritable, match="permissions"):
        await store.writing.commit([(new("x"),)])


async def test_a_deadline_reaches_into_sqlite(store: OpenStore) -> None:
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
    with pytest.raises(trio.TooSlowError), trio.fail_after(0.02):
        await store.reading.read(Sql.rows, endless)

    # The connection is free again: the statement ended with its deadline.
    assert await store.reading.living(0, 10) == []
    assert store.in_flight == 0
