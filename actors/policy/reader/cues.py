"""The cues of a note, for bringing it up later. Only cues present in the session count, and each adds something.

A prompt is a text as the person might type it; vectors alone show whether it finds its own note, and
not any prompt at all.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from actors.policy.text.words import STOP_WORDS, query_terms

PROMPTS: Final = 3
FILES: Final = 4
SYMBOLS: Final = 4
COMMANDS: Final = 3
ERRORS: Final = 2
CUE: Final = 200  # of one cue: a prompt of this length is typed by nobody twice
BEST: Final = 3  # places among the notes of its project in which a prompt finds its own
FEWEST_PROMPTS: Final = 10  # of this home: fewer say nothing of what is asked here
MOST_PROMPTS: Final = 50
EQUAL: Final = 0.95  # cosine of two prompts that say the same. Choice


class CueFault(StrEnum):
    """Reason why a cue does not count, as a person reads it."""

    ABSENT = "a cue that is neither in the session nor in the tree"
    LONG = "a cue of more than 200 characters"
    SECRET = "a cue with a secret in it"
    ORDER = "a cue that orders something of an agent"
    EQUAL = "a cue that says what another one says"
    FAR = "a prompt that does not bring its note back"
    UNCOMPARED = "a prompt that was not compared: no vectors, or fewer than ten prompts"


@dataclass(frozen=True, slots=True)
class Cues:
    """Texts and names for bringing a note up."""

    prompts: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    symbols: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Surrounding:
    """Places for a cue: the session's words, and the project's files among the named ones."""

    said: str  # everything that its events say
    tree: frozenset[str] = frozenset()


def there(cues: Cues, around: Surrounding) -> tuple[Cues, Counter[str]]:
    """Return the cues present in the session or in the tree; prompts are typed later."""
    kept = replace(
        cues,
        files=tuple(one for one in cues.files if one in around.tree or one in around.said),
        symbols=tuple(one for one in cues.symbols if one in around.said),
        commands=tuple(one for one in cues.commands if _is_run(one, around.said)),
        errors=tuple(one for one in cues.errors if one in around.said),
    )
    return kept, Counter({CueFault.ABSENT: _count(cues) - _count(kept)})


def distinct(cues: Cues) -> tuple[Cues, Counter[str]]:
    """Return the cues without rewordings of an earlier one."""
    kept = Cues(
        _worded_apart(cues.prompts), _each_once(cues.files), _each_once(cues.symbols),
        _each_once(cues.commands), _each_once(cues.errors),
    )  # fmt: skip
    return kept, Counter({CueFault.EQUAL: _count(cues) - _count(kept)})


def is_equal(cosines: Sequence[float]) -> bool:
    """Return whether a prompt repeats another cue of its note, by their cosines."""
    return any(one >= EQUAL for one in cosines)


def brings_back(own: float, others: Sequence[float], prompts: Sequence[float]) -> bool | None:
    """Return whether a prompt finds its own note, by its cosines; None when nothing can be said.

    ``own``: its cosine with its note; ``others``: with the other notes of the project; ``prompts``:
    with prompts of this home. The note must be nearer than the nearest of them.
    """
    if len(prompts) < FEWEST_PROMPTS:
        return None
    before = sum(one > own for one in others)
    return before < BEST and own > max(prompts)


def _is_run(command: str, said: str) -> bool:
    return command in said or " ".join(command.split()) in said


def _each_once(texts: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts))


def _worded_apart(texts: Sequence[str]) -> tuple[str, ...]:
    """Return the first of several texts with the same words, in whatever case and order."""
    by_words: dict[frozenset[str] | str, str] = {}
    for text in texts:
        words = frozenset(query_terms(text)) - STOP_WORDS
        by_words.setdefault(words or text.casefold(), text)
    return tuple(by_words.values())


def _count(cues: Cues) -> int:
    kinds = (cues.prompts, cues.files, cues.symbols, cues.commands, cues.errors)
    return sum(len(kind) for kind in kinds)
