"""Memory given back after much work of a connection: an import, or many vectors.

Pages read stay in each connection's cache; freed memory stays with the allocator. All of it can be
read again from the system's page cache.
"""

import ctypes
from typing import Final

from daemon.storage.database.sql import Sql

_LIBRARY: Final = ctypes.CDLL(None)


def rest(sql: Sql) -> None:
    """Let go of a connection's unused pages."""
    sql.rows("PRAGMA shrink_memory")


def give_back() -> None:
    """Give freed memory back to the system; only the C library of GNU can be told to."""
    trim = getattr(_LIBRARY, "malloc_trim", None)
    if trim is not None:
        trim(0)
