"""Words in memory: postings whose impacts add up to the bm25 that FTS5 computes.

FTS5 walks and weighs every posting of every word for each query: 6 ms at 10,000 memories, about
60 ms at 100,000. Here each posting holds its impact (`actors.policy.index.segments`), and a query adds
``idf * impact``, with FTS5's ``idf = ln((N - n + .5) / (n + .5))``, at least 1e-6. *N* and *n* are
counted at query time, so scores stay right as the store grows; the mean length an impact was made
with is brought up to date by `PostingsIndex.tidied`.

What is new lies in dictionaries; 128 of those become a segment of arrays, and small segments are
merged, a bounded step at a time.
"""

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

import numpy as np

from actors.policy.index.segments import (
    LARGEST,
    Flags,
    Floats,
    Held,
    Longs,
    Merge,
    Phrase,
    Segment,
    Weighing,
    impact,
    of_documents,
    restored,
)
from actors.policy.text.vocabulary import Folded, Vocabulary

_ROUNDED: Final = 1.0001
"""Sums of float32 may be higher than what they are sums of, by less than this share."""

_NEW: Final = 120
"""Bytes of a posting that still lies in dictionaries."""


@dataclass(frozen=True, slots=True)
class Settings(Weighing):
    """Weights of bm25, and limits to what a query and a piece of upkeep may cost."""

    weights: tuple[float, ...] = (2.0, 2.0, 1.0)  # of title, triggers and body (docs/adr/0006)
    least_idf: float = 1e-6  # FTS5's, for a word that stands in half of all documents
    budget: int = 400_000  # postings added up for a query: about 2 ms
    rarer: int = 3  # words that are added up in full, however frequent
    refined: int = 1_000  # best documents to which the words beyond the budget are added
    segment: int = LARGEST  # documents: each segment costs a query .05 ms
    step: int = 100_000  # postings that are merged in one piece: 3 ms
    tail: int = 128  # documents in dictionaries, which a query looks through
    drift: float = 0.01  # share by which the mean length may differ from a segment's


@dataclass(frozen=True, slots=True)
class Document:
    """Words of a document by column, in the order of `Settings.weights`."""

    identity: int
    scope: int
    columns: tuple[Sequence[str], ...]


@dataclass(slots=True)
class _New:
    """A document in the tail."""

    scope: int
    length: int
    counts: dict[int, float]


class PostingsIndex:
    """Words of many documents, searched as FTS5's bm25 would.

    Mutable, single-owner, no I/O. An identity that is held must be removed before it is added
    again.
    """

    def __init__(self, settings: Settings | None = None) -> None:
        self._settings = settings or Settings()
        self._vocabulary = Vocabulary()
        self._segments: list[Segment] = []
        self._merge: Merge | None = None
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
        return segments + self._vocabulary.nbytes + _NEW * waiting

    @property
    def read_only(self) -> int:
        """Bytes among them of arrays that were restored or replaced, and lie elsewhere."""
        segments = sum(segment.nbytes(read_only=True) for segment in self._segments)
        return segments + self._vocabulary.arrays_nbytes(read_only=True)

    @property
    def settings(self) -> Settings:
        """Settings that impacts were made by."""
        return self._settings

    @property
    def segments(self) -> int:
        """Number of segments of arrays."""
        return len(self._segments)

    def vocabulary(self) -> Folded:
        """Every word ever added, as arrays."""
        return self._vocabulary.folded()

    def held(self) -> list[Held]:
        """All segments as arrays, the new documents among them; what changes is copied."""
        while self._tail:
            self._sealed(1)
        return [segment.held() for segment in self._segments]

    @classmethod
    def restored(
        cls, vocabulary: Folded, held: Iterable[Held], settings: Settings | None = None
    ) -> "PostingsIndex":
        """The index that these are of. Its arrays may be read-only: what changes is copied."""
        index = cls(settings)
        index._vocabulary = Vocabulary(vocabulary)
        for one in held:
            segment = restored(one)
            index._segments.append(segment)
            index._alive += segment.living
            index._length += int(segment.lengths[segment.alive].sum())
            index._scopes = max(index._scopes, int(segment.scopes.max()) + 1)
            index._numbers = max(index._numbers, one.number)
        return index

    def replace(self, vocabulary: Folded, held: Iterable[Held]) -> None:
        """Hold these arrays instead of the own ones, as far as they are equal."""
        self._vocabulary.replace(vocabulary)
        equal = {one.number: one for one in held}
        for segment in self._segments:
            if segment.number in equal:
                segment.replace(equal[segment.number])

    def add(self, document: Document) -> None:
        """Find `document` from now on."""
        counts: dict[int, float] = {}
        length = 0
        for weight, tokens in zip(self._settings.weights, document.columns, strict=True):
            length += len(tokens)
            for token, times in Counter(tokens).items():
                number = self._vocabulary.numbered(token)
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
        """Number of documents in which each of these stands."""
        return {token: self._count((self._vocabulary.number(token),)) for token in tokens}

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
        if self._sealed(self._settings.tail):
            return True
        if self._merge is None:
            self._merge = self._next_merge()
        return self._merge is not None and self._advanced(self._merge)

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
            tuple(self._vocabulary.number(token) for token in phrase) for phrase in phrases
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
        made = of_documents(
            [identity for identity, _ in held],
            [new.scope for _, new in held],
            [new.length for _, new in held],
            [new.counts for _, new in held],
            self._mean(),
            self._settings,
        )
        for identity, _ in held:
            del self._tail[identity]
        self._segments.append(self._numbered(made))
        return True

    def _numbered(self, segment: Segment) -> Segment:
        self._numbers += 1
        segment.number = self._numbers
        return segment

    def _next_merge(self) -> Merge | None:
        """Of two neighbours of like size, the newest first, so that each is merged a few times.

        Or of a segment with many ended documents or an old mean length.
        """
        self._segments = [segment for segment in self._segments if segment.living]
        for at in range(len(self._segments) - 2, -1, -1):
            older, newer = self._segments[at : at + 2]
            together = older.living + newer.living
            if older.living <= 2 * newer.living and together <= self._settings.segment:
                return Merge((older, newer), self._mean(), self._settings)
        for segment in self._segments:
            drifted = abs(segment.mean / self._mean() - 1.0) > self._settings.drift
            if drifted or 4 * segment.living <= 3 * segment.ids.size:
                return Merge((segment,), self._mean(), self._settings)
        return None

    def _advanced(self, merge: Merge) -> bool:
        made = merge.advanced(self._settings.step)
        if made is not None:
            at = self._segments.index(merge.segments[0])
            self._segments[at : at + len(merge.segments)] = [self._numbered(made)]
            self._merge = None
        return True


def idf(documents: int, count: int, settings: Settings) -> float:
    """Inverse document frequency of a word of `count` of all `documents`, as FTS5 has it."""
    return max(settings.least_idf, math.log((documents - count + 0.5) / (count + 0.5)))


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
        """Places and scores left of a segment."""
        here = self._segments == segment
        return self._places[here], self._scores[here]


def _from(
    segment: Segment, weights: Mapping[Phrase, float], allowed: Flags | None, threshold: float
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
        # In place, and places as numpy wants them: three to six times as fast as sums[places] +=.
        np.add.at(sums, places.astype(np.intp), impacts * np.float32(weights[phrases[done]]))
        done += 1
    found = np.flatnonzero(sums >= threshold - reach[done] if threshold > 0 else sums > 0)
    if segment.living < segment.ids.size:
        found = found[segment.alive[found]]
    if allowed is not None:
        found = found[allowed[segment.scopes[found]]]
    if threshold <= 0:
        return found, sums[found]
    scores = _refined(segment, found, sums[found], {p: weights[p] for p in phrases[done:]})
    kept = scores >= threshold
    return found[kept], scores[kept]


def _reach(segment: Segment, weights: Mapping[Phrase, float]) -> list[float]:
    """What each word and those after it can add to a score, at most; at the end nothing."""
    reach = [0.0]
    for phrase in reversed(list(weights)):
        reach.append(reach[-1] + weights[phrase] * segment.most(phrase) * _ROUNDED)
    return reach[::-1]


def _refined(
    segment: Segment, found: Longs, scores: Floats, weights: Mapping[Phrase, float]
) -> Floats:
    """The scores with what these words add to them."""
    for phrase, weight in weights.items():
        places, impacts = segment.postings(phrase)
        if places.size:
            at = np.minimum(places.searchsorted(found.astype(np.uint16)), places.size - 1)
            scores = scores + np.where(places[at] == found, impacts[at] * np.float32(weight), 0)
    return scores
