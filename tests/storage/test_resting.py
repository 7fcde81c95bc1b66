"""A connection gives back what it holds of the file, and goes on reading and writing."""

from __future__ import annotations

import apsw
import pytest
from trio.testing import MockClock

from daemon.storage.connection import MAPPED
from daemon.storage.resting import give_back, rest
from daemon.storage.sql import Sql
from daemon.storage.store import OpenStore
from tests.writing import new, written

pytestmark = pytest.mark.trio

TEXTS = 200


def cached(sql: Sql) -> int:
    """Bytes of pages that a connection holds."""
    return sql.raw.status(apsw.SQLITE_DBSTATUS_CACHE_USED)[0]


def rested(sql: Sql) -> tuple[int, int, int]:
    """Bytes held before and after, and the bytes of the file that are mapped from then on."""
    sql.rows("SELECT text FROM memory")
    before = cached(sql)
    rest(sql)
    give_back()
    return before, cached(sql), sql.number("PRAGMA mmap_size")


async def test_a_connection_that_rests_holds_fewer_pages_and_reads_on(
    store: OpenStore, autojump_clock: MockClock
) -> None:
    await written(store, *(new(f"{number} {'x' * 4_000}") for number in range(TEXTS)))
    before, after, mapping = await store.reading.read(rested)
    texts = await store.reading.read(lambda sql: sql.number("SELECT count(*) FROM memory"))

    assert after < before / 2
    assert mapping == MAPPED
    assert texts == TEXTS


async def test_every_connection_rests_once_much_was_taken_up(
    store: OpenStore, autojump_clock: MockClock
) -> None:
    await written(store, *(new(f"{number} {'x' * 4_000}") for number in range(TEXTS)))
    await store.reading.warm()
    before = await store.reading.read(cached)
    await store.reading.keep(1)
    after = await store.reading.read(cached)

    assert after < before / 2
