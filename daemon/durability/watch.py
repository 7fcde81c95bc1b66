"""Watch of the open database: whether its paths still lead to SQLite's open files.

A file unlinked or replaced stays open: writes to it are gone when the process ends, without an
error from anybody. So the paths are compared before each commit, which costs 9 µs of the processor
beside 260 of a journaled event, and every few seconds.

When the database itself is another, nothing more is taken, and the content of the open one is written to a copy; of a
home moved as a whole a marker is left behind. When only its log is, the log is moved into the database and the daemon
has to leave: the next one begins a log of its own, and nothing is lost.
"""

from contextlib import closing, suppress
from pathlib import Path

import apsw
from msgspec.structs import replace

from daemon.durability.copies import (
    RESCUED,
    UNFINISHED,
    Copying,
    Unsound,
    copy_name,
    counted_in,
    examined,
    log_of,
    put_in_place,
)
from daemon.durability.marker import marker_of, write_marker
from daemon.home import FOLDER_MODE, Home, identity
from daemon.storage.database.sql import Sql


class FilesLost(Exception):
    """An open file is not the one at its path; the text tells the consequence.

    ``leaves``: the daemon has to leave, and the next one goes on without a loss.
    """

    def __init__(self, line: str, *, leaves: bool) -> None:
        super().__init__(line)
        self.leaves = leaves


class OpenFiles:
    """The files of an open store; used on its writing connection's thread, once it is open."""

    def __init__(self, home: Home, store_id: str) -> None:
        self.home = home
        self.store_id = store_id
        self._contents: tuple[int, int] | None = None
        self._log_size = 0  # bytes; only a checkpoint makes it less
        self._path = home.database  # made once: each commit asks for it and the log
        self._log = log_of(self._path)
        self._database = identity(self._path)
        shared = self._path.with_name(f"{self._path.name}-shm")
        there = {path: identity(path) for path in (self._log, shared)}
        self._beside = {path: found for path, found in there.items() if found is not None}
        self.settled()

    @property
    def is_ours(self) -> bool:
        """Return whether the database at the path is the open one."""
        return identity(self._path) == self._database

    def check(self, sql: Sql, at: float) -> None:
        """Raise ``FilesLost`` when a path leads elsewhere; the open content is safe by then, if possible.

        Raises ``apsw.CorruptError`` for a cut file. ``at`` is now, seconds UTC.
        """
        if not self.is_ours:
            raise FilesLost(self._displaced(sql, at), leaves=False)
        if self._contents is not None and _size(self._path) < self._contents[0]:
            self._compare(sql, at)
        log = self._log
        if _size(log) < self._log_size and identity(log) == self._beside.get(log):
            if self._was_cut(sql):
                raise FilesLost(self._closed(sql, at, f"{log} was cut"), leaves=False)
            self.settled()  # somebody else's checkpoint
        gone = [path for path, was in self._beside.items() if identity(path) != was]
        if gone:
            if sql.number("PRAGMA wal_checkpoint(TRUNCATE)"):  # somebody reads an older state
                line = f"{gone[0]} was removed while it was open: nothing more is kept"
                raise FilesLost(f"{line}; {self._rescued(sql, at)}", leaves=False)
            raise FilesLost(
                f"{gone[0]} was removed while it was open: what it held is in {self.home.database.name}"
                " now, and the daemon starts anew with the next command or hook",
                leaves=True,
            )

    def look(self, sql: Sql, at: float) -> None:
        """Check the paths, and the contents when somebody else has written to the database.

        Raises the errors of ``check``, also for an overwritten file, and apsw's other errors when
        it cannot be looked at now.
        """
        self.check(sql, at)
        if self._contents != _contents(self.home.database):
            self._compare(sql, at)

    def _compare(self, sql: Sql, at: float) -> None:
        # Somebody else has written to it. By a connection that has read nothing yet: ours does not
        # look again at what it holds.
        if damage := examined(self.home.database).damage:
            keep_log(sql)  # the repair reads it
            raise apsw.CorruptError(damage)
        if self._holds_less(sql):
            raise FilesLost(self._displaced(sql, at), leaves=False)
        self.settled()

    def _was_cut(self, sql: Sql) -> bool:
        """Return whether a shortened log lacks content known to our connection."""
        try:
            return bool(examined(self.home.database).damage) or self._holds_less(sql)
        except apsw.IOError:  # it ends before a page that is known to be in it
            return True

    def _holds_less(self, sql: Sql) -> bool:
        return counted_in(self.home.database, marker_of) != marker_of(sql)

    def settled(self) -> None:
        """Take the sizes and times of the files for our own: we have just written to them."""
        self._contents = _contents(self.home.database)
        self.written()

    def written(self) -> None:
        """Take the size of the log for our own: we have just committed."""
        self._log_size = _size(self._log)

    def _displaced(self, sql: Sql, at: float) -> str:
        if not self.home.root.exists() and (place := self._now_in()):
            return self._moved(sql, at, place)
        database = self.home.database
        replaced = database.exists()
        what = "replaced by another file" if replaced else "removed"
        line = self._closed(sql, at, f"{database} was {what}")
        if replaced:
            self._take_log_away(at)
        return line

    def _now_in(self) -> str:
        """Folder in which the open database lies now, where the system tells (Linux); else empty."""
        with suppress(OSError):
            for descriptor in Path("/proc/self/fd").iterdir():
                if identity(descriptor) == self._database:
                    place = descriptor.readlink()
                    return str(place.parent) if identity(place) == self._database else ""
        return ""

    def _moved(self, sql: Sql, at: float, place: str) -> str:
        """Leave a marker where the home was: nobody begins anew there without being told.

        Nothing needs to be written out: all files are together.
        """
        keep_log(sql)
        there = marker_of(sql)
        if there.memories:
            self.home.root.mkdir(mode=FOLDER_MODE)
            write_marker(self.home, replace(there, moved_to=place, lost_at=at))
        return f"{self.home.root} was moved to {place} while it was open: nothing more is kept here"

    def _take_log_away(self, at: float) -> None:
        """Move our log away from a foreign file: SQLite would read it into the latter."""
        stem = Path(copy_name(RESCUED, at)).stem
        for path, was in self._beside.items():
            if identity(path) == was:
                with suppress(OSError):
                    path.rename(self.home.backups / f"{stem}.{path.name.rpartition('-')[2]}")

    def _closed(self, sql: Sql, at: float, what: str) -> str:
        """Write out the open content, and let nothing of it into the files at these paths any more."""
        keep_log(sql)
        return f"{what} while it was open: nothing more is kept; {self._rescued(sql, at)}"

    def _rescued(self, sql: Sql, at: float) -> str:
        """Write the open database's content to a copy; returns its place, or the reason of a failure."""
        path = self.home.backups / copy_name(RESCUED, at)
        unfinished = path.with_suffix(UNFINISHED)
        try:
            path.parent.mkdir(mode=FOLDER_MODE, exist_ok=True)
            with closing(Copying(sql, unfinished)) as copying:
                while not copying.done:
                    copying.step()
            memories = copying.memories
            put_in_place(unfinished, path, memories=memories, store_id=self.store_id)
        except (apsw.Error, OSError, Unsound) as error:
            return (
                f"what it held could not be written out ({type(error).__name__}): as long as the"
                " daemon runs, 'reverie export' writes the memories"
            )
        return (
            f"what it held ({memories:,} living memories) is in {path}:"
            f" 'reverie backup restore {path.name}' puts it in its place"
        )


def keep_log(sql: Sql) -> None:
    """Leave the log as it is: closing would move a log, possibly cut, or remove another's."""
    sql.raw.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _contents(path: Path) -> tuple[int, int] | None:
    """Size and time of a file: they change when somebody writes to it."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_size, found.st_mtime_ns
