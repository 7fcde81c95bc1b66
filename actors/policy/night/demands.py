"""Demands: a person's wishes for an agent's way of work, repeated in one session after another.

People word it otherwise each time: "answer every remark with the commit that mends it", and a week
later "please answer the remarks and name the commit of each". So two demands are alike when they
share six tenths of the shorter one's words, and one of the trade of working together (commit,
review, question ...): without it they share only the project's subject.
"""

from collections.abc import Sequence
from typing import Final

from actors.policy.patterns import pattern
from actors.policy.statements.statement_rules import PRODUCT
from actors.policy.text.lexicon import forms, pattern_of
from actors.policy.text.words import informative, stem, word_list

LEAST: Final = 3  # content words that two demands share
SHARE: Final = 0.6  # of the words of the shorter one that they share (docs/measured/dreaming.md)
SURE: Final = 0.8  # likeness, and
MANY: Final = (
    5  # content words in common, from which two sessions are enough: a short sentence fits into any
)
NOT: Final = "!"  # stands among the stems of a sentence that forbids something
TELLING: Final = 5  # content words from which a demand says how, and not only what to do next
LONGEST: Final = 160  # characters: a longer sentence tells of the work itself
# What names a number, a file, a place or an identifier is about the thing at hand.
_SPECIFIC: Final = pattern(r"[\d/@`_<>{}=|\\]|\w\.\w|[a-z][A-Z]")
FORMS: Final = forms(__name__)
_ASKS: Final = pattern_of(FORMS["asks"])
_FORBIDS: Final = pattern_of(FORMS["forbids"])
_HOW: Final = pattern_of(FORMS["how"])
_NO_DEMAND: Final = (
    _SPECIFIC, PRODUCT, *(pattern_of(FORMS[one]) for one in ("at_hand", "question", "errand")),
)  # fmt: skip
_TRADE: Final = frozenset(map(stem, word_list(__name__, "trade")))


def demanded(sentence: str) -> frozenset[str]:
    """Content stems of a sentence about the way of work; none of any other sentence."""
    if len(sentence) > LONGEST or any(one.search(sentence) for one in _NO_DEMAND):
        return frozenset()
    if not _ASKS.search(sentence):
        return frozenset()
    words = frozenset(map(stem, informative(sentence)))
    tells = len(words) >= TELLING or _HOW.search(sentence) is not None
    if not tells or len(words) < LEAST or words.isdisjoint(_TRADE):
        return frozenset()
    return words | {NOT} if _FORBIDS.search(sentence) else words


def likeness(one: frozenset[str], other: frozenset[str]) -> float:
    """Likeness of two demands, 0..1: the share of the shorter one's words; 0 where they are not alike."""
    both = one & other
    if len(both - {NOT}) < LEAST or both.isdisjoint(_TRADE) or (NOT in one) is not (NOT in other):
        return 0.0
    share = len(both) / min(len(one), len(other))
    return share if share >= SHARE else 0.0


def is_the_same(one: frozenset[str], other: frozenset[str]) -> bool:
    """Tell whether two demands are nearly the same words, and many."""
    return likeness(one, other) >= SURE and len(one & other) >= MANY


def says(text: str, demand: str) -> bool:
    """Return whether a text makes the same demand."""
    return likeness(demanded(text), demanded(demand)) > 0


def typical(demands: Sequence[frozenset[str]]) -> int:
    """The place of the demand sharing most with the others of its kind, against the words of its own."""
    shared = [sum(len(one & other) / len(one | other) for other in demands) for one in demands]
    return shared.index(max(shared))
