"""The marker: a database that lacks what the marker tells of is opened, and the loss is said."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import trio

from actors.memory.writes import ErasedEverything
from daemon.durability.copies import BACKUP, copy_name
from daemon.durability.marker import TOLD, read_marker
from daemon.home import Home
from daemon.storage.store import StoreVanished, open_store
from tests.clock import BEGINNING, FollowingClock, until
from tests.durability.test_copies import copied, filled
from tests.writing import event, new, written

pytestmark = pytest.mark.trio


async def loss_of(home: Home, clock: FollowingClock | None = None) -> str:
    """What is said to be missing at a start."""
    async with open_store(home, clock=clock or FollowingClock()) as store:
        return store.reading.loss


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


async def test_another_store_with_memories_is_said_to_be_another(
    home: Home, tmp_path: Path
) -> None:
    await grown(home, "one", "two")
    other = Home(tmp_path / "other")
    other.prepare()
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
    home: Home, earlier: Path, tmp_path: Path
) -> None:
    copied(home, copy_name(BACKUP, BEGINNING))
    other = Home(tmp_path / "other")
    other.prepare()
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
