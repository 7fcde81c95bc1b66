"""Signals of a prompt besides its task: a correction, or praise.

Bare words ("actually", "wait", "yes") stand in most prompts of a programmer without being meant as
signals. Here a word counts only in the frame in which it is said of oneself or of the agent's last
answer: "actually" opens a sentence, "wait" is not waiting for something, "yes" goes on to agree.
Code and quotations are not read. The rules read English; every doubt is decided for silence.
"""

import unicodedata
from collections.abc import Iterable
from enum import Enum
from typing import Final

from actors.policy.patterns import pattern
from actors.policy.text.forms import forms, pattern_of
from actors.policy.text.plain_speech import with_quotations
from actors.policy.text.turn import Turn


class Signal(Enum):
    """Signal of a prompt about the turns before."""

    CORRECTION = "correction"
    REINFORCEMENT = "reinforcement"


_QUOTED: Final = pattern(r"`[^`]*`|\"[^\"]*\"|“[^“”]*”|«[^«»]*»|(?<!\w)'[^']*'(?!\w)")
_FORMS: Final = forms(__name__)
_CORRECTION: Final = pattern_of(_FORMS["correction"])
_PRAISE: Final = pattern_of(_FORMS["praise"])
# Praise that is taken back in the same breath.
_BUT: Final = pattern(
    r"\b(?:but|except|however|although|unfortunately|fail\w*|broke\w*|errors?|crash\w*|wrong|not"
    r"|still|worse)\b|n['’]t\b"
)


def signals(turn: Turn) -> tuple[Signal, ...]:
    """The signals of a person's words, each once: correction, reinforcement."""
    found = {signal for sentence in turn.sentences for signal in _signals(_plain(sentence))}
    return tuple(signal for signal in Signal if signal in found)


def _plain(sentence: str) -> str:
    """The sentence in lower case, without its quotations."""
    composed = unicodedata.normalize("NFC", with_quotations(sentence, ()))
    return " ".join(_QUOTED.sub(" ", composed.casefold()).split())


def _signals(sentence: str) -> Iterable[Signal]:
    if _CORRECTION.search(sentence):
        yield Signal.CORRECTION
    praise = _PRAISE.search(sentence)
    if praise and not _BUT.search(sentence, praise.end()):
        yield Signal.REINFORCEMENT
