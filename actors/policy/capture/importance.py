"""Importance of a text: a function of what happened, in four channels.

    importance = .25 novelty + .30 arousal + .25 reward + .20 attention, at least .05

Novelty is how little of the text was to be expected after the texts before it, arousal how much of a
stir it makes, reward what became of it when it was used, attention how a session dealt with it. A very
high importance is proposed for promotion, never promoted.
"""

import math
import re
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import islice
from typing import Final


class Priority(Enum):
    """Urgency with which a memory is worth attention."""

    CRITICAL = "critical"
    HIGH = "high"
    NORMAL = "normal"
    LOW = "low"


LEAST: Final = 0.05
PROMOTED: Final = 0.85  # above


@dataclass(frozen=True, slots=True)
class Channels:
    """The four signals, each 0..1."""

    novelty: float = 0.0
    arousal: float = 0.0
    reward: float = 0.5  # no outcome is known
    attention: float = 0.0


def importance(channels: Channels) -> float:
    """Importance of the four channels, .05..1."""
    weighed = (
        0.25 * _unit(channels.novelty)
        + 0.30 * _unit(channels.arousal)
        + 0.25 * _unit(channels.reward)
        + 0.20 * _unit(channels.attention)
    )
    return min(1.0, max(LEAST, weighed))


def priority(value: float) -> Priority:
    """Priority of an importance: above .8, .6 and .4."""
    if value > 0.8:
        return Priority.CRITICAL
    if value > 0.6:
        return Priority.HIGH
    return Priority.NORMAL if value > 0.4 else Priority.LOW


def is_promotable(value: float) -> bool:
    """Return whether promotion is proposed: above .85; nothing is promoted by itself."""
    return value > PROMOTED


def _unit(value: float) -> float:
    return min(1.0, max(0.0, value))


# ---- novelty

ORDER: Final = 3  # words of a run
WORDS: Final = 2_000  # of a text that are read
FADES: Final = 0.99  # what was heard, with each text since
DULL: Final = 0.3  # novelty below it is halved

# Scripts without spaces are read character by character.
_CJK: Final = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_RUN_WORD: Final = re.compile(rf"[{_CJK}]|[^\W{_CJK}]+")


def novelty(error: float, context: float) -> float:
    """Novelty of an error and a context, all 0..1: .7 and .3, halved below .3."""
    value = 0.7 * error + 0.3 * context
    return value if value >= DULL else value / 2


def prediction_error(text: str, known: Sequence[str]) -> float:
    """Unexpectedness of a text after those that are known, oldest first, 0..1; 0 without words.

    ``.6 * unseen / n + .4 * mean(1 - sqrt(p))`` over the n runs of words of the text, ``p`` being how
    often the last word of a run followed the others, 0 for a run that was not heard.
    """
    runs = _runs(text)
    if not runs:
        return 0.0
    heard: defaultdict[str, defaultdict[str, float]] = defaultdict(lambda: defaultdict(float))
    for age, other in enumerate(reversed(known)):
        for before, word in _runs(other):
            heard[before][word] += FADES**age
    chances = [
        followers[word] / math.fsum(followers.values())
        if (followers := heard.get(before)) and word in followers
        else 0.0
        for before, word in runs
    ]
    unseen = chances.count(0.0) / len(chances)
    surprise = math.fsum(1 - math.sqrt(chance) for chance in chances) / len(chances)
    return _unit(0.6 * unseen + 0.4 * surprise)


def context_novelty(context: Collection[str], known: Collection[str]) -> float:
    """Share of a memory's surroundings (project, files, tags) that are new; .5 without any."""
    if not context:
        return 0.5
    return sum(1 for one in context if one not in known) / len(context)


def _runs(text: str) -> list[tuple[str, str]]:
    """The runs of words of a text, each as its first words and its last."""
    plain = unicodedata.normalize("NFC", text).casefold()
    words = [match.group() for match in islice(_RUN_WORD.finditer(plain), WORDS)]
    if not words:
        return []
    order = min(ORDER, len(words))
    starts = range(len(words) - order + 1)
    return [(" ".join(words[at : at + order - 1]), words[at + order - 1]) for at in starts]


# ---- arousal

NEGATED: Final = -0.74  # what a negation turns a valence into: Hutto & Gilbert (VADER, 2014)
NEAR: Final = 3  # words before a word that may negate it, of the same
NORMAL: Final = 15.0  # of the normalisation, of the same
LOUD: Final = 0.3  # share of words in capitals that must be exceeded to count
MARKS: Final = 3  # that make punctuation full
LETTERS: Final = 4  # of a word that can be shouted: shorter ones are acronyms


def _weighted(words: Mapping[float, str]) -> dict[str, float]:
    return {word: weight for weight, listed in words.items() for word in listed.split()}


# The words are ours, English, and about the work of programmers. Valence -3..3:
VALENCES: Final = _weighted(
    {
        1: "better clean easy fine fixed good help helps ok okay simple solved thanks useful works",
        2: "awesome beautiful brilliant elegant fantastic glad great happy like love nice perfect"
        " pleased success win",
        3: "amazing excellent incredible thrilled wonderful",
        -1: "annoying bad bug confusing difficult error fail failed fails hard issue messy odd"
        " problem slow stuck weird wrong",
        -2: "angry broke broken crash crashed fear frustrated frustrating hate lost painful sad"
        " scary stupid terrified ugly worried",
        -3: "awful catastrophe catastrophic disaster furious horrible nightmare terrible",
    }
)
# How urgent a word is, 0..1.
KEYWORDS: Final = _weighted(
    {
        0.9: "breach catastrophe critical disaster emergency outage urgent",
        0.7: "asap blocker breaking corrupted crash deadline exploit immediately incident leak"
        " regression security vulnerability",
        0.5: "breakthrough crucial discovered finally important never remember severe surprising"
        " unexpected warning",
    }
)
_NEGATIONS: Final = frozenset(
    "not no never neither nor without hardly cannot isnt wasnt dont doesnt didnt cant wont".split()
)
_WORD: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
# Code and names are not shouted: MAX_SIZE, `HTTP`.
_NAMES: Final = re.compile(r"`[^`]*`|(?<!\w)[^\W\d_]*+[_\d]\w*")
_EXCITED: Final = re.compile(r"!|\?(?=[!?])|(?<=[!?])\?")


def arousal(text: str) -> float:
    """Arousal of a text, 0..1: .35 sentiment, .30 urgent words, .20 punctuation, .15 capitals."""
    words = [word.casefold().replace("'", "").replace("’", "") for word in _WORD.findall(text)]
    calm = math.prod(1 - KEYWORDS.get(word, 0.0) for word in sorted(set(words)))
    excited = min(1.0, len(_EXCITED.findall(text)) / MARKS)
    return 0.35 * abs(sentiment(words)) + 0.30 * (1 - calm) + 0.20 * excited + 0.15 * _shouted(text)


def sentiment(words: Sequence[str]) -> float:
    """Sentiment of these words, from upset to glad, -1..1: valences, which a negation turns."""
    total = math.fsum(
        VALENCES.get(word, 0.0)
        * (NEGATED if _NEGATIONS & set(words[max(0, at - NEAR) : at]) else 1)
        for at, word in enumerate(words)
    )
    return total / math.sqrt(total * total + NORMAL)


def _shouted(text: str) -> float:
    """Share of longer words in capitals, 0..1; 0 for a single one, which is emphasis, and for few."""
    words = [word for word in _WORD.findall(_NAMES.sub(" ", text)) if len(word) >= LETTERS]
    shouted = sum(1 for word in words if word.isupper())
    share = shouted / len(words) if shouted > 1 else 0.0
    return share if share > LOUD else 0.0
