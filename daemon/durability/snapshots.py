"""Snapshots: copies with a name, which stay until a person or an erasure takes them.

A person names one; those that begin with ``before-`` are made by a command that can be undone by
it, the newest of each name stays.
"""

from contextlib import closing

from daemon.durability.copies import SNAPSHOT, UNFINISHED, Copy, copies, copy_name, opened
from daemon.durability.copying import made_sure, put_in_place
from daemon.durability.marker import marker_of
from daemon.home import FILE_MODE, FOLDER_MODE, Home
from daemon.storage.database.sql import Sql


def snapshots(home: Home) -> list[Copy]:
    """Return every snapshot, newest first."""
    return [copy for copy in copies(home) if copy.name]


def snapshot_of(home: Home, name: str) -> Copy | None:
    """Return the newest snapshot of this name."""
    return next((copy for copy in snapshots(home) if copy.name == name), None)


def keep(home: Home, name: str, at: float) -> None:
    """Make a snapshot of a database that no daemon has open, in place of those of its name.

    Raises ``OSError``, ``Unsound`` and apsw's errors.
    """
    path = home.backups / copy_name(SNAPSHOT, at, name)
    unfinished = home.backups / f"{name}{UNFINISHED}"
    home.backups.mkdir(mode=FOLDER_MODE, exist_ok=True)
    unfinished.unlink(missing_ok=True)  # of a process that was killed
    unfinished.touch(mode=FILE_MODE)
    with closing(opened(home.database)) as source:
        Sql(source).copy_to(unfinished)
        there = marker_of(Sql(source))
    made_sure(unfinished, memories=there.memories, store_id=there.store_id)
    earlier = [copy for copy in snapshots(home) if copy.name == name]
    put_in_place(unfinished, path)
    for copy in earlier:
        if copy.path != path:
            copy.path.unlink(missing_ok=True)
