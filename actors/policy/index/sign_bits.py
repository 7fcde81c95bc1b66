"""Vectors by the signs of their numbers: candidates among many, and late interaction of tokens.

One bit a number is kept. Vectors with the fewest bits different from the query's are the candidates.
At 384 dimensions a vector costs 48 + 8 + 4 bytes: its bits, row id and scope. The vectors themselves
stay with the caller, who compares the candidates' exactly.

Bits lie in columns of 64, `(words, N)`: twice as fast to scan as rows. They say the angle to some nine
bits of 384, and a scan of 100,000 vectors takes half a millisecond.
"""

import hashlib
import math
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from actors.policy.patterns import pattern
from actors.policy.text.words import STOP_WORDS, stem
from actors.policy.vectors import Floats, normalised

Words = npt.NDArray[np.uint64]
Places = npt.NDArray[np.int64]
Ints = npt.NDArray[np.int32]

LEAST: Final = 800  # candidates; recall@10 of 1.000 at 100,000 (docs/measured/recall-scale.md)
SHARE: Final = 0.008  # of the vectors in scope, where that is more
EXHAUSTIVE: Final = 2_000  # vectors in scope up to which all of them are candidates
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


# ---- late interaction: the best match of each word of a query among a text's words
#
# After Khattab and Zaharia (ColBERT, 2020), with the token vectors of the embedding model as they are
# before pooling; no second model is needed. A text's vector blurs its words, and a word score does
# not see paraphrases; the sum over the query's tokens of the best cosine in the text sees both:
#
#     score = sum of weight * max(0, best cosine - floor) / ((1 - floor) * sum of weights)
#
# Of a text's tokens only the signs are kept, after a fixed rotation spreading a few axes' content
# over all of them: one bit a number, so 48 bytes a token where the model makes 384 numbers. A query
# keeps its numbers. This costs as good as nothing against whole numbers (docs/adr/0010), and needs no
# axes fitted to anybody's texts.


SLIGHT: Final = 0.3  # weight of a stop word or a mark; a word in every text has ln 2, .69
_WORD: Final = pattern(r"\w")

# What counts as met at all, and how far apart scores have to be to count in full.
FLOOR: Final = 0.25  # unrelated tokens of one model have cosines up to here
SPREAD: Final = 0.2  # from the lowest to the best, below which the difference counts less
TOKENS: Final = 32  # of a query, the weightiest: bounds what a long one costs
# Tokens of texts that are multiplied at once: 1.5 MB of numbers, which a processor's cache holds. Of
# all at once, 19 MB for long texts, the system gave and took back each page every time.
BLOCK: Final = 1_024


class Asked(Struct, frozen=True):
    """The tokens of a query: rotated directions, and the word around each."""

    directions: bytes  # float32, little-endian, a row a token
    words: tuple[str, ...]


@cache
def _hadamard(size: int) -> Floats:
    """A matrix of 1 and -1 over the square root of ``size``, a power of two; orthogonal."""
    matrix = np.ones((1, 1))
    while len(matrix) < size:
        matrix = np.block([[matrix, matrix], [matrix, -matrix]])
    scaled: Floats = (matrix / math.sqrt(size)).astype(np.float32)
    return scaled


@cache
def _flips(count: int) -> Floats:
    digests = (
        hashlib.blake2b(f"late interaction {number}".encode(), digest_size=64).digest()
        for number in range(count // 512 + 1)
    )
    bits = np.unpackbits(np.frombuffer(b"".join(digests), np.uint8))[:count]
    return bits.astype(np.float32) * 2 - 1


def rotated(vectors: Floats) -> Floats:
    """The vectors turned, always the same way: signs flipped at random, then Hadamard blocks.

    Made of whole numbers alone, so one machine's signs are read on another. A block is as wide as
    the largest power of two in the number of dimensions.
    """
    rows, dimensions = vectors.shape
    block = dimensions & -dimensions
    flipped = (vectors * _flips(dimensions)).reshape(rows, dimensions // block, block)
    turned = (flipped @ _hadamard(block)).reshape(rows, dimensions)
    return turned.astype(np.float32, copy=False)


def directions(vectors: Floats) -> Floats:
    """The token vectors rotated, each of length 1; one of nothing stays 0."""
    turned = rotated(vectors)
    lengths = np.linalg.norm(turned, axis=1, keepdims=True)
    units: Floats = np.divide(turned, lengths, out=np.zeros_like(turned), where=lengths > 0)
    return units


def signs(units: Floats) -> bytes:
    """Signs of the numbers, a bit each, for keeping; a row begins at a byte."""
    return np.packbits(units > 0, axis=1).tobytes()


def size(dimensions: int) -> int:
    """Bytes of a token's signs."""
    return (dimensions + 7) // 8


def bits(kept: bytes, dimensions: int) -> Floats:
    """The kept signs as 0 and 1, a row a token."""
    rows = np.frombuffer(kept, np.uint8).reshape(-1, size(dimensions))
    return np.unpackbits(rows, axis=1, count=dimensions).astype(np.float32)


def _products(query: Floats, kept: bytes) -> Floats:
    """Products of the query's directions with the kept signs: a column a token."""
    dimensions = query.shape[1]
    width = size(dimensions)
    found = np.empty((len(query), len(kept) // width), np.float32)
    for start in range(0, found.shape[1], BLOCK):
        end = start + BLOCK
        found[:, start:end] = query @ bits(kept[start * width : end * width], dimensions).T
    return found


def weights(words: Sequence[str], rarity: Mapping[str, float]) -> Floats:
    """Weight of each token by the rarity of its word's stem; little for an empty word.

    An uncounted word weighs the average of the others.
    """
    known = [weight for weight in rarity.values() if weight > 0]
    usual = sum(known) / len(known) if known else 1.0
    found = [
        SLIGHT
        if word in STOP_WORDS or not _WORD.search(word)
        else max(rarity.get(stem(word), usual), SLIGHT)
        for word in words
    ]
    return np.array(found, np.float32)


def met_by_each(asked: Asked, weighing: Floats, texts: Sequence[bytes]) -> list[float | None]:
    """MaxSim of the query with each text, 0..1, in one multiplication; ``None``: no tokens."""
    whole = float(weighing.sum())
    count = len(asked.words)
    if count == 0 or whole <= 0 or not any(texts):
        return [None] * len(texts)
    query = np.frombuffer(asked.directions, "<f4").reshape(count, -1)
    if count > TOKENS:
        chosen = np.sort(np.argsort(-weighing, kind="stable")[:TOKENS])
        query, weighing = query[chosen], weighing[chosen]
        whole = float(weighing.sum())
    dimensions = query.shape[1]
    lengths = [len(text) // size(dimensions) for text in texts if text]
    starts = np.cumsum([0, *lengths[:-1]])
    # With signs s = 2b - 1, q.s is 2 q.b less the sum of q.
    products = 2 * np.maximum.reduceat(_products(query, b"".join(texts)), starts, axis=1)
    best = (products - query.sum(axis=1, keepdims=True)) / math.sqrt(dimensions)
    above = np.clip(best - FLOOR, 0.0, 1.0 - FLOOR)
    scores = iter((weighing @ above / (whole * (1.0 - FLOOR))).tolist())
    return [float(next(scores)) if text else None for text in texts]


def shares(met: Mapping[int, float]) -> dict[int, float]:
    """Each score between the tenth part's border (0) and the best (1).

    When all are alike, their differences say little, and the best one stays below 1.
    """
    if not met:
        return {}
    ordered = sorted(met.values())
    low = ordered[len(ordered) // 10]
    spread = max(ordered[-1] - low, SPREAD)
    return {one: max(score - low, 0.0) / spread for one, score in met.items()}
