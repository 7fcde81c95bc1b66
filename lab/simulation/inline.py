"""The store's connections without threads: work is done on the spot.

Two threads finish in an order no clock decides. Here everything has one order, so a script gives
the same life every time; the queries and the writes are the daemon's.
"""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

import apsw
import trio

from daemon.storage.database.connection import configured
from daemon.storage.database.sql import Sql

T = TypeVar("T")


class InlineConnection:
    """``daemon.storage.database.connection.Connection`` on the caller's own thread."""

    in_flight = 0  # nothing is ever under way while somebody else runs

    def __init__(self, raw: apsw.Connection) -> None:
        self._sql = Sql(raw)

    async def run(self, work: Callable[[Sql], T]) -> T:
        """Do this piece of work, or nothing of it when the caller is cancelled."""
        await trio.lowlevel.checkpoint()
        return work(self._sql)


@asynccontextmanager
async def open_inline(
    path: Path,
    *,
    thread: str,  # noqa: ARG001 - there is none
    read_only: bool,
) -> AsyncGenerator[InlineConnection]:
    """Open the database with the daemon's settings, but for waiting for the disk.

    A simulated life has no power cuts: writes are there for whoever opens the file next.
    """
    flags = (
        apsw.SQLITE_OPEN_READONLY
        if read_only
        else apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
    )
    raw = apsw.Connection(str(path), flags=flags)
    try:
        connection = InlineConnection(raw)
        await connection.run(lambda sql: configured(sql, read_only=read_only))
        await connection.run(lambda sql: sql.rows("PRAGMA synchronous = OFF"))
        yield connection
    finally:
        raw.close()
