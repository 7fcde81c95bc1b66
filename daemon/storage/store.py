"""The store behind the ports: one writing connection, two reading ones, one file.

Opening is careful: a database that vanished is an error and not a fresh start, one of
a newer schema is refused, one that is broken is named with its remedy. Errors of the
disk become ``Unwritable``; everything else is a bug and stays what it is.
"""

from __future__ import annotations

import errno
import json
import os
import secrets
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from typing import TypeVar

import apsw
import trio

from actors.ports import (
    CaptureTotals,
    Counts,
    HeldRow,
    JournalRow,
    Memory,
    Scope,
    SessionRow,
    TagRow,
    Unreadable,
    Unwritable,
    VectorHit,
    Waiting,
    WordHit,
)
from actors.writes import Raised, Unit
from daemon.home import FILE_MODE, Home, identity
from daemon.storage import capturing, erasing, queries, schema
from daemon.storage.connection import Connection, open_connection
from daemon.storage.nearby import Nearby, compared
from daemon.storage.sql import Sql
from daemon.storage.writes import carry_out

T = TypeVar("T")

READERS = 2
# What SQLite says of a damaged file; of a damaged page of text it may say nothing.
DAMAGE = (apsw.CorruptError, apsw.NotADBError, UnicodeDecodeError)


class StoreVanished(Exception):
    """The database is gone although memories were in it."""


class StoreBroken(Exception):
    """The database cannot be opened."""


@dataclass(frozen=True, slots=True)
class Marker:
    """What the marker file beside the database says."""

    store_id: str
    memories: int


def read_marker(home: Home) -> Marker | None:
    """The marker, or ``None`` when there is none that can be read."""
    try:
        found = json.loads(home.marker.read_text(encoding="utf-8"))
        return Marker(str(found["store_id"]), int(found["memories"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def write_marker(home: Home, marker: Marker) -> None:
    """Replace the marker in one step."""
    unfinished = home.marker.with_suffix(".part")
    with os.fdopen(
        os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, FILE_MODE), "w", encoding="utf-8"
    ) as file:
        json.dump({"store_id": marker.store_id, "memories": marker.memories}, file)
        file.flush()
        os.fsync(file.fileno())
    unfinished.rename(home.marker)


def check_not_vanished(home: Home) -> None:
    """Raises ``StoreVanished`` when a marker tells of memories and the file is not there."""
    marker = read_marker(home)
    if marker is None or marker.memories == 0:
        return
    if not home.database.exists() or home.database.stat().st_size == 0:
        raise StoreVanished(
            f"{home.database} is missing or empty, but {marker.memories} memories were in it:"
            f" put the file back, or delete {home.marker.name} to begin anew"
        )


@dataclass(slots=True)
class Soundness:
    """Whether the file was found damaged: what one connection meets, all know."""

    home: Home
    damage: str | None = None

    def judge(self, error: Exception) -> str:
        """The error explained; damage is remembered."""
        explained = _explained(error, self.home)
        if isinstance(error, DAMAGE):
            self.damage = explained
        return explained


class WritingSide:
    """``actors.ports.Store`` on the writing connection.

    A damaged file takes nothing more: what hooks bring then waits in the spool.
    """

    def __init__(self, connection: Connection, soundness: Soundness, store_id: str) -> None:
        self._connection = connection
        self._soundness = soundness
        self._home = soundness.home
        self._store_id = store_id
        self._file = identity(self._home.database)

    @property
    def in_flight(self) -> int:
        """Pieces of work under way."""
        return self._connection.in_flight

    async def commit(self, units: Sequence[Unit]) -> list[list[int] | Exception]:
        """Each unit whole or not at all, all in one durable transaction."""
        return await self._do(lambda sql: carry_out(sql, units))

    async def checkpoint(self, *, truncate: bool) -> None:
        """Move the write-ahead log into the database."""
        mode = "TRUNCATE" if truncate else "PASSIVE"
        await self._do(lambda sql: sql.rows(f"PRAGMA wal_checkpoint({mode})"))

    async def scrub(self) -> None:
        """Leave no byte of erased text in any file of the database."""
        await self._do(erasing.scrub)
        await self._do(lambda _: _without_backups(self._home))

    async def mark(self, memories: int) -> None:
        """Write down how many memories there are, beside the database.

        Not beside another one: the home may have been removed and made anew.
        """
        marker = Marker(self._store_id, memories)
        if identity(self._home.database) == self._file:
            await self._do(lambda _: write_marker(self._home, marker))

    async def _do(self, work: Callable[[Sql], T]) -> T:
        if self._soundness.damage is not None:
            raise Unwritable(self._soundness.damage)
        try:
            return await self._connection.run(work)
        except (
            apsw.FullError, apsw.ReadOnlyError, apsw.IOError, apsw.CorruptError,
            apsw.NotADBError, apsw.BusyError, apsw.CantOpenError, OSError,
        ) as error:  # fmt: skip
            raise Unwritable(self._soundness.judge(error)) from error


def _without_backups(home: Home) -> None:
    """A backup has what was erased, and cannot be told from one that has not."""
    for backup in home.backups.glob("*"):
        backup.unlink()


class ReadingSide:
    """``actors.ports.Reader`` on whichever reading connection is less busy."""

    def __init__(self, connections: Sequence[Connection], soundness: Soundness) -> None:
        self._connections = connections
        self._soundness = soundness
        self._nearby = Nearby()  # used on the first connection's thread only

    @property
    def damage(self) -> str | None:
        """What is wrong with the file and what to do, once it was found damaged."""
        return self._soundness.damage

    async def read(self, query: Callable[[Sql], T]) -> T:
        """Run one query of ``daemon.storage.queries`` under the caller's deadline."""
        return await self._on(min(self._connections, key=lambda c: c.in_flight), query)

    async def _near(self, query: Callable[[Sql], T]) -> T:
        return await self._on(self._connections[0], query)

    async def _on(self, connection: Connection, query: Callable[[Sql], T]) -> T:
        try:
            return await connection.run(query)
        except (apsw.IOError, apsw.CantOpenError, *DAMAGE) as error:
            raise Unreadable(self._soundness.judge(error)) from error

    @property
    def in_flight(self) -> int:
        """Queries under way."""
        return sum(connection.in_flight for connection in self._connections)

    async def memories(self, ids: Sequence[int]) -> dict[int, Memory]:
        """These memories, ended or not."""
        return await self.read(lambda sql: queries.memories(sql, ids))

    async def living(self, after: int, limit: int) -> list[Memory]:
        """Living memories with an id over ``after``, in the order of ids."""
        return await self.read(lambda sql: queries.living(sql, after, limit))

    async def words(self, expression: str, scope: Scope, limit: int) -> list[WordHit]:
        """The best full-text matches, best first."""
        return await self.read(lambda sql: queries.words(sql, expression, scope, limit))

    async def nearest(self, vector: bytes, scope: Scope, limit: int) -> list[VectorHit]:
        """The nearest memories by cosine, best first."""
        return await self._near(lambda sql: self._nearby.nearest(sql, vector, scope, limit))

    async def cosines(self, vector: bytes, ids: Sequence[int]) -> dict[int, float]:
        """The best cosine of each of these memories that has vectors."""
        if not ids:
            return {}
        best: dict[int, float] = {}
        found = await self.read(lambda sql: compared(sql, vector, "c.memory_id", ids))
        for memory_id, cosine in found:
            best[memory_id] = max(best.get(memory_id, -1.0), cosine)
        return best

    async def warm(self) -> None:
        """Take up all vectors there are, in turns: searches before that are slower."""
        while await self._near(self._nearby.take_up):
            await trio.lowlevel.checkpoint()

    async def document_frequencies(self, terms: Sequence[str]) -> tuple[int, dict[str, int]]:
        """How many memories there are, and in how many each index term stands."""
        return await self.read(lambda sql: queries.document_frequencies(sql, terms))

    async def around(self, ids: Sequence[int], reach: int) -> list[list[int]]:
        """Each of these with the living memories before and after it in its project's time."""
        return await self.read(lambda sql: queries.around(sql, ids, reach))

    async def same_content(self, content_hash: bytes, scope: Scope) -> list[int]:
        """Living memories with this content hash."""
        return await self.read(lambda sql: queries.same_content(sql, content_hash, scope))

    async def undone(self, after: int, limit: int) -> list[JournalRow]:
        """Journaled events whose derivation is not finished, oldest first."""
        return await self.read(lambda sql: queries.undone(sql, after, limit))

    async def unvectored(self, model: str, limit: int) -> list[Waiting]:
        """Living memories without vectors of this model, newest first."""
        return await self.read(lambda sql: queries.unvectored(sql, model, limit))

    async def unjudged(self, limit: int) -> list[Memory]:
        """Living memories that have vectors and that the gate has yet to judge, oldest first."""
        return await self.read(lambda sql: queries.unjudged(sql, limit))

    async def decided(self, seq: int) -> frozenset[tuple[str, int]]:
        """The rule and ordinal of each proposal of this event that was decided already."""
        return await self.read(lambda sql: queries.decided(sql, seq))

    async def cached_vectors(self, model: str, hashes: Sequence[bytes]) -> Mapping[bytes, bytes]:
        """Vectors made before, by the hash of the chunk's text."""
        return await self.read(lambda sql: queries.cached_vectors(sql, model, hashes))

    async def delivered(self, session: str, since: float) -> list[tuple[bytes, float]]:
        """The session's ledger: content hash and time."""
        return await self.read(lambda sql: queries.delivered(sql, session, since))

    async def session(self, session: str) -> SessionRow | None:
        """What is known of the session."""
        return await self.read(lambda sql: queries.session_row(sql, session))

    async def held(self, session: str) -> tuple[int, list[HeldRow]]:
        """The session's working memory: its event counter and its traces."""
        return await self.read(lambda sql: queries.held(sql, session))

    async def constitutional(self, scope: Scope, limit: int) -> list[Memory]:
        """Living constitutional memories, most important first."""
        return await self.read(lambda sql: queries.constitutional(sql, scope, limit))

    async def tags(self, ids: Sequence[int] | None) -> list[TagRow]:
        """The tags of these memories, or all there are; of living memories only."""
        return await self.read(lambda sql: capturing.tags(sql, ids))

    async def importance_events(self, begin: float, end: float) -> list[Raised]:
        """The important moments from ``begin`` to ``end``, oldest first."""
        return await self.read(lambda sql: capturing.importance_events(sql, begin, end))

    async def capture_totals(self) -> CaptureTotals:
        """How much of tagging and capture is stored."""
        return await self.read(capturing.capture_totals)

    async def counts(self) -> Counts:
        """The size of the store."""
        return await self.read(lambda sql: queries.counts(sql))

    async def due(self) -> dict[str, tuple[float, float | None]]:
        """When each background job is due and last ran."""
        return await self.read(lambda sql: queries.due(sql))


@dataclass(frozen=True, slots=True)
class OpenStore:
    """Both sides of an open store."""

    writing: WritingSide
    reading: ReadingSide
    store_id: str

    @property
    def in_flight(self) -> int:
        """Pieces of work under way on any connection."""
        return self.writing.in_flight + self.reading.in_flight

    async def examine(self) -> None:
        """Look through the whole file for damage, on a reading connection.

        A damaged page in the middle hurts nobody until it is read: better to know first.
        """
        with suppress(Unreadable):
            await self.reading.read(_examined)


@asynccontextmanager
async def open_store(home: Home) -> AsyncGenerator[OpenStore]:
    """Open the store of this home, bringing its schema up to date.

    Raises ``StoreVanished``, ``StoreBroken`` or ``StoreTooNew``; each text names the
    file and the remedy.
    """
    check_not_vanished(home)
    async with AsyncExitStack() as stack:
        try:
            writing = await stack.enter_async_context(
                open_connection(home.database, thread="sqlite-writer", read_only=False)
            )
            await writing.run(lambda sql: _prepared(sql, home))
            store_id = await writing.run(_store_id)
            await writing.run(lambda sql: _check_not_replaced(sql, home, store_id))
            reading = [
                await stack.enter_async_context(
                    open_connection(home.database, thread=f"sqlite-reader-{n}", read_only=True)
                )
                for n in range(READERS)
            ]
        except apsw.Error as error:
            raise StoreBroken(_explained(error, home)) from error
        soundness = Soundness(home)
        yield OpenStore(
            WritingSide(writing, soundness, store_id), ReadingSide(reading, soundness), store_id
        )


def _examined(sql: Sql) -> None:
    ((found,),) = sql.rows("PRAGMA quick_check(1)")
    if found != "ok":
        raise apsw.CorruptError(str(found))


def _prepared(sql: Sql, home: Home) -> None:
    schema.migrate(sql, backups=home.backups)
    for path in (home.database, *home.root.glob("reverie.db-*")):
        path.chmod(FILE_MODE)


def _store_id(sql: Sql) -> str:
    sql.rows("INSERT INTO store VALUES ('id', ?) ON CONFLICT DO NOTHING", (secrets.token_hex(8),))
    ((found,),) = sql.rows("SELECT value FROM store WHERE name = 'id'")
    return str(found)


def _check_not_replaced(sql: Sql, home: Home, store_id: str) -> None:
    """Raises ``StoreVanished`` when another and empty store lies where one had memories."""
    marker = read_marker(home)
    if marker is None or marker.memories == 0 or marker.store_id == store_id:
        return
    if not sql.number("SELECT count(*) FROM memory"):
        raise StoreVanished(
            f"{home.database} is a new and empty store, but {marker.memories} memories were in"
            f" the one before: put that back, or delete {home.marker.name} to begin anew"
        )


def _explained(error: Exception, home: Home) -> str:
    """Whose fault it is and what to do, in one line."""
    place = home.database
    if isinstance(error, apsw.FullError) or (
        isinstance(error, OSError) and error.errno == errno.ENOSPC
    ):
        return f"the disk of {place.parent} is full: free some room; what was kept is safe"
    if isinstance(error, (apsw.ReadOnlyError, apsw.CantOpenError, PermissionError)):
        return f"{place} cannot be written: check who owns {place.parent} and its permissions"
    if isinstance(error, DAMAGE):
        return f"{place} is not a sound database: stop reverie and {_cure(home)}"
    if isinstance(error, apsw.BusyError):
        return f"{place} is held by another program: close it"
    return f"{place}: {type(error).__name__}: check the disk"


def _cure(home: Home) -> str:
    backups = sorted(home.backups.glob("*.db"), key=lambda path: path.stat().st_mtime)
    if backups:
        return f"put {backups[-1]} in its place"
    return (
        f"put back a copy; {home.backups} has none, so without your own"
        f" move it and {home.marker.name} aside to begin anew"
    )
