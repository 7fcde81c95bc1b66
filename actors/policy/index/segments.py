"""Segments: postings of up to 65,536 documents as arrays, and how two become one.

The part of bm25 that no query changes,

    impact = f (k1 + 1) / (f + k1 (1 - b + b D / mean D)),

is kept a posting (*f*: how often the word stands there, weighted by column; *D*: words of all
columns). What never changes may be read-only, and so lie in a mapped file. A merge goes word by word,
in steps of so many postings, because a search may have to wait for one.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Places = npt.NDArray[np.uint16]
Longs = npt.NDArray[np.int64]
Ints = npt.NDArray[np.int32]
Flags = npt.NDArray[np.bool_]
Phrase = tuple[int, ...]

LARGEST: Final = 65_536
"""Documents of a segment: as many as places have numbers."""

_FEW: Final = 8
"""Documents that are looked for one by one when they end."""

FIXED: Final = (
    "ids", "scopes", "lengths", "terms", "starts", "places", "impacts", "peaks",
)  # fmt: skip
CHANGING: Final = ("counts", "alive")
"""Arrays of a segment: those that never change, and those that do when a document ends."""


@dataclass(frozen=True, slots=True)
class Weighing:
    """Weights of bm25."""

    k1: float = 1.2
    b: float = 0.75


def impact(count: float, length: int, mean: float, weighing: Weighing) -> float:
    """The share of bm25 that a word has which stands `count` times among `length` words."""
    normal = weighing.k1 * (1.0 - weighing.b + weighing.b * length / mean)
    return count * (weighing.k1 + 1.0) / (count + normal)


class Held(NamedTuple):
    """A segment as arrays, for `restored`."""

    number: int
    mean: float
    arrays: dict[str, npt.NDArray[Any]]


@dataclass(slots=True, eq=False)
class Segment:
    """Postings by word of some documents; what changes are `alive` and `counts` alone."""

    ids: Longs
    scopes: Ints
    lengths: Ints
    terms: Ints  # ascending; `counts` and `starts` go with it
    starts: Longs
    counts: Ints  # living documents of each word
    places: Places
    impacts: Floats
    peaks: Floats  # the highest impact of each word
    mean: float
    alive: Flags
    number: int = 0  # no other segment of the index has, or had, it
    lowest: int = field(init=False)
    highest: int = field(init=False)
    living: int = field(init=False)

    def __post_init__(self) -> None:
        self.lowest, self.highest = int(self.ids.min()), int(self.ids.max())
        self.living = int(np.count_nonzero(self.alive))

    def nbytes(self, *, read_only: bool = False) -> int:
        """Bytes of all arrays, or of those that somebody else holds."""
        arrays = [getattr(self, name) for name in (*FIXED, *CHANGING)]
        return sum(a.nbytes for a in arrays if not (read_only and a.flags.writeable))

    def held(self) -> Held:
        """Arrays of the segment; what changes is copied."""
        fixed = {name: getattr(self, name) for name in FIXED}
        return Held(
            self.number, self.mean,
            fixed | {name: getattr(self, name).copy() for name in CHANGING},
        )  # fmt: skip

    def replace(self, held: Held) -> None:
        """Hold these arrays, which are equal, instead of the own ones."""
        for name in FIXED:
            setattr(self, name, held.arrays[name])

    def count(self, term: int) -> int:
        """Number of living documents in which the word stands."""
        row = self._row(term)
        return int(self.counts[row]) if row >= 0 else 0

    def postings(self, phrase: Phrase) -> tuple[Places, Floats]:
        """Places where the words stand together, and their least impact; ended ones included."""
        first, *others = phrase
        places, impacts = self._of(first)
        for term in others:
            there, theirs = self._of(term)
            together = np.intersect1d(places, there, assume_unique=True, return_indices=True)
            impacts = np.minimum(impacts[together[1]], theirs[together[2]])
            places = together[0]
        return places, impacts

    def most(self, phrase: Phrase) -> float:
        """No impact of these words together is higher."""
        rows = [self._row(term) for term in phrase]
        return min(float(self.peaks[row]) if row >= 0 else 0.0 for row in rows)

    def ended(self, identities: Collection[int]) -> list[int]:
        """Stop finding these; the lengths of those that were here."""
        wanted = [i for i in identities if self.lowest <= i <= self.highest]
        if not wanted:
            return []
        gone = np.flatnonzero(np.isin(self.ids, wanted) & self.alive)
        if not gone.size:
            return []
        self.alive[gone] = False
        self.living -= int(gone.size)
        rows = self.starts.searchsorted(self._postings_of(gone), "right") - 1
        self.counts -= np.bincount(rows, minlength=self.counts.size).astype(np.int32)
        return [int(length) for length in self.lengths[gone]]

    def _postings_of(self, gone: Longs) -> Longs:
        """Where the postings of these documents are; all are looked through, as none knows its own.

        In a segment of 65,536 documents .4 ms for each, or 3 ms for any number.
        """
        if gone.size <= _FEW:
            return np.concatenate([np.flatnonzero(self.places == np.uint16(one)) for one in gone])
        leaving = np.zeros(self.ids.size, np.bool_)
        leaving[gone] = True
        return np.flatnonzero(leaving[self.places])

    def _row(self, term: int) -> int:
        """Where the word is, or -1."""
        row = int(self.terms.searchsorted(np.int32(term)))  # of another type, all are converted
        return row if row < self.terms.size and self.terms[row] == term else -1

    def _of(self, term: int) -> tuple[Places, Floats]:
        row = self._row(term)
        part = slice(int(self.starts[row]), int(self.starts[row + 1])) if row >= 0 else slice(0)
        return self.places[part], self.impacts[part]


def restored(held: Held) -> Segment:
    """The segment that these arrays are of. They may be read-only: what changes is copied."""
    fixed = {name: held.arrays[name] for name in FIXED}
    changing = {name: held.arrays[name].copy() for name in CHANGING}
    return Segment(**fixed, **changing, mean=held.mean, number=held.number)


def of_documents(
    ids: Sequence[int],
    scopes: Sequence[int],
    lengths: Sequence[int],
    counts: Sequence[dict[int, float]],
    mean: float,
    weighing: Weighing,
) -> Segment:
    """A segment of these documents; ``counts`` has how often each word stands in each."""
    size = sum(map(len, counts))
    terms = np.fromiter((term for one in counts for term in one), np.int32, size)
    often = np.fromiter((count for one in counts for count in one.values()), np.float32, size)
    places = np.repeat(np.arange(len(ids), dtype=np.uint16), [len(one) for one in counts])
    order = np.argsort(terms, kind="stable")
    terms, places, often = terms[order], places[order], often[order]
    first = np.flatnonzero(np.diff(terms, prepend=-1))
    starts = np.append(first, terms.size).astype(np.int64)
    every = np.array(lengths, np.int32)
    impacts = _impacts(often, _normal(every, mean, weighing)[places], weighing)
    return Segment(
        np.array(ids, np.int64), np.array(scopes, np.int32), every,
        terms[first], starts, np.diff(starts).astype(np.int32),
        places, impacts, _peaks(impacts, first), mean, np.ones(len(ids), np.bool_),
    )  # fmt: skip


class Merge:
    """One segment made of the living documents of some, in steps.

    The segments may lose documents meanwhile; they stay whole and can be searched to the end.
    """

    def __init__(self, segments: Sequence[Segment], mean: float, weighing: Weighing) -> None:
        """At least one document must live."""
        self.segments = tuple(segments)
        self._weighing = weighing
        self._mean = mean
        self._alive = [segment.alive.copy() for segment in segments]
        lengths: Ints = np.concatenate([segment.lengths[segment.alive] for segment in segments])
        self._lengths = lengths
        self._normal = _normal(lengths, mean, weighing)
        self._words = [np.flatnonzero(segment.counts) for segment in segments]
        terms = [segment.terms[own] for segment, own in zip(segments, self._words, strict=True)]
        self._terms = _union(terms)
        self._rows = [self._terms.searchsorted(own) for own in terms]
        counts = np.zeros(self._terms.size, np.int64)
        for segment, own, rows in zip(segments, self._words, self._rows, strict=True):
            counts[rows] += segment.counts[own]
        self._starts: Longs = np.append(0, np.cumsum(counts)).astype(np.int64)
        self._places: Places = np.empty(int(self._starts[-1]), np.uint16)
        self._impacts: Floats = np.empty(int(self._starts[-1]), np.float32)
        self._peaks: Floats = np.empty(self._terms.size, np.float32)
        self._done = 0  # words

    def advanced(self, postings: int) -> Segment | None:
        """Do about so many postings more; the segment once all are done."""
        if self._done < self._terms.size:
            wanted = self._starts[self._done] + postings
            upto = max(self._done + 1, int(self._starts.searchsorted(wanted, "right")) - 1)
            self._laid_out(self._done, min(upto, self._terms.size))
            self._done = min(upto, self._terms.size)
        return self._made() if self._done == self._terms.size else None

    def _laid_out(self, first: int, upto: int) -> None:
        """Put the postings of these words where they belong: by word, and older ones first."""
        free = self._starts[first:upto].copy()
        base = 0
        for segment, alive, words, rows in zip(
            self.segments, self._alive, self._words, self._rows, strict=True
        ):
            part = slice(*rows.searchsorted((first, upto)))
            if part.start < part.stop:
                places, impacts, counts = _living(segment, alive, words[part])
                targets = free[rows[part] - first]
                skipped = targets - np.append(0, np.cumsum(counts)[:-1])
                at = np.arange(places.size) + np.repeat(skipped, counts)
                moved = (np.cumsum(alive) + (base - 1)).astype(np.uint16)[places]
                before = _normal(segment.lengths, segment.mean, self._weighing)[places]
                often = _often(impacts, before, self._weighing)
                self._places[at] = moved
                self._impacts[at] = _impacts(often, self._normal[moved], self._weighing)
                free[rows[part] - first] += counts
            base += int(np.count_nonzero(alive))
        low, high = int(self._starts[first]), int(self._starts[upto])
        self._peaks[first:upto] = _peaks(self._impacts[low:high], self._starts[first:upto] - low)

    def _made(self) -> Segment:
        pairs = list(zip(self.segments, self._alive, strict=True))
        made = Segment(
            np.concatenate([segment.ids[alive] for segment, alive in pairs]),
            np.concatenate([segment.scopes[alive] for segment, alive in pairs]),
            self._lengths, self._terms, self._starts, np.diff(self._starts).astype(np.int32),
            self._places, self._impacts, self._peaks, self._mean,
            np.ones(self._lengths.size, np.bool_),
        )  # fmt: skip
        made.ended([int(i) for s, alive in pairs for i in s.ids[alive & ~s.alive]])
        return made


def _union(terms: Sequence[Ints]) -> Ints:
    """All of these words once, ascending; ``np.unique`` takes twenty times as long."""
    every = np.sort(np.concatenate(terms))
    return every[np.diff(every, prepend=-1) > 0]


def _living(segment: Segment, alive: Flags, words: Longs) -> tuple[Places, Floats, Longs]:
    """Places and impacts of these neighbouring words, and how many of each; no ended ones.

    A word between them that is not asked for has none that live.
    """
    low, high = int(segment.starts[words[0]]), int(segment.starts[words[-1] + 1])
    places, impacts = segment.places[low:high], segment.impacts[low:high]
    if alive.all():
        return places, impacts, segment.starts[words + 1] - segment.starts[words]
    kept = alive[places]
    counts = np.add.reduceat(kept, segment.starts[words] - low, dtype=np.int64)
    return places[kept], impacts[kept], counts


def _normal(lengths: Ints, mean: float, weighing: Weighing) -> Floats:
    normal = weighing.k1 * (1.0 - weighing.b + weighing.b / mean * lengths)
    return normal.astype(np.float32)


def _impacts(often: Floats, normal: Floats, weighing: Weighing) -> Floats:
    found = often * np.float32(weighing.k1 + 1.0) / (often + normal)
    return found.astype(np.float32, copy=False)


def _often(impacts: Floats, normal: Floats, weighing: Weighing) -> Floats:
    """How often each word stands there, from its impact."""
    found = impacts * normal / (np.float32(weighing.k1 + 1.0) - impacts)
    return found.astype(np.float32, copy=False)


def _peaks(impacts: Floats, first: Longs) -> Floats:
    """The highest of each run of impacts."""
    found: Floats = np.maximum.reduceat(impacts, first) if first.size else impacts
    return found
