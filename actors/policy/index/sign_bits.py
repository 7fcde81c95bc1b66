"""Candidates among many vectors that are worth a closer look: one bit a number is kept.

Those whose bits differ least from the query's are the candidates. At 384 dimensions a vector costs
48 + 8 + 4 + 1 bytes: its bits, row id, scope and whether it is there. The vectors themselves stay
with the caller, who fetches the candidates' and ranks them (`vectors.rounded_cosines`). Up to
`Settings.exhaustive` vectors in scope, all of them are candidates.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from actors.policy.index.bit_distances import (
    OUT,
    Differing,
    Distances,
    Places,
    Words,
    signs,
    smallest,
)
from actors.policy.text.vectors import Floats, normalised

BLOCK: Final = 65_536
"""Vectors per block: 3 MB of columns."""

_GROWTH: Final = 1_024
"""Vectors that a block takes room for at least; a twentieth of what it has when that is more."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Number of candidates that the sign bits hand on."""

    least: int = 800
    share: float = 0.008  # of the vectors held; docs/recall-scale.md
    exhaustive: int = 2_000
    centred: int = 100  # fewer vectors have no mean worth taking off

    def candidates(self, count: int) -> int:
        """Number of candidates, of `count` vectors, that are handed on."""
        return count if count <= self.exhaustive else max(self.least, round(count * self.share))


class Block:
    """Block of at most `BLOCK` codes in columns, with the row id and the scope of each.

    It is copied when it grows: a store of some hundred thousand vectors copies a few megabytes at a
    time and holds little for nothing.
    """

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
        """Slots of this id, if it is alive."""
        return np.flatnonzero((self.ids[: self.used] == identity) & self.alive[: self.used])

    def mask(self, scopes: Collection[int] | None) -> npt.NDArray[np.bool_]:
        """Mask of what is alive and in one of these scopes: a pass each, and there are one or two."""
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


class SignIndex:
    """Sign bits of many vectors, with the row id and the scope of each.

    Mutable, single-owner, no I/O. Removed vectors stay as holes. With a `centre`
    the bits are of what is left when it is taken off: where all vectors lie in one direction, as
    those of some models do, most bits are the same for all of them (multilingual-e5-small:
    recall@10 .84, and .999 with it).
    """

    def __init__(
        self, dimensions: int, settings: Settings | None = None, centre: Floats | None = None
    ) -> None:
        self.dimensions = dimensions
        self.centre = centre
        self._settings = settings or Settings()
        self._words = -(-dimensions // 64)
        self._blocks: list[Block] = []
        self._alive = 0
        self._sum: npt.NDArray[np.float64] = np.zeros(dimensions)
        self._summed = 0

    def __len__(self) -> int:
        """How many vectors can be found."""
        return self._alive

    @property
    def mean(self) -> Floats | None:
        """Mean of the vectors ever appended, or None before `Settings.centred` of them."""
        if self._summed < self._settings.centred:
            return None
        return (self._sum / self._summed).astype(np.float32)

    @property
    def nbytes(self) -> int:
        """Memory held, in bytes."""
        return sum(block.nbytes for block in self._blocks)

    @property
    def appended(self) -> int:
        """Number of places."""
        return sum(block.used for block in self._blocks)

    def append(
        self, ids: Sequence[int], vectors: npt.ArrayLike, scopes: Sequence[int] | int = 0
    ) -> None:
        """Hold `vectors` (one row each) under `ids`; an id held before must be removed first."""
        rows = np.atleast_2d(np.asarray(vectors, dtype=np.float32))
        if rows.shape != (len(ids), self.dimensions):
            msg = f"expected {len(ids)} vectors of {self.dimensions} dimensions, got {rows.shape}"
            raise ValueError(msg)
        units = normalised(rows)
        codes = signs(rows if self.centre is None else units - self.centre)
        held_ids = np.asarray(ids, dtype=np.int64)
        held_scopes = np.broadcast_to(np.asarray(scopes, dtype=np.int32), (len(ids),))
        self._hold(codes, held_ids, held_scopes)
        self._alive += len(ids)
        self._summed += len(ids)
        self._sum += units.sum(axis=0, dtype=np.float64)

    def remove(self, identity: int) -> bool:
        """Stop finding the vector of `identity`; False if there is none."""
        for block in self._blocks:
            slots = block.slots(identity)
            if slots.size:
                block.alive[slots] = False
                self._alive -= int(slots.size)
                return True
        return False

    def search(self, query: npt.ArrayLike, scopes: Collection[int] | None = None) -> list[int]:
        """Ids worth a closer look, in the order in which they were appended.

        `scopes` limits the search to vectors of those scopes; None is all.
        """
        return [int(i) for i in self.identities(self.near(query, scopes))]

    def near(self, query: npt.ArrayLike, scopes: Collection[int] | None = None) -> Places:
        """Their places instead of their ids: whoever keeps the vectors keeps them in this order.

        A place counts what was ever appended, from 0 on.
        """
        masks = [block.mask(scopes) for block in self._blocks]
        within = sum(int(np.count_nonzero(mask)) for mask in masks)
        wanted = min(within, self._settings.candidates(within))
        if wanted == within:
            every = np.concatenate([np.empty(0, np.bool_), *masks])
            return np.flatnonzero(every)
        unit = normalised(query)[0]
        differing = Differing(unit if self.centre is None else unit - self.centre)
        distances: Distances = np.empty(self.appended, np.uint16)
        for (start, block), mask in zip(self._started(), masks, strict=True):
            of = distances[start : start + block.used]
            differing.into(of, block.columns)
            if within != distances.size:
                of[~mask] = OUT
        return smallest(distances, wanted)

    def identities(self, places: Places) -> Places:
        """The ids at these places."""
        ids = np.empty(len(places), np.int64)
        for start, block in self._started():
            here = np.flatnonzero((places >= start) & (places < start + block.used))
            ids[here] = block.ids[places[here] - start]
        return ids

    def places(self, identities: Sequence[int]) -> Places:
        """The places of those of these that are held, when ids were appended in rising order."""
        wanted = np.asarray(sorted(identities), np.int64)
        found = [np.empty(0, np.int64)]
        for start, block in self._started():
            ids = block.ids[: block.used]
            at = np.minimum(ids.searchsorted(wanted), block.used - 1)
            found.append(at[ids[at] == wanted] + start)
        return np.concatenate(found)

    def held(self) -> dict[str, npt.NDArray[Any]]:
        """All of it as arrays, for `restored`."""
        blocks = self._blocks
        return {
            "codes": _joined([block.columns[:, : block.used].T for block in blocks], np.uint64),
            "ids": _joined([block.ids[: block.used] for block in blocks], np.int64),
            "scopes": _joined([block.scopes[: block.used] for block in blocks], np.int32),
            "alive": _joined([block.alive[: block.used] for block in blocks], np.bool_),
            "sum": self._sum.copy(),
            "summed": np.array([self._summed], np.int64),
            "centre": np.empty(0, np.float32) if self.centre is None else self.centre,
        }

    @classmethod
    def restored(
        cls,
        dimensions: int,
        held: Mapping[str, npt.NDArray[Any]],
        settings: Settings | None = None,
    ) -> "SignIndex":
        """The index that `held` was made of; its places are the same."""
        centre = np.array(held["centre"], np.float32)
        index = cls(dimensions, settings, centre if centre.size else None)
        codes, ids = held["codes"], held["ids"]
        for start in range(0, len(ids), BLOCK):
            part = slice(start, start + BLOCK)
            block = Block(index._words)
            block.extend(codes[part], ids[part], held["scopes"][part])
            block.alive[: block.used] = held["alive"][part]
            index._blocks.append(block)
        index._alive = int(np.count_nonzero(held["alive"]))
        index._sum = np.array(held["sum"], np.float64)
        index._summed = int(held["summed"][0])
        return index

    def _hold(self, codes: Words, ids: Places, scopes: npt.NDArray[np.int32]) -> None:
        done = 0
        while done < len(ids):
            if not self._blocks or self._blocks[-1].used == BLOCK:
                self._blocks.append(Block(self._words))
            block = self._blocks[-1]
            part = slice(done, done + min(len(ids) - done, BLOCK - block.used))
            block.extend(codes[part], ids[part], scopes[part])
            done = part.stop

    def _started(self) -> Iterator[tuple[int, Block]]:
        """Each block with the place of its first vector."""
        start = 0
        for block in self._blocks:
            yield start, block
            start += block.used


def _joined(parts: Sequence[npt.NDArray[Any]], dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    return np.concatenate(parts) if parts else np.empty(0, dtype)
