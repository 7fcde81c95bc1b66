"""Nearest vectors in three steps: bits, the query against bits, exact cosines (Q02).

Differing sign bits choose `oversample` times too many; of those the query's own numbers against
the sign bits choose the candidates; exact cosines rank them. The index keeps one bit per dimension, as columns of 64 (`(words, N)`, twice as fast to scan as
rows: limits.md 1.2), and a row id and a scope per vector: 48 + 8 + 4 + 1 bytes at 384 dimensions.
The vectors themselves stay in the database; the caller fetches the candidates' and ranks them
with `cosines`. Up to `Settings.exhaustive` vectors in scope, all of them are candidates.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Words = npt.NDArray[np.uint64]
Ids = npt.NDArray[np.int64]
Distances = npt.NDArray[np.uint16]

_BLOCK: Final = 65_536
"""Vectors per block: 3 MB of columns."""

_STRIP: Final = 16_384
"""Vectors scanned at a time, so that what lies between stays in the cache."""

_FIRST: Final = 1_024
_OUT: Final = np.uint16(65_535)


@dataclass(frozen=True, slots=True)
class Settings:
    """How many candidates the sign bits hand on."""

    least: int = 200
    oversample: int = 4  # read again with the query's numbers; see docs/adr/0006
    share: float = 0.001  # of the vectors held; at 1M, 1,000 candidates keep recall@10 at 1.0
    exhaustive: int = 2_000
    centred: int = 100  # fewer vectors have no mean worth taking off

    def candidates(self, count: int) -> int:
        """How many of `count` vectors are to be ranked exactly."""
        return count if count <= self.exhaustive else max(self.least, round(count * self.share))


def normalised(vectors: npt.ArrayLike) -> Floats:
    """Each row at length 1; a row of zeros stays so. float32."""
    rows = np.atleast_2d(np.asarray(vectors, dtype=np.float32))
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    found: Floats = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    return found


def signs(vectors: npt.ArrayLike) -> Words:
    """The sign bits of each row, 64 to a word; `(N, words)`. Zero counts as negative."""
    rows = np.atleast_2d(np.asarray(vectors, dtype=np.float32))
    bits = np.packbits(rows > 0, axis=1)
    padding = -bits.shape[1] % 8
    padded = np.pad(bits, ((0, 0), (0, padding))) if padding else bits
    return np.ascontiguousarray(padded).view(np.uint64)


def similarity(one: npt.ArrayLike, other: npt.ArrayLike) -> float:
    """Cosine of two vectors, 0..1 (C-13): below 0 it is 0; 1 minus it is the prediction error.

    0 for vectors of different lengths, without numbers, of zeros only or not finite.
    """
    first, second = (np.asarray(vector, dtype=np.float64).ravel() for vector in (one, other))
    if first.shape != second.shape or not first.size:
        return 0.0
    # Brought to 1 by the largest number, so that no square overflows.
    largest = float(np.abs(first).max()), float(np.abs(second).max())
    if not all(0 < most < np.inf for most in largest):
        return 0.0
    first, second = first / largest[0], second / largest[1]
    cosine = float(first @ second) / float(np.linalg.norm(first) * np.linalg.norm(second))
    return min(1.0, max(0.0, cosine))


def cosines(query: npt.ArrayLike, matrix: npt.ArrayLike, centre: Floats | None = None) -> Floats:
    """Cosine (-1..1) of `query` with each row of `matrix`, whatever their lengths.

    With `centre` (`SignIndex.mean`), of what is left when it is taken off both: what all texts of
    a store have in common says nothing about one of them (docs/adr/0006).
    """
    rows, question = normalised(matrix), normalised(query)
    if centre is not None:
        rows, question = normalised(rows - centre), normalised(question - centre)
    found: Floats = np.clip(rows @ question[0], -1.0, 1.0)
    return found


def nearest(
    query: npt.ArrayLike, ids: Sequence[int], matrix: npt.ArrayLike, centre: Floats | None = None
) -> list[tuple[int, float]]:
    """`ids` with their cosine, nearest first; equal ones in the order given."""
    found = cosines(query, matrix, centre) if len(ids) else np.empty(0, np.float32)
    order = np.argsort(-found, kind="stable")
    return [(ids[int(i)], float(found[i])) for i in order]


class SignIndex:
    """Sign bits of many vectors, with the row id and the scope of each.

    Mutable, single-owner, no I/O. Removed vectors stay as holes until `compact`.
    """

    def __init__(self, dimensions: int, settings: Settings | None = None) -> None:
        self.dimensions = dimensions
        self._settings = settings or Settings()
        self._words = -(-dimensions // 64)
        self._blocks: list[_Block] = []
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

    def append(
        self, ids: Sequence[int], vectors: npt.ArrayLike, scopes: Sequence[int] | int = 0
    ) -> None:
        """Hold `vectors` (one row each) under `ids`; an id held before must be removed first."""
        rows = np.atleast_2d(np.asarray(vectors, dtype=np.float32))
        if rows.shape != (len(ids), self.dimensions):
            msg = f"expected {len(ids)} vectors of {self.dimensions} dimensions, got {rows.shape}"
            raise ValueError(msg)
        codes = signs(rows)
        held_ids = np.asarray(ids, dtype=np.int64)
        held_scopes = np.broadcast_to(np.asarray(scopes, dtype=np.int32), (len(ids),))
        done = 0
        while done < len(ids):
            block = self._roomy()
            taken = min(len(ids) - done, _BLOCK - block.used)
            part = slice(done, done + taken)
            block.extend(codes[part], held_ids[part], held_scopes[part])
            done += taken
        self._alive += len(ids)
        self._summed += len(ids)
        self._sum += normalised(rows).sum(axis=0, dtype=np.float64)

    def remove(self, identity: int) -> bool:
        """Stop finding the vector of `identity`; False if there is none."""
        for block in self._blocks:
            slots = np.flatnonzero(
                (block.ids[: block.used] == identity) & block.alive[: block.used]
            )
            if slots.size:
                block.alive[slots] = False
                self._alive -= int(slots.size)
                return True
        return False

    def rescope(self, identity: int, scope: int) -> bool:
        """Let the vector of `identity` belong to `scope`; False if there is none."""
        for block in self._blocks:
            slots = np.flatnonzero(
                (block.ids[: block.used] == identity) & block.alive[: block.used]
            )
            if slots.size:
                block.scopes[slots] = scope
                return True
        return False

    def search(self, query: npt.ArrayLike, scopes: Collection[int] | None = None) -> list[int]:
        """Ids worth an exact comparison with `query`, the nearest by sign bits first.

        `scopes` limits the search to vectors of those scopes; None is all.
        """
        return [int(i) for i in self.identities(self.near(query, scopes))]

    def near(self, query: npt.ArrayLike, scopes: Collection[int] | None = None) -> Ids:
        """Their places instead of their ids: whoever keeps the vectors keeps them in this order.

        A place counts what was ever appended, from 0 on, as long as nobody compacts.
        """
        coarse, wanted = self._coarse(query, scopes)
        if wanted >= coarse.size:
            return coarse
        agreement = _agreement(normalised(query)[0], self._read(coarse))
        return coarse[np.argsort(-agreement, kind="stable")[:wanted]]

    def identities(self, places: Ids) -> Ids:
        """The ids at these places."""
        ids = np.empty(len(places), np.int64)
        for start, block in self._started():
            here = np.flatnonzero((places >= start) & (places < start + block.used))
            ids[here] = block.ids[places[here] - start]
        return ids

    def places(self, identities: Sequence[int]) -> Ids:
        """The places of those of these that are held, when ids were appended in rising order."""
        wanted = np.asarray(sorted(identities), np.int64)
        found = [np.empty(0, np.int64)]
        for start, block in self._started():
            ids = block.ids[: block.used]
            at = np.minimum(ids.searchsorted(wanted), block.used - 1)
            found.append(at[ids[at] == wanted] + start)
        return np.concatenate(found)

    @property
    def appended(self) -> int:
        """How many places there are."""
        return sum(block.used for block in self._blocks)

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
        }

    @classmethod
    def restored(
        cls,
        dimensions: int,
        held: Mapping[str, npt.NDArray[Any]],
        settings: Settings | None = None,
    ) -> "SignIndex":
        """The index that `held` was made of; its places are the same."""
        index = cls(dimensions, settings)
        codes, ids = held["codes"], held["ids"]
        for start in range(0, len(ids), _BLOCK):
            part = slice(start, start + _BLOCK)
            block = _Block(index._words)
            block.extend(codes[part], ids[part], held["scopes"][part])
            block.alive[: block.used] = held["alive"][part]
            index._blocks.append(block)
        index._alive = int(np.count_nonzero(held["alive"]))
        index._sum = np.array(held["sum"], np.float64)
        index._summed = int(held["summed"][0])
        return index

    def _coarse(self, query: npt.ArrayLike, scopes: Collection[int] | None) -> tuple[Ids, int]:
        """Places nearest by differing bits, and how many of them are to be ranked exactly."""
        if not self._alive:
            return np.empty(0, np.int64), 0
        code = signs(normalised(query)[0])[0]
        masks = [block.mask(scopes) for block in self._blocks]
        within = sum(int(np.count_nonzero(mask)) for mask in masks)
        wanted = self._settings.candidates(within)
        if not wanted:
            return np.empty(0, np.int64), 0
        if wanted == within:
            return np.flatnonzero(np.concatenate(masks)), wanted
        whole = within == self.appended
        distances = np.empty(self.appended, np.uint16)
        for (start, block), mask in zip(self._started(), masks, strict=True):
            block.distances(code, None if whole else mask, distances[start : start + block.used])
        most = min(within, wanted * self._settings.oversample)
        return _smallest(distances, most, self.dimensions), wanted

    def _started(self) -> Iterator[tuple[int, "_Block"]]:
        """Each block with the place of its first vector."""
        start = 0
        for block in self._blocks:
            yield start, block
            start += block.used

    def compact(self) -> None:
        """Close the holes that removed vectors left, when they are a quarter or more."""
        used = sum(block.used for block in self._blocks)
        if used - self._alive < max(used // 4, 1):
            return
        old, self._blocks = self._blocks, []
        for block in old:
            alive = block.alive[: block.used]
            codes = np.ascontiguousarray(block.columns[:, : block.used].T[alive])
            ids, scopes = block.ids[: block.used][alive], block.scopes[: block.used][alive]
            done = 0
            while done < len(ids):
                room = self._roomy()
                part = slice(done, done + min(len(ids) - done, _BLOCK - room.used))
                room.extend(codes[part], ids[part], scopes[part])
                done = part.stop

    def _read(self, places: Ids) -> Words:
        """Codes at `places`, one a row."""
        codes = np.empty((len(places), self._words), np.uint64)
        for start, block in self._started():
            here = np.flatnonzero((places >= start) & (places < start + block.used))
            codes[here] = block.columns[:, places[here] - start].T
        return codes

    def _roomy(self) -> "_Block":
        if not self._blocks or self._blocks[-1].used == _BLOCK:
            self._blocks.append(_Block(self._words))
        return self._blocks[-1]


class _Block:
    """At most `_BLOCK` codes in columns; grows by doubling, so a small store stays small."""

    __slots__ = ("alive", "columns", "ids", "scopes", "used")

    def __init__(self, words: int) -> None:
        self.columns: Words = np.empty((words, _FIRST), np.uint64)
        self.ids: Ids = np.empty(_FIRST, np.int64)
        self.scopes: npt.NDArray[np.int32] = np.empty(_FIRST, np.int32)
        self.alive: npt.NDArray[np.bool_] = np.zeros(_FIRST, np.bool_)
        self.used = 0

    @property
    def nbytes(self) -> int:
        return self.columns.nbytes + self.ids.nbytes + self.scopes.nbytes + self.alive.nbytes

    def extend(self, codes: Words, ids: Ids, scopes: npt.NDArray[np.int32]) -> None:
        upto = self.used + len(ids)
        if upto > self.ids.size:
            self._grow(min(_BLOCK, max(upto, 2 * self.ids.size)))
        self.columns[:, self.used : upto] = codes.T
        self.ids[self.used : upto] = ids
        self.scopes[self.used : upto] = scopes
        self.alive[self.used : upto] = True
        self.used = upto

    def mask(self, scopes: Collection[int] | None) -> npt.NDArray[np.bool_]:
        """What is alive and of one of these scopes: a pass a scope, and there are one or two."""
        alive = self.alive[: self.used]
        if scopes is None:
            return alive
        of = np.zeros(self.used, np.bool_)
        for scope in scopes:
            of |= self.scopes[: self.used] == scope
        return alive & of

    def distances(self, code: Words, mask: npt.NDArray[np.bool_] | None, total: Distances) -> None:
        """Put the differing bits of each held code into `total`; `_OUT` where the mask is off."""
        for part in range(0, self.used, _STRIP):
            strip = slice(part, min(part + _STRIP, self.used))
            differing = np.empty(strip.stop - part, np.uint64)
            counts = np.zeros(strip.stop - part, np.uint16)
            for column, word in zip(self.columns, code, strict=True):
                np.bitwise_xor(column[strip], word, out=differing)
                counts += np.bitwise_count(differing)
            total[strip] = counts
        if mask is not None:
            total |= np.multiply(~mask, _OUT, dtype=np.uint16)

    def _grow(self, capacity: int) -> None:
        more = capacity - self.ids.size
        self.columns = np.pad(self.columns, ((0, 0), (0, more)))
        self.ids = np.pad(self.ids, (0, more))
        self.scopes = np.pad(self.scopes, (0, more))
        self.alive = np.pad(self.alive, (0, more))


def _agreement(query: Floats, codes: Words) -> Floats:
    """Sum of the query's numbers where the bit is set: orders codes as their dot product does."""
    octets = codes.view(np.uint8)
    padded = np.zeros(octets.shape[1] * 8, np.float32)
    padded[: query.size] = query
    weights = padded.reshape(-1, 8) @ _BITS
    found: Floats = weights[np.arange(octets.shape[1]), octets].sum(axis=1)
    return found


def _joined(parts: Sequence[npt.NDArray[Any]], dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    return np.concatenate(parts) if parts else np.empty(0, dtype)


_BITS: Final = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).T.astype(np.float32)
"""Bit i (most significant first, as `packbits` lays them) of each byte; `(8, 256)`."""


def _smallest(distances: Distances, wanted: int, dimensions: int) -> Ids:
    """Places of the `wanted` smallest distances, smallest first.

    The threshold comes from the histogram: with so few distinct values that is one pass, where a
    partition of a million takes four times as long.
    """
    counts = np.bincount(np.minimum(distances, dimensions + 1), minlength=dimensions + 2)
    threshold = int(np.searchsorted(np.cumsum(counts), wanted))
    near = np.flatnonzero(distances <= threshold)
    order = np.argsort(distances[near], kind="stable")[:wanted]
    return near[order]
