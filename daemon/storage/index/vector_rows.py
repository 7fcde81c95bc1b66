"""The vectors by their place, in a file of their own that is mapped: .4 us each, SQLite needs 12.

It is appended to without a flush: what is in it counts only as far as the bits, which are written
after a flush of it, tell of it.
"""

import mmap
import os
from pathlib import Path
from typing import Final

import numpy as np

from actors.policy.index.sign_bits import Places
from actors.policy.text.vectors import Floats
from daemon.home import FILE_MODE, FOLDER_MODE

ROWS: Final = "vectors.rows"


class VectorRows:
    """The file of one model's vectors; used on one thread."""

    def __init__(self, path: Path, dimensions: int) -> None:
        """Raises ``OSError``."""
        path.parent.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
        self._width = 4 * dimensions
        self._file = os.open(path, os.O_RDWR | os.O_CREAT, FILE_MODE)
        self._mapped: Floats = np.empty((0, dimensions), np.float32)

    def __del__(self) -> None:
        if hasattr(self, "_file"):  # else it could not be opened
            os.close(self._file)

    @property
    def mapped(self) -> int:
        """Bytes that are mapped: the page cache has them, as long as there is room."""
        return self._mapped.nbytes

    def rest(self) -> None:
        """Map nothing until a vector is asked for: what was read counts as the process's memory."""
        self._mapped = np.empty((0, self._mapped.shape[1]), np.float32)

    def flush(self) -> None:
        """Put everything on the disk."""
        os.fsync(self._file)

    def cut(self, count: int) -> bool:
        """Keep this many; False if there are fewer."""
        self.rest()  # what is mapped must be there
        if self._size() < count * self._width:
            return False
        os.ftruncate(self._file, count * self._width)
        return True

    def put(self, place: int, vectors: Floats) -> None:
        """Write these from this place on. Raises ``OSError``."""
        rows = np.ascontiguousarray(vectors, "<f4").tobytes()
        if os.pwrite(self._file, rows, place * self._width) != len(rows):
            raise OSError("no room")

    def at(self, places: Places) -> Floats:
        """The vectors at these places. Raises ``OSError`` for what is not there."""
        size, wanted = self._size(), (int(places.max(initial=-1)) + 1) * self._width
        if max(wanted, self._mapped.nbytes) > size:
            raise OSError("cut short")  # to read what is mapped and gone would end the process
        if wanted > self._mapped.nbytes:
            whole = size - size % self._width
            held = mmap.mmap(self._file, whole, access=mmap.ACCESS_READ)
            self._mapped = np.frombuffer(held, "<f4").reshape(-1, self._mapped.shape[1])
        found: Floats = self._mapped[places]
        return found

    def _size(self) -> int:
        return os.fstat(self._file).st_size
