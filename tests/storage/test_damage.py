"""A database that opens although a page in its middle is damaged."""

from __future__ import annotations

import pytest
import trio

from actors.core.failures import Unreadable, Unwritable
from daemon.home import Home
from daemon.storage.database.sql import Sql
from daemon.storage.store import OpenStore
from tests.clock import VIRTUAL_TIME, open_patiently
from tests.writing import new, written

pytestmark = VIRTUAL_TIME

PAGE = 4096  # bytes of a page of SQLite


async def filled(home: Home) -> None:
    """A closed store of several pages of memories."""
    async with open_patiently(home) as store:
        await written(store, *(new(f"memory {number} " + "x" * 500) for number in range(100)))


def damage(home: Home) -> None:
    """Overwrite the pages that hold memories, and none that opening reads."""
    data = bytearray(home.database.read_bytes())
    pages = [start for start in range(PAGE, len(data), PAGE) if b"x" * 500 in data[start:][:PAGE]]
    for start in pages:
        data[start : start + PAGE] = b"\xff" * PAGE
    home.database.write_bytes(data)


async def test_damage_is_found_without_anybody_reading_it(home: Home) -> None:
    await filled(home)
    damage(home)
    async with open_patiently(home) as store:
        before = store.soundness.damage
        await store.examine()

        assert before is None
        assert store.soundness.damage is not None
        assert "not a sound database" in store.soundness.damage


async def test_what_is_written_after_a_search_is_no_damage(home: Home) -> None:
    def search(sql: Sql) -> int:
        return sql.number("SELECT count(*) FROM memory_words WHERE memory_words MATCH 'otter'")

    async with open_patiently(home) as store:
        for number in range(9):
            await written(store, new(f"the otter {number} swims"))
        found = await store.reading.read(search)
        for number in range(9):
            await written(store, new(f"an otter {number} sleeps"))
        await store.examine()

        assert found == 9
        assert store.soundness.damage is None


async def test_nothing_is_acknowledged_by_a_damaged_store(home: Home) -> None:
    await filled(home)
    damage(home)
    async with open_patiently(home) as store:
        await store.examine()

        with pytest.raises(Unwritable, match="not a sound database"):
            await store.writing.commit([(new("one more"),)])


async def test_damage_that_a_reader_meets_is_known_from_then_on(home: Home) -> None:
    await filled(home)
    damage(home)
    async with open_patiently(home) as store:
        with pytest.raises(Unreadable, match="not a sound database"):
            await store.reading.living(0, 1000)

        assert store.soundness.damage is not None


async def test_text_that_is_no_text_any_more_is_unreadable(home: Home) -> None:
    await filled(home)
    data = home.database.read_bytes()
    home.database.write_bytes(data.replace(b"x" * 500, b"\xff" * 500))
    async with open_patiently(home) as store:
        with pytest.raises(Unreadable, match="not a sound database"):
            await store.reading.living(0, 1000)


async def test_damage_does_not_end_whoever_follows_the_writes(home: Home) -> None:
    """The daemon goes on, and says what is wrong: hooks spool, and a person is told."""
    await filled(home)
    damage(home)
    async with open_patiently(home) as store:
        with trio.move_on_after(60) as waited:
            await store.reading.follow()

        assert waited.cancelled_caught
        assert store.soundness.damage is not None


async def test_a_sound_store_passes_its_examination(store: OpenStore) -> None:
    await written(store, new("the port is 5432"))
    await store.examine()

    assert store.soundness.damage is None
    assert await written(store, new("the host is db1"))


async def test_the_remedy_is_a_repair(home: Home) -> None:
    await filled(home)
    damage(home)
    async with open_patiently(home) as store:
        await store.examine()

        assert "reverie doctor --fix" in str(store.soundness.damage)
        assert "\n" not in str(store.soundness.damage)
