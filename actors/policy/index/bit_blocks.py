"""Sign bits in blocks of columns, with the row id and the scope of each vector (K02, Q02).

A block is copied when it grows: a store of some hundred thousand vectors copies a few megabytes at
a time and holds little for nothing.
"""

from collections.abc import Collection
from typing import Final

import numpy as np
import numpy.typing as npt

from actors.policy.index.bit_distances import Places, Words

BLOCK: Final = 65_536
"""Vectors per block: 3 MB of columns."""

_GROWTH: Final = 1_024
"""Vectors that a block takes room for at least; a twentieth of what it has when that is more."""


class Block:
    """At most `BLOCK` codes in columns; grows by little, so that little is held for nothing."""

    __slots__ = ("alive", "columns", "ids", "scopes", "used")

    def __init__(self, words: int) -> None:
        self.columns: Words = np.empty((words, 0), np.uint64)
        self.ids: Places = np.empty(0, np.int64)
        self.scopes: npt.NDArray[np.int32] = np.empty(0, np.int32)
        self.alive: npt.NDArray[np.bool_] = np.zeros(0, np.bool_)
        self.used = 0

    @property
    def nbytes(self) -> int:
        return self.columns.nbytes + self.ids.nbytes + self.scopes.nbytes + self.alive.nbytes

    def extend(self, codes: Words, ids: Places, scopes: npt.NDArray[np.int32]) -> None:
        upto = self.used + len(ids)
        if upto > self.ids.size:
            room = self.ids.size + max(_GROWTH, self.ids.size // 20)
            self._grow(min(BLOCK, max(upto, room)))
        self.columns[:, self.used : upto] = codes.T
        self.ids[self.used : upto] = ids
        self.scopes[self.used : upto] = scopes
        self.alive[self.used : upto] = True
        self.used = upto

    def slots(self, identity: int) -> Places:
        """Where this id is, if it is alive."""
        return np.flatnonzero((self.ids[: self.used] == identity) & self.alive[: self.used])

    def mask(self, scopes: Collection[int] | None) -> npt.NDArray[np.bool_]:
        """What is alive and of one of these scopes: a pass a scope, and there are one or two."""
        alive = self.alive[: self.used]
        if scopes is None:
            return alive
        of = np.zeros(self.used, np.bool_)
        for scope in scopes:
            of |= self.scopes[: self.used] == scope
        return alive & of

    def _grow(self, capacity: int) -> None:
        more = capacity - self.ids.size
        self.columns = np.pad(self.columns, ((0, 0), (0, more)))
        self.ids = np.pad(self.ids, (0, more))
        self.scopes = np.pad(self.scopes, (0, more))
        self.alive = np.pad(self.alive, (0, more))
