"""Arousal: how much of a stir a text makes.

    arousal = .35 sentiment + .30 keywords + .20 punctuation + .15 capitals

Sentiment is by valence of words, negation turning it, brought into -1..1 by s / sqrt(s^2 + 15)
(Hutto & Gilbert 2014). The word lists are ours, English, and about the work of programmers.
"""

import math
import re
from collections.abc import Mapping
from typing import Final

ALPHA: Final = 15.0  # of the normalisation, Hutto & Gilbert
NEGATED: Final = -0.74  # what a negation turns a valence into, Hutto & Gilbert
NEAR: Final = 3  # words before a word that may negate it, Hutto & Gilbert


def _weighted(**lists: str) -> Mapping[str, float]:
    """Words with their weight; ``plus2="love"`` is 2, ``minus1="odd"`` -1, ``tenth9`` is .9."""
    signs = {"plus": 1.0, "minus": -1.0, "tenth": 0.1}
    return {
        word: signs[name[:-1]] * int(name[-1])
        for name, words in lists.items()
        for word in words.split()
    }


# Valence, -3..3.
VALENCES: Final = _weighted(
    plus1="better clean easy fine fixed good help helps ok okay simple solved thanks useful works",
    plus2="awesome beautiful brilliant elegant fantastic glad great happy like love nice perfect"
    " pleased success win",
    plus3="amazing excellent incredible thrilled wonderful",
    minus1="annoying bad bug confusing difficult error fail failed fails hard issue messy odd"
    " problem slow stuck weird wrong",
    minus2="angry broke broken crash crashed fear frustrated frustrating hate lost painful sad"
    " scary stupid terrified ugly worried",
    minus3="awful catastrophe catastrophic disaster furious horrible nightmare terrible",
)
# How urgent a word is, 0..1.
KEYWORDS: Final = _weighted(
    tenth9="breach catastrophe critical disaster emergency outage urgent",
    tenth7="asap blocker breaking corrupted crash deadline exploit immediately incident leak"
    " regression security vulnerability",
    tenth5="breakthrough crucial discovered finally important never remember severe surprising"
    " unexpected warning",
)
_NEGATIONS: Final = frozenset(
    "not no never neither nor without hardly cannot isnt wasnt dont doesnt didnt cant wont".split(
        " "
    )
)
_WORD: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
# Code and names are not shouted: MAX_SIZE, `HTTP`.
_NAMES: Final = re.compile(r"`[^`]*`|(?<!\w)[^\W\d_]*+[_\d]\w*")
_EXCITED: Final = re.compile(r"!|\?(?=[!?])|(?<=[!?])\?")


# Weights of what arouses; what makes a part full is a choice.
SENTIMENT_SHARE: Final = 0.35
KEYWORDS_SHARE: Final = 0.30
PUNCTUATION_SHARE: Final = 0.20
CAPITALS_SHARE: Final = 0.15
LOUD: Final = 0.3  # share of words in capitals that must be exceeded to count
MARKS: Final = 3  # that make punctuation full
SHOUTED: Final = 2  # words in capitals, at least
LETTERS: Final = 4  # of a word that can be shouted: shorter ones are acronyms


def arousal(text: str) -> float:
    """Arousal of a text, 0..1: how much of a stir it makes."""
    return weighed(abs(sentiment(text)), urgency(text), punctuation(text), capitals(text))


def weighed(sentiment: float, keywords: float, punctuation: float, capitals: float) -> float:
    """Arousal of its four parts, each 0..1; capitals count above .3 only."""
    loud = capitals if capitals > LOUD else 0.0
    return (
        SENTIMENT_SHARE * sentiment
        + KEYWORDS_SHARE * keywords
        + PUNCTUATION_SHARE * punctuation
        + CAPITALS_SHARE * loud
    )


def sentiment(text: str) -> float:
    """Sentiment of a text, from upset to glad, -1..1."""
    words = [word.replace("'", "").replace("’", "") for word in _words(text)]
    total = math.fsum(
        VALENCES.get(word, 0.0)
        * (NEGATED if _NEGATIONS & set(words[max(0, at - NEAR) : at]) else 1)
        for at, word in enumerate(words)
    )
    return total / math.sqrt(total * total + ALPHA)


def urgency(text: str) -> float:
    """Urgency of its words, 0..1; different ones add up, the same one counts once."""
    calm = 1.0
    for word in sorted(set(_words(text))):
        calm *= 1 - KEYWORDS.get(word, 0.0)
    return 1 - calm


def punctuation(text: str) -> float:
    """Excitement of its punctuation, 0..1: full at three marks; one question mark is none."""
    return min(1.0, len(_EXCITED.findall(text)) / MARKS)


def capitals(text: str) -> float:
    """Share of its longer words that are in capitals, 0..1; 0 for a single one."""
    words = [word for word in _WORD.findall(_NAMES.sub(" ", text)) if len(word) >= LETTERS]
    shouted = sum(1 for word in words if word.isupper())
    return shouted / len(words) if shouted >= SHOUTED else 0.0


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]
