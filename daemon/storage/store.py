"""The store: one writing connection, two reading ones, one file.

Opening is careful: a vanished database is an error and not a fresh start, one of a newer schema is
refused, a broken one is named with its remedy. Errors of the disk become ``Unwritable``; everything
else is a bug and stays as it is.
"""

import logging
import secrets
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeVar

import apsw
import trio
from msgspec import Struct
from msgspec.structs import replace

from actors.core.equipment import Clock
from actors.core.failures import Unwritable
from actors.memory.commit import Unit
from daemon.durability.copies import sound_copies
from daemon.durability.marker import (
    Marker,
    compared,
    deletion,
    emptied,
    had,
    log_damage,
    marker_of,
    read_marker,
    write_marker,
)
from daemon.durability.watch import FilesLost, OpenFiles, keep_log
from daemon.home import FILE_MODE, Home
from daemon.soundness import Soundness, explained
from daemon.storage import erasing
from daemon.storage.database import schema
from daemon.storage.database.connection import Connection, Opening, open_connection
from daemon.storage.database.sql import Sql
from daemon.storage.database.writes import carry_out
from daemon.storage.index.snapshots import newest
from daemon.storage.index.words import changed_since
from daemon.storage.reader import ReadingSide
from daemon.storage.secrets import scrubbed
from daemon.times import WallClock

T = TypeVar("T")

log = logging.getLogger(__name__)

READERS = 2
LOOK = 3.0  # seconds between two looks at the files while nothing is committed


class StoreVanished(Exception):
    """The database is gone although memories were in it."""


class StoreBroken(Exception):
    """The database cannot be opened."""


def check_not_vanished(home: Home) -> None:
    """Raises ``StoreVanished`` when a marker tells of memories and the file is not there."""
    marker = read_marker(home)
    if marker is None or marker.memories == 0:
        return
    if home.database.exists() and home.database.stat().st_size:
        return
    if marker.moved_to:
        raise StoreVanished(
            f"{home.root} was moved to {marker.moved_to}, and {had(marker, 'it')}: set REVERIE_HOME"
            f" to that, bring them here ('reverie backup restore"
            f" {marker.moved_to}/{home.database.name}'), or delete {home.marker} to begin anew"
        )
    raise StoreVanished(
        f"{home.database} is missing or empty, but {had(marker, 'it')}: put the file back,"
        f" {_or_a_copy(home, marker.store_id)}, or delete {home.marker.name} to begin anew"
    )


def _or_a_copy(home: Home, store_id: str) -> str:
    """Say which copy of this store is sound; each is read whole, newest first."""
    for copy, found in sound_copies(home):
        if found.store_id == store_id and found.memories:
            return f"'reverie backup restore {copy.path.name}' ({found.memories:,} memories)"
    return f"no copy of it in {home.backups} is sound"


class Committed(NamedTuple):
    """Result of units: an outcome each, and the memories changed by them."""

    outcomes: list[list[int] | Exception]  # the numbers its writes produced, or why it failed
    changed: list[int]
    is_news: bool  # an index has something to take up: most of a prompt's writes are none


class WritingSide:
    """The store as ``long_term`` writes it. A failed write is raised as ``Unwritable``.

    A damaged file takes nothing more: hooks' events then wait in the spool.
    """

    def __init__(
        self,
        connection: Connection,
        soundness: Soundness,
        files: OpenFiles,
        before: Marker,
        clock: Clock,
        was_written: Callable[[], None],
    ) -> None:
        """``before``: the marker at the opening, with the loss."""
        self._was_written = was_written
        self._connection = connection
        self._soundness = soundness
        self._home = soundness.home
        self._files = files
        self._before = before
        self._clock = clock
        self._committed = trio.Event()  # since the marker was written
        self._version = 0  # of the database, as SQLite counts what others commit
        self.leaves = False  # nothing is lost if the daemon leaves and another one comes

    @property
    def in_flight(self) -> int:
        """Pieces of work under way."""
        return self._connection.in_flight

    async def commit(self, units: Sequence[Unit]) -> Committed:
        """Carry out each unit whole or not at all, all in one durable transaction."""
        done = await self._do(partial(self._carried_out, units, self._clock.now()))
        self._committed.set()
        if done.is_news:
            self._was_written()
        return done

    def _carried_out(self, units: Sequence[Unit], at: float, sql: Sql) -> Committed:
        self._files.check(sql, at)
        before = newest(sql)
        outcomes = carry_out(sql, units)
        self._files.written()
        after = newest(sql)
        changed = changed_since(sql, before.memory) if before.memory != after.memory else []
        return Committed(outcomes, changed, is_news=before != after)

    async def probe(self) -> None:
        """Write a page as it is. Raises ``Unwritable`` where nothing can be written."""
        await self._do(partial(self._probed, self._clock.now()))

    def _probed(self, at: float, sql: Sql) -> None:
        self._files.check(sql, at)
        # SQLite writes the first page for it, also where the number is the same.
        sql.rows(f"PRAGMA user_version = {sql.number('PRAGMA user_version')}")
        self._files.written()

    async def checkpoint(self, *, truncate: bool) -> None:
        """Move the write-ahead log into the database."""
        mode = "TRUNCATE" if truncate else "PASSIVE"

        def moved(sql: Sql) -> None:
            sql.rows(f"PRAGMA wal_checkpoint({mode})")
            self._files.settled()

        await self._do(moved)

    async def scrub(self) -> None:
        """Leave no byte of erased text in any file of the database, nor in its copies."""
        # One that is being made holds a moment before the erasure, and so its pages in the log.
        await self._do(lambda _: _empty(self._home.backups))
        await self._do(self._scrubbed)
        await self._do(lambda _: _empty(self._home.backups))
        await self._do(lambda _: _empty(self._home.indexes))
        await self._do(lambda _: _empty(self._home.repair))  # of a repair that was killed
        await self._do(scrubbed)

    def _scrubbed(self, sql: Sql) -> None:
        erasing.scrub(sql)
        self._files.settled()

    async def mark(self) -> None:
        """Write the marker, beside the database.

        Not beside another one: the home may have been removed and made anew.
        """
        self._committed = trio.Event()
        await self._do(partial(self._marked, self._clock.now()))

    def _marked(self, at: float, sql: Sql) -> None:
        if self._files.is_ours:
            said, found = self._before, marker_of(sql)
            if loss := deletion(self._home, said, found):
                log.error("loss why=%s", loss)
                said = replace(said, loss=loss, lost_at=at)
                self._soundness.loss = loss
            self._before = replace(found, loss=said.loss, lost_at=said.lost_at)
            write_marker(self._home, self._before)

    async def watch(self, every: float) -> None:
        """Compare the open files with their paths, and write the marker after commits.

        ``every``: seconds between two looks after commits; a few otherwise. Returns when the daemon
        has to leave.
        """
        while not self.leaves:
            try:
                await self._do(partial(self._looked, self._clock.now()))
                if self._committed.is_set():
                    await self.mark()
            except (Unwritable, apsw.Error) as error:  # the next look may go well
                log.debug("look_failed error=%s", type(error).__name__)
            await trio.sleep(every)
            with trio.move_on_after(LOOK):
                await self._committed.wait()

    def _looked(self, at: float, sql: Sql) -> None:
        self._files.look(sql, at)
        version = sql.number("PRAGMA data_version")  # moves with every commit that is not ours
        if version != self._version:
            self._version = version
            self._committed.set()

    async def _do(self, work: Callable[[Sql], T]) -> T:
        if self._soundness.damage is not None:
            raise Unwritable(self._soundness.damage)
        try:
            return await self._connection.run(work)
        except FilesLost as error:
            log.error("files_lost why=%s", error)
            self._soundness.damage, self.leaves = str(error), error.leaves
            raise Unwritable(str(error)) from error
        except (
            apsw.FullError, apsw.ReadOnlyError, apsw.IOError, apsw.CorruptError,
            apsw.NotADBError, apsw.BusyError, apsw.CantOpenError, OSError,
        ) as error:  # fmt: skip
            raise Unwritable(self._soundness.judge(error)) from error


def _empty(folder: Path) -> None:
    """Delete the files: a copy or an index has the erased text, or cannot be known not to.

    Looked at until nothing is left: a copy in the making may get its name meanwhile. A folder made there
    by a person is left alone.
    """
    while found := [path for path in folder.glob("*") if path.is_symlink() or not path.is_dir()]:
        for path in found:
            path.unlink(missing_ok=True)


class OpenStore(Struct, frozen=True):
    """Both sides of an open store."""

    writing: WritingSide
    reading: ReadingSide
    store_id: str
    soundness: Soundness
    fresh: Callable[[], AbstractAsyncContextManager[Connection]]  # opens one more, for reading

    @property
    def in_flight(self) -> int:
        """Pieces of work under way on any connection."""
        return self.writing.in_flight + self.reading.in_flight

    async def examine(self) -> None:
        """Look through the whole file for damage, on a fresh connection.

        A damaged page in the middle hurts nobody until it is read: better to know first. A connection used
        for searching words takes another one's later writes for damage (FTS5 in SQLite 3.54 keeps the
        structure of its index, and the check trusts it).
        """
        try:
            async with self.fresh() as connection:
                await connection.run(_examined)
        except (apsw.Error, UnicodeDecodeError) as error:
            log.warning("examined error=%s", type(error).__name__)
            self.soundness.judge(error)


@asynccontextmanager
async def open_store(
    home: Home, *, connect: Opening = open_connection, clock: Clock | None = None
) -> AsyncGenerator[OpenStore]:
    """Open the store of this home, bringing its schema up to date.

    ``connect`` opens each of its connections. Raises ``StoreVanished``, ``StoreBroken``
    or ``StoreTooNew``; each text names the file and the remedy.
    """
    clock = clock or WallClock()
    check_not_vanished(home)
    async with AsyncExitStack() as stack:
        try:
            writing = await stack.enter_async_context(
                connect(home.database, thread="sqlite-writer", read_only=False)
            )
            now = clock.now()
            before, store_id = await writing.run(lambda sql: _prepared(sql, home, now))
            reading = [
                await stack.enter_async_context(
                    connect(home.database, thread=f"sqlite-reader-{n}", read_only=True)
                )
                for n in range(READERS)
            ]
        except apsw.Error as error:
            raise StoreBroken(explained(error, home)) from error
        if before.loss:
            log.error("loss why=%s", before.loss)
            write_marker(home, before)  # whoever repairs looks there
        soundness = Soundness(home, loss=before.loss)
        files = OpenFiles(home, store_id)
        reader = ReadingSide(reading, soundness, beside=(writing,))
        yield OpenStore(
            WritingSide(writing, soundness, files, before, clock, reader.was_written),
            reader,
            store_id,
            soundness,
            partial(connect, home.database, thread="sqlite-examiner", read_only=True),
        )


def _examined(sql: Sql) -> None:
    found = sql.value("PRAGMA quick_check(1)")
    if found != "ok":
        raise apsw.CorruptError(str(found))


def _prepared(sql: Sql, home: Home, now: float) -> tuple[Marker, str]:
    """Bring the schema up to date; returns the marker from before, with the loss, and the store's id."""
    _check_whole(sql, home)
    before = compared(home, marker_of(sql), now)
    schema.migrate(sql, backups=home.backups)
    for path in (home.database, *home.root.glob("reverie.db-*")):
        path.chmod(FILE_MODE)
    sql.rows("INSERT INTO store VALUES ('id', ?) ON CONFLICT DO NOTHING", (secrets.token_hex(8),))
    return before, str(sql.value("SELECT value FROM store WHERE name = 'id'"))


def _check_whole(sql: Sql, home: Home) -> None:
    """Raises ``StoreBroken`` for a damaged log, ``StoreVanished`` for an empty store in the place of one with memories.

    Before anything is written: the rest of the log is for the repair.
    """
    broken, gone, marker = log_damage(home, sql), emptied(home, sql), read_marker(home)
    if broken or gone:
        keep_log(sql)
    if broken:
        raise StoreBroken(broken)
    if gone and marker is not None:
        raise StoreVanished(
            f"{gone}: put that back, {_or_a_copy(home, marker.store_id)}, or delete"
            f" {home.marker.name} to begin anew"
        )
