"""A reference of a memory: what it is about, and whether that is still what it was.

A reference holds a path in the project, and of a symbol or a line there the hash of its own lines,
never of the whole file: what is edited elsewhere changes nothing. What is gone or changed makes
its memory say so, and fade sooner.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from actors.policy.references.symbols import definition, digest

PHRASE: Final = 100  # characters
# What is left of a memory's stability when all it is about is so; in part, in proportion.
CHANGED_LEAVES: Final = 0.5
GONE_LEAVES: Final = 0.25


class State(Enum):
    """Condition of what a memory is about."""

    HELD = "held"
    CHANGED = "changed"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class Reference:
    """A file, a symbol or line of it, or a command, that a memory is about."""

    path: str  # in the project, with slashes; "" for a command that no file there defines
    symbol: str = ""  # "" for the file itself, or a line of it
    command: str = ""  # the prefix of a command that these lines define
    digest: bytes | None = None  # of the symbol's lines or the line; None: that it is there
    state: State = State.HELD


def symbol_reference(path: str, text: str, symbol: str) -> Reference | None:
    """Refer to a symbol as this text defines it; None when it does not."""
    found = definition(text, symbol)
    return Reference(path, symbol, digest=digest(found.lines)) if found else None


def line_reference(path: str, text: str, line: int) -> Reference | None:
    """Refer to a line, counted from 1; None when there is none or nothing stands in it."""
    lines = text.split("\n")
    if not 1 <= line <= len(lines) or not lines[line - 1].strip():
        return None
    return Reference(path, digest=digest([lines[line - 1]]))


def judged(reference: Reference, there: bool, text: str | None) -> Reference:
    """Compare a reference with what is there; ``text`` is None when the file may not be read."""
    return replace(reference, state=_state(reference, there, text))


def taken_anew(reference: Reference, there: bool, text: str | None) -> Reference:
    """Refer to what is there now: whoever changed it wrote the memory, or confirms it."""
    if reference.symbol and text:
        found = symbol_reference(reference.path, text, reference.symbol)
        if found is not None:
            return replace(reference, digest=found.digest, state=State.HELD)
    return judged(reference, there, text)


def phrase(references: Sequence[Reference]) -> str:
    """Say in a phrase what of a memory no longer fits the project; "" when all is as it was."""
    stale = [one for one in references if one.state is not State.HELD]
    if not stale:
        return ""
    first = next((one for one in stale if one.state is State.GONE), stale[0])
    names = first.command or " in ".join(filter(None, (first.symbol, first.path)))
    what = "is gone" if first.state is State.GONE else "changed since"
    more = f" and {len(stale) - 1} more" if len(stale) > 1 else ""
    room = PHRASE - len(what) - len(more) - 2
    return f"{names if len(names) <= room else '…' + names[1 - room :]}{more} {what}"


def freshness(references: Sequence[Reference]) -> float:
    """Return the multiplier of a memory's stability, 0.25..1: 1 when all is as it was."""
    counted = [one for one in references if one.path]
    left = [_LEFT[one.state] for one in counted]
    return sum(left) / len(left) if left else 1.0


_LEFT: Final = {State.HELD: 1.0, State.CHANGED: CHANGED_LEAVES, State.GONE: GONE_LEAVES}


def _state(reference: Reference, there: bool, text: str | None) -> State:
    if not reference.path:
        return State.HELD
    if not there:
        return State.GONE
    if reference.digest is None or text is None:
        return State.HELD
    if reference.symbol:
        found = definition(text, reference.symbol)
        if found is None:
            return State.GONE
        return State.HELD if digest(found.lines) == reference.digest else State.CHANGED
    held = any(digest([line]) == reference.digest for line in text.split("\n") if line.strip())
    return State.HELD if held else State.CHANGED
