"""The one note told before a command or at a failure, of the notes with a cue there.

A memory kept on purpose by a person goes first, then the note naming the most of the command or of
the error, then a person's word, then a way of doing something before a trap, then the newest. A
note is told once a session at such a moment, also when the page of the start had it. One told to
three sessions and used by none is silent until somebody uses it; never a memory kept on purpose by
a person.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from actors.policy.events.commands import without_varying

SILENT: Final = 3  # sessions without use. Choice
ERROR: Final = 8  # characters of an error that say more than that there was one. Choice
READ: Final = 20_000  # characters of a message: intake leaves 16 KB of one
_RANKS: Final = {"convention": 0, "preference": 0, "decision": 1}


@dataclass(frozen=True, slots=True)
class Cued:
    """A note of which a cue stands in a call or in its error."""

    identity: int
    said: int  # words of a command, or characters of an error, that its longest cue names
    kind: str
    by_person: bool
    is_kept: bool  # on purpose, by a person
    sessions: int  # told it at such a moment since its last use
    is_told: bool  # in this session, at such a moment


def chosen(cued: Iterable[Cued]) -> Cued | None:
    """Return the note to tell; None where all were told or are silent."""
    there = (one for one in cued if not one.is_told and (one.is_kept or one.sessions < SILENT))
    return min(there, key=_order, default=None)


def _order(one: Cued) -> tuple[bool, int, bool, int, int]:
    return (
        not one.is_kept,
        -one.said,
        not one.by_person,
        _RANKS.get(one.kind, len(_RANKS)),
        -one.identity,
    )


def errors_in(message: str, cues: Sequence[tuple[int, str]]) -> dict[int, int]:
    """Return the notes of which an error stands in a message, each with the characters of its longest.

    Case, white space, numbers and temporary paths make no difference.
    """
    said = _plain(message[:READ])
    there = dict[int, int]()
    for identity, cue in cues:
        error = _plain(cue)
        if len(error) >= ERROR and error in said:
            there[identity] = max(there.get(identity, 0), len(error))
    return there


def _plain(text: str) -> str:
    return " ".join(without_varying(text).split()).casefold()
