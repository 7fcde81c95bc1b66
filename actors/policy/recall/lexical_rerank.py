"""Lexical reranking: the best results read again for the words of the query.

In the place of a cross-encoder, which no package of the right size offers: a score like BM25 over
the candidates alone, with lengths in characters against a fixed mean of 500. And the length
penalty, for texts too short to say anything and for those that say everything.

    f * (k1 + 1) / (f + k1 * (1 - b + b * length / mean length))

is what BM25 makes of a word that stands f times in a text. The channel of words has an index of its
own (``postings``); this is for texts that are read again.
"""

import re
from collections import Counter
from collections.abc import Mapping
from typing import Final

K1: Final = 1.2  # how soon repetition stops to count
B: Final = 0.75  # how much length counts
# 66 of them, chosen by hand.
STOP_WORDS: Final = frozenset(
    """
    a about after all also an and any are as at be because been but by can could did do does
    for from had has have he her his how i if in into is it its me my no not of on or our she
    so than that the their them then there these they this to was we were what which will with you
    """.split()
)
SUFFIXES: Final = ("tion", "ing", "ed", "ly", "es", "s")
STEM: Final = 3  # letters that must be left
_WORD: Final = re.compile(r"[^\W_]+")

# The score and the penalty.
MEAN_LENGTH: Final = 500.0  # characters
SHORT: Final = 50  # characters below which a text is short
LONG: Final = 2_000  # characters above which it is long
SHORT_FACTOR: Final = 0.9
LONG_FACTOR: Final = 0.95


def relevance(query: str, text: str, rarity: Mapping[str, float] | None = None) -> float:
    """Coverage of a query's words by a text, 0..1.

    The mean over the query's words of their saturated frequency, divided by its bound k1 + 1;
    ``rarity`` weighs the words by their stems (``stem``), else all count the same.
    """
    asked = list(dict.fromkeys(tokens(query)))
    weights = {word: 1.0 if rarity is None else rarity.get(word, 0.0) for word in asked}
    whole = sum(weights.values())
    if whole <= 0:
        return 0.0
    counts = Counter(tokens(text))
    found = sum(weights[word] * saturated(counts[word], len(text), MEAN_LENGTH) for word in asked)
    return found / whole / (K1 + 1)


def length_factor(characters: int) -> float:
    """Factor of a score by the text's length: .9 below 50, .95 above 2,000 characters."""
    if characters < SHORT:
        return SHORT_FACTOR
    return LONG_FACTOR if characters > LONG else 1.0


def tokens(text: str) -> list[str]:
    """The words that count: lower case, without punctuation and stop words, stemmed."""
    return [stem(word) for word in _WORD.findall(text.lower()) if word not in STOP_WORDS]


def stem(word: str) -> str:
    """The word without its longest of the suffixes tion, ing, ed, ly, es, s.

    At least three letters stay: ``testing`` and ``tests`` are ``test``, ``sing`` stays.
    """
    ending = next(
        (one for one in SUFFIXES if word.endswith(one) and len(word) - len(one) >= STEM), ""
    )
    return word.removesuffix(ending)


def saturated(frequency: float, length: float, mean_length: float) -> float:
    """Saturated frequency of a word in a text of this length, 0..k1 + 1."""
    if frequency <= 0:
        return 0.0
    relative = length / mean_length if mean_length > 0 else 1.0
    return frequency * (K1 + 1) / (frequency + K1 * (1 - B + B * relative))
