"""Tags, moments and captures in the store: what a write may and may not do."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest

from actors.capture.writes import Captured, Faded, Raised
from actors.memory.writes import Ended, Erased, Origin
from daemon.home import Home
from daemon.storage.database.schema import MIGRATIONS, version_of
from daemon.storage.database.sql import Sql
from daemon.storage.store import OpenStore, open_store
from tests.clock import BEGINNING
from tests.writing import event, new, written

pytestmark = pytest.mark.trio


def moment(seq: int | None = 1) -> Raised:
    return Raised(f"{seq}-revert", "revert", 0.85, BEGINNING, "s1", "/p", "git revert", seq)


def taken(memory_id: int = 1) -> Captured:
    return Captured(memory_id, "1-revert", 0.8, 1.0, 0.9, 3.5, BEGINNING)


def store_of_schema_2(path: Path) -> None:
    sql = Sql(apsw.Connection(str(path)))
    for migration in MIGRATIONS[:2]:
        migration(sql)
    sql.rows("PRAGMA user_version = 2")
    sql.rows(
        "INSERT INTO memory (text, title, kind, tier, memory_type, context_type, created_at,"
        " updated_at, content_hash, stability, difficulty, importance, source)"
        " VALUES ('a', 'a', 'fact', 'normal', 'd', 'g', 1, 1, x'00', 1, 5, .5, 'hand')"
    )
    sql.raw.close()


async def test_a_store_from_before_has_memories_without_tags(home: Home) -> None:
    store_of_schema_2(home.database)
    async with open_store(home) as store:
        version = await store.reading.read(version_of)
        outcome = await written(store, moment(), taken())

        assert version >= 3
        assert outcome == [1, 0]
        assert await store.reading.tags(None) == []
        assert list(await store.reading.memories([1])) == [1]
    assert (home.backups / "before-schema-3.db").exists()


async def test_the_migration_may_run_again(store: OpenStore) -> None:
    await written(store, new("a"))
    await store.writing._do(MIGRATIONS[2])  # pyright: ignore[reportPrivateUsage]

    assert len(await store.reading.tags(None)) == 1


async def test_a_moment_is_noted_once(store: OpenStore) -> None:
    assert await written(store, moment(), moment()) == [1, 0]


async def test_a_moment_of_an_erased_event_is_not_noted(store: OpenStore) -> None:
    """Erased while extraction had it in hand."""
    await written(store, event(1), new("marzipan", origin=Origin("r", "s1", 1, "r")))
    await written(store, Erased((1,)))

    assert await written(store, moment()) == [0]


async def test_a_memory_is_captured_once_and_only_while_it_lives(store: OpenStore) -> None:
    await written(store, new("a"), new("b"), moment())
    first = await written(store, taken(1), taken(1))
    await written(store, Ended(2, "forgotten", BEGINNING))

    assert first == [1, 0]
    assert await written(store, taken(2), taken(99)) == [0, 0]


async def test_fading_takes_the_tags_named_and_those_of_ended_memories(store: OpenStore) -> None:
    await written(store, new("a"), new("b"), new("c"), Ended(2, "forgotten", BEGINNING))
    await written(store, Faded((1,), BEGINNING))
    left = await store.reading.read(lambda sql: sql.rows("SELECT memory_id FROM synaptic_tag"))

    assert left == [(3,)]


async def test_a_moment_that_captured_something_stays_for_good(store: OpenStore) -> None:
    await written(store, new("a"), moment(), moment(2), taken())
    await written(store, Faded((), BEGINNING + 1))

    assert await store.reading.importance_events(0, BEGINNING * 2) == [moment()]


async def test_figures_of_an_empty_store_are_nothing(store: OpenStore) -> None:
    totals = await store.reading.capture_totals()

    assert (totals["tags"], totals["captures"], totals["average_score"]) == (0, 0, 0.0)
