"""The marker: a database that lacks what the marker tells of is opened, and the loss is said."""

from __future__ import annotations

import os
import shutil
from contextlib import closing
from pathlib import Path

import apsw
import pytest
import trio

from actors.memory.writes import Ended, Erased, ErasedEverything
from daemon.durability.copies import BACKUP, copy_name, counted_in, log_of, memories_in
from daemon.durability.marker import TOLD, read_marker
from daemon.durability.repair import repair
from daemon.home import Home
from daemon.storage.database.sql import Sql
from daemon.storage.store import StoreBroken, StoreVanished, open_store
from tests.clock import BEGINNING, FollowingClock, until
from tests.durability.test_copies import copied, filled
from tests.writing import event, new, written

pytestmark = pytest.mark.trio


async def loss_of(home: Home, clock: FollowingClock | None = None) -> str:
    """What is said to be missing at a start."""
    async with open_store(home, clock=clock or FollowingClock()) as store:
        return store.soundness.loss


async def grown(home: Home, *texts: str) -> None:
    """Remember more, and mark it."""
    async with open_store(home) as store:
        await written(store, *(new(text) for text in texts))
        await store.writing.mark()


def rolled_back(home: Home, earlier: Path) -> None:
    """The database is as it was when this copy was made."""
    shutil.copy(earlier, home.database)


@pytest.fixture
async def earlier(home: Home, tmp_path: Path) -> Path:
    """A store of six memories, and a copy of it when it had three."""
    await filled(home, "one", "two", "three")
    shutil.copy(home.database, tmp_path / "earlier.db")
    await grown(home, "four", "five", "six")
    return tmp_path / "earlier.db"


async def test_nothing_is_missing_where_nothing_was_lost(home: Home, earlier: Path) -> None:
    assert await loss_of(home) == ""


async def test_an_older_database_opens_and_says_what_is_missing(home: Home, earlier: Path) -> None:
    rolled_back(home, earlier)

    loss = await loss_of(home)

    assert loss.startswith(f"{home.database} lacks the last ")
    assert "it has 3 memories, and had 6" in loss
    assert f"no copy in {home.backups} has more" in loss
    assert "\n" not in loss


async def test_the_remedy_is_the_newest_copy_that_has_more(home: Home, earlier: Path) -> None:
    shutil.copy(earlier, home.backups / copy_name(BACKUP, BEGINNING + 120))
    more = copied(home, copy_name(BACKUP, BEGINNING + 60))
    copied(home, copy_name(BACKUP, BEGINNING))
    rolled_back(home, earlier)

    assert f"'reverie backup restore {more.name}' brings back 6 memories" in await loss_of(home)


async def test_events_that_are_missing_are_noticed_as_memories_are(
    home: Home, tmp_path: Path
) -> None:
    await filled(home, "one")
    shutil.copy(home.database, tmp_path / "earlier.db")
    async with open_store(home) as store:
        await written(store, event(1))
        await store.writing.mark()
    rolled_back(home, tmp_path / "earlier.db")

    assert "lacks the last 1 rows" in await loss_of(home)


async def test_a_loss_is_said_for_a_week_and_over_what_is_written_since(
    home: Home, earlier: Path
) -> None:
    clock = FollowingClock()
    rolled_back(home, earlier)
    loss = await loss_of(home, clock)
    async with open_store(home, clock=clock) as store:
        await written(store, *(new(f"later {number}") for number in range(20)))
        await store.writing.mark()
    clock._begins += TOLD - 60  # pyright: ignore[reportPrivateUsage]
    within = await loss_of(home, clock)
    clock._begins += 120  # pyright: ignore[reportPrivateUsage]
    after = await loss_of(home, clock)

    assert loss
    assert (within, after) == (loss, "")


async def test_another_store_with_memories_is_said_to_be_another(home: Home, other: Home) -> None:
    await grown(home, "one", "two")
    await filled(other, "of somebody else")
    shutil.copy(other.database, home.database)

    loss = await loss_of(home)

    assert "is another store than before: it has 1 memory, and the one before had 2" in loss


async def test_what_was_purged_is_no_loss(home: Home, earlier: Path) -> None:
    async with open_store(home) as store:
        await written(store, ErasedEverything(whole_store=True))

    assert await loss_of(home) == ""


async def test_a_marker_of_an_earlier_version_tells_of_no_loss(home: Home, earlier: Path) -> None:
    marker = read_marker(home)
    assert marker is not None
    home.marker.write_text(f'{{"store_id": "{marker.store_id}", "memories": 6}}')
    rolled_back(home, earlier)

    assert await loss_of(home) == ""


async def test_where_nothing_is_left_the_refusal_names_a_copy(home: Home, earlier: Path) -> None:
    copied(home, copy_name(BACKUP, BEGINNING))
    home.database.unlink()

    with pytest.raises(StoreVanished, match=r"reverie backup restore.*backup-"):
        await loss_of(home)


async def test_an_empty_store_in_the_place_of_one_with_memories_is_refused_with_a_copy(
    home: Home, earlier: Path, other: Home
) -> None:
    copied(home, copy_name(BACKUP, BEGINNING))
    await filled(other)
    shutil.copy(other.database, home.database)

    with pytest.raises(StoreVanished, match=r"6 memories.*reverie backup restore.*backup-"):
        await loss_of(home)


async def test_the_marker_is_written_after_what_was_committed(
    home: Home, clock: FollowingClock
) -> None:
    async with open_store(home) as store, trio.open_nursery() as nursery:
        nursery.start_soon(store.writing.watch, 0.01)
        await written(store, new("one"), new("two"))
        await until(lambda: (marker := read_marker(home)) is not None and marker.memories == 2)
        nursery.cancel_scope.cancel()


async def test_the_refusal_names_the_newest_copy_that_is_sound_and_has_memories(
    home: Home, earlier: Path
) -> None:
    sound = copied(home, copy_name(BACKUP, BEGINNING))
    cut = copied(home, copy_name(BACKUP, BEGINNING + 60))
    os.truncate(cut, 30_000)
    home.database.unlink()

    with pytest.raises(StoreVanished, match=rf"restore {sound.name}' \(6 memories\)"):
        await loss_of(home)


async def test_the_refusal_says_that_no_copy_is_sound(home: Home, earlier: Path) -> None:
    os.truncate(copied(home, copy_name(BACKUP, BEGINNING)), 30_000)
    home.database.unlink()

    with pytest.raises(StoreVanished, match=rf"no copy of it in {home.backups} is sound"):
        await loss_of(home)


# -- memories that another program deletes


def delete(home: Home, *numbers: int) -> None:
    """As a person with sqlite3 does, whose connections keep no foreign keys."""
    with closing(apsw.Connection(str(home.database))) as other:
        for number in numbers:
            Sql(other).rows("DELETE FROM memory WHERE id = ?", (number,))


async def test_memories_that_another_program_deleted_are_said_to_be_missing(
    home: Home, earlier: Path
) -> None:
    delete(home, 2, 5)

    loss = await loss_of(home)

    assert f"{home.database} lacks 2 memories that another program deleted" in loss
    assert f"no copy in {home.backups} has more" in loss
    assert "\n" not in loss
    assert await loss_of(home) == loss


async def test_memories_that_are_deleted_under_a_daemon_are_said_without_a_write(
    home: Home, earlier: Path
) -> None:
    clock = FollowingClock()
    async with open_store(home, clock=clock) as store, trio.open_nursery() as nursery:
        nursery.start_soon(store.writing.watch, 0.01)
        await trio.sleep(0.05)
        delete(home, 2)
        await until(lambda: "lacks 1 memory that another" in store.soundness.loss)
        await written(store, new("seven"))
        nursery.cancel_scope.cancel()

    assert "lacks 1 memory that another" in await loss_of(home)


async def test_what_was_erased_or_forgotten_is_no_loss_though_the_marker_is_older(
    home: Home, earlier: Path
) -> None:
    was = home.marker.read_bytes()
    async with open_store(home) as store:
        await written(store, Erased((2,)), Ended(3, "forgotten", BEGINNING))
        await store.writing.mark()
    home.marker.write_bytes(was)  # as whoever is killed before it is written leaves it

    assert await loss_of(home) == ""


async def test_a_repair_brings_back_what_was_deleted_with_what_belongs_to_it(
    home: Home, earlier: Path
) -> None:
    async with open_store(home) as store:
        await written(store, new("the lamp", triggers=("lamp",)), Erased((3,)))
        await store.writing.scrub()
        await store.writing.mark()
    copy = copied(home, copy_name(BACKUP, BEGINNING))
    with closing(apsw.Connection(str(home.database))) as other:
        Sql(other).rows("PRAGMA foreign_keys = ON; DELETE FROM memory WHERE id IN (2, 7)")
    copied(home, copy_name(BACKUP, BEGINNING + 60))
    loss = await loss_of(home)
    done = repair(home, BEGINNING)

    assert f"'reverie doctor --fix' brings back 2 memories of {copy.name}" in loss
    assert done.memories.restored == 2
    assert memories_in(home.database) == 6
    assert counted_in(
        home.database, lambda sql: sql.column("SELECT phrase FROM trigger_phrase")
    ) == ["lamp"]
    assert await loss_of(home) == ""


# -- a log that is damaged while nobody has it open


@pytest.fixture
async def killed(home: Home, tmp_path: Path) -> Home:
    """A home as a killed daemon leaves it: six memories in a log that was never moved."""
    left = Home(tmp_path / "killed")
    async with open_store(home) as store:
        await written(store, new("one"), new("two"), new("three"))
        await written(store, new("four"), new("five"), new("six"))
        await store.writing.mark()
        shutil.copytree(home.root, left.root)
    return left


async def test_a_log_cut_before_the_first_memory_is_refused_and_left_as_it_is(killed: Home) -> None:
    os.truncate(log_of(killed.database), 100 * 4096)
    was = log_of(killed.database).read_bytes()

    with pytest.raises(StoreVanished, match="6 memories were in the one before"):
        await loss_of(killed)

    assert log_of(killed.database).read_bytes() == was
    assert list(killed.backups.iterdir()) == []


def damage_log(home: Home, at: int) -> None:
    """Overwrite a hundred bytes."""
    with log_of(home.database).open("r+b") as file:
        file.seek(at)
        file.write(b"\xff" * 100)


@pytest.mark.parametrize("at", [0, 40, 50 * 4096])  # header, first frame, a page
async def test_what_stands_behind_the_damage_of_a_log_is_not_overwritten_and_comes_back(
    killed: Home, at: int
) -> None:
    damage_log(killed, at)

    with pytest.raises(StoreBroken, match=r"-wal is damaged.*'reverie doctor --fix'"):
        await loss_of(killed)
    repair(killed, BEGINNING)

    assert await loss_of(killed) == ""
    assert memories_in(killed.database) == 6


async def test_a_log_whose_last_commit_is_cut_off_opens_with_what_is_before(killed: Home) -> None:
    log = log_of(killed.database)
    os.truncate(log, log.stat().st_size - 100)

    assert "it has 3 memories, and had 6" in await loss_of(killed)


# -- without a marker the newest backup tells


async def test_a_database_and_marker_that_are_both_gone_are_noticed_by_the_backup(
    home: Home, earlier: Path
) -> None:
    """As after ``rm reverie.db*``."""
    copy = copied(home, copy_name(BACKUP, BEGINNING))
    for path in home.root.glob("reverie.db*"):
        path.unlink()

    loss = await loss_of(home)
    again = await loss_of(home)

    assert f"{home.database} is new and empty, and the one before had 6" in loss
    assert f"'reverie backup restore {copy.name}' brings back 6 memories" in loss
    assert again == loss


async def test_an_older_database_without_a_marker_is_noticed_by_the_backup(
    home: Home, earlier: Path
) -> None:
    copied(home, copy_name(BACKUP, BEGINNING))
    home.marker.unlink()
    rolled_back(home, earlier)

    assert "it has 3 memories, and had 6" in await loss_of(home)


async def test_a_lost_marker_alone_is_no_loss(home: Home, earlier: Path) -> None:
    copied(home, copy_name(BACKUP, BEGINNING))
    (home.backups / copy_name(BACKUP, BEGINNING + 60)).write_bytes(b"no database")
    home.marker.write_bytes(b"")

    assert await loss_of(home) == ""


async def test_a_first_start_has_lost_nothing(home: Home) -> None:
    assert await loss_of(home) == ""
    assert await loss_of(home) == ""


async def test_a_database_that_is_gone_with_its_marker_and_every_copy_is_noticed_by_the_indexes(
    home: Home, earlier: Path
) -> None:
    home.indexes.mkdir()
    (home.indexes / "words.1").write_bytes(b"what was in the memories")
    for path in home.root.glob("reverie.db*"):
        path.unlink()

    loss = await loss_of(home)

    assert loss.startswith(f"{home.database} is new and empty, and indexes of another one lie in ")
    assert "\n" not in loss
