"""Snapshots: copies with a name, which stay until a person or an erasure takes them.

A person names one; the ones beginning with ``before-`` are made by a command for undoing it, the
newest of each name stays.
"""

from daemon.durability.copies import SNAPSHOT, UNFINISHED, Copy, copies, copy_name, counted_in
from daemon.durability.copying import copy_whole, made_sure, put_in_place
from daemon.durability.marker import marker_of
from daemon.home import Home


def snapshots(home: Home) -> list[Copy]:
    """Return every snapshot, newest first."""
    return [copy for copy in copies(home) if copy.name]


def snapshot_of(home: Home, name: str) -> Copy | None:
    """Return the newest snapshot of this name."""
    return next((copy for copy in snapshots(home) if copy.name == name), None)


def keep(home: Home, name: str, at: float) -> None:
    """Make a snapshot of a database no daemon has open, in place of earlier ones of its name.

    Raises ``OSError``, ``Unsound`` and apsw's errors.
    """
    path = home.backups / copy_name(SNAPSHOT, at, name)
    unfinished = home.backups / f"{name}{UNFINISHED}"
    copy_whole(home.database, unfinished)
    there = counted_in(home.database, marker_of)
    made_sure(unfinished, memories=there.memories, store_id=there.store_id)
    earlier = [copy for copy in snapshots(home) if copy.name == name]
    put_in_place(unfinished, path)
    for copy in earlier:
        if copy.path != path:
            copy.path.unlink(missing_ok=True)
