"""Projects of many memories: 18 bytes a memory, where a dictionary needs 100.

Memories are numbered in the order they come, so that a new one is put at the end.
"""

from bisect import bisect_left
from typing import Final

import numpy as np
import numpy.typing as npt

_GONE: Final = -1
_NAME: Final = 100
"""Bytes of a project's name and its number."""


class ProjectTable:
    """Memories and their projects; None is the user's own. Mutable, single-owner, no I/O."""

    def __init__(self) -> None:
        self._ids: npt.NDArray[np.int64] = np.zeros(
            0, np.int64
        )  # ascending, and then room for more
        self._projects: npt.NDArray[np.int32] = np.zeros(0, np.int32)
        self._used = 0
        self._numbers: dict[str | None, int] = {}
        self._names: list[str | None] = []
        self._size = 0

    def __len__(self) -> int:
        """How many memories are held."""
        return self._size

    @property
    def nbytes(self) -> int:
        """Memory held, in bytes."""
        return self._ids.nbytes + self._projects.nbytes + _NAME * len(self._names)

    def put(self, memory_id: int, project: str | None) -> None:
        """The memory lies there from now on."""
        number = self._numbers.setdefault(project, len(self._names))
        if number == len(self._names):
            self._names.append(project)
        at = self._place(memory_id)
        if not self._is_at(at, memory_id):
            self._make_room(at)
            self._ids[at], self._projects[at] = memory_id, _GONE
        self._size += int(self._projects[at] == _GONE)
        self._projects[at] = number

    def discard(self, memory_id: int) -> None:
        """The memory is held no longer; its place is kept for a while, as many come back at once."""
        at = self._place(memory_id)
        if self._is_at(at, memory_id):
            self._size -= int(self._projects[at] != _GONE)
            self._projects[at] = _GONE
            if 2 * self._size <= self._used:
                self._compact()

    def project(self, memory_id: int) -> str | None:
        """Project of the memory; None as well when it is not held."""
        at = self._place(memory_id)
        held = self._is_at(at, memory_id) and self._projects[at] != _GONE
        return self._names[int(self._projects[at])] if held else None

    def _place(self, memory_id: int) -> int:
        return bisect_left(self._ids.data, memory_id, hi=self._used)

    def _is_at(self, at: int, memory_id: int) -> bool:
        return at < self._used and int(self._ids[at]) == memory_id

    def _make_room(self, at: int) -> None:
        if self._used == self._ids.size:
            more = 8 + self._used // 2
            self._ids = np.append(self._ids, np.zeros(more, np.int64))
            self._projects = np.append(self._projects, np.zeros(more, np.int32))
        for held in (self._ids, self._projects):
            held[at + 1 : self._used + 1] = held[at : self._used]
        self._used += 1

    def _compact(self) -> None:
        held = np.flatnonzero(self._projects[: self._used] != _GONE)
        self._ids, self._projects = self._ids[held], self._projects[held]
        self._used = len(held)
        if not self._used:
            self._numbers, self._names = {}, []
