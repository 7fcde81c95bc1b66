"""Telling a passage beside a prompt: whether its quotation bears on the question.

Two conditions: a vector near the prompt's, and telling words of the prompt in the quotation itself.
Likeness alone finds earlier copies of the prompt ("push it"), and words alone the project's own.
The limits are read from judged quotations (docs/adr/0018).
"""

import math
from collections.abc import Mapping, Sequence
from typing import Final

from actors.policy.recall.evidence import Asked
from actors.policy.text.words import stems

NEAR: Final = 0.5  # cosine with the prompt, at least
SHARED: Final = 2.0  # weight of the prompt's words that the quotation has, at least
COVERED: Final = 0.2  # share of the weight of all that the prompt asks, at least
NEW: Final = 0.5  # share of the quotation's words that the prompt does not have, at least
SAID: Final = 0.6  # share of a quotation's words by which a note says the same


def confidence(question: Asked, cosine: float, quotation: str) -> float:
    """Confidence, 0..1, in a quotation's bearing on a prompt."""
    shared = question.shared(stems(quotation))
    return 1.0 / (1.0 + math.exp(-(4.0 * (cosine - NEAR) + 0.7 * (shared - SHARED))))


def bears(question: Asked, prompt: frozenset[str], cosine: float, quotation: str) -> bool:
    """Return whether a quotation is to be told: near, with words of the question, and new.

    ``prompt``: the stems of all its words; a quotation with little beyond them is the same prompt,
    typed before.
    """
    found = stems(quotation)
    needed = max(SHARED, COVERED * question.mass)
    new = len(found - prompt) >= NEW * len(found)
    return cosine >= NEAR and question.shared(found) >= needed and new


def says(note: str, quotation: str) -> bool:
    """Return whether a note has most of the words of a quotation."""
    wanted = stems(quotation)
    return bool(wanted) and len(wanted & stems(note)) >= SAID * len(wanted)


def echoes(said: Mapping[int, frozenset[str]], others: Sequence[frozenset[str]]) -> frozenset[int]:
    """Select the texts with most of their words in one of the others; all are given as stems.

    A text with most of the words has one of the rarest of them as well, and only such texts are
    compared (prefix filtering, Chaudhuri, Ganti and Kaushik 2006).
    """
    having: dict[str, list[int]] = {}
    for place, other in enumerate(others):
        for word in other:
            having.setdefault(word, []).append(place)
    gone: set[int] = set()
    for number, words in said.items():
        needed = math.ceil(SAID * len(words))
        rarest = sorted(words, key=lambda word: len(having.get(word, ())))
        near = {
            place for word in rarest[: len(words) - needed + 1] for place in having.get(word, ())
        }
        if any(len(words & others[place]) >= needed for place in near):
            gone.add(number)
    return frozenset(gone)
