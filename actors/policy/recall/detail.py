"""Detail: the amount of each result in an answer, and the results to ask for in full.

``brief`` is a line, ``summary`` the beginning, ``full`` everything. Shortened results are named as
expandable, so an agent spends tokens only where needed. A look-up needs less room than a question
with many parts.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

import numpy as np

from actors.policy.decay import states
from actors.policy.decay.states import Lifecycle
from actors.policy.recall import fusion
from actors.policy.session import pressure
from actors.policy.text import wording
from actors.policy.text.chunking import normalised
from actors.policy.text.speech import MEANINGS, meaning
from actors.policy.text.words import stem, stems


class Level(Enum):
    """Level of detail of a result."""

    BRIEF = "brief"
    SUMMARY = "summary"
    FULL = "full"


# Characters of a result; a choice: a line of a terminal, and a paragraph.
LENGTHS: Final[Mapping[Level, int | None]] = {
    Level.BRIEF: 100,
    Level.SUMMARY: 400,
    Level.FULL: None,
}


DEFAULT: Final = 2_000  # tokens, where nothing says more
LEAST: Final = 100  # What a caller may ask for
MOST: Final = 100_000
BY_COMPLEXITY: Final[Mapping[str, int]] = {"simple": 1_500, "moderate": 2_500, "complex": 4_000}


@dataclass(frozen=True, slots=True)
class Shown:
    """A result as it is returned, and whether there is more of it."""

    identity: int
    text: str
    whole: bool


@dataclass(frozen=True, slots=True)
class Answer:
    """Results returned, results to ask for in full (cut or left out), and tokens used."""

    shown: tuple[Shown, ...]
    expandable: tuple[int, ...]
    tokens: int


def at_level(text: str, level: Level) -> str:
    """The text at this level; a brief one is one line."""
    limit = LENGTHS[level]
    if limit is None:
        return text
    return wording.shortened(" ".join(text.split()) if level is Level.BRIEF else text, limit)


def shown(text: str, title: str, state: Lifecycle, pressed: pressure.Level) -> str:
    """The part of a memory shown to a prompt, by its state and the room there is.

    With room, all of it, whatever its state: a memory fit for a prompt is worth its characters
    however long ago it was used (docs/adr/0008). When room runs out the part goes by the state (HOT
    whole, WARM 150 characters, below a line); when there is hardly any, each a step less.
    """
    match _detail(state, pressed):
        case states.Detail.FULL:
            return text
        case states.Detail.SUMMARY:
            return states.summary(text)
        case _:
            return at_level(title or text, Level.BRIEF)


def _detail(state: Lifecycle, pressed: pressure.Level) -> states.Detail:
    if pressed is pressure.Level.NONE:
        return states.Detail.FULL
    usual = states.detail(state)
    if pressed is pressure.Level.FOCUSED:
        return usual
    return states.Detail.SUMMARY if usual is states.Detail.FULL else states.Detail.METADATA


def granted(query: str, asked: int | None) -> int:
    """Tokens of an answer: 2,000 unless asked for; 0: 1,500, 2,500 or 4,000 by the complexity of the query."""
    if asked == 0:
        return BY_COMPLEXITY[tier(query)]
    return DEFAULT if asked is None else capped(asked)


def capped(asked: int) -> int:
    """The tokens a caller asked for, kept within 100 and 100,000."""
    return min(MOST, max(LEAST, asked))


def answer(
    results: Iterable[tuple[int, str]], level: Level = Level.SUMMARY, tokens: int = DEFAULT
) -> Answer:
    """The results, best first, at one level within a budget of tokens, four characters each.

    A result is returned or not, and a smaller one after one too large may fit. The best is kept even
    if it alone is too large, so an answer is never empty for being long.
    """
    texts, room = dict(results), capped(tokens)
    shown: list[Shown] = []
    used = 0
    for identity, text in texts.items():
        cut = at_level(text, level)
        size = wording.tokens(cut)
        if not shown or used + size <= room:
            shown.append(Shown(identity, cut, cut.split() == text.split()))
            used += size
    whole = {one.identity for one in shown if one.whole}
    return Answer(tuple(shown), tuple(one for one in texts if one not in whole), used)


# ---- rewording of a query: other words, the beginning of its answer, its purpose, how much it asks
#
# All of it is off but the last, which says how many tokens an answer may take (docs/measured/recall-ablation.md).
# Words and limits are choices.


SIMPLE: Final = 3  # words of a simple query at most
MODERATE: Final = 8
WORTH: Final = 0.5  # share that what another word finds counts: it is a guess
# Of what words and vectors weigh together, the part of words; as shipped it is .4.
BY_INTENT: Final = (
    ("mending", 0.5, stems("fix bug error crash broken fail exception debug regression wrong hang leak")),
    ("understanding", 0.25, stems("spec plan scope understand explain overview describe meaning purpose how")),
)  # fmt: skip


def tier(query: str) -> str:
    """Tell how much is asked: ``simple``, ``moderate`` or ``complex``.

    An empty one counts as complex: looking everywhere costs time, looking in too few places costs
    the answer.
    """
    words = len(query.split())
    if not 0 < words <= MODERATE:
        return "complex"
    return "simple" if words <= SIMPLE else "moderate"


def synonyms(terms: Iterable[str]) -> list[str]:
    """Stems of other words of the same meaning."""
    asked = [*terms]
    others = dict.fromkeys(other for term in asked for other in _OF_ONE[meaning(term)])
    return [other for other in others if other not in {*map(stem, asked)}]


def joined(own: Mapping[int, float], others: Mapping[int, float]) -> dict[int, float]:
    """The query's scores by words with the scores of other words, the best of which counts half of its best."""
    best = max(others.values(), default=0.0)
    scale = WORTH * max(own.values(), default=best) / (best or 1.0)
    return {**own, **{i: max(own.get(i, 0.0), scale * score) for i, score in others.items()}}


def beginning(terms: Sequence[str]) -> str:
    """The beginning of an answer; empty for a query without terms."""
    return f"{' '.join(terms)} is" if terms else ""


def between(one: bytes, other: bytes) -> bytes:
    """The direction between two vectors, at length 1; zeros where they cancel out.

    An answer lies nearer to an answer than to its question (Gao et al. 2022, arXiv 2212.10496, with
    its beginning in place of a model's text).
    """
    rows = normalised(np.stack([np.frombuffer(vector, np.float32) for vector in (one, other)]))
    middle: bytes = normalised(rows.mean(axis=0))[0].tobytes()
    return middle


def weighed(query: str, settings: fusion.Settings) -> tuple[str, fusion.Settings]:
    """Return the kind of question, and the weights of words and vectors for it; their sum stays."""
    asked, both = stems(query), settings.words + settings.vectors
    for name, part, said in BY_INTENT:
        if asked & said:
            return name, replace(settings, words=both * part, vectors=both * (1.0 - part))
    return "anything", settings


_OF_ONE: Final[defaultdict[str, list[str]]] = defaultdict(list)
for _word, _shared in MEANINGS.items():
    _OF_ONE[_shared].append(_word)
