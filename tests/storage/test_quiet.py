"""What is written is taken up when the writing pauses, not in the middle of an import."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar, cast

import trio
from trio.testing import wait_all_tasks_blocked

from daemon.home import Home
from daemon.soundness import Soundness
from daemon.storage.database.sql import Sql
from daemon.storage.reader import QUIET_WITHIN, ReadingSide
from tests.clock import VIRTUAL_TIME

pytestmark = VIRTUAL_TIME
T = TypeVar("T")


class Counting:
    """A connection to a store with nothing in it; counts what is done on it."""

    in_flight = 0

    def __init__(self) -> None:
        self.done = 0

    async def run(self, work: Callable[[Sql], T]) -> T:
        """Nothing is found."""
        self.done += 1
        await trio.lowlevel.checkpoint()
        return cast("T", 0)


@asynccontextmanager
async def followed(folder: Path) -> AsyncGenerator[tuple[ReadingSide, Counting]]:
    """A reading side that has taken up what there was, and counts from then on."""
    connection = Counting()
    reading = ReadingSide([connection], Soundness(Home(folder)))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(reading.follow)
        await wait_all_tasks_blocked()
        connection.done = 0
        yield reading, connection
        nursery.cancel_scope.cancel()


async def write_for(reading: ReadingSide, seconds: float) -> None:
    """Pages of an import, five a second."""
    for _ in range(round(seconds * 5)):
        reading.was_written()
        await trio.sleep(0.2)


async def test_a_pause_is_awaited(tmp_path: Path) -> None:
    async with followed(tmp_path) as (reading, connection):
        await write_for(reading, QUIET_WITHIN / 2)
        meanwhile = connection.done
        await trio.sleep(1.0)

        assert meanwhile == 0
        assert connection.done > 0


async def test_but_not_for_ever(tmp_path: Path) -> None:
    async with followed(tmp_path) as (reading, connection):
        await write_for(reading, QUIET_WITHIN + 1.0)

        assert connection.done > 0
