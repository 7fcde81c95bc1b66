"""Lexical reranking: the best results read again for the words of the query (K16, K27).

In the place of a cross-encoder, which no package of the right size offers: a score like BM25 over
the candidates alone, with lengths in characters against a fixed mean of 500. And the length
penalty, for texts too short to say anything and for those that say everything.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Final

from actors.policy.text import bm25

# The score (K16) and the penalty (K27; the figures are those of the reference's source).
MEAN_LENGTH: Final = 500.0  # characters
SHORT: Final = 50  # characters below which a text is short
LONG: Final = 2_000  # characters above which it is long
SHORT_FACTOR: Final = 0.9
LONG_FACTOR: Final = 0.95


def relevance(query: str, text: str, rarity: Mapping[str, float] | None = None) -> float:
    """How well a text answers the words of a query, 0..1 (K16).

    The mean over the query's words of their saturated frequency, divided by its bound k1 + 1;
    ``rarity`` weighs the words by their stems (``bm25.stem``), else all count the same.
    """
    asked = list(dict.fromkeys(bm25.tokens(query)))
    weights = {word: 1.0 if rarity is None else rarity.get(word, 0.0) for word in asked}
    whole = sum(weights.values())
    if whole <= 0:
        return 0.0
    counts = Counter(bm25.tokens(text))
    found = sum(
        weights[word] * bm25.saturated(counts[word], len(text), MEAN_LENGTH) for word in asked
    )
    return found / whole / (bm25.K1 + 1)


def length_factor(characters: int) -> float:
    """What a text's length leaves of its score: .9 below 50, .95 above 2,000 characters (K27)."""
    if characters < SHORT:
        return SHORT_FACTOR
    return LONG_FACTOR if characters > LONG else 1.0
