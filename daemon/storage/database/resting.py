"""Memory that is given back when a connection has done much: an import, or many vectors.

Pages of the file that were read stay in each connection's cache and, as far as they are mapped, in
the process's resident memory; what was freed stays with the allocator. After 10,000 texts with their
vectors that was 100 MB. All of it can be read again from the page cache, in the microseconds that
a first touch takes.
"""

import ctypes
from typing import Final

from daemon.storage.database.connection import MAPPED
from daemon.storage.database.sql import Sql

_LIBRARY: Final = ctypes.CDLL(None)


def rest(sql: Sql) -> None:
    """Let go of a connection's unused pages; its mapping of the file begins anew."""
    sql.rows("PRAGMA shrink_memory")
    for size in (0, MAPPED):
        sql.rows(f"PRAGMA mmap_size = {size}")


def give_back() -> None:
    """Give what was freed back to the system; only the C library of GNU can be told to."""
    trim = getattr(_LIBRARY, "malloc_trim", None)
    if trim is not None:
        trim(0)
