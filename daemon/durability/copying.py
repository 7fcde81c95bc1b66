"""Copies of a database: in small steps while it is in use, or whole."""

from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

import apsw

from daemon.durability.copies import (
    LIVING,
    Examined,
    examined,
    opened,
)
from daemon.home import FILE_MODE, FOLDER_MODE, flushed
from daemon.storage.database.connection import configured
from daemon.storage.database.sql import Sql

# ---- in use
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
