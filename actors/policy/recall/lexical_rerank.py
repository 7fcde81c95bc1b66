"""Lexical reranking: the best results read again for the words of the query (K16, K27).

In the place of a cross-encoder, which no package of the right size offers: a score like BM25 over
the candidates alone, with lengths in characters against a fixed mean of 500. And the length
penalty, for texts too short to say anything and for those that say everything.
"""

from collections import Counter
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Final, TypeVar

from actors.policy.text import bm25

Identity = TypeVar("Identity", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Settings:
    """The score (K16) and the penalty (K27; the figures are those of the reference's source)."""

    k1: float = 1.2
    b: float = 0.75
    mean_length: float = 500.0  # characters
    short: int = 50  # characters below which a text is short
    long: int = 2_000  # characters above which it is long
    short_factor: float = 0.9
    long_factor: float = 0.95


DEFAULT: Final = Settings()


def relevance(
    query: str, text: str, rarity: Mapping[str, float] | None = None, settings: Settings = DEFAULT
) -> float:
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
        weights[word]
        * bm25.saturated(counts[word], len(text), settings.mean_length, settings.k1, settings.b)
        for word in asked
    )
    return found / whole / (settings.k1 + 1)


def reranked(
    query: str,
    texts: Mapping[Identity, str],
    limit: int | None = None,
    settings: Settings = DEFAULT,
) -> list[tuple[Identity, float]]:
    """The texts by relevance, best first, the first ``limit`` of them (K16).

    A word counts by how few of these texts have it. Ties stay in the order given.
    """
    frequencies = Counter(
        word for text in texts.values() for word in dict.fromkeys(bm25.tokens(text))
    )
    rarity = {word: bm25.idf(len(texts), count) for word, count in frequencies.items()}
    # A word that no text has still weighs: else one that has the only other word were perfect.
    absent = dict.fromkeys(bm25.tokens(query), bm25.idf(len(texts), 0))
    scored = [
        (identity, relevance(query, text, absent | rarity, settings))
        for identity, text in texts.items()
    ]
    return sorted(scored, key=lambda one: -one[1])[:limit]


def length_factor(characters: int, settings: Settings = DEFAULT) -> float:
    """What a text's length leaves of its score: .9 below 50, .95 above 2,000 characters (K27)."""
    if characters < settings.short:
        return settings.short_factor
    return settings.long_factor if characters > settings.long else 1.0
