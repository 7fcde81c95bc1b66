"""Copies of the database in the folder ``backups``: a list of them, whether they are sound, and their making.

Names given by the daemon tell the time (UTC) and so sort by it: ``backup-`` was made of a sound database on a day of
use, ``aside-`` was in its place when another was put there, ``rescued-`` was written out when the open database was
removed or replaced, and ``before-schema-`` is from before a migration; of these, and of a file by any other name, its own
time counts. A backup with a name behind the time (``snapshot-`` of an earlier version) was ordered by somebody and stays.
One may have a write-ahead log beside it, when it was set aside with its log.
"""

import re
import stat
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, TypeVar

import apsw
from msgspec import Struct

from daemon.home import FILE_MODE, FOLDER_MODE, Home, flushed
from daemon.soundness import DAMAGE
from daemon.storage.database.connection import configured
from daemon.storage.database.sql import Sql

T = TypeVar("T")

BACKUP: Final = "backup"
ASIDE: Final = "aside"
RESCUED: Final = "rescued"
UNFINISHED: Final = ".part"
HELD_FOR: Final = 500  # milliseconds; a checkpoint takes 4 to 64
LIVING: Final = "SELECT count(*) FROM memory WHERE ended IS NULL"  # what a person calls memories
_STAMP: Final = "%Y%m%dT%H%M%SZ"
NAME: Final = re.compile(r"[a-zA-Z0-9][\w.-]{0,39}", re.ASCII)  # of a backup
_NAMED: Final = re.compile(r"(?:backup|aside|rescued)-(\d{8}T\d{6}Z)()\.db", re.ASCII)
_WITH_NAME: Final = re.compile(
    rf"(?:backup|snapshot)-(\d{{8}}T\d{{6}}Z)-({NAME.pattern})\.db", re.ASCII
)


class Copy(Struct, frozen=True):
    """A copy, by its name and its size alone."""

    path: Path
    at: float  # seconds UTC: whose state it holds
    size: int  # bytes, with its log
    name: str = ""  # that somebody gave it

    @property
    def is_aside(self) -> bool:
        """Return whether it was set aside: often damaged, and never brought back by itself."""
        return self.path.name.startswith(f"{ASIDE}-")

    @property
    def is_rotated(self) -> bool:
        """Return whether it goes when there are enough newer ones: only daily ones do."""
        return not self.name and self.path.name.startswith(f"{BACKUP}-")


class Examined(Struct, frozen=True):
    """Findings of a look into a database."""

    damage: str  # empty: it is sound
    memories: int = 0
    store_id: str = ""
    schema: int = 0


def copy_name(kind: str, at: float, name: str = "") -> str:
    """The name of a copy of this kind and moment; one that somebody named has that behind."""
    named = f"-{name}" if name else ""
    return f"{kind}-{datetime.fromtimestamp(at, UTC).strftime(_STAMP)}{named}.db"


def copies(home: Home) -> list[Copy]:
    """Every copy in the folder, newest first. Opens none."""
    found = [copy for path in home.backups.glob("*.db") if (copy := copy_at(path)) is not None]
    return sorted(found, key=lambda copy: (copy.at, copy.path.name), reverse=True)


def copy_at(path: Path) -> Copy | None:
    """The copy in this file; ``None`` for what is no file."""
    try:
        found = path.stat()
    except OSError:
        return None
    if not stat.S_ISREG(found.st_mode):
        return None
    log = log_of(path)
    size = found.st_size + (log.stat().st_size if log.is_file() else 0)
    named = _NAMED.fullmatch(path.name) or _WITH_NAME.fullmatch(path.name)
    if named is None:
        return Copy(path, found.st_mtime, size)
    return Copy(path, _moment(named[1]), size, named[2])


def copy_named(home: Home, name: str) -> Copy | None:
    """The newest backup of this name."""
    return next((copy for copy in copies(home) if copy.name == name), None)


def _moment(stamp: str) -> float:
    try:
        return datetime.strptime(stamp, _STAMP).replace(tzinfo=UTC).timestamp()
    except ValueError:  # digits that are no date
        return 0.0


def newest(home: Home) -> Copy | None:
    """The newest copy fit to be brought back, sound or not."""
    return next((copy for copy in copies(home) if not copy.is_aside), None)


def sound_copies(home: Home) -> Iterator[tuple[Copy, Examined]]:
    """Each sound copy fit to be brought back, newest first, and its content; each is read whole."""
    for copy in copies(home):
        with suppress(apsw.Error):  # it cannot be looked at now
            if not copy.is_aside and not (found := examined(copy.path)).damage:
                yield copy, found


def examined(path: Path) -> Examined:
    """Look through a whole database, read-only, and count its living memories.

    Nothing is written, and nothing is made beside it unless it has a log. Raises apsw's errors
    where it cannot be looked at now: another program holds it, or it cannot be opened.
    """
    try:
        with closing(opened(path)) as connection:
            sql = Sql(connection)
            ((said,),) = sql.rows("PRAGMA quick_check(1)")
            if said != "ok":
                return Examined(str(said))
            ids = sql.column("SELECT value FROM store WHERE name = 'id'")
            return Examined(
                "",
                sql.number(LIVING),
                str(ids[0]) if ids else "",
                sql.number("PRAGMA user_version"),
            )
    except (*DAMAGE, apsw.SQLError) as error:  # or its tables are not ours
        return Examined(f"{type(error).__name__}: {error}")


def memories_in(path: Path) -> int | None:
    """Count the living memories of a database without looking it through; ``None`` if it cannot be."""
    try:
        return counted_in(path, lambda sql: sql.number(LIVING))
    except (apsw.Error, UnicodeDecodeError):
        return None


def counted_in(path: Path, count: Callable[[Sql], T]) -> T:
    """Result of this count in a database opened for reading; raises apsw's errors."""
    with closing(opened(path)) as connection:
        return count(Sql(connection))


def log_of(database: Path) -> Path:
    """The write-ahead log of a database."""
    return database.with_name(f"{database.name}-wal")


def opened(path: Path) -> apsw.Connection:
    """A read-only connection to this database.

    Raises ``apsw.CorruptError`` for an empty file: SQLite removes its log, even to read it.
    """
    if path.exists() and not path.stat().st_size:
        raise apsw.CorruptError("it is empty")
    # Even to read one, SQLite makes files beside a database that was last written with a log;
    # of one without such a log that nobody has open it need not.
    fixed = "" if log_of(path).exists() else "&immutable=1"
    return patient(f"{path.absolute().as_uri()}?mode=ro{fixed}")


def patient(uri: str) -> apsw.Connection:
    """A reading connection, patient while somebody holds the database for a moment."""
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    connection = apsw.Connection(uri, flags=flags)
    connection.set_busy_timeout(HELD_FOR)
    return connection


# ---- making a copy: in small steps while the database is in use, or whole
#
# SQLite's backup of one moment: a reading transaction holds the moment, so writes meanwhile neither
# change the copy nor begin it anew. The log of the database grows while it is held.


PAGES: Final = 256  # of one step: 1 MB, some milliseconds


class Unsound(Exception):
    """The copy differs from the database; the text says how, in a few words."""


class Copying:
    """A copy under way, on the thread of its source's connection.

    The file is there before the moment of the copy: emptying the folder after an erasure takes
    along any copy with the erased text.
    """

    def __init__(self, source: Sql, target: Path) -> None:
        self._source, self._path = source, target
        target.touch(mode=FILE_MODE)
        self._target = apsw.Connection(str(target))
        try:
            # Of a copy that is not finished nothing is ever used.
            Sql(self._target).rows("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
            source.rows("BEGIN")
            self.memories = source.number(LIVING)
            self._backup = self._target.backup("main", source.raw, "main")
        except BaseException:
            self.close()
            raise

    def step(self) -> None:
        """Copy some pages.

        Raises ``FileNotFoundError`` when the copy was taken away.
        """
        if not self._path.exists():
            raise FileNotFoundError(self._path)
        self._backup.step(PAGES)

    @property
    def done(self) -> bool:
        """Return whether every page is copied."""
        return self._backup.done

    def close(self) -> None:
        """Let go of both files; the copy is finished or of no use."""
        self._target.close(True)  # and with it the backup, wherever it is
        if self._source.in_transaction():
            self._source.rows("ROLLBACK")


def put_in_place(copy: Path, path: Path, *, memories: int, store_id: str) -> Examined:
    """Write the copy to the disk as a single file, look it through, and give it its name, for good.

    Raises ``Unsound`` when it is damaged, or not of this store with so many memories, and
    ``FileNotFoundError`` when it was taken away.
    """
    if not copy.exists():
        raise FileNotFoundError(copy)
    with closing(apsw.Connection(str(copy), flags=apsw.SQLITE_OPEN_READWRITE)) as connection:
        Sql(connection).rows("PRAGMA journal_mode = DELETE")
    flushed(copy)
    found = examined(copy)
    if not copy.exists():
        raise FileNotFoundError(copy)
    if found.damage:
        raise Unsound(found.damage)
    if found.store_id != store_id:
        raise Unsound("it is of another store")
    if found.memories != memories:
        raise Unsound(f"it has {found.memories} memories and not {memories}")
    copy.rename(path)
    flushed(path.parent)
    return found


def copy_whole(source: Path, target: Path) -> None:
    """Copy a database no daemon has open, with the log beside it.

    Raises ``OSError`` and apsw's errors.
    """
    target.parent.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
    target.unlink(missing_ok=True)  # of a process that was killed
    target.touch(mode=FILE_MODE)
    with closing(opened(source)) as connection:
        Sql(connection).copy_to(target)


@contextmanager
def changing(database: Path) -> Generator[Sql]:
    """Open a database no daemon has open, to change it. Raises apsw's errors."""
    with closing(apsw.Connection(str(database), flags=apsw.SQLITE_OPEN_READWRITE)) as connection:
        sql = Sql(connection)
        configured(sql, read_only=False)
        yield sql
