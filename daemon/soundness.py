"""Damage of the database, in one line: its cause and the remedy."""

import errno

import apsw
from msgspec import Struct

from daemon.home import Home

# What SQLite says of a damaged file; of a damaged page of text it may say nothing.
DAMAGE = (apsw.CorruptError, apsw.NotADBError, UnicodeDecodeError)


class Soundness(Struct):
    """State of the database file: damage met by one connection is known to all."""

    home: Home
    damage: str | None = None
    loss: str = ""  # what was missing at the start, or at one of the last week

    def judge(self, error: Exception) -> str:
        """The error explained; damage is remembered."""
        said = explained(error, self.home)
        if isinstance(error, DAMAGE):
            self.damage = said
        return said


def explained(error: Exception, home: Home) -> str:
    """Explain cause and remedy in one line."""
    place = home.database
    if isinstance(error, apsw.FullError) or (
        isinstance(error, OSError) and error.errno == errno.ENOSPC
    ):
        return f"the disk of {place.parent} is full: free some room; what was kept is safe"
    if isinstance(error, (apsw.ReadOnlyError, apsw.CantOpenError, PermissionError)):
        return f"{place} cannot be written: check who owns {place.parent} and its permissions"
    if isinstance(error, DAMAGE):
        return f"{place} is not a sound database: 'reverie doctor --fix' repairs it"
    if isinstance(error, apsw.BusyError):
        return f"{place} is held by another program: close it"
    return f"{place}: {type(error).__name__}: check the disk"
