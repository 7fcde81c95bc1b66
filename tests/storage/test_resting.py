"""A connection gives back what it holds of the file, and goes on reading and writing."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import apsw
import pytest
import trio
from msgspec import Struct
from trio.testing import wait_all_tasks_blocked

from daemon.context import Parts
from daemon.gateway import Gateway
from daemon.home import Home
from daemon.host import RESTED_AFTER, WORTH_RESTING, rest_when_quiet
from daemon.storage.database.connection import give_back, rest
from daemon.storage.database.sql import Sql
from daemon.storage.reader import ReadingSide
from daemon.storage.store import OpenStore
from tests.clock import VIRTUAL_TIME
from tests.writing import new, written

pytestmark = VIRTUAL_TIME

TEXTS = 200


def cached(sql: Sql) -> int:
    """Bytes of pages that a connection holds."""
    return sql.raw.status(apsw.SQLITE_DBSTATUS_CACHE_USED)[0]


def rested(sql: Sql) -> tuple[int, int]:
    """Bytes held before and after."""
    sql.rows("SELECT text FROM memory")
    before = cached(sql)
    rest(sql)
    give_back()
    return before, cached(sql)


SMAPS = Path("/proc/self/smaps")


def resident(file: Path) -> int:
    """KB of this process's mappings of a file that are in memory."""
    found, is_of_file = 0, False
    for line in SMAPS.read_text().splitlines():
        name, *rest_ = line.split()
        if not name.endswith(":"):
            is_of_file = line.endswith(str(file))
        elif name == "Rss:":
            found += is_of_file * int(rest_[0])
    return found


@pytest.mark.skipif(not SMAPS.exists(), reason="only Linux tells what of a mapping is in memory")
async def test_nothing_of_the_file_is_mapped_however_much_of_it_was_read(
    store: OpenStore, home: Home
) -> None:
    await written(store, *(new(f"{number} {'x' * 4_000}") for number in range(TEXTS)))
    await store.writing.checkpoint(truncate=True)
    await store.examine()
    await store.reading.read(Sql.rows, "SELECT text FROM memory")

    assert home.database.stat().st_size > TEXTS * 4_000
    assert resident(home.database) == 0


async def test_a_connection_that_rests_holds_fewer_pages_and_reads_on(store: OpenStore) -> None:
    await written(store, *(new(f"{number} {'x' * 4_000}") for number in range(TEXTS)))
    before, after = await store.reading.read(rested)
    texts = await store.reading.read(Sql.number, "SELECT count(*) FROM memory")

    assert after < before / 2
    assert texts == TEXTS


async def test_every_connection_rests_once_much_was_taken_up(store: OpenStore) -> None:
    await written(store, *(new(f"{number} {'x' * 4_000}") for number in range(TEXTS)))
    await store.reading.warm()
    before = await store.reading.read(cached)
    await store.reading.keep(1)
    after = await store.reading.read(cached)

    assert after < before / 2


class Few(Struct):
    """The little of the daemon's parts, and of its gateway, that resting needs."""

    reader: ReadingSide
    last_event: float
    served: int


async def test_memory_is_given_back_once_much_was_written_and_nothing_more_is(
    store: OpenStore,
) -> None:
    few = Few(store.reading, trio.current_time(), 0)
    held: list[int] = []
    async with trio.open_nursery() as nursery:
        nursery.start_soon(rest_when_quiet, cast("Parts", few), cast("Gateway", few))
        await wait_all_tasks_blocked()
        await written(store, *(new(f"{number} {'x' * 4_000}") for number in range(TEXTS)))
        await store.reading.warm()
        for _ in range(WORTH_RESTING):
            store.reading.was_written()
        for _ in range(2):  # the first look finds that something was just written
            held.append(await store.reading.read(cached))
            await trio.sleep(RESTED_AFTER + 0.5)
        held.append(await store.reading.read(cached))
        nursery.cancel_scope.cancel()

    assert held[1] == held[0]
    assert held[2] < held[0] / 2


@pytest.mark.parametrize(
    ("served", "asked", "rests"),
    [(WORTH_RESTING, 0.0, True), (WORTH_RESTING - 1, 0.0, False), (WORTH_RESTING, 1.0, False)],
    ids=["much was answered", "little was answered", "somebody asks"],
)
async def test_memory_is_given_back_once_much_was_answered_and_nobody_asks(
    store: OpenStore, served: int, asked: float, rests: bool
) -> None:
    await written(store, *(new(f"{number} {'x' * 4_000}") for number in range(TEXTS)))
    await store.reading.warm()
    before = await store.reading.read(cached)
    few = Few(store.reading, trio.current_time() + asked, served)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(rest_when_quiet, cast("Parts", few), cast("Gateway", few))
        await trio.sleep(RESTED_AFTER + 0.5)
        after = await store.reading.read(cached)
        nursery.cancel_scope.cancel()

    assert (after < before / 2) is rests
