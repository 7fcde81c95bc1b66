"""A store of this version's tables and no row, made once in each process and copied from then on.

To open a home without one costs 50 ms of CPU, of which the migrations take 36. What they do is
tested in ``tests/storage/test_migrations.py`` and ``test_opening.py``, on homes that are empty.
"""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import cast

import apsw

from daemon.home import FILE_MODE, Home
from daemon.storage.database.schema import MIGRATIONS, migrate
from daemon.storage.database.sql import Sql


@cache
def _tables() -> bytes:
    raw = apsw.Connection(":memory:")
    try:
        migrate(Sql(raw), backups=None)
        return raw.serialize("main")
    finally:
        raw.close()


def in_memory() -> Sql:
    """Open a store in memory that holds nothing."""
    raw = apsw.Connection(":memory:")
    fill = cast("Callable[[str, bytes], None]", raw.deserialize)
    fill("main", _tables())
    return Sql(raw)


def of_version(path: Path, version: int) -> Sql:
    """Make a store without rows as it was after so many of our migrations."""
    sql = Sql(apsw.Connection(str(path)))
    for migration in MIGRATIONS[:version]:
        migration(sql)
    sql.rows(f"PRAGMA user_version = {version}")
    return sql


def lay(home: Home) -> None:
    """Put the tables where a home has no store; whoever opens it gives it its own id."""
    if home.root.is_dir() and not (home.database.exists() or home.marker.exists()):
        home.database.write_bytes(_tables())
        home.database.chmod(FILE_MODE)
