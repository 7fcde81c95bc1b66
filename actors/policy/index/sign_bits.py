"""Candidates among many vectors, worth a closer look: one bit a number is kept.

Vectors with the fewest bits different from the query's are the candidates. At 384 dimensions a
vector costs 48 + 8 + 4 bytes: its bits, row id and scope. The vectors themselves stay with the
caller, who compares the candidates' exactly. Up to `EXHAUSTIVE` vectors in scope, all of them are
candidates.

Bits lie in columns of 64, `(words, N)`: twice as fast to scan as rows. They say the angle to some nine
bits of 384, and a scan of 100,000 vectors takes half a millisecond.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from actors.policy.text.chunking import Floats, normalised

Words = npt.NDArray[np.uint64]
Places = npt.NDArray[np.int64]
Ints = npt.NDArray[np.int32]

LEAST: Final = 800  # candidates; recall@10 of 1.000 at 100,000 (docs/measured/recall-scale.md)
SHARE: Final = 0.008  # of the vectors in scope, where that is more
EXHAUSTIVE: Final = 2_000
_OUT: Final = 65_535  # bits that differ of what is not to be found
_GROWTH: Final = 1_024  # vectors that room is taken for; a twentieth of all when that is more


class SignIndex:
    """Sign bits of many vectors, with the row id and the scope of each, in order of arrival.

    Mutable, single-owner, no I/O. With a `centre` the bits are taken of the difference to it: where
    all vectors lie in one direction, as with some models, most bits are the same for all of them
    (multilingual-e5-small: recall@10 .84, and .999 with it).
    """

    def __init__(self, dimensions: int, centre: Floats | None = None) -> None:
        self.centre = centre
        self._used = 0
        self._codes: Words = np.empty((-(-dimensions // 64), 0), np.uint64)
        self._ids: Places = np.empty(0, np.int64)
        self._scopes: Ints = np.empty(0, np.int32)

    def __len__(self) -> int:
        """How many vectors can be found."""
        return self._used

    @property
    def nbytes(self) -> int:
        """Memory held, in bytes."""
        return self._codes.nbytes + self._ids.nbytes + self._scopes.nbytes

    def append(self, ids: Sequence[int], vectors: Floats, scopes: Sequence[int]) -> None:
        """Hold `vectors`, one row each, under `ids` rising from append to append."""
        upto = self._used + len(ids)
        if upto > self._ids.size:
            self._grow(upto - self._ids.size + max(_GROWTH, self._used // 20))
        part = slice(self._used, upto)
        self._codes[:, part] = self._signs(vectors).T
        self._ids[part] = ids
        self._scopes[part] = scopes
        self._used = upto

    def near(self, query: Floats, scopes: Collection[int] | None = None) -> Places:
        """Places of the vectors of these scopes worth a closer look, in order of arrival.

        A place counts all vectors ever appended, from 0 on: whoever keeps the vectors keeps them in
        this order.
        """
        inside = np.ones(self._used, np.bool_)
        if scopes is not None:
            inside = np.isin(self._scopes[: self._used], list(scopes))
        within = np.count_nonzero(inside)
        if within <= EXHAUSTIVE:
            return np.flatnonzero(inside)
        wanted = max(LEAST, round(within * SHARE))
        differing = np.zeros(self._used, np.uint16)
        for column, code in zip(self._codes, self._signs(query)[0], strict=True):
            differing += np.bitwise_count(column[: self._used] ^ code)
        differing[~inside] = _OUT
        as_near = np.cumsum(np.bincount(differing))  # by the bits that differ
        return np.flatnonzero(differing <= as_near.searchsorted(wanted))

    def identities(self, places: Places) -> Places:
        """The ids at these places."""
        return self._ids[places]

    def places(self, identities: Sequence[int]) -> Places:
        """The places of the ones of these held here."""
        held = self._ids[: self._used]
        wanted = np.asarray(sorted(identities), np.int64)
        at = held.searchsorted(wanted)
        there = at < held.size
        found: Places = at[there][held[at[there]] == wanted[there]]
        return found

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """All of it, for `restored`."""
        return {
            "codes": self._codes[:, : self._used],
            "ids": self._ids[: self._used],
            "scopes": self._scopes[: self._used],
            "centre": np.empty(0, np.float32) if self.centre is None else self.centre,
        }

    @classmethod
    def restored(cls, dimensions: int, arrays: Mapping[str, npt.NDArray[Any]]) -> "SignIndex":
        """The index of these arrays, with the same places; they are copied when it grows."""
        index = cls(dimensions, arrays["centre"] if arrays["centre"].size else None)
        index._codes, index._ids, index._scopes = (
            arrays["codes"], arrays["ids"], arrays["scopes"],
        )  # fmt: skip
        index._used = index._ids.size
        return index

    def _signs(self, vectors: Floats) -> Words:
        """The sign bits of each row, 64 to a word. Zero counts as negative."""
        rows = np.atleast_2d(vectors)
        bits = np.packbits((rows if self.centre is None else normalised(rows) - self.centre) > 0, 1)
        padded = np.pad(bits, ((0, 0), (0, -bits.shape[1] % 8)))
        return np.ascontiguousarray(padded).view(np.uint64)

    def _grow(self, more: int) -> None:
        self._codes = np.pad(self._codes, ((0, 0), (0, more)))
        self._ids = np.pad(self._ids, (0, more))
        self._scopes = np.pad(self._scopes, (0, more))
