"""Looking back from a failure in the store, and what earlier versions kept of importance."""

from __future__ import annotations

from pathlib import Path

import pytest

from actors.memory.rows import Scope
from actors.memory.writes import Ended, Erased, ErasedEverything
from daemon.home import Home
from daemon.storage import episodes
from daemon.storage.database.schema import add_importance
from daemon.storage.database.sql import Sql
from daemon.storage.store import OpenStore, open_store
from tests.clock import BEGINNING
from tests.new_store import of_version
from tests.writing import new, written

pytestmark = pytest.mark.trio


async def importance(store: OpenStore, memory_id: int = 1) -> float:
    return (await store.reading.memories([memory_id]))[memory_id].importance


def store_of_schema_3(path: Path) -> None:
    sql = of_version(path, 3)
    sql.rows(
        "INSERT INTO memory (text, title, kind, tier, memory_type, context_type, created_at,"
        " updated_at, content_hash, stability, difficulty, importance, source)"
        " VALUES ('a', 'a', 'fact', 'normal', 'd', 'g', 1, 1, x'00', 1, 5, .5, 'hand')"
    )
    sql.rows("INSERT INTO importance_event VALUES ('e', 'revert', .8, 1, 's', '/p', 1, NULL, 'r')")
    sql.rows("INSERT INTO capture VALUES (1, 'e', .8, 1, .9, .5, 7)")
    sql.raw.close()


def rated_before(sql: Sql) -> None:
    """Rate the memory as a daemon of an earlier version did."""
    sql.rows("INSERT INTO importance_anchor VALUES (1, .5, 1, .1, .2, .3, .4)")
    sql.rows("INSERT INTO backfill VALUES (1, '5', 2, 5, 1)")
    sql.rows("INSERT INTO importance_change VALUES (1, 'used', 's1', 'plus', .2, .5, .7, 1)")


async def test_a_store_from_before_is_not_rated_anew(home: Home) -> None:
    store_of_schema_3(home.database)
    async with open_store(home) as store:
        assert await importance(store) == 0.5


async def test_the_migration_may_run_again(store: OpenStore) -> None:
    await written(store, new("a", importance=0.5))
    await store.writing._do(add_importance)  # pyright: ignore[reportPrivateUsage]

    assert await importance(store) == 0.5


@pytest.mark.parametrize("order", [Erased((1,)), ErasedEverything("/p"), ErasedEverything(None)])
async def test_an_erased_memory_leaves_no_row_of_its_importance(
    store: OpenStore, order: Erased | ErasedEverything
) -> None:
    await written(store, new("marzipan in the vault", project="/p"))
    await written(store, Ended(1, "forgotten", BEGINNING))
    await store.writing._do(rated_before)  # pyright: ignore[reportPrivateUsage]
    tables = ("importance_anchor", "importance_change", "backfill")

    async def rows() -> list[int]:
        return await store.reading.read(
            lambda sql: [sql.number(f"SELECT count(*) FROM {table}") for table in tables]
        )

    before = await rows()
    await written(store, order)

    assert before == [1, 1, 1]
    assert await rows() == [0, 0, 0]


async def test_only_what_is_near_enough_in_time_and_place_is_looked_at(store: OpenStore) -> None:
    names, day = ["PAYMENT_URL"], 86_400.0
    for text, days, project in (
        ("we renamed PAYMENT_URL in deploy.yml", 1, "/p"),
        ("PAYMENT_URL is set by the platform", 31, "/p"),
        ("PAYMENT_URL of the other shop", 1, "/q"),
        ("payments are slow", 1, "/p"),
        ("PAYMENT_URL is read twice", 2, None),
    ):
        await written(store, new(text, at=BEGINNING - days * day, project=project))

    found = await store.reading.read(episodes.earlier, names, Scope("/p"), BEGINNING, 30.0)

    assert [one.memory_id for one in found] == [1, 5]
