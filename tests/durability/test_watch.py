"""The open database under a running daemon: removed, replaced, cut or written over, it is said."""

from __future__ import annotations

import os
import resource
import shutil
from contextlib import closing
from pathlib import Path

import apsw
import pytest
import trio

from actors.core.failures import Unwritable
from actors.memory.writes import Erased
from daemon.durability.copies import examined, log_of
from daemon.home import Home
from daemon.storage.database.sql import Sql
from daemon.storage.store import OpenStore
from tests.clock import open_patiently
from tests.durability.test_copies import filled
from tests.writing import new, written

pytestmark = pytest.mark.trio


def rescued(home: Home) -> list[Path]:
    return sorted(home.backups.glob("rescued-*.db"))


async def looked(store: OpenStore) -> str | None:
    """What is said of the files after one look."""
    with trio.move_on_after(0.2):
        await store.writing.watch(60)
    return store.soundness.damage


async def test_files_that_are_where_they_were_are_nothing_to_say(threaded_store: OpenStore) -> None:
    await written(threaded_store, new("one"))
    await threaded_store.writing.checkpoint(truncate=False)
    await threaded_store.writing.scrub()

    assert await looked(threaded_store) is None
    assert not threaded_store.writing.leaves


async def test_nothing_is_acknowledged_once_the_database_was_removed(home: Home) -> None:
    async with open_patiently(home) as store:
        await written(store, new("one"), new("two"))
        home.database.unlink()

        with pytest.raises(Unwritable, match="was removed while it was open") as refused:
            await store.writing.commit([(new("three"),)])
        (copy,) = rescued(home)

        assert str(copy) in str(refused.value)
        assert "\n" not in str(refused.value)
        assert store.soundness.damage == str(refused.value)
        assert examined(copy).memories == 2
        assert [memory.text for memory in await store.reading.living(0, 9)] == ["one", "two"]
        with pytest.raises(Unwritable):
            await store.writing.commit([(new("four"),)])
        assert rescued(home) == [copy]


async def test_a_look_finds_it_without_a_write(home: Home) -> None:
    async with open_patiently(home) as store:
        await written(store, new("one"))
        home.database.unlink()

        said = await looked(store)

        assert said is not None
        assert "reverie backup restore rescued-" in said
        assert examined(rescued(home)[0]).memories == 1


async def test_a_database_in_its_place_is_left_alone_with_its_log(home: Home, other: Home) -> None:
    async with open_patiently(other) as somebody, open_patiently(home) as store:
        await written(somebody, new("of somebody else"))
        await written(store, new("ours"))
        for suffix in ("", "-wal"):
            path = other.database.with_name(f"reverie.db{suffix}")
            path.rename(home.database.with_name(path.name))
        theirs = home.database.with_name("reverie.db-wal").read_bytes()

        with pytest.raises(Unwritable, match="was replaced by another file"):
            await store.writing.commit([(new("more"),)])

    assert home.database.with_name("reverie.db-wal").read_bytes() == theirs
    assert [examined(path).memories for path in rescued(home)] == [1]


async def test_our_log_is_not_read_into_a_database_in_the_place_of_ours(
    home: Home, other: Home
) -> None:
    async with open_patiently(other) as somebody:
        await written(somebody, new("of somebody else"))
    async with open_patiently(home) as store:
        await written(store, *(new(f"ours {number}") for number in range(9)))
        other.database.rename(home.database)

        with pytest.raises(Unwritable, match="was replaced by another file"):
            await store.writing.commit([(new("more"),)])

    assert not home.database.with_name("reverie.db-wal").exists()
    assert examined(home.database).memories == 1
    assert [examined(path).memories for path in rescued(home)] == [9]


async def test_where_nothing_can_be_written_out_it_says_so(home: Home) -> None:
    async with open_patiently(home) as store:
        await written(store, new("one"))
        home.backups.rmdir()
        home.backups.touch()  # a file where the folder should be
        home.database.unlink()

        with pytest.raises(Unwritable, match=r"could not be written out.*reverie export"):
            await store.writing.commit([(new("two"),)])


@pytest.mark.parametrize("suffix", ["-wal", "-shm"])
async def test_without_its_log_the_daemon_leaves_and_nothing_is_lost(
    home: Home, suffix: str
) -> None:
    async with open_patiently(home) as store:
        await written(store, new("one"))
        home.database.with_name(f"reverie.db{suffix}").unlink()

        with pytest.raises(Unwritable, match="starts anew"):
            await store.writing.commit([(new("two"),)])
        with trio.fail_after(60):
            await store.writing.watch(60)

        assert store.writing.leaves
        assert examined(home.database).memories == 1  # whoever is killed now has it all


async def test_a_log_that_was_emptied_is_noticed_and_what_is_known_of_it_written_out(
    home: Home,
) -> None:
    """As after ``: > reverie.db-wal``."""
    async with open_patiently(home) as store:
        await written(store, new("one"), new("two"))
        os.truncate(home.database.with_name("reverie.db-wal"), 0)

        with pytest.raises(Unwritable, match="was cut while it was open"):
            await store.writing.commit([(new("three"),)])

        assert [examined(path).memories for path in rescued(home)] == [2]


async def test_a_log_that_somebody_else_moved_is_nothing_to_say(home: Home) -> None:
    async with open_patiently(home) as store:
        await written(store, new("one"))
        with closing(apsw.Connection(str(home.database))) as other:
            Sql(other).rows("PRAGMA wal_checkpoint(TRUNCATE)")

        assert await written(store, new("two"))
        assert store.soundness.damage is None


async def test_a_log_that_begins_anew_after_a_checkpoint_is_nothing_to_say(home: Home) -> None:
    async with open_patiently(home) as store:
        for truncate in (True, False):
            for number in range(50):
                await written(store, new(f"memory {number} {truncate}"))
            await store.writing.checkpoint(truncate=truncate)
            await written(store, new(f"after {truncate}"))

        assert await looked(store) is None


async def test_a_database_that_was_cut_is_said_to_be_damaged(home: Home) -> None:
    async with open_patiently(home) as store:
        await written(store, *(new(f"memory {number} " + "x" * 500) for number in range(100)))
        await store.writing.checkpoint(truncate=True)
        os.truncate(home.database, 20_000)

        said = await looked(store)

        assert said is not None
        assert "not a sound database" in said


async def test_a_database_that_was_emptied_takes_nothing_more(home: Home) -> None:
    async with open_patiently(home) as store:
        await written(store, new("one"))
        await store.writing.checkpoint(truncate=False)
        await written(store, new("two"))
        os.truncate(home.database, 0)

        with pytest.raises(Unwritable, match="not a sound database"):
            await store.writing.commit([(new("three"),)])

        assert log_of(home.database).stat().st_size  # what it holds is for the repair


async def test_a_database_that_was_written_over_is_said_to_be_damaged(home: Home) -> None:
    async with open_patiently(home) as store:
        await written(store, *(new(f"memory {number} " + "x" * 500) for number in range(100)))
        await store.writing.checkpoint(truncate=True)
        data = home.database.read_bytes()
        with home.database.open("r+b") as file:
            file.seek(data.index(b"x" * 500) // 4096 * 4096)
            file.write(b"\xff" * 8192)

        said = await looked(store)

        assert said is not None
        assert "not a sound database" in said


async def test_an_older_copy_that_was_copied_over_it_is_noticed(home: Home, tmp_path: Path) -> None:
    """The file is the same one: only its contents are those of yesterday."""
    async with open_patiently(home) as store:
        await written(store, new("one"))
        await store.writing.checkpoint(truncate=True)
        shutil.copy(home.database, tmp_path / "earlier.db")
        await written(store, new("two"))
        await store.writing.checkpoint(truncate=True)
        shutil.copyfile(tmp_path / "earlier.db", home.database)

        said = await looked(store)

        assert said is not None
        assert "was replaced by another file" in said


async def test_whoever_only_touches_it_is_no_damage(home: Home) -> None:
    async with open_patiently(home) as store:
        await written(store, new("one"))
        os.utime(home.database, (1.0, 1.0))

        assert await looked(store) is None
        assert await written(store, new("two"))


async def test_another_database_copied_over_it_is_not_taken_for_ours_at_the_next_start(
    home: Home, other: Home
) -> None:
    await filled(other, "of somebody else")
    async with open_patiently(home) as store:
        await written(store, new("ours"), new("ours too"))
        await store.writing.mark()
    shutil.copyfile(other.database, home.database)
    async with open_patiently(home) as store:
        assert "is another store than before" in store.soundness.loss


async def test_an_open_database_that_cannot_be_looked_at_now_is_not_called_damaged(
    home: Home,
) -> None:
    async with open_patiently(home) as store:
        await written(store, new("one"))
        await store.writing.checkpoint(truncate=True)
        os.utime(home.database, (1.0, 1.0))
        limits = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (3, limits[1]))  # no file more can be opened
        try:
            said = await looked(store)
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, limits)

        assert said is None
        assert await written(store, new("two"))
        assert await looked(store) is None


async def test_a_folder_among_the_backups_keeps_no_erasure_from_its_end(home: Home) -> None:
    async with open_patiently(home) as store:
        await written(store, new("a secret lighthouse"), Erased((1,)))
        (home.backups / "by hand").mkdir()
        (home.backups / "copy.db").write_bytes(b"a secret lighthouse")
        (home.backups / "restored.part").write_bytes(b"of a restore that was killed")

        await store.writing.scrub()

    assert [path.name for path in home.backups.iterdir()] == ["by hand"]
    assert b"secret lighthouse" not in home.database.read_bytes()
