"""A copy of a database off to the side, brought to the schema of this version.

What is looked at or taken from an older copy or another home goes through here: the file it is of
is only read. The copy lies where an erasure finds what a kill leaves.
"""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Final

from daemon.durability.copies import LIVING, examined, log_of
from daemon.durability.copying import changing, copy_whole
from daemon.durability.salvage import truths
from daemon.home import Home
from daemon.storage.database import schema
from daemon.storage.database.sql import Sql

NAME: Final = "copy.part"


@dataclass(frozen=True, slots=True)
class State:
    """A database by its numbers; no text."""

    schema: int
    memories: int  # that live
    rows: dict[str, int]  # by table, of what nothing else can be made of


@dataclass(frozen=True, slots=True)
class Tried:
    """What the migrations made of a copy."""

    before: State
    after: State
    seconds: float
    damage: str  # empty: it is sound


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


def migrated(copy: Path) -> Tried:
    """Bring a copy to the schema of this version; raises ``StoreTooNew`` and apsw's errors."""
    with changing(copy) as sql:
        before, began = _state(sql), monotonic()
        schema.migrate(sql, backups=None)
        seconds, after = monotonic() - began, _state(sql)
    return Tried(before, after, seconds, examined(copy).damage)


def _state(sql: Sql) -> State:
    """Count what there is; of a database without tables nothing."""
    rows = {name: sql.number(f"SELECT count(*) FROM {name}") for name in truths(sql)}
    return State(schema.version_of(sql), sql.number(LIVING) if "memory" in rows else 0, rows)
