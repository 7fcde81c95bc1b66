"""A reference of a memory: its subject, and whether the subject is unchanged.

A reference holds a path in the project, and of a symbol or a line there the hash of its own lines,
never of the whole file: edits elsewhere change nothing. A missing or changed subject makes its
memory say so, and fade sooner.
"""

import re
from collections.abc import Sequence
from enum import Enum
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from actors.policy.patterns import pattern
from actors.policy.references.symbols import Definition, definition, digest, is_kind, parts, renamed

PHRASE: Final = 100  # characters
_RAISED: Final = pattern(r"(?:Error|Exception|Warning)\b")  # of a class, or what it extends
_PACKAGE: Final = pattern(r"^package (\w+)$", re.MULTILINE)  # of Go


class State(Enum):
    """Condition of a memory's subject."""

    HELD = "held"
    CHANGED = "changed"
    GONE = "gone"


# What is left of a memory's stability when all it is about is so; in part, in proportion.
_LEFT: Final = {State.HELD: 1.0, State.CHANGED: 0.5, State.GONE: 0.25}


class Reference(Struct, frozen=True):
    """A file, or a symbol or line of it, as a memory's subject."""

    path: str  # in the project, with slashes
    symbol: str = ""  # "" for the file itself, or a line of it
    digest: bytes | None = None  # of the symbol's lines or the line; None: that it is there
    state: State = State.HELD
    line: int = 0  # of a line: its number when it was seen last, from 1
    given: bool = False  # by whoever remembers: its text need not name it
    # ---- what its file says of it, which makes it no other reference
    is_data: bool = False  # a constant, a variable, a field, an error
    is_type: bool = False
    is_guess: bool = False  # its file does not say that it is A's: `A.b`

    def __eq__(self, other: object) -> bool:
        """The same place, in the same state."""
        return isinstance(other, Reference) and self._place == other._place

    def __hash__(self) -> int:
        """The place's."""
        return hash(self._place)

    @property
    def _place(self) -> tuple[object, ...]:
        return (self.path, self.symbol, self.digest, self.state, self.line, self.given)


def symbol_reference(path: str, text: str, symbol: str) -> Reference | None:
    """Refer to a symbol as this text defines it; None when it does not."""
    found = definition(text, symbol)
    if found is None:
        return None
    return defined(path, text, symbol, found)


def is_module(owner: str, path: str, text: str) -> bool:
    """Tell whether a file is a module of this name, or one of a package or folder of this name."""
    package = _PACKAGE.search(text)
    return owner in re.split(r"[/.]", path) or (package is not None and owner == package.group(1))


def defined(path: str, text: str, symbol: str, found: Definition) -> Reference:
    """Refer to a symbol where a file defines it."""
    owner = parts(symbol)[-2:-1]
    guess = bool(owner) and not found.sure and not is_module(owner[0], path, text)
    is_type = is_kind(found.keyword)
    return Reference(
        path,
        symbol,
        digest=digest(found.lines),
        is_data=found.is_data or (is_type and _RAISED.search(found.lines[0]) is not None),
        is_type=is_type,
        is_guess=guess,
    )


def line_reference(path: str, text: str, line: int) -> Reference | None:
    """Refer to a line, counted from 1; None when there is none or nothing stands in it."""
    lines = text.split("\n")
    if not 1 <= line <= len(lines) or not lines[line - 1].strip():
        return None
    return Reference(path, digest=digest([lines[line - 1]]), line=line)


def judged(reference: Reference, there: bool, text: str | None) -> Reference:
    """Compare a reference with the present text; ``text`` is None when the file may not be read.

    A moved line and a symbol changed in its name alone are followed.
    """
    if not there:
        return replace(reference, state=State.GONE)
    if reference.digest is None or text is None:
        return replace(reference, state=State.HELD)
    if not reference.symbol:
        at = line_of(reference, text)
        return replace(
            reference, state=State.HELD if at else State.CHANGED, line=at or reference.line
        )
    found = definition(text, reference.symbol)
    if found is not None:
        same = digest(found.lines) == reference.digest
        return replace(reference, state=State.HELD if same else State.CHANGED)
    after = renamed(text, reference.symbol, reference.digest)
    if not after:
        return replace(reference, state=State.GONE)
    new = definition(text, after)
    assert new is not None
    return replace(reference, symbol=after, digest=digest(new.lines), state=State.HELD)


def line_of(reference: Reference, text: str) -> int:
    """Find a line by its text, the nearest to its former place; 0 when no line has it."""
    lines = enumerate(text.split("\n"), 1)
    same = (n for n, line in lines if line.strip() and digest([line]) == reference.digest)
    return min(same, key=lambda n: abs(n - reference.line), default=0)


def taken_anew(reference: Reference, there: bool, text: str | None) -> Reference:
    """Refer to the present text: whoever changed it wrote the memory, or confirms it."""
    if reference.symbol and text:
        found = symbol_reference(reference.path, text, reference.symbol)
        if found is not None:
            return replace(reference, digest=found.digest, state=State.HELD)
    return judged(reference, there, text)


def phrase(references: Sequence[Reference]) -> str:
    """Phrase for the part of a memory no longer fitting the project; "" when all is as it was."""
    stale = [one for one in references if one.state is not State.HELD]
    if not stale:
        return ""
    first = next((one for one in stale if one.state is State.GONE), stale[0])
    names = " in ".join(filter(None, (first.symbol, first.path)))
    what = "is gone" if first.state is State.GONE else "changed since"
    more = f" and {len(stale) - 1} more" if len(stale) > 1 else ""
    room = PHRASE - len(what) - len(more) - 2
    return f"{names if len(names) <= room else '…' + names[1 - room :]}{more} {what}"


def freshness(references: Sequence[Reference]) -> float:
    """Return the multiplier of a memory's stability, 0.25..1: 1 when all is as it was."""
    left = [_LEFT[one.state] for one in references]
    return sum(left) / len(left) if left else 1.0
