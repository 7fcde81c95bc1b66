"""Arrays in a file mapped and not read: an index's content between two starts.

A file holds a description (JSON) and named arrays, each on a boundary of 64 bytes. It is written
beside its place, flushed and renamed, so it is whole or not there. Mapped arrays are read-only and
cost no memory of the process's own: the page cache has them. Such a file can be made anew from the
database; an unreadable one counts as none.
"""

import json
import mmap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from daemon.home import FOLDER_MODE, whole_file

Array = npt.NDArray[Any]

_MAGIC: Final = b"reverie arrays 1\n"
_ALIGNED: Final = 64
_LENGTH: Final = 8  # bytes of the description's length, little-endian


@dataclass(frozen=True, slots=True)
class Mapped:
    """A description and its arrays, which are read-only."""

    about: dict[str, Any]
    arrays: dict[str, Array]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Arrays of an index to be written, and their origin."""

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


def mapped(path: Path, of: Mapping[str, Any]) -> Mapped | None:
    """Arrays of the file, or ``None`` without a whole file of this origin."""
    try:
        with path.open("rb") as file:
            held = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        found = _read(held)
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return found if of.items() <= found.about.items() else None


def _read(held: mmap.mmap) -> Mapped:
    """Read the arrays; raises ``ValueError`` for another file, or one cut short."""
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
    return Mapped(head["about"], arrays)
