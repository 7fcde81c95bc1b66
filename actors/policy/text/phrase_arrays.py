"""Phrases and whom they call, in arrays: 65 bytes a phrase, where dictionaries need 330.

A phrase is looked for by Python's hash of its text: 64 bits with a secret of the process, so that
nobody can write two phrases that are taken for one another, and chance does once in 10^14 look-ups
among 100,000. Entries are in the order of their owners; what a phrase begins with (its proper
prefixes, token by token) is counted, so that it goes with the last phrase that needs it.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Longs = npt.NDArray[np.int64]
Ints = npt.NDArray[np.int32]
Bytes = npt.NDArray[np.uint8]
Flags = npt.NDArray[np.bool_]


class Entry(NamedTuple):
    """A phrase, folded and its tokens set apart by one space, that calls an owner."""

    owner: int
    phrase: str
    named: bool  # a part of a dotted name may be it


def _no_longs() -> Longs:
    return np.zeros(0, np.int64)


def _no_ints() -> Ints:
    return np.zeros(0, np.int32)


def _no_flags() -> Flags:
    return np.zeros(0, np.bool_)


@dataclass(frozen=True, slots=True)
class PhraseArrays:
    """Many entries; only `alive` and `needed` ever change."""

    owners: Longs = field(default_factory=_no_longs)  # ascending; of each in the order they came
    starts: Longs = field(default_factory=_no_longs)  # of its phrase in `text`
    sizes: Ints = field(default_factory=_no_ints)  # bytes of its phrase
    named: Flags = field(default_factory=_no_flags)
    alive: Flags = field(default_factory=_no_flags)
    text: Bytes = field(default_factory=lambda: np.zeros(0, np.uint8))
    hashes: Longs = field(default_factory=_no_longs)  # of the phrases, ascending
    places: Ints = field(default_factory=_no_ints)  # of the entry of each hash
    prefixes: Longs = field(default_factory=_no_longs)  # hashes, ascending
    needed: Ints = field(default_factory=_no_ints)  # entries that begin with each prefix

    def __len__(self) -> int:
        """How many entries live."""
        return int(np.count_nonzero(self.alive))

    @property
    def nbytes(self) -> int:
        """Memory held, in bytes."""
        return sum(getattr(self, name).nbytes for name in self.__slots__)

    def known(self, hashes: Sequence[int]) -> tuple[list[bool], list[bool]]:
        """Flags of these hashes: those of phrases that may call somebody, those that begin others."""
        if not self.hashes.size:
            return [False] * len(hashes), [False] * len(hashes)
        asked = np.array(hashes, np.int64)
        begun = _among(self.prefixes, asked)
        begun[begun] = self.needed[self.prefixes.searchsorted(asked[begun])] > 0
        return _among(self.hashes, asked).tolist(), begun.tolist()

    def called(self, phrase: str) -> list[int]:
        """The owners that the phrase calls."""
        wanted = np.int64(hash(phrase))
        first = int(self.hashes.searchsorted(wanted))
        places = self.places[first : int(self.hashes.searchsorted(wanted, "right"))]
        found: list[int] = self.owners[places[self.alive[places]]].tolist()
        return found

    def is_named(self, phrase: str) -> bool:
        """Return whether a part of a dotted name may be this phrase."""
        return any(self.named[place] for place in self._places(phrase))

    def owned(self, owner: int) -> list[str]:
        """The phrases of an owner, in the order they came."""
        return [self._phrase(place) for place in self._of(owner)]

    def remove(self, owner: int) -> int:
        """Forget the phrases of an owner; how many there were."""
        gone, begun = self._of(owner), self.prefixes.data
        for place in gone:
            self.alive[place] = False
            for prefix in prefixes(self._phrase(place)):
                self.needed[bisect_left(begun, hash(prefix))] -= 1
        return len(gone)

    def with_entries(self, entries: Iterable[Entry]) -> "PhraseArrays":
        """These and those that live, as new arrays."""
        new = sorted(entries, key=lambda entry: entry.owner)
        texts = [entry.phrase.encode("utf-8", "surrogatepass") for entry in new]
        sizes = np.fromiter(map(len, texts), np.int32, len(texts))
        kept = np.flatnonzero(self.alive)
        text, starts = self._text_of(kept)
        owners = np.append(self.owners[kept], np.array([entry.owner for entry in new], np.int64))
        order = np.argsort(owners, kind="stable")
        moved = np.empty(order.size, np.int32)  # where each is now
        moved[order] = np.arange(order.size, dtype=np.int32)
        hashes, places = self._hashes_with(
            moved[: kept.size], kept, [hash(entry.phrase) for entry in new], moved[kept.size :]
        )
        begun, needed = self._prefixes_with(new)
        named = np.append(self.named[kept], np.array([entry.named for entry in new], np.bool_))
        begins = np.append(starts, text.size + np.cumsum(sizes) - sizes)
        return PhraseArrays(
            owners[order], begins[order], np.append(self.sizes[kept], sizes)[order], named[order],
            np.ones(order.size, np.bool_),
            np.append(text, np.frombuffer(b"".join(texts), np.uint8)),
            hashes, places, begun, needed,
        )  # fmt: skip

    def _text_of(self, kept: Longs) -> tuple[Bytes, Longs]:
        """The text, and where each of the entries begins in it; less of it once much is unused."""
        sizes = self.sizes[kept]
        used = int(sizes.sum())
        if 4 * used >= 3 * self.text.size:
            return self.text, self.starts[kept]
        starts = np.cumsum(sizes, dtype=np.int64) - sizes
        at = np.arange(used) + np.repeat(self.starts[kept] - starts, sizes)
        return self.text[at], starts

    def _hashes_with(
        self, moved: Ints, kept: Longs, new: Sequence[int], at: Ints
    ) -> tuple[Longs, Ints]:
        """Hashes in their order and their entries: of those kept, and of new ones."""
        now = np.empty(self.alive.size, np.int32)
        now[kept] = moved
        living = self.alive[self.places]
        hashes, places = self.hashes[living], now[self.places[living]]
        arrived = np.array(new, np.int64)
        order = np.argsort(arrived)
        between = hashes.searchsorted(arrived[order])
        return (
            np.insert(hashes, between, arrived[order]),
            np.insert(places, between, at[order]),
        )

    def _prefixes_with(self, new: Sequence[Entry]) -> tuple[Longs, Ints]:
        counts = Counter(hash(p) for entry in new for p in prefixes(entry.phrase))
        begun = np.fromiter(counts.keys(), np.int64, len(counts))
        needed = np.fromiter(counts.values(), np.int32, len(counts))
        order = np.argsort(begun)
        begun, needed = begun[order], needed[order]
        held, times = self.prefixes[self.needed > 0], self.needed[self.needed > 0]
        known = _among(held, begun)
        times[held.searchsorted(begun[known])] += needed[known]
        at = held.searchsorted(begun[~known])
        return np.insert(held, at, begun[~known]), np.insert(times, at, needed[~known])

    def _of(self, owner: int) -> list[int]:
        """Living entries of an owner."""
        held, alive = self.owners.data, self.alive.data
        first = bisect_left(held, owner)
        return [p for p in range(first, bisect_right(held, owner, lo=first)) if alive[p]]

    def _places(self, phrase: str) -> list[int]:
        """Living entries of a phrase."""
        wanted, held = hash(phrase), self.hashes.data
        first = bisect_left(held, wanted)
        if first == len(held) or held[first] != wanted:
            return []
        alive = self.alive.data
        places = self.places.data[first : bisect_right(held, wanted, lo=first)]
        return [place for place in places if alive[place]]

    def _phrase(self, place: int) -> str:
        start = int(self.starts[place])
        held = self.text[start : start + int(self.sizes[place])]
        return held.tobytes().decode("utf-8", "surrogatepass")


def prefixes(phrase: str) -> list[str]:
    """Prefixes of a phrase, token by token, shorter than itself."""
    return [phrase[:at] for at, letter in enumerate(phrase) if letter == " "]


def _among(held: Longs, asked: Longs) -> Flags:
    """Which of these are held."""
    if not held.size:
        return np.zeros(asked.size, np.bool_)
    found: Flags = held[np.minimum(held.searchsorted(asked), held.size - 1)] == asked
    return found
