"""Connections to the database: one named thread each, and the settings they share.

``apsw.aio`` gives each connection its thread and carries the caller's deadline into SQLite: a
statement running over it is interrupted.
"""

from __future__ import annotations

import ctypes
import importlib.util
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Final, Protocol, TypeVar, cast

import apsw
import apsw.aio
import trio

from daemon.storage.database.sql import Sql

T = TypeVar("T")

# Between two looks at the deadline. 50,000 steps, the default, is about a tenth of a
# second, which is the whole budget of a prompt.
STEPS_BETWEEN_CHECKS = 2_000

# (pragma, value, why)
PRAGMAS: tuple[tuple[str, str | int, str], ...] = (
    ("busy_timeout", 10_000, "a backup or a person's sqlite3 may hold the lock for a moment"),
    ("foreign_keys", "ON", "rows of a memory go with it"),
    ("synchronous", "FULL", "what was acknowledged survives a power cut"),
    ("cache_size", -8_000, "8 MB: every commit of another connection empties it"),
    ("mmap_size", 0, "every commit unmaps the file, and all that was read of it is resident"),
    ("temp_store", "MEMORY", "no text in temporary files outside the home"),
    ("trusted_schema", "OFF", "functions in a tampered schema do not run"),
    ("wal_autocheckpoint", 0, "a checkpoint inside a commit costs it 4-64 ms"),
)


class Connection(Protocol):
    """Thread for one piece of work after the other on one connection."""

    @property
    def in_flight(self) -> int:
        """Pieces of work under way."""
        ...

    async def run(self, work: Callable[[Sql], T]) -> T:
        """Do this piece of work; errors are apsw's."""
        ...


class Opening(Protocol):
    """Opens a connection; ``thread`` is the name of whoever does its work."""

    def __call__(
        self, path: Path, *, thread: str, read_only: bool
    ) -> AbstractAsyncContextManager[Connection]: ...


class ThreadedConnection:
    """One connection on its own thread."""

    def __init__(self, connection: apsw.AsyncConnection) -> None:
        # On its thread the asynchronous connection is an ordinary one (apsw.aio).
        self._sql = Sql(cast("apsw.Connection", connection))
        self._run = cast("Callable[..., Awaitable[object]]", connection.async_run)
        self.in_flight = 0

    async def run(self, work: Callable[[Sql], T]) -> T:
        """Do this piece of work on the connection's thread.

        The caller's deadline holds inside SQLite; errors are apsw's.
        """
        self.in_flight += 1
        try:
            return cast("T", await self._run(work, self._sql))
        finally:
            self.in_flight -= 1


@asynccontextmanager
async def open_connection(
    path: Path, *, thread: str, read_only: bool
) -> AsyncGenerator[Connection]:
    """Open the database with our settings; closing waits for the thread to end."""
    flags = (
        apsw.SQLITE_OPEN_READONLY
        if read_only
        else apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
    )
    # The stub asks for a controller where apsw calls a factory of one.
    factory = cast("apsw.AsyncConnectionController", lambda: apsw.aio.Trio(thread_name=thread))
    controller = apsw.async_controller.set(factory)
    steps = apsw.aio.check_progress_steps.set(STEPS_BETWEEN_CHECKS)
    try:
        opened = await apsw.Connection.as_async(str(path), flags=flags)
    finally:
        apsw.aio.check_progress_steps.reset(steps)
        apsw.async_controller.reset(controller)
    try:
        connection = ThreadedConnection(opened)
        await connection.run(lambda sql: configured(sql, read_only=read_only))
        yield connection
    finally:
        with trio.CancelScope(shield=True):
            await opened.aclose()


def configured(sql: Sql, *, read_only: bool) -> None:
    """Apply every pragma and load sqlite-vec."""
    if not read_only:
        sql.rows("PRAGMA journal_mode = WAL")
    for name, value, _ in PRAGMAS:
        sql.rows(f"PRAGMA {name} = {value}")
    if read_only:
        sql.rows("PRAGMA query_only = ON")
    sql.load_extension(vec_extension())


def vec_extension() -> Path:
    """Path of sqlite-vec's library; found without importing the package."""
    spec = importlib.util.find_spec("sqlite_vec")
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError("sqlite-vec is not installed: run make setup again")
    return Path(spec.origin).with_name("vec0")


# ---- memory given back after much work: an import, or many vectors
#
# Pages read stay in each connection's cache; freed memory stays with the allocator. All of it can be
# read again from the system's page cache.


_LIBRARY: Final = ctypes.CDLL(None)


def rest(sql: Sql) -> None:
    """Let go of a connection's unused pages."""
    sql.rows("PRAGMA shrink_memory")


def give_back() -> None:
    """Give freed memory back to the system; only the C library of GNU can be told to."""
    trim = getattr(_LIBRARY, "malloc_trim", None)
    if trim is not None:
        trim(0)
