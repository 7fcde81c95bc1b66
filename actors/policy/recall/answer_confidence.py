"""How sure it is that the store holds an answer at all (K14).

``evidence`` judges each memory: is it worth showing? This judges the question: what a person is
told as the confidence, and what tells an answer from the best of what is there. Three facts of the
first result carry over from store to store: its cosine with the question, the share of the
question's telling words that it has, and how much the question asks that stands in no memory. A
logistic rule over them was fitted on two public sets and confirmed on others (docs/adr/0012).
Without a vector a second one, over the last two, is less sure of everything.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from actors.policy.recall.evidence import Asked
from actors.policy.text.words import stem

# The two rules, as log-odds.
COSINE: Final = 3.7
COVERED: Final = 1.2
UNSEEN: Final = 0.27
OFFSET: Final = 2.1
COVERED_ALONE: Final = 2.4
UNSEEN_ALONE: Final = 0.34
OFFSET_ALONE: Final = 1.0


@dataclass(frozen=True, slots=True)
class First:
    """The first result: its cosine if there is one, the telling words it has (0..1)."""

    cosine: float | None
    covered: float
    given: bool = False  # a phrase that a person set as its trigger is in the question


def answered(first: First | None, unseen: float) -> float:
    """How likely there is an answer, 0..1; with no result there is none (K14)."""
    if first is None:
        return 0.0
    if first.given:
        return 1.0
    if first.cosine is None:
        odds = COVERED_ALONE * first.covered - UNSEEN_ALONE * unseen
        return _likely(odds - OFFSET_ALONE)
    odds = COSINE * first.cosine + COVERED * first.covered
    return _likely(odds - UNSEEN * unseen - OFFSET)


def unseen(question: Asked, frequencies: Mapping[str, int]) -> float:
    """The weight of what is asked and stands in no memory, in telling words (K14)."""
    missing = {stem(term) for term, count in frequencies.items() if not count}
    return sum(question.weights.get(one, 0.0) for one in missing)


def _likely(odds: float) -> float:
    return 1.0 / (1.0 + math.exp(-odds))
