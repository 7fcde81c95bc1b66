"""Detail: the amount of each result in an answer, and the results to ask for in full.

``brief`` is a line, ``summary`` the beginning, ``full`` everything. Shortened results are named as
expandable, so an agent spends tokens only where needed. A look-up needs less room than a question
with many parts.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final

from actors.policy.decay import states
from actors.policy.decay.states import Lifecycle
from actors.policy.session import pressure
from actors.policy.text import wording


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
LEAST_TOKENS: Final = 100  # what a caller may ask for
MOST_TOKENS: Final = 100_000
SIMPLE: Final = 3  # words of a simple query at most
MODERATE: Final = 8
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


def tier(query: str) -> str:
    """Tell how much is asked: ``simple``, ``moderate`` or ``complex``.

    An empty one counts as complex: looking everywhere costs time, looking in too few places costs
    the answer.
    """
    words = len(query.split())
    if not 0 < words <= MODERATE:
        return "complex"
    return "simple" if words <= SIMPLE else "moderate"


def granted(query: str, asked: int | None) -> int:
    """Tokens of an answer: 2,000 unless asked for; 0: 1,500, 2,500 or 4,000 by the complexity of the query."""
    if asked == 0:
        return BY_COMPLEXITY[tier(query)]
    return DEFAULT if asked is None else capped(asked)


def capped(asked: int) -> int:
    """The tokens a caller asked for, kept within 100 and 100,000."""
    return min(MOST_TOKENS, max(LEAST_TOKENS, asked))


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
