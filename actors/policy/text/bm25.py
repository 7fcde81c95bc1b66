"""BM25 in memory: word scores of a small store without an index on disk (K04).

    score = sum over words of idf * f * (k1 + 1) / (f + k1 * (1 - b + b * length / mean length))

with idf = ln((N - n + .5) / (n + .5) + 1) (Robertson and Walker; the + 1 keeps it above 0), N texts of
which n have the word, f how often it stands in a text, weighted by field. ``words`` and
``postings`` are what the running recall uses; this is the plain form of the documents.
"""

import math
import re
from collections import Counter
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Generic, TypeVar

Identity = TypeVar("Identity", bound=Hashable)

K1: Final = 1.2  # how soon repetition stops to count
B: Final = 0.75  # how much length counts
FIELDS: Final[Mapping[str, float]] = MappingProxyType(
    {"title": 10.0, "triggers": 5.0, "generic": 2.0, "body": 1.0}
)
# The documents say that there are 66 and not which: the choice is ours.
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


@dataclass(frozen=True, slots=True)
class Corpus(Generic[Identity]):
    """The texts as counted words: weighted counts and length of each, texts with each word."""

    counts: Mapping[Identity, Mapping[str, float]]
    lengths: Mapping[Identity, float]
    frequencies: Mapping[str, int]
    mean_length: float


def tokens(text: str) -> list[str]:
    """The words that count: lower case, without punctuation and stop words, stemmed (K04)."""
    return [stem(word) for word in _WORD.findall(text.lower()) if word not in STOP_WORDS]


def stem(word: str) -> str:
    """The word without its longest of the suffixes tion, ing, ed, ly, es, s (K04).

    At least three letters stay: ``testing`` and ``tests`` are ``test``, ``sing`` stays.
    """
    ending = next(
        (one for one in SUFFIXES if word.endswith(one) and len(word) - len(one) >= STEM), ""
    )
    return word.removesuffix(ending)


def idf(texts: int, containing: int) -> float:
    """How rare a word is: ln((N - n + .5) / (n + .5) + 1); 5 of 100 give 2.910372 (K04)."""
    return math.log((texts - containing + 0.5) / (containing + 0.5) + 1)


def saturated(
    frequency: float, length: float, mean_length: float, k1: float = K1, b: float = B
) -> float:
    """What a word's frequency is worth in a text of this length, 0..k1 + 1 (K04, K16)."""
    if frequency <= 0:
        return 0.0
    relative = length / mean_length if mean_length > 0 else 1.0
    return frequency * (k1 + 1) / (frequency + k1 * (1 - b + b * relative))


def corpus(texts: Mapping[Identity, Mapping[str, str]]) -> Corpus[Identity]:
    """What ``ranked`` needs of texts given by field; an unknown field weighs 1 (K04)."""
    counts = {identity: _counted(fields) for identity, fields in texts.items()}
    lengths = {identity: sum(words.values()) for identity, words in counts.items()}
    frequencies = Counter(word for words in counts.values() for word in words)
    mean = sum(lengths.values()) / len(lengths) if lengths else 0.0
    return Corpus(counts, lengths, frequencies, mean)


def ranked(query: str, within: Corpus[Identity]) -> list[tuple[Identity, float]]:
    """The texts that share a word with the query and their scores, best first (K04)."""
    asked = dict.fromkeys(tokens(query))
    rarity = {word: idf(len(within.counts), within.frequencies.get(word, 0)) for word in asked}
    found: list[tuple[Identity, float]] = []
    for identity, words in within.counts.items():
        shared = [word for word in asked if word in words]
        length = within.lengths[identity]
        score = sum(
            rarity[word] * saturated(words[word], length, within.mean_length) for word in shared
        )
        if shared:
            found.append((identity, score))
    return sorted(found, key=lambda one: -one[1])


def _counted(fields: Mapping[str, str]) -> Mapping[str, float]:
    weighted: dict[str, float] = {}
    for field, text in fields.items():
        for word, count in Counter(tokens(text)).items():
            weighted[word] = weighted.get(word, 0.0) + FIELDS.get(field, 1.0) * count
    return weighted
