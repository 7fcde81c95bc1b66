"""Words in memory: postings for the bm25 of FTS5, in parts.

FTS5 walks and weighs every posting of every word for each query: 6 ms at 10,000 texts, about
60 ms at 100,000 (docs/measured/recall-scale.md). Here a posting is a place and how often the word stands there, in
arrays, and a query adds up

    idf * f (k1 + 1) / (f + k1 (1 - b + b D / mean D)),   idf = ln((N - n + .5) / (n + .5)),

*f* weighted by column, *D* the words of all columns, *idf* at least 1e-6, as FTS5 has it. Documents
added together are a part, and two parts of like size become one: a document is moved some ten times
among 100,000. A word is 64 bits of its BLAKE2 hash: two of a million words share one in one store of
40 million.
"""

import hashlib
import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from msgspec import Struct, field

Longs = npt.NDArray[np.int64]
Ints = npt.NDArray[np.int32]
Times = npt.NDArray[np.uint16]
Floats = npt.NDArray[np.float64]
Hashes = npt.NDArray[np.uint64]
Phrase = tuple[int, ...]

WEIGHTS: Final = (2, 2, 1)  # of title, triggers and body (docs/adr/0006)
K1: Final = 1.2
B: Final = 0.75
LEAST_IDF: Final = 1e-6  # FTS5's, for a word that stands in half of all documents
FIXED: Final = ("ids", "scopes", "lengths", "words", "starts", "places", "times")
_MOST: Final = 65_535  # times that are counted of one word in one document


class Document(Struct, frozen=True):
    """Words of a document by column, in the order of `WEIGHTS`."""

    identity: int
    scope: int
    columns: tuple[Sequence[str], ...]


class Part(Struct, eq=False):
    """Postings of some documents, by word; only `alive` ever changes, the rest may be read-only."""

    ids: Longs
    scopes: Ints
    lengths: Ints
    words: Hashes  # ascending
    starts: Longs  # of each word's postings, and the end of the last one's
    places: Ints  # of the document in `ids`
    times: Times  # of the word there, weighted
    alive: npt.NDArray[np.bool_] = field(default_factory=lambda: np.empty(0, np.bool_))

    def __post_init__(self) -> None:
        self.alive = np.ones(self.ids.size, np.bool_)

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Arrays for making a `Part` anew; all of its documents must live."""
        return {name: getattr(self, name) for name in FIXED}

    def postings(self, words: Iterable[int]) -> dict[int, tuple[Ints, Times]]:
        """Places and times of the present ones of these words; ended documents included."""
        asked = np.fromiter(words, np.uint64)
        rows = self.words.searchsorted(asked)
        rows[rows == self.words.size] = 0
        held = self.words[rows] == asked if self.words.size else np.zeros(asked.size, np.bool_)
        spans = zip(self.starts[rows[held]], self.starts[rows[held] + 1], strict=True)
        return {
            int(word): (self.places[first:end], self.times[first:end])
            for word, (first, end) in zip(asked[held], spans, strict=True)
        }

    def together(self, phrases: Iterable[Phrase]) -> dict[Phrase, tuple[Ints, Times]]:
        """The same of living documents where all words of a phrase stand, as often as the rarest."""
        asked = list(phrases)
        held = self.postings({word for phrase in asked for word in phrase})
        found: dict[Phrase, tuple[Ints, Times]] = {}
        for phrase in asked:
            if not phrase or any(word not in held for word in phrase):
                continue
            places, times = held[phrase[0]]
            for word in phrase[1:]:
                there, theirs = held[word]
                places, mine, other = np.intersect1d(
                    places, there, assume_unique=True, return_indices=True
                )
                times = np.minimum(times[mine], theirs[other])
            if not self.alive.all():
                living = self.alive[places]
                places, times = places[living], times[living]
            found[phrase] = places, times
        return found

    def best(
        self,
        weighed: Sequence[tuple[float, Ints, Times]],
        scopes: Collection[int] | None,
        limit: int,
        mean: float,
    ) -> list[tuple[int, float]]:
        """The best documents of these scopes, where postings of a word weigh so much."""
        if not weighed:
            return []
        normal = K1 * (1.0 - B + B / mean * self.lengths)
        shares: list[Floats] = [
            weight * (K1 + 1.0) * times / (times + normal[places])
            for weight, places, times in weighed
        ]
        every = np.concatenate([places for _, places, _ in weighed])
        sums = np.bincount(every, np.concatenate(shares), self.ids.size)
        found = np.flatnonzero(sums)
        if scopes is not None:
            found = found[np.isin(self.scopes[found], list(scopes))]
        if found.size > limit:
            found = found[np.argpartition(-sums[found], limit - 1)[:limit]]
        return list(zip(self.ids[found].tolist(), sums[found].tolist(), strict=True))

    def ended(self, identities: Collection[int]) -> int:
        """Stop finding these; returns the words of the ones held here."""
        if not self.ids.size:
            return 0
        lowest, highest = self.ids.min(), self.ids.max()
        wanted = [one for one in identities if lowest <= one <= highest]
        if not wanted:
            return 0
        gone = np.isin(self.ids, wanted) & self.alive
        self.alive[gone] = False
        return int(self.lengths[gone].sum())

    def compacted(self) -> "Part":
        """The living documents alone."""
        if self.alive.all():
            return self
        kept = self.alive[self.places]
        sizes = np.add.reduceat(kept, self.starts[:-1], dtype=np.int64)
        moved = np.cumsum(self.alive, dtype=np.int32) - np.int32(1)
        return Part(
            self.ids[self.alive], self.scopes[self.alive], self.lengths[self.alive],
            self.words[sizes > 0], _starts(sizes[sizes > 0]),
            moved[self.places[kept]], self.times[kept],
        )  # fmt: skip


class PostingsIndex:
    """Words of many documents, searched as FTS5's bm25 would.

    Mutable, single-owner, no I/O. An identity already held must be removed before it is added
    again.
    """

    def __init__(self, part: Part | None = None) -> None:
        """``part``: the kept part of an earlier one."""
        self._parts = [] if part is None else [part]  # the largest first
        self._alive = sum(one.ids.size for one in self._parts)
        self._length = sum(int(one.lengths.sum()) for one in self._parts)

    def __len__(self) -> int:
        """How many documents can be found."""
        return self._alive

    @property
    def parts(self) -> int:
        """Number of parts of arrays."""
        return len(self._parts)

    def nbytes(self, *, mapped: bool = False) -> int:
        """Memory held, in bytes, or the part of it in a file."""
        arrays = [array for part in self._parts for array in (*part.arrays().values(), part.alive)]
        return sum(array.nbytes for array in arrays if not (mapped and array.flags.writeable))

    def add(self, documents: Sequence[Document]) -> None:
        """Find these from now on."""
        part = of_documents(documents)
        self._parts.append(part)
        self._alive += len(documents)
        self._length += int(part.lengths.sum())

    def remove(self, identities: Collection[int]) -> None:
        """Stop finding the ones of these held here."""
        for part in self._parts:
            before = np.count_nonzero(part.alive)
            self._length -= part.ended(identities)
            self._alive -= int(before - np.count_nonzero(part.alive))

    def frequencies(self, tokens: Iterable[str]) -> dict[str, int]:
        """Number of documents in which each of these stands."""
        phrases = {token: (hashed(token),) for token in tokens}
        counts = _counts(part.together(phrases.values()) for part in self._parts)
        return {token: counts[phrase] for token, phrase in phrases.items()}

    def search(
        self, phrases: Sequence[Sequence[str]], scopes: Collection[int] | None, limit: int
    ) -> list[tuple[int, float]]:
        """The best documents with any of `phrases` and their bm25 (more is better), best first.

        A phrase of several tokens is where all of them stand, in whatever order and distance, as
        often as the rarest of them: positions are not kept. `scopes` limits the search to documents
        of these scopes; None is all.
        """
        if limit <= 0:
            return []
        asked = Counter(tuple(map(hashed, phrase)) for phrase in phrases)
        held = [part.together(asked) for part in self._parts]
        counts = _counts(held)
        weights = {one: times * idf(len(self), counts[one]) for one, times in asked.items()}
        mean = self._length / self._alive if self._alive and self._length else 1.0
        found: list[tuple[int, float]] = []
        for part, there in zip(self._parts, held, strict=True):
            weighed = [(weights[phrase], *postings) for phrase, postings in there.items()]
            found += part.best(weighed, scopes, limit, mean)
        return sorted(found, key=lambda one: (-one[1], one[0]))[:limit]

    def tidied(self) -> bool:
        """Make one part of two; False when there is nothing to do."""
        for at in range(len(self._parts) - 2, -1, -1):
            older, newer = self._parts[at : at + 2]
            if older.ids.size <= 2 * newer.ids.size:
                self._parts[at : at + 2] = [merged((older, newer))]
                return True
        return False

    def whole(self) -> Part:
        """All documents as one part, which is held from now on."""
        self._parts = [merged(self._parts)]
        return self._parts[0]


def of_documents(documents: Sequence[Document]) -> Part:
    """A part of these documents."""
    every = [_times(one) for one in documents]
    sizes = list(map(len, every))
    words = np.fromiter((word for one in every for word in one), np.uint64, sum(sizes))
    times = np.fromiter((count for one in every for count in one.values()), np.int64, sum(sizes))
    order = np.argsort(words, kind="stable")
    words = words[order]
    first = _firsts(words)
    return Part(
        np.fromiter((one.identity for one in documents), np.int64, len(documents)),
        np.fromiter((one.scope for one in documents), np.int32, len(documents)),
        np.fromiter((sum(map(len, one.columns)) for one in documents), np.int32, len(documents)),
        words[first], np.append(np.flatnonzero(first), words.size),
        np.repeat(np.arange(len(documents), dtype=np.int32), sizes)[order],
        np.minimum(times[order], _MOST).astype(np.uint16),
    )  # fmt: skip


def _times(document: Document) -> Counter[int]:
    """Tell how often each word stands there, weighted by column."""
    times: Counter[int] = Counter()
    for weight, tokens in zip(WEIGHTS, document.columns, strict=True):
        for token, count in Counter(tokens).items():
            times[hashed(token)] += weight * count
    return times


def merged(parts: Iterable[Part]) -> Part:
    """One part of the living documents of these, in their order."""
    every = [part.compacted() for part in parts] or [of_documents(())]
    words: Hashes = np.sort(np.concatenate([part.words for part in every]))
    words = words[_firsts(words)]  # np.unique takes twenty times as long
    rows = [words.searchsorted(part.words) for part in every]
    counts = np.zeros(words.size, np.int64)
    for part, at in zip(every, rows, strict=True):
        counts[at] += np.diff(part.starts)
    starts = _starts(counts)
    places, times = np.empty(int(starts[-1]), np.int32), np.empty(int(starts[-1]), np.uint16)
    free, base = starts[:-1].copy(), 0
    for part, at in zip(every, rows, strict=True):
        sizes = np.diff(part.starts)
        to = np.repeat(free[at] - part.starts[:-1], sizes) + np.arange(part.places.size)
        places[to] = part.places + np.int32(base)
        times[to] = part.times
        free[at] += sizes
        base += part.ids.size
    return Part(
        np.concatenate([part.ids for part in every]),
        np.concatenate([part.scopes for part in every]),
        np.concatenate([part.lengths for part in every]),
        words, starts, places, times,
    )  # fmt: skip


def idf(documents: int, count: int) -> float:
    """Inverse document frequency of a word of `count` of all `documents`, as FTS5 has it."""
    return max(LEAST_IDF, math.log((documents - count + 0.5) / (count + 0.5)))


@lru_cache(maxsize=16_384)  # nineteen of twenty words that a text has, and 2 MB
def hashed(word: str) -> int:
    """Hash of a word: 64 bits, the same in every process."""
    digest = hashlib.blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little")


def _counts(held: Iterable[Mapping[Phrase, tuple[Ints, Times]]]) -> Counter[Phrase]:
    """Number of documents of each phrase."""
    counts: Counter[Phrase] = Counter()
    for part in held:
        for phrase, (places, _) in part.items():
            counts[phrase] += places.size
    return counts


def _firsts(words: Hashes) -> npt.NDArray[np.bool_]:
    """Mark the first of equal ones among ascending words."""
    first = np.ones(words.size, np.bool_)
    first[1:] = words[1:] != words[:-1]
    return first


def _starts(sizes: Longs) -> Longs:
    return np.append(0, np.cumsum(sizes)).astype(np.int64)
