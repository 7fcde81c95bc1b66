"""Telling a passage beside a prompt: whether what would be quoted of it bears on what is asked.

Two things are asked of it: a vector near the prompt's, and telling words of the prompt in the quotation
itself. Likeness alone finds the prompt that was typed before ("push it"), and words alone the project's
own. The limits are read from quotations that were judged (docs/adr/0018).
"""

import math
from typing import Final

from actors.policy.recall.evidence import Asked
from actors.policy.text.words import stems

NEAR: Final = 0.5  # cosine with the prompt, at least
SHARED: Final = 2.0  # weight of the prompt's words that the quotation has, at least
COVERED: Final = 0.2  # share of the weight of all that the prompt asks, at least
NEW: Final = 0.5  # share of the quotation's words that the prompt does not have, at least
SAID: Final = 0.6  # share of a quotation's words by which a note says the same


def confidence(question: Asked, cosine: float, quotation: str) -> float:
    """Confidence, 0..1, that a quotation bears on a prompt."""
    shared = question.shared(stems(quotation))
    return 1.0 / (1.0 + math.exp(-(4.0 * (cosine - NEAR) + 0.7 * (shared - SHARED))))


def bears(question: Asked, prompt: frozenset[str], cosine: float, quotation: str) -> bool:
    """Return whether a quotation is to be told: near, with the words that are asked for, and new.

    ``prompt`` are the stems of all its words: what says little beyond them is the same prompt, typed
    before.
    """
    found = stems(quotation)
    needed = max(SHARED, COVERED * question.mass)
    new = len(found - prompt) >= NEW * len(found)
    return cosine >= NEAR and question.shared(found) >= needed and new


def says(note: str, quotation: str) -> bool:
    """Return whether a note has most of the words of a quotation."""
    wanted = stems(quotation)
    return bool(wanted) and len(wanted & stems(note)) >= SAID * len(wanted)
