"""Novelty: how little of a text was to be expected after all the texts before it.

A predictor remembers which word followed which words, in every text it learnt; what it heard
fades with each text learnt since (.99), and is computed when read, never written back. It is a
value: learning makes the next one.

    error = .6 * unseen / n + .4 * mean(1 - sqrt(p))

over the n runs of words of a text, ``p`` being how often the last word of a run followed the
others, 0 for a run that was not heard. A text the predictor knows by heart has an error of 0, one
of new words only 1. ``p`` is a share among the followers of those words: a share of everything
ever heard would call a proverb new in a large store.
"""

import math
import re
import unicodedata
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Final, TypeAlias

# Scripts without spaces are read character by character.
_CJK: Final = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_WORD: Final = re.compile(rf"[{_CJK}]|[^\W{_CJK}]+")

# A word that followed: how often, faded to when it was last heard, and the text it was heard in.
_Heard: TypeAlias = tuple[float, int]


# How novelty is weighed; the last five are a choice.
UNSEEN: Final = 0.6  # share of runs never heard
SURPRISE: Final = 0.4  # share of how rare the runs are
DECAY: Final = 0.99  # of what was heard, per text learnt
ERROR: Final = 0.7  # share of the prediction error in novelty
CONTEXT: Final = 0.3  # share of the surroundings
DULL: Final = 0.3  # novelty below it is halved
HALVED: Final = 0.5
ORDER: Final = 3  # words of a run
WORDS: Final = 2000  # of a text that are read
FORGOTTEN: Final = 0.05  # a run heard less than this counts as never heard
RUNS: Final = 20_000  # kept


@dataclass(frozen=True, slots=True)
class Predictor:
    """Words that followed, by the first words of a run; a value, made anew by learning."""

    texts: int = 0
    runs: int = 0
    followers: Mapping[str, Mapping[str, _Heard]] = field(
        default_factory=dict[str, Mapping[str, _Heard]]
    )


def prediction_error(predictor: Predictor, text: str) -> float:
    """Unexpectedness of a text, 0..1; 0 for a text without words."""
    chances = [_chance(predictor, *run) for run in _runs(text)]
    if not chances:
        return 0.0
    unseen = sum(1 for chance in chances if chance == 0) / len(chances)
    surprise = math.fsum(1 - math.sqrt(chance) for chance in chances) / len(chances)
    return UNSEEN * unseen + SURPRISE * surprise


def learnt(predictor: Predictor, text: str, most: int = RUNS) -> Predictor:
    """The predictor after one more text; when it is full the faintest quarter is dropped."""
    now = predictor.texts + 1
    followers = dict(predictor.followers)
    runs = predictor.runs
    for before, word in _runs(text):
        heard = dict(followers.get(before, {}))
        runs += word not in heard
        heard[word] = (_left(heard.get(word, (0.0, now)), now) + 1, now)
        followers[before] = heard
    grown = Predictor(now, runs, followers)
    return grown if runs <= most else _thinned(grown, most)


def novelty(error: float, context: float) -> float:
    """Novelty of a prediction error in a context, all 0..1: .7 and .3, halved below .3."""
    value = ERROR * error + CONTEXT * context
    return value if value >= DULL else value * HALVED


def context_novelty(context: Collection[str], known: Collection[str]) -> float:
    """Share of a memory's surroundings (project, files, tags) that are new; .5 without any."""
    if not context:
        return 0.5
    return sum(1 for one in context if one not in known) / len(context)


def _runs(text: str) -> list[tuple[str, str]]:
    """The runs of words of a text, each as its first words and its last."""
    plain = unicodedata.normalize("NFC", text).casefold()
    words = [match.group() for match in islice(_WORD.finditer(plain), WORDS)]
    if not words:
        return []
    order = min(ORDER, len(words))
    starts = range(len(words) - order + 1)
    return [(" ".join(words[at : at + order - 1]), words[at + order - 1]) for at in starts]


def _chance(predictor: Predictor, before: str, word: str) -> float:
    heard = predictor.followers.get(before, {})
    left = {other: _left(one, predictor.texts) for other, one in heard.items()}
    mine = left.get(word, 0.0)
    return mine / math.fsum(left.values()) if mine >= FORGOTTEN else 0.0


def _left(heard: _Heard, now: int) -> float:
    count, last = heard
    return count * math.pow(DECAY, now - last)


def _thinned(predictor: Predictor, most: int) -> Predictor:
    everything = [
        (_left(heard, predictor.texts), before, word)
        for before, words in predictor.followers.items()
        for word, heard in words.items()
    ]
    everything.sort(key=lambda run: (-run[0], run[1], run[2]))
    kept = everything[: most * 3 // 4]
    followers: dict[str, dict[str, _Heard]] = {}
    for _, before, word in kept:
        followers.setdefault(before, {})[word] = predictor.followers[before][word]
    return Predictor(predictor.texts, len(kept), followers)
