"""The vectors by their place, in files of their own: exact ones, and those of a byte a number.

The exact ones are read, 1.1 us each (SQLite needs 12), and some dozens are. Of the others hundreds
are wanted, thousands at a million: their file is mapped, .1 us each instead of .65, as the
database's is too. Both are appended to without a flush: what is in them counts only as far as the
bits, which are written after a flush of these, tell of it.
"""

import mmap
import os
from pathlib import Path
from typing import Final

import numpy as np

from actors.policy.index.bit_distances import Places
from actors.policy.text.vectors import Floats, Octets, rounded
from daemon.home import FILE_MODE, FOLDER_MODE

ROWS: Final = "vectors.rows"
OCTETS: Final = "vectors.octets"


class Vectors:
    """Both files of one model's vectors; used on one thread.

    ``beginning``: of their names, by whose vectors they are.
    """

    def __init__(self, folder: Path, dimensions: int, beginning: str = "") -> None:
        folder.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
        self._dimensions = dimensions
        self._exact = _Rows(folder / f"{beginning}{ROWS}", 4 * dimensions)
        self._rounded = _Rows(folder / f"{beginning}{OCTETS}", dimensions)
        self._mapped: Octets = np.empty((0, dimensions), np.int8)

    @property
    def mapped(self) -> int:
        """Bytes of a file that are mapped: the page cache has them, as long as there is room."""
        return self._mapped.nbytes

    def flush(self) -> None:
        """Put everything on the disk."""
        self._exact.flush()
        self._rounded.flush()

    def cut(self, count: int) -> bool:
        """Keep this many; False if there are fewer."""
        self._mapped = np.empty((0, self._dimensions), np.int8)  # what is mapped must be there
        return self._exact.cut(count) and self._rounded.cut(count)

    def put(self, place: int, vectors: Floats) -> None:
        """Write these from this place on. Raises ``OSError``."""
        self._exact.put(place, np.ascontiguousarray(vectors, "<f4").tobytes())
        self._rounded.put(place, rounded(vectors).tobytes())

    def exact(self, places: Places) -> Floats:
        """The vectors at these places. Raises ``OSError`` for what is not there."""
        held = np.frombuffer(self._exact.at(places), "<f4")
        return held.reshape(len(places), self._dimensions)

    def rounded(self, places: Places) -> Octets:
        """The same with a byte a number."""
        size = self._rounded.size
        wanted = (int(places.max(initial=-1)) + 1) * self._dimensions
        if max(wanted, self._mapped.nbytes) > size:
            raise OSError("cut short")  # to read what is mapped and gone would end the process
        if wanted > self._mapped.nbytes:
            whole = size - size % self._dimensions
            held = np.frombuffer(self._rounded.map(whole), np.int8)
            self._mapped = held.reshape(-1, self._dimensions)
        found: Octets = self._mapped[places]
        return found


class _Rows:
    """Rows of one width by their place."""

    def __init__(self, path: Path, width: int) -> None:
        self._width = width
        self._file = os.open(path, os.O_RDWR | os.O_CREAT, FILE_MODE)

    def __del__(self) -> None:
        if hasattr(self, "_file"):  # else it could not be opened
            os.close(self._file)

    @property
    def size(self) -> int:
        return os.fstat(self._file).st_size

    def map(self, size: int) -> mmap.mmap:
        return mmap.mmap(self._file, size, access=mmap.ACCESS_READ)

    def flush(self) -> None:
        os.fsync(self._file)

    def cut(self, count: int) -> bool:
        if self.size < count * self._width:
            return False
        os.ftruncate(self._file, count * self._width)
        return True

    def put(self, place: int, rows: bytes) -> None:
        if os.pwrite(self._file, rows, place * self._width) != len(rows):
            raise OSError("no room")

    def at(self, places: Places) -> bytes:
        # Rows joined: half of the time of reading each into its place in an array.
        file, width = self._file, self._width
        rows = b"".join([os.pread(file, width, at) for at in (places * width).tolist()])
        if len(rows) != len(places) * width:
            raise OSError("cut short")
        return rows
