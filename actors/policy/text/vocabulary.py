"""Numbers of many words in a few bytes each: what postings and spellings count by.

A dictionary needs 150 bytes a word. Here a word is 64 bits of its BLAKE2 hash in a sorted array, and
its number beside it: 12 bytes, which may lie in a mapped file. Two of a million words share a hash in
one store of 40 million. Words that were met lately lie in a dictionary, new ones among them, until
they are folded into the arrays: one bounded piece of work.
"""

import hashlib
from bisect import bisect_left
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

Hashes = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int32]

RECENT: Final = 16_384
"""Words in the dictionary at most: nineteen of twenty that a text has, and 2 MB while texts are read."""

_ENTRY: Final = 150
"""Bytes of a word in the dictionary: the string, its number, their place."""

UNKNOWN: Final = -1


class Folded(NamedTuple):
    """A vocabulary as arrays: hashes in ascending order, and the number of each."""

    hashes: Hashes
    numbers: Numbers


class Vocabulary:
    """Words, numbered from 0 in the order they came.

    Mutable, single-owner, no I/O. The arrays that it is made of may be read-only.
    """

    def __init__(self, folded: Folded | None = None, recent: int = RECENT) -> None:
        """``recent``: words in the dictionary at most."""
        self._folded = folded or Folded(np.zeros(0, np.uint64), np.zeros(0, np.int32))
        self._hashes = self._folded.hashes.data  # bisecting an array takes four times as long
        self._arrived = int(self._folded.numbers.max(initial=UNKNOWN)) + 1
        self._new: list[int] = []  # hashes of the words after these
        self._recent: dict[str, int] = {}
        self._room = recent

    def __len__(self) -> int:
        """How many words have a number."""
        return self._arrived + len(self._new)

    @property
    def nbytes(self) -> int:
        """Memory held, in bytes: arrays exactly, the dictionary by a usual entry."""
        return self.arrays_nbytes() + _ENTRY * len(self._recent)

    def arrays_nbytes(self, *, read_only: bool = False) -> int:
        """Bytes of the arrays, or of those that somebody else holds."""
        return sum(a.nbytes for a in self._folded if not (read_only and a.flags.writeable))

    def number(self, word: str) -> int:
        """The word's number, or `UNKNOWN`."""
        found = self._recent.get(word)
        return self._place(hashed(word)) if found is None else found

    def numbered(self, word: str) -> int:
        """The word's number; a new word gets the next one."""
        found = self._recent.get(word)
        if found is not None:
            return found
        if len(self._recent) >= self._room:
            self.folded()
        wanted = hashed(word)
        number = self._place(wanted)
        if number == UNKNOWN:
            number = len(self)
            self._new.append(wanted)
        self._recent[word] = number
        return number

    def folded(self) -> Folded:
        """All words as arrays, which are the ones that are held."""
        self._recent.clear()
        if self._new:
            new = np.array(self._new, np.uint64)
            order = np.argsort(new)
            at = self._folded.hashes.searchsorted(new[order])
            numbers = (order + self._arrived).astype(np.int32)
            self._arrived = len(self)
            self._new = []
            self._hold(
                Folded(
                    np.insert(self._folded.hashes, at, new[order]),
                    np.insert(self._folded.numbers, at, numbers),
                )
            )
        return self._folded

    def replace(self, folded: Folded) -> None:
        """Hold these arrays instead of the own ones, if they are equal."""
        if folded.hashes.size == self._folded.hashes.size:  # words are only added
            self._hold(folded)

    def _hold(self, folded: Folded) -> None:
        self._folded = folded
        self._hashes = folded.hashes.data

    def _place(self, wanted: int) -> int:
        at = bisect_left(self._hashes, wanted)
        known = at < len(self._hashes) and self._hashes[at] == wanted
        return int(self._folded.numbers[at]) if known else UNKNOWN


def hashed(word: str) -> int:
    """Hash of a word: 64 bits, the same in every process."""
    digest = hashlib.blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little")
