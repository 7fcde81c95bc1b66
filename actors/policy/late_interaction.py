"""Late interaction: how well each word of a query is met by some word of a text.

After Khattab and Zaharia (ColBERT, 2020), with the token vectors of the embedding model as they are
before pooling; no second model is needed. A text's vector blurs what its words say, and a word
score does not see paraphrases; the sum over the query's tokens of the best cosine in the text sees
both:

    score = sum of weight * max(0, best cosine - floor) / ((1 - floor) * sum of weights)

What it is worth is measured in docs/recall-ablation.md: much on notes, on DevMemory not always.
For the best candidates only (row K16, in the place of a cross-encoder).
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.float32]
Bytes: TypeAlias = npt.NDArray[np.int8]

SCALE: Final = 127.0


@dataclass(frozen=True, slots=True)
class Settings:
    """What counts as met at all: unrelated tokens of one model have cosines near the floor."""

    floor: float = 0.3


DEFAULT: Final = Settings()


def rarity(tokens: Iterable[int], frequencies: Mapping[int, int], texts: int) -> Floats:
    """The weight of each token of a query: ln(1 + N / (1 + texts that have it))."""
    weights = [math.log1p(texts / (1 + frequencies.get(token, 0))) for token in tokens]
    return np.array(weights, np.float32)


def directions(vectors: Floats, centre: Floats | None = None) -> Floats:
    """The token vectors less their centre, each of length 1; one of nothing stays 0."""
    moved = vectors if centre is None else vectors - centre
    lengths = np.linalg.norm(moved, axis=1, keepdims=True)
    units: Floats = np.divide(moved, lengths, out=np.zeros_like(moved), where=lengths > 0)
    return units


def packed(units: Floats) -> Bytes:
    """Directions in a byte a number, for keeping."""
    kept: Bytes = np.rint(units * SCALE).astype(np.int8)
    return kept


def unpacked(kept: Bytes) -> Floats:
    """The directions that were packed, to within 1/254 a number."""
    return kept.astype(np.float32) / np.float32(SCALE)


def met(query: Floats, weights: Floats, text: Floats, settings: Settings = DEFAULT) -> float:
    """How well a text meets a query, 0..1, both as directions of their tokens (K16)."""
    return met_by_each(query, weights, [text], settings)[0]


def met_by_each(
    query: Floats, weights: Floats, texts: Sequence[Floats], settings: Settings = DEFAULT
) -> list[float]:
    """How well each text meets the query, in one multiplication; a text without tokens 0 (K16)."""
    whole = float(weights.sum())
    told = [text for text in texts if len(text)]
    if not told or whole <= 0:
        return [0.0] * len(texts)
    starts = np.cumsum([0, *(len(text) for text in told[:-1])])
    best = np.maximum.reduceat(query @ np.concatenate(told).T, starts, axis=1)
    above = np.clip(best - settings.floor, 0.0, 1.0 - settings.floor)
    scores = iter((weights @ above / (whole * (1.0 - settings.floor))).tolist())
    return [float(next(scores)) if len(text) else 0.0 for text in texts]
