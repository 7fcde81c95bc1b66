"""The tests' own clock: virtual time stands still while SQLite works."""

from __future__ import annotations

import threading

import pytest
import trio
from trio.testing import MockClock

from daemon.home import Home
from daemon.storage.database.sql import Sql
from daemon.storage.store import OpenStore
from daemon.supervisor import WorkThread
from tests.clock import BEGINNING, FollowingClock, be_patient, open_patiently

pytestmark = pytest.mark.trio


async def test_no_virtual_second_passes_while_sqlite_works(
    threaded_store: OpenStore, autojump_clock: MockClock
) -> None:
    many = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 200000)"
    with trio.fail_after(5):
        await threaded_store.reading.read(Sql.rows, f"{many} SELECT max(i) FROM n")

    assert trio.current_time() == pytest.approx(0, abs=1e-6)


async def test_none_passes_while_a_store_opens_and_closes(
    home: Home, autojump_clock: MockClock
) -> None:
    """A clock that spun beside the opening would reach the deadline before the file is there."""
    with trio.fail_after(5):
        async with open_patiently(home):
            pass

    assert trio.current_time() == pytest.approx(0, abs=1e-6)


async def test_none_passes_while_either_of_two_kinds_of_work_is_under_way(
    threaded_store: OpenStore, autojump_clock: MockClock
) -> None:
    go = threading.Event()
    files = WorkThread("files")
    async with trio.open_nursery() as nursery:
        be_patient(lambda: files.in_flight)
        nursery.start_soon(files.run, go.wait)
        with trio.fail_after(5):
            await threaded_store.reading.living(0, 1)
        stood = trio.current_time()
        go.set()

    assert stood == pytest.approx(0, abs=1e-6)


async def test_time_flies_when_nobody_works(
    threaded_store: OpenStore, autojump_clock: MockClock
) -> None:
    await trio.sleep(86_400)

    assert FollowingClock().now() == pytest.approx(BEGINNING + 86_400, abs=1)
