"""Snapshots of an index between two starts: mapped arrays, and the store's version that they match."""

import json
import mmap
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from actors.memory.rows import Scope
from daemon.home import FOLDER_MODE, whole_file
from daemon.storage.corpora import MEMORIES, PASSAGES, Corpus
from daemon.storage.database.sql import Sql

# A file holds a description (JSON) and named arrays, each on a boundary of 64 bytes. It is written
# beside its place, flushed and renamed, so it is whole or not there. Mapped arrays are read-only and
# cost no memory of the process's own: the page cache has them. Such a file can be made anew from the
# database; an unreadable one counts as none.


Array = npt.NDArray[Any]

_MAGIC: Final = b"reverie arrays 1\n"
_ALIGNED: Final = 64
_LENGTH: Final = 8  # bytes of the description's length, little-endian


class Snapshot(Struct, frozen=True):
    """Arrays of an index, to be written or mapped from the file, and their origin."""

    path: Path
    about: dict[str, Any]
    arrays: dict[str, Array]
    flush: Callable[[], None] = lambda: None  # puts on the disk what has to be there before

    def write(self) -> None:
        """Replace the file in one step. Raises ``OSError``."""
        self.flush()
        self.path.parent.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
        laid: dict[str, tuple[str, list[int], int]] = {}
        at = 0
        for name, array in self.arrays.items():
            laid[name] = array.dtype.str, list(array.shape), at
            at += array.nbytes + -array.nbytes % _ALIGNED
        head = json.dumps({"about": self.about, "arrays": laid, "bytes": at}).encode()
        begun = _MAGIC + len(head).to_bytes(_LENGTH, "little") + head
        with whole_file(self.path, durable=True) as file:
            file.write(begun + bytes(-len(begun) % _ALIGNED))
            for array in self.arrays.values():
                file.write(np.ascontiguousarray(array).data)
                file.write(bytes(-array.nbytes % _ALIGNED))


def mapped(path: Path, of: Mapping[str, Any]) -> Snapshot | None:
    """The file's snapshot, or ``None`` without a whole file of this origin."""
    try:
        found = _read(path)
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return found if of.items() <= found.about.items() else None


def _read(path: Path) -> Snapshot:
    """Map the arrays; raises ``ValueError`` for another file, or one cut short."""
    with path.open("rb") as file:
        held = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    if held[: len(_MAGIC)] != _MAGIC:
        raise ValueError("not a file of arrays")
    start = len(_MAGIC) + _LENGTH
    length = int.from_bytes(held[len(_MAGIC) : start], "little")
    head: dict[str, Any] = json.loads(held[start : start + length])
    first = start + length + -(start + length) % _ALIGNED
    if len(held) != first + head["bytes"]:
        raise ValueError("cut short")
    laid: dict[str, tuple[str, Sequence[int], int]] = head["arrays"]
    arrays = {
        name: np.frombuffer(held, dtype, int(np.prod(shape)), first + at).reshape(shape)
        for name, (dtype, shape, at) in laid.items()
    }
    return Snapshot(path, head["about"], arrays)


# ---- version of the store, for an index in memory to compare itself with


class IndexVersion(NamedTuple):
    """Number of the last write, and the model of the vectors."""

    store: str
    model: str  # empty: none was chosen
    dimensions: int
    erasures: int  # how often anything was erased
    newest_chunk: int  # the highest id ever given
    newest_change: int  # of words


_STANDING = """
SELECT max(CASE name WHEN 'id' THEN value END), max(CASE name WHEN 'model' THEN value END),
  max(CASE name WHEN 'dimensions' THEN value END), max(CASE name WHEN 'erasures' THEN value END),
  (SELECT seq FROM sqlite_sequence WHERE name = '{chunks}'), (SELECT max(seq) FROM {changes})
FROM store
"""


def index_version(sql: Sql, corpus: Corpus = MEMORIES) -> IndexVersion:
    """Version of the store now, as far as these texts go."""
    asked = _STANDING.format(chunks=corpus.chunks, changes=corpus.changes)
    ((store, model, dimensions, erasures, chunk, change),) = sql.rows(asked)
    return IndexVersion(
        store or "", model or "", int(dimensions or 0), int(erasures or 0), chunk or 0, change or 0
    )


_NEWEST: Final = f"""
SELECT {", ".join(f"(SELECT max(seq) FROM {one.changes})" for one in (MEMORIES, PASSAGES))},
  (SELECT group_concat(seq) FROM sqlite_sequence WHERE name IN ('{MEMORIES.chunks}', '{PASSAGES.chunks}')),
  (SELECT value FROM store WHERE name = 'erasures')
"""


class Newest(NamedTuple):
    """Last numbers given: another one means that an index has something to take up."""

    memory: int | None  # change of a memory
    passage: int | None
    chunks: str | None  # ids
    erasures: str | None  # one that takes nothing away still ends the kept arrays


def newest(sql: Sql) -> Newest:
    """The last numbers given until now."""
    return Newest(*sql.rows(_NEWEST)[0])


def numbers_of(scope: Scope, known: Mapping[str, int]) -> list[int] | None:
    """An index's numbers for the projects of a scope; ``None``: all of them."""
    if scope.everywhere:
        return None
    names = ("",) if scope.project is None else ("", scope.project)
    return [known[name] for name in names if name in known]


def was_erased(sql: Sql) -> None:
    """Note an erasure: no index may go on from its kept arrays."""
    sql.rows(
        "INSERT INTO store VALUES ('erasures', '1')"
        " ON CONFLICT DO UPDATE SET value = CAST(value AS INTEGER) + 1"
    )
