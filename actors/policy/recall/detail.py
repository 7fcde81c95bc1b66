"""Detail: how much of each result an answer holds, and which ones can be asked for in full.

``brief`` is a line, ``summary`` the beginning, ``full`` everything. Whatever is not there whole is
named as expandable, so that an agent spends tokens on what it needs.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final

from actors.policy.decay import states
from actors.policy.decay.states import Lifecycle
from actors.policy.session import pressure
from actors.policy.text import budget, token_budget


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


@dataclass(frozen=True, slots=True)
class Shown:
    """A result as it is returned, and whether there is more of it."""

    identity: int
    text: str
    whole: bool


@dataclass(frozen=True, slots=True)
class Answer:
    """Results returned, those to be asked for in full (cut or left out), and tokens used."""

    shown: tuple[Shown, ...]
    expandable: tuple[int, ...]
    tokens: int


def at_level(text: str, level: Level) -> str:
    """The text at this level; a brief one is one line."""
    limit = LENGTHS[level]
    if limit is None:
        return text
    return budget.shortened(" ".join(text.split()) if level is Level.BRIEF else text, limit)


def shown(text: str, title: str, state: Lifecycle, pressed: pressure.Level) -> str:
    """The part of a memory that a prompt is shown, by its state and the room there is.

    With room, all of it, whatever its state: what fits a prompt is worth its characters however
    long ago it was used (docs/adr/0008). When room runs out what is shown goes by the state (HOT
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


def answer(
    results: Iterable[tuple[int, str]],
    level: Level = Level.SUMMARY,
    tokens: int = token_budget.DEFAULT,
) -> Answer:
    """The results, best first, at one level within a token budget of 100 to 100,000."""
    texts = dict(results)
    cut = {identity: at_level(text, level) for identity, text in texts.items()}
    sizes = {identity: budget.tokens(text) for identity, text in cut.items()}
    fits = token_budget.filled(list(texts), sizes, token_budget.capped(tokens))
    shown = tuple(
        Shown(identity, cut[identity], _told(cut[identity]) == _told(texts[identity]))
        for identity in fits.identities
    )
    there_whole = {one.identity for one in shown if one.whole}
    expandable = tuple(identity for identity in texts if identity not in there_whole)
    return Answer(shown, expandable, fits.used)


def _told(text: str) -> str:
    return " ".join(text.split())
