"""BM25 of a single text: its words, and what the frequency of one is worth (K04, K16).

    f * (k1 + 1) / (f + k1 * (1 - b + b * length / mean length))

f is how often a word stands in a text. The channel of words has an index of its own (``postings``);
this is for texts that are read again.
"""

import re
from typing import Final

K1: Final = 1.2  # how soon repetition stops to count
B: Final = 0.75  # how much length counts
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


def saturated(frequency: float, length: float, mean_length: float) -> float:
    """What a word's frequency is worth in a text of this length, 0..k1 + 1 (K04, K16)."""
    if frequency <= 0:
        return 0.0
    relative = length / mean_length if mean_length > 0 else 1.0
    return frequency * (K1 + 1) / (frequency + K1 * (1 - B + B * relative))
