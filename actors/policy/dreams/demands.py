"""Demands: how a person wants an agent to work, as they ask for it in one session after another.

People say it in other words each time: "answer every remark with the commit that mends it", and a week
later "please answer the remarks and name the commit of each". So two demands are alike when they share
six tenths of the shorter one's words, and one of the trade of working together (commit, review,
question ...): without it they share what the project is about.
"""

import re
from collections.abc import Sequence
from typing import Final

from actors.policy.statements.ways_of_working import PRODUCT
from actors.policy.text.tables import word_list
from actors.policy.text.words import caseless, informative, stem

LEAST: Final = 3  # content words that two demands share
SHARE: Final = 0.6  # of the words of the shorter one that they share (docs/dreaming.md)
SURE: Final = 0.8  # likeness, and
MANY: Final = (
    5  # content words in common, from which two sessions are enough: a short sentence fits into any
)
NOT: Final = "!"  # stands among the stems of a sentence that forbids something
TELLING: Final = 5  # content words from which a demand says how, and not only what to do next
LONGEST: Final = 160  # characters: a longer sentence tells of the work itself
# What names a number, a file, a place or an identifier is about the thing at hand.
_SPECIFIC: Final = re.compile(r"[\d/@`_<>{}=|\\]|\w\.\w|[a-z][A-Z]")
_ASKS: Final = caseless(
    r"\b(?:please|make sure|be sure|remember to|(?:can|could|would) (?:you|we)|let['’]?s|i['’]d (?:like|prefer)"
    r"|i (?:want|need|prefer)|no need to|(?:we|you) (?:should|must|need to|always|never)|ask(?: me)?(?: any)?)\b"
    r"|\A(?:(?:and|also|then|but|so|ok|okay|yes|yep|no|now|first|always|never|do not|don['’]?t|just|for|if|when|before"
    r"|after)\b[ ,]*+)*+(?:add|answer|avoid|check|clean|commit|conform|create|discuss|document|ensure|explain|fix|follow|format|give|include|keep"
    r"|leave|list|make|mark|mention|merge|note|open|optimi[sz]e|plan|prefer|provide|push|put|reference|reply|respond"
    r"|return|review|run|show|stop|suggest|summari[sz]e|tell|test|think|update|use|verify|wait|write)\b"
)
# What is for now, or points at the work at hand; and what is only asked.
_AT_HAND: Final = caseless(
    r"\b(?:these|those|for now|right now|this (?!(?:is|and|or|before|after|until|when|if|as|in|with|for|to)\b)\w+|again|continue|the (?:next|last|previous|first"
    r"|second|following|above|below)|phase|new feature)\b"
)
_QUESTION: Final = caseless(
    r"\A(?:\W*+(?:ok|okay|so|and|but|yes|hmm|if so)\b)*+\W*+(?:what|why|how|where|which|who|did|does|do (?:we|you|i)|is|are|was"
    r"|were|have|has|had|when (?:do|does|did|is|are|will)|(?:can|could|would) (?:you|we) (?:explain|tell|show|describe"
    r"|help|walk|see))\b"
)
_FORBIDS: Final = caseless(r"\b(?:don['’]?t|do not|never|no|not|without|avoid|stop)\b")
_CONDITION: Final = (
    r"\b(?:if|when|whenever|unless|until|before|after|always|never|don['’]?t|do not)\b"
)
# How, when or under which condition: words that a mere next step has not.
_HOW: Final = caseless(
    rf"{_CONDITION}|\b(?:avoid|without|instead|rather than|only|single|directly|any|all|every|each|no need)\b"
)
# What leaves the machine is asked for each time anew, unless under a condition.
_ERRAND: Final = caseless(rf"\A(?!.*{_CONDITION}).*\b(?:push|publish|deploy|release|merge)")
_NO_DEMAND: Final = (_SPECIFIC, _AT_HAND, _QUESTION, PRODUCT, _ERRAND)
_TRADE: Final = frozenset(map(stem, word_list(__name__, "trade")))


def demanded(sentence: str) -> frozenset[str]:
    """Content stems of a sentence that says how to work; none of any other sentence."""
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
    """Tell whether a text demands what a demand does."""
    return likeness(demanded(text), demanded(demand)) > 0


def typical(demands: Sequence[frozenset[str]]) -> int:
    """The place of the demand that shares most with the others of its kind, beside what it has of its own."""
    shared = [sum(len(one & other) / len(one | other) for other in demands) for one in demands]
    return shared.index(max(shared))
