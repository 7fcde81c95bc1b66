"""Words in memory: postings whose impacts add up to the bm25 that FTS5 computes (K03, K04).

FTS5 walks and weighs every posting of every word for each query: 6 ms at 10,000 memories, about
100 ms at 100,000. Here the part of the sum that no query changes,

    impact = f (k1 + 1) / (f + k1 (1 - b + b D / mean D)),

is kept a posting (*f*: how often the word stands there, weighted by column; *D*: words of all
columns), and a query adds ``idf * impact``, with FTS5's ``idf = ln((N - n + .5) / (n + .5))``, at
least 1e-6. *N* and *n* are counted at query time, so scores stay right as the store grows; the mean
length an impact was made with is brought up to date by `PostingsIndex.tidied`.

What is new lies in dictionaries; 128 of those become a segment of arrays, and small segments are
merged. Both steps are bounded, as a segment holds at most 16,384 documents.
"""

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Places = npt.NDArray[np.uint16]
Longs = npt.NDArray[np.int64]
Ints = npt.NDArray[np.int32]
Flags = npt.NDArray[np.bool_]
Phrase = tuple[int, ...]

_ENTRY: Final = 150
"""Bytes of a word in the vocabulary: the string, its number, their place in the dictionary."""

_ROUNDED: Final = 1.0001
"""Sums of float32 may be higher than what they are sums of, by less than this share."""

_NEW: Final = 120
"""Bytes of a posting that still lies in dictionaries."""


_FIXED: Final = (
    "ids", "scopes", "lengths", "terms", "starts", "places", "impacts", "peaks",
)  # fmt: skip
_CHANGING: Final = ("counts", "alive")
"""Arrays of a segment: those that never change, and those that do when a document ends."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How bm25 weighs, and what a query may cost."""

    weights: tuple[float, ...] = (2.0, 2.0, 1.0)  # of title, triggers and body (docs/adr/0006)
    k1: float = 1.2
    b: float = 0.75
    least_idf: float = 1e-6  # FTS5's, for a word that stands in half of all documents
    budget: int = 400_000  # postings added up for a query: about 2 ms
    rarer: int = 3  # words that are added up in full, however frequent
    refined: int = 1_000  # best documents to which the words beyond the budget are added
    segment: int = 16_384  # documents: what bounds the time of a merge
    tail: int = 128  # documents in dictionaries, which a query looks through
    drift: float = 0.01  # share by which the mean length may differ from a segment's


@dataclass(frozen=True, slots=True)
class Document:
    """What is to be found: its words by column, in the order of `Settings.weights`."""

    identity: int
    scope: int
    columns: tuple[Sequence[str], ...]


@dataclass(slots=True)
class _New:
    """A document in the tail."""

    scope: int
    length: int
    counts: dict[int, float]


@dataclass(slots=True)
class _Segment:
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
        """Of all arrays, or of those that somebody else holds."""
        arrays = [getattr(self, name) for name in (*_FIXED, *_CHANGING)]
        return sum(a.nbytes for a in arrays if not (read_only and a.flags.writeable))

    def row(self, term: int) -> int:
        """Where the word is, or -1."""
        row = int(self.terms.searchsorted(np.int32(term)))  # of another type, all are converted
        return row if row < self.terms.size and self.terms[row] == term else -1

    def count(self, term: int) -> int:
        row = self.row(term)
        return int(self.counts[row]) if row >= 0 else 0

    def postings(self, phrase: Phrase) -> tuple[Places, Floats]:
        """Where the words stand together and the least of their impacts; ended ones included."""
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
        rows = [self.row(term) for term in phrase]
        return min(float(self.peaks[row]) if row >= 0 else 0.0 for row in rows)

    def _of(self, term: int) -> tuple[Places, Floats]:
        row = self.row(term)
        part = slice(int(self.starts[row]), int(self.starts[row + 1])) if row >= 0 else slice(0)
        return self.places[part], self.impacts[part]

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
        leaving = np.zeros(self.ids.size, np.bool_)
        leaving[gone] = True
        # No document knows its words: all postings are looked through, 1 ms a segment.
        rows = self.starts.searchsorted(np.flatnonzero(leaving[self.places]), "right") - 1
        self.counts -= np.bincount(rows, minlength=self.counts.size).astype(np.int32)
        return [int(length) for length in self.lengths[gone]]


class Held(NamedTuple):
    """A segment as arrays, for `PostingsIndex.restored`."""

    number: int
    mean: float
    arrays: dict[str, npt.NDArray[Any]]


class PostingsIndex:
    """Words of many documents, searched as FTS5's bm25 would.

    Mutable, single-owner, no I/O. An identity that is held must be removed before it is added
    again.
    """

    def __init__(self, settings: Settings | None = None) -> None:
        self._settings = settings or Settings()
        self._vocabulary: dict[str, int] = {}
        self._segments: list[_Segment] = []
        self._tail: dict[int, _New] = {}
        self._alive = 0
        self._length = 0
        self._scopes = 0  # above all of them
        self._numbers = 0  # segments made so far
        self._counted: dict[int, int] = {}  # documents of words that were asked for

    def __len__(self) -> int:
        """How many documents can be found."""
        return self._alive

    @property
    def nbytes(self) -> int:
        """Memory held, in bytes: arrays exactly, dictionaries by a usual entry."""
        waiting = sum(len(new.counts) for new in self._tail.values())
        segments = sum(segment.nbytes() for segment in self._segments)
        return segments + _ENTRY * len(self._vocabulary) + _NEW * waiting

    @property
    def read_only(self) -> int:
        """Bytes among them of arrays that were restored or replaced, and lie elsewhere."""
        return sum(segment.nbytes(read_only=True) for segment in self._segments)

    @property
    def settings(self) -> Settings:
        """What impacts were made by."""
        return self._settings

    @property
    def segments(self) -> int:
        """How many segments of arrays there are."""
        return len(self._segments)

    @property
    def vocabulary(self) -> list[str]:
        """Every word ever added, in the order of their numbers."""
        return list(self._vocabulary)

    def held(self) -> list[Held]:
        """All segments as arrays, the new documents among them; what changes is copied."""
        while self._tail:
            self._sealed(1)
        return [
            Held(
                segment.number,
                segment.mean,
                {name: getattr(segment, name) for name in _FIXED}
                | {name: getattr(segment, name).copy() for name in _CHANGING},
            )
            for segment in self._segments
        ]

    @classmethod
    def restored(
        cls, vocabulary: Iterable[str], held: Iterable[Held], settings: Settings | None = None
    ) -> "PostingsIndex":
        """The index that these are of. Its arrays may be read-only: what changes is copied."""
        index = cls(settings)
        index._vocabulary = {word: number for number, word in enumerate(vocabulary)}
        for one in held:
            changing = {name: one.arrays[name].copy() for name in _CHANGING}
            fixed = {name: one.arrays[name] for name in _FIXED}
            segment = _Segment(**fixed, **changing, mean=one.mean, number=one.number)
            index._segments.append(segment)
            index._alive += segment.living
            index._length += int(segment.lengths[segment.alive].sum())
            index._scopes = max(index._scopes, int(segment.scopes.max()) + 1)
            index._numbers = max(index._numbers, one.number)
        return index

    def replace(self, held: Iterable[Held]) -> None:
        """Hold the arrays of these segments, which are equal, instead of the own ones."""
        equal = {one.number: one.arrays for one in held}
        for segment in self._segments:
            for name in _FIXED if segment.number in equal else ():
                setattr(segment, name, equal[segment.number][name])

    def add(self, document: Document) -> None:
        """Find `document` from now on."""
        numbers, counts = self._vocabulary, dict[int, float]()
        length = 0
        for weight, tokens in zip(self._settings.weights, document.columns, strict=True):
            length += len(tokens)
            for token, times in Counter(tokens).items():
                number = numbers.setdefault(token, len(numbers))
                counts[number] = counts.get(number, 0.0) + weight * times
        self._counted.clear()
        self._tail[document.identity] = _New(document.scope, length, counts)
        self._scopes = max(self._scopes, document.scope + 1)
        self._alive += 1
        self._length += length

    def remove(self, identities: Collection[int]) -> int:
        """Stop finding these; how many there were."""
        self._counted.clear()
        new = (self._tail.pop(identity, None) for identity in identities)
        lengths = [one.length for one in new if one is not None]
        for segment in self._segments:
            lengths += segment.ended(identities)
        self._alive -= len(lengths)
        self._length -= sum(lengths)
        return len(lengths)

    def frequencies(self, tokens: Iterable[str]) -> dict[str, int]:
        """In how many documents each of these stands."""
        return {token: self._count((self._vocabulary.get(token, -1),)) for token in tokens}

    def search(
        self, phrases: Sequence[Sequence[str]], scopes: Collection[int] | None, limit: int
    ) -> list[tuple[int, float]]:
        """The best documents with any of `phrases` and their bm25 (more is better), best first.

        A phrase of several tokens is where all of them stand, in whatever order and distance, as
        often as the rarest of them: positions are not kept. `scopes` limits the search to
        documents of those scopes; None is all. Beyond the budget of postings the most frequent
        words are added to the best documents by the others only.
        """
        weights = self._weighed(phrases)
        if not weights or limit <= 0:
            return []
        now, later = self._within_budget(weights)
        allowed = None if scopes is None else self._allowed(scopes)
        best = _Best(max(limit, self._settings.refined) if later else limit)
        for number, segment in enumerate(self._segments):
            best.take(number, *_from(segment, now, allowed, best.threshold))
        found = self._from_tail({**now, **later}, scopes)
        for number, segment in enumerate(self._segments):
            places, scores = best.of(number)
            scores = _refined(segment, places, scores, later)
            found += zip(segment.ids[places].tolist(), scores.tolist(), strict=True)
        return sorted(found, key=lambda one: (-one[1], one[0]))[:limit]

    def tidied(self) -> bool:
        """Do one bounded piece of upkeep; False when there is none."""
        return self._sealed(self._settings.tail) or self._merged() or self._renewed()

    def _mean(self) -> float:
        return self._length / self._alive if self._alive and self._length else 1.0

    def _allowed(self, scopes: Collection[int]) -> Flags:
        allowed = np.zeros(self._scopes, np.bool_)
        allowed[[scope for scope in scopes if scope < self._scopes]] = True
        return allowed

    def _count(self, phrase: Phrase) -> int:
        if len(phrase) == 1:
            (term,) = phrase
            found = self._counted.get(term)
            if found is None:
                found = sum(segment.count(term) for segment in self._segments)
                found += sum(term in new.counts for new in self._tail.values())
                self._counted[term] = found
            return found
        held = sum(
            int(np.count_nonzero(segment.alive[segment.postings(phrase)[0]]))
            for segment in self._segments
        )
        return held + len(self._together(phrase))

    def _together(self, phrase: Phrase) -> dict[int, float]:
        """New documents with all of these words, and how often the rarest of them stands there."""
        first, *others = phrase
        held = {i: new.counts for i, new in self._tail.items() if first in new.counts}
        return {
            identity: min(counts[first], *map(counts.__getitem__, others))
            if others
            else counts[first]
            for identity, counts in held.items()
            if counts.keys() >= set(others)
        }

    def _weighed(self, phrases: Sequence[Sequence[str]]) -> dict[Phrase, tuple[int, float]]:
        """Each phrase with its documents and its weight: idf times how often it is asked."""
        asked = Counter(
            tuple(self._vocabulary.get(token, -1) for token in phrase) for phrase in phrases
        )
        weighed: dict[Phrase, tuple[int, float]] = {}
        for phrase, times in asked.items():
            count = self._count(phrase) if phrase else 0
            if count:
                weighed[phrase] = count, times * idf(self._alive, count, self._settings)
        return weighed

    def _within_budget(
        self, weighed: Mapping[Phrase, tuple[int, float]]
    ) -> tuple[dict[Phrase, float], dict[Phrase, float]]:
        """The weights of what is added up in full, and of what only refines that."""
        rarest = sorted(weighed, key=lambda phrase: weighed[phrase][0])
        now: dict[Phrase, float] = {}
        later: dict[Phrase, float] = {}
        spent = 0
        for phrase in rarest:
            count, weight = weighed[phrase]
            spent += count
            fits = spent <= self._settings.budget or len(now) < self._settings.rarer
            (now if fits else later)[phrase] = weight
        return now, later

    def _from_tail(
        self, weights: Mapping[Phrase, float], scopes: Collection[int] | None
    ) -> list[tuple[int, float]]:
        scores: dict[int, float] = {}
        mean = self._mean()
        for phrase, weight in weights.items():
            for identity, count in self._together(phrase).items():
                new = self._tail[identity]
                if scopes is None or new.scope in scopes:
                    part = weight * impact(count, new.length, mean, self._settings)
                    scores[identity] = scores.get(identity, 0.0) + part
        return list(scores.items())

    def _sealed(self, least: int) -> bool:
        if len(self._tail) < least:
            return False
        held = list(islice(self._tail.items(), self._settings.tail))
        places = [place for place, (_, new) in enumerate(held) for _ in new.counts]
        segment = _laid_out(
            ids=np.array([identity for identity, _ in held], np.int64),
            scopes=np.array([new.scope for _, new in held], np.int32),
            lengths=np.array([new.length for _, new in held], np.int32),
            terms=np.array([term for _, new in held for term in new.counts], np.int32),
            places=np.array(places, np.uint16),
            counts=np.array([c for _, new in held for c in new.counts.values()], np.float32),
            mean=self._mean(),
            settings=self._settings,
        )
        for identity, _ in held:
            del self._tail[identity]
        self._segments.append(self._numbered(segment))
        return True

    def _numbered(self, segment: _Segment) -> _Segment:
        self._numbers += 1
        segment.number = self._numbers
        return segment

    def _merged(self) -> bool:
        """Merge two neighbours of like size, the newest first; so each is merged a few times."""
        for at in range(len(self._segments) - 2, -1, -1):
            older, newer = self._segments[at : at + 2]
            together = older.living + newer.living
            if older.living <= 2 * newer.living and together <= self._settings.segment:
                self._segments[at : at + 2] = self._remade(older, newer)
                return True
        return False

    def _renewed(self) -> bool:
        """Remake a segment with many ended documents or an old mean length."""
        for at, segment in enumerate(self._segments):
            drifted = abs(segment.mean / self._mean() - 1.0) > self._settings.drift
            if drifted or 4 * segment.living <= 3 * segment.ids.size:
                self._segments[at : at + 1] = self._remade(segment)
                return True
        return False

    def _remade(self, *segments: _Segment) -> list[_Segment]:
        """One segment of the living documents of these, or none when there are none."""
        if not any(segment.living for segment in segments):
            return []
        terms: list[Ints] = []
        places: list[Places] = []
        counts: list[Floats] = []
        base = 0
        for segment in segments:
            kept = segment.alive[segment.places]
            moved = np.cumsum(segment.alive) - 1 + base
            terms.append(np.repeat(segment.terms, np.diff(segment.starts))[kept])
            places.append(moved[segment.places[kept]].astype(np.uint16))
            counts.append(_counts(segment, self._settings)[kept])
            base += segment.living
        made = _laid_out(
            ids=np.concatenate([s.ids[s.alive] for s in segments]),
            scopes=np.concatenate([s.scopes[s.alive] for s in segments]),
            lengths=np.concatenate([s.lengths[s.alive] for s in segments]),
            terms=np.concatenate(terms),
            places=np.concatenate(places),
            counts=np.concatenate(counts),
            mean=self._mean(),
            settings=self._settings,
        )
        return [self._numbered(made)]


def idf(documents: int, count: int, settings: Settings) -> float:
    """How much a word of `count` of all `documents` says, as FTS5 has it."""
    return max(settings.least_idf, math.log((documents - count + 0.5) / (count + 0.5)))


def impact(count: float, length: int, mean: float, settings: Settings) -> float:
    """The share of bm25 that a word has which stands `count` times among `length` words."""
    normal = settings.k1 * (1.0 - settings.b + settings.b * length / mean)
    return count * (settings.k1 + 1.0) / (count + normal)


def _normal(lengths: Ints, mean: float, settings: Settings) -> Floats:
    return (settings.k1 * (1.0 - settings.b + settings.b / mean * lengths)).astype(np.float32)


def _counts(segment: _Segment, settings: Settings) -> Floats:
    """How often each word stands there, from its impact."""
    normal = _normal(segment.lengths, segment.mean, settings)[segment.places]
    counts = segment.impacts * normal / (settings.k1 + 1.0 - segment.impacts)
    return counts.astype(np.float32, copy=False)


def _laid_out(
    *,
    ids: Longs,
    scopes: Ints,
    lengths: Ints,
    terms: Ints,
    places: Places,
    counts: Floats,
    mean: float,
    settings: Settings,
) -> _Segment:
    """A segment of postings that come document by document or segment by segment."""
    order = np.argsort(terms, kind="stable")
    terms, places, counts = terms[order], places[order], counts[order]
    first = np.flatnonzero(np.diff(terms, prepend=-1))
    starts = np.append(first, terms.size).astype(np.int64)
    normal = _normal(lengths, mean, settings)[places]
    impacts = (counts * (settings.k1 + 1.0) / (counts + normal)).astype(np.float32, copy=False)
    return _Segment(
        ids, scopes, lengths, terms[first], starts, np.diff(starts).astype(np.int32),
        places, impacts, _peaks(impacts, first), mean, np.ones(ids.size, np.bool_),
    )  # fmt: skip


def _peaks(impacts: Floats, first: Longs) -> Floats:
    """The highest of each run of impacts."""
    found: Floats = np.maximum.reduceat(impacts, first) if first.size else impacts
    return found


class _Best:
    """The best documents of the segments so far."""

    def __init__(self, wanted: int) -> None:
        self.threshold = 0.0  # what a document needs to be among them
        self._wanted = wanted
        self._segments = np.empty(0, np.int32)
        self._places = np.empty(0, np.int64)
        self._scores = np.empty(0, np.float32)

    def take(self, segment: int, places: Longs, scores: Floats) -> None:
        """These of one segment, as far as they are better."""
        self._segments = np.append(self._segments, np.full(places.size, segment, np.int32))
        self._places = np.append(self._places, places)
        self._scores = np.append(self._scores, scores)
        if self._scores.size > self._wanted:
            kept = np.argpartition(-self._scores, self._wanted - 1)[: self._wanted]
            self._segments, self._places = self._segments[kept], self._places[kept]
            self._scores = self._scores[kept]
            self.threshold = float(self._scores.min())

    def of(self, segment: int) -> tuple[Longs, Floats]:
        """What is left of a segment."""
        here = self._segments == segment
        return self._places[here], self._scores[here]


def _from(
    segment: _Segment, weights: Mapping[Phrase, float], allowed: Flags | None, threshold: float
) -> tuple[Longs, Floats]:
    """Places and scores of the documents of allowed scopes from `threshold` on.

    Words come the rarest first. Once those that are left cannot lift a document without the ones
    before over the threshold, only documents that they can lift over it are looked up in them
    (Turtle and Flood 1995, MaxScore): the scores are those of adding all of them up.
    """
    sums = np.zeros(segment.ids.size, np.float32)
    phrases = list(weights)
    reach = _reach(segment, weights)
    done = 0
    while done < len(phrases) and not reach[done] < threshold:
        places, impacts = segment.postings(phrases[done])
        sums[places] += impacts * np.float32(weights[phrases[done]])
        done += 1
    found = np.flatnonzero(sums >= threshold - reach[done] if threshold > 0 else sums)
    if segment.living < segment.ids.size:
        found = found[segment.alive[found]]
    if allowed is not None:
        found = found[allowed[segment.scopes[found]]]
    if threshold <= 0:
        return found, sums[found]
    scores = _refined(segment, found, sums[found], {p: weights[p] for p in phrases[done:]})
    kept = scores >= threshold
    return found[kept], scores[kept]


def _reach(segment: _Segment, weights: Mapping[Phrase, float]) -> list[float]:
    """What each word and those after it can add to a score, at most; at the end nothing."""
    reach = [0.0]
    for phrase in reversed(list(weights)):
        reach.append(reach[-1] + weights[phrase] * segment.most(phrase) * _ROUNDED)
    return reach[::-1]


def _refined(
    segment: _Segment, found: Longs, scores: Floats, weights: Mapping[Phrase, float]
) -> Floats:
    """The scores with what these words add to them."""
    for phrase, weight in weights.items():
        places, impacts = segment.postings(phrase)
        if places.size:
            at = np.minimum(places.searchsorted(found.astype(np.uint16)), places.size - 1)
            scores = scores + np.where(places[at] == found, impacts[at] * np.float32(weight), 0)
    return scores
