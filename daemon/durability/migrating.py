"""A copy of a database off to the side, brought to the schema of this version.

Every look into an older copy or another home goes through here: the original file is only read. The
copy lies where an erasure finds the leavings of a kill.
"""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from daemon.durability.copies import examined, log_of
from daemon.durability.copying import changing, copy_whole
from daemon.home import Home
from daemon.storage.database import schema

NAME: Final = "copy.part"


@contextmanager
def copy_of(source: Path, home: Home) -> Generator[Path]:
    """A copy of a database in a folder of this home, for the time of the block.

    Raises ``OSError`` and apsw's errors.
    """
    copy = home.backups / NAME
    try:
        _remove(copy)
        copy_whole(source, copy)
        yield copy
    finally:
        _remove(copy)


def _remove(copy: Path) -> None:
    for path in (copy, log_of(copy), copy.with_name(f"{copy.name}-shm")):
        path.unlink(missing_ok=True)


def migrated(copy: Path) -> str:
    """Bring a copy to the schema of this version; returns its damage then, empty when it is sound.

    Raises ``StoreTooNew`` and apsw's errors.
    """
    with changing(copy) as sql:
        schema.migrate(sql, backups=None)
    return examined(copy).damage
