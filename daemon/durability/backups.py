"""Backups of the daemon's own database: their times, their making, their rotation.

Owns the only copy under way. It is made on a connection and a thread of its own, checked, and only
then given its name; a failed one leaves the ones before it as they are.
"""

import logging
import shutil
from collections.abc import Callable, Hashable, Iterable, Sequence
from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path
from typing import Final

import apsw
import trio
from msgspec import Struct, field

from actors.core.equipment import Clock, Foreground
from daemon.durability.copies import (
    BACKUP,
    UNFINISHED,
    Copy,
    Copying,
    Examined,
    Unsound,
    copies,
    copy_at,
    copy_name,
    log_of,
    put_in_place,
)
from daemon.home import FOLDER_MODE, Home
from daemon.settings import Backups as Settings
from daemon.soundness import Soundness, explained
from daemon.storage.database.connection import Connection, Opening, open_connection

log = logging.getLogger(__name__)

MEGABYTE: Final = 1_000_000  # bytes
SPARE: Final = 64 * MEGABYTE  # bytes of the disk that a backup leaves to others
NAP: Final = 0.02  # seconds after a step while somebody is there
SOMEBODY: Final = 1.0  # seconds since which somebody is there


class BackupFailed(Exception):
    """No backup was made; the text tells the reason and the remedy, in one line."""


class Full(Exception):
    """The disk has no room for a backup."""


class Disturbed(BackupFailed):
    """Something came in between: it is made another time, and nothing is wrong."""


class Backup(Struct, frozen=True):
    """A backup just made, and how many went for it."""

    copy: Copy
    found: Examined
    removed: int


class Backups(Struct):
    """Makes backups of one open store, one at a time."""

    soundness: Soundness
    settings: Settings
    store_id: str
    clock: Clock
    activity: Foreground
    connect: Opening = open_connection
    trouble: str | None = None  # why the last one was not made
    _turn: trio.Lock = field(default_factory=trio.Lock)

    @property
    def home(self) -> Home:
        """Home of the store and its backups."""
        return self.soundness.home

    async def missing(self, now: float) -> str:
        """Why none is to be made now; empty when none was made today, or none is left."""
        if self.soundness.damage is not None:
            return "the database is damaged"
        made = await trio.to_thread.run_sync(self._daily)
        # One of the future is no reason: the clock was wrong, and may have been by years.
        if day_of(now) in {day_of(one.at) for one in made}:
            return "today has its backup"
        return ""

    async def make(self, disturbed: Callable[[], bool] = lambda: False, name: str = "") -> Backup:
        """Make a backup, under a name if there is one, and let go of surplus ones.

        ``disturbed`` is asked before each step; then it ends for this time. Raises ``BackupFailed``.
        """
        async with self._turn:
            if (damage := self.soundness.damage) is not None:
                raise BackupFailed(f"no backup is made of what is damaged: {damage}")
            try:
                made = await self._made(disturbed, name)
            except FileNotFoundError as error:
                why = "something was erased while the backup was made: make it again"
                raise Disturbed(why) from error
            except (apsw.Error, OSError, Unsound, Full) as error:
                self.trouble = self._said(error)
                log.warning("backup_failed why=%s", self.trouble)
                raise BackupFailed(self.trouble) from error
            finally:
                with trio.CancelScope(shield=True):
                    await trio.to_thread.run_sync(self._tidy)
        self.trouble = None
        log.info("backup_made file=%s memories=%d", made.copy.path.name, made.found.memories)
        return made

    async def _made(self, disturbed: Callable[[], bool], name: str) -> Backup:
        now = self.clock.now()
        path = self.home.backups / copy_name(BACKUP, now, name)
        unfinished = (self.home.backups / copy_name(BACKUP, now)).with_suffix(UNFINISHED)
        await trio.to_thread.run_sync(self._check_room)
        opening = self.connect(self.home.database, thread="sqlite-backup", read_only=True)
        async with opening as connection:
            memories = await self._copied(connection, unfinished, disturbed)
        sure = partial(put_in_place, unfinished, path, memories=memories, store_id=self.store_id)
        found = await trio.to_thread.run_sync(sure)
        copy = copy_at(path)
        if copy is None:
            raise FileNotFoundError(path)
        return Backup(copy, found, await trio.to_thread.run_sync(self._rotated))

    async def _copied(
        self, connection: Connection, target: Path, disturbed: Callable[[], bool]
    ) -> int:
        """Copy all pages; the number of memories in them."""
        copying = await connection.run(lambda sql: Copying(sql, target))
        try:
            while not copying.done:
                if disturbed():
                    raise Disturbed("somebody came: the backup is made in the next pause")
                await connection.run(lambda _: copying.step())
                if self.activity.idle_for() < SOMEBODY:
                    await trio.sleep(NAP)
        finally:
            with trio.CancelScope(shield=True):
                await connection.run(lambda _: copying.close())
        return copying.memories

    def _check_room(self) -> None:
        """Raise ``Full`` when a copy would not leave room for new memories."""
        self.home.backups.mkdir(mode=FOLDER_MODE, exist_ok=True)
        self._tidy()
        size = sum(
            path.stat().st_size
            for path in (self.home.database, log_of(self.home.database))
            if path.exists()
        )
        free = shutil.disk_usage(self.home.backups).free
        if free < size + SPARE:
            needed = (size + SPARE) / MEGABYTE
            raise Full(
                f"{self.home.backups} has {free / MEGABYTE:.0f} MB free and a backup"
                f" needs {needed:.0f} MB: free some room"
            )

    def _daily(self) -> list[Copy]:
        return [copy for copy in copies(self.home) if copy.is_rotated]

    def _rotated(self) -> int:
        gone = surplus(self._daily(), self.settings)
        for one in gone:
            one.path.unlink(missing_ok=True)
        return len(gone)

    def _tidy(self) -> None:
        """Remove unfinished backups, also a killed process's."""
        for path in self.home.backups.glob(f"{BACKUP}-*{UNFINISHED}*"):
            path.unlink(missing_ok=True)

    def _said(self, error: Exception) -> str:
        match error:
            case Full():
                return str(error)
            case Unsound():
                return (
                    f"the backup of {self.home.database} was not sound and is not kept ({error}):"
                    " 'reverie doctor' looks at the database"
                )
            case _:
                return f"no backup was made: {explained(error, self.home)}"


# ---- rotation: which go when there are more than are kept


def surplus(backups: Iterable[Copy], settings: Settings) -> list[Copy]:
    """Return the backups to delete, oldest first.

    Only days and weeks with a backup count: a holiday takes nothing away. Of the kept ones the oldest
    go until all fit into the bound. The newest stays always.
    """
    newest_first = sorted(backups, key=lambda one: (one.at, one.path.name), reverse=True)
    daily = _newest_of_each(newest_first, lambda one: day_of(one.at), settings.days)
    last = day_of(daily[-1].at) if daily else None
    earlier = [one for one in newest_first if last is not None and day_of(one.at) < last]
    weekly = _newest_of_each(earlier, lambda one: day_of(one.at).isocalendar()[:2], settings.weeks)
    kept: list[Copy] = []
    size = 0
    for one in (*daily, *weekly):
        size += one.size
        if kept and size > settings.megabytes * MEGABYTE:
            break
        kept.append(one)
    return [one for one in reversed(newest_first) if one not in kept]


def _newest_of_each(
    newest_first: Sequence[Copy], period: Callable[[Copy], Hashable], most: int
) -> list[Copy]:
    """The first of each period, of so many periods at most."""
    first: dict[Hashable, Copy] = {}
    for one in newest_first:
        first.setdefault(period(one), one)
    return list(first.values())[:most]


def day_of(at: float) -> date:
    """The day of this moment, UTC."""
    return datetime.fromtimestamp(at, UTC).date()
