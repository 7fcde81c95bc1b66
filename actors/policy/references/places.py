"""Places in a project: of a memory's hint in an editor, of what bears on a file, and of a definition that is searched.

A memory stands at the line given when it was remembered, at the definition of its symbol, one of
the symbols named in it, or at the first use of a phrase set by a person. Any other place is for
hovers.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import IntEnum
from itertools import chain
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from actors.policy.patterns import pattern
from actors.policy.references.layout import starts_of
from actors.policy.references.naming import UNNAMED, Named, is_compound, terms_of
from actors.policy.references.references import (
    Reference,
    State,
    defined,
    is_module,
    judged,
    phrase,
    symbol_reference,
)
from actors.policy.references.symbols import Definition, definition, is_kind, parts, whole
from actors.policy.text.words import expressions

_EXPRESSIONS: Final = expressions(__name__)

CROWD: Final = 5  # memories that name a symbol, above which it says little of each
OWN: Final = 12  # characters a line must have to be found within a memory's text
SET: Final = 1.0  # worth of a phrase that a person set
DEFINED: Final = 0.85  # of a definition, and of a line that a memory is about
MENTIONED: Final = 0.5  # of any other place: it is told of in a hover, and never a hint
USELESS: Final = -0.4  # where it was called useless more often than useful, or is suppressed
_USEFUL: Final = 0.02  # for each time, three at most
_CROWDED: Final = -0.005  # for each other memory that names the symbol, two at most
_FADED: Final = {"COLD": -0.01, "DORMANT": -0.02, "archivable": -0.02}
_NEW: Final = 0.01  # of a memory made just now, half of it a month later
MONTH: Final = 30.0  # days
_TIERS: Final = {"constitutional": 0.05, "critical": 0.04, "important": 0.02, "temporary": -0.02}
_DEPRECATED: Final = -0.2
_WORDS: Final = pattern(r"\S[^\n]*")  # of a line

_COMMENT: Final = " \t\r#/*;-<!>"  # around the words of one

Shared = Mapping[tuple[str, str], int]  # how many memories name a symbol of a file


class Anchor(Struct, frozen=True):
    """Place of a memory in a text: its subject is there, or was."""

    start: int  # characters
    end: int
    lines: int  # from the first of the place on, that make it stale when they change
    stale: str  # remark while its subject is gone or changed


class Figures(Struct, frozen=True):
    """Figures for the worth of a memory's hint in a file of a project."""

    tier: str = "normal"
    state: str = "HOT"
    days: float = 0.0  # of its age
    useful: int = 0  # times it was called so in the project
    useless: int = 0
    is_silenced: bool = False  # suppressed, or muted in this file
    crowd: int = 1  # memories that name its symbol


def subject(references: Sequence[Reference], shared: Shared) -> Reference | None:
    """Choose the main subject of a memory; None when it names no symbol and no line.

    The given place, else the first symbol named, except one named by many memories beside one named
    by few, else the first line.
    """
    given = (one for one in references if one.given)
    symbols = [one for one in references if one.symbol]
    rare = (one for one in symbols if shared.get((one.path, one.symbol), 0) <= CROWD)
    lines = (one for one in references if one.line)
    return next(chain(given, rare, symbols, lines), None)


def anchor(reference: Reference, text: str, *, is_gone: bool = False) -> Anchor | None:
    """Find in a text the target of a reference; None when nothing of it is there.

    A symbol where it is defined, else where it is used first; a line where it says the same, else
    where it was. ``is_gone``: the text does not define it, and it is looked for by no other name.
    """
    now = replace(reference, state=State.GONE) if is_gone else judged(reference, True, text)
    stale = phrase((now,))
    if now.symbol:
        found = definition(text, now.symbol)
        at, name = found.line if found is not None else 0, whole(parts(now.symbol)[-1])
        place = name.search(text, starts_of(text)[at])
        # Of a class the first line: what its methods do is no part of it.
        is_code = found is not None and not is_kind(found.keyword)
        lines = found.end - found.line if found is not None and is_code else 1
    else:
        start = starts_of(text)[min(now.line, len(starts_of(text))) - 1]
        place, lines = _WORDS.search(text, start) if now.line else None, 1
    return Anchor(*place.span(), lines, stale) if place else None


def worth(base: float, of: Figures) -> float:
    """Rate a hint, 0..1: by its place, and by the figures of its memory."""
    if of.is_silenced or of.useless > of.useful:
        said = USELESS
    else:
        said = _USEFUL * min(3, of.useful - of.useless)
    rank = _DEPRECATED if of.tier == "deprecated" else _TIERS.get(of.tier, 0.0)
    rank += _FADED.get(of.state, 0.0) + _CROWDED * min(2, of.crowd - 1)
    return max(0.0, min(1.0, base + said + rank + _NEW * math.exp2(-of.days / MONTH)))


def is_name(phrase: str) -> bool:
    """Tell whether a derived phrase is one name; pairs of words are for prompts and not for code."""
    return " " not in phrase


def repeats(text: str, at: int, memory: str) -> bool:
    """Tell whether the line at a place of a text is one of the memory's own, or most of it."""
    end = text.find("\n", at)
    line = text[text.rfind("\n", 0, at) + 1 : end if end >= 0 else len(text)].strip(_COMMENT)
    line = " ".join(line.split())
    if len(line) >= OWN:
        memory = " ".join(memory.split())
        return line in memory and 2 * len(line) >= len(memory)
    return bool(line) and line in (
        " ".join(own.strip(_COMMENT).split()) for own in memory.split("\n")
    )


# ---- memories with a bearing on a file: about its definitions, the file, or things used in it
#
# Nothing goes by likeness or by the file's name: of the answers to a search for these most were wrong.


_WORD: Final = pattern(r"[^\W\d]\w*")
_BY_FOLDER: Final = frozenset("cs go java kt scala swift".split())  # files of one need no import


class Bond(IntEnum):
    """Tie between a memory and a file; the first is the closest."""

    DEFINED = 0
    NAMED = 1
    USED = 2


class Bearing(Struct, frozen=True):
    """A memory with a bearing on a file, and why."""

    memory_id: int
    bond: Bond
    why: str


def words_of(text: str) -> frozenset[str]:
    """Names and words of a text."""
    return frozenset(_WORD.findall(text))


def cued(
    place: str, text: str, cues: Iterable[tuple[int, str, bool]]
) -> dict[int, tuple[Reference, ...]]:
    """Refer notes to a file among their cues, and to their symbols defined in it.

    ``cues``: memories, each with a symbol, "" for the file itself, and whether the file is a cue;
    where it is none only a name that is no word of prose counts.
    """
    words = words_of(text)
    about: dict[int, tuple[Reference, ...]] = {}
    for memory_id, symbol, is_here in cues:
        found: Reference | None = None
        if not symbol:
            found = Reference(place)
        elif (is_here or is_compound(symbol)) and parts(symbol)[-1] in words:
            found = symbol_reference(place, text, symbol)
        if found is not None and (is_here or not found.is_guess):
            about[memory_id] = (*about.get(memory_id, ()), found)
    return about


def bearing(
    place: str,
    words: frozenset[str],
    known: Mapping[int, Sequence[Reference]],
    shared: Shared,
) -> list[Bearing]:
    """Choose the memories with a bearing on a file, the closest first, then the newest.

    ``place``: the file in its project; ``words``: of its text; ``known``: the references of the
    project's memories.
    """
    found = [
        one
        for memory_id, references in known.items()
        if (one := _bond(memory_id, place, words, references, shared)) is not None
    ]
    return sorted(found, key=lambda one: (one.bond, -one.memory_id))


def _bond(
    memory_id: int,
    place: str,
    words: frozenset[str],
    references: Sequence[Reference],
    shared: Shared,
) -> Bearing | None:
    first = subject(references, shared)
    if first is not None and first.symbol and first.path == place:
        return Bearing(memory_id, Bond.DEFINED, f"about {first.symbol}, which it defines")
    if any(one.path == place for one in references):
        return Bearing(memory_id, Bond.NAMED, "names this file")
    if (
        first is not None
        and words.issuperset(parts(first.symbol.rstrip("?!")))
        and _is_seen(first, place, words)
    ):
        return Bearing(memory_id, Bond.USED, f"about {first.symbol} of {first.path}, which it uses")
    return None


def _is_seen(defined: Reference, place: str, words: frozenset[str]) -> bool:
    """Return whether another file's definition can be meant: this one names the file, or its package is a folder."""
    folder, _, name = defined.path.rpartition("/")
    module, _, ending = name.partition(".")
    if module in UNNAMED:
        module = folder.rpartition("/")[2]
    return module in words or (ending in _BY_FOLDER and folder == place.rpartition("/")[0])


# ---- search of a project for definitions of names in a text, missing from the files named there
#
# A name is found when exactly one file is the likeliest to define it: one named in the text, an
# explicit one (`class NAME`, a method within its class) before one by the layout alone, the program
# before its tests. Of equals the one is taken with more of the text's words in its path, then in its
# file, and it counts as a guess.


SOURCES: Final = 2_000  # files of a project that is searched; a larger one is not
CHARACTERS: Final = 16_000_000  # of all of them together
RARE: Final = 5  # files that use a name which says something where it is used
_PLACE: Final = pattern(r"[a-z0-9]{2,}")  # words of a path
_Rank = tuple[int, ...]  # signs for a file against another, the weightiest first
_BESIDE: Final = pattern(_EXPRESSIONS["beside"])


def missing(what: Named, found: Iterable[Reference]) -> tuple[str, ...]:
    """List the names to search for: symbols without a definition so far.

    A plain word rarely names a class: searched for are the first word of the text, and all where
    there is no symbol.
    """
    known = {one.symbol for one in found if one.symbol}
    symbols = tuple(one for one in what.symbols if one not in known)
    words = (*what.words, *what.functions) if not known else (what.subject,)
    return tuple(dict.fromkeys((*symbols, *filter(None, words))))


def _located(name: str, path: str, text: str) -> tuple[str, Definition | None]:
    """Find a name's definition in a file: its own, its type's list, or a module's constant."""
    *owner, last = parts(name)
    found = definition(text, name)
    if found is not None or not owner:
        return name, found
    found = definition(text, owner[-1])  # of a case of an enum
    if found is not None and is_kind(found.keyword):
        return owner[-1], found
    return last, definition(text, last) if is_module(owner[-1], path, text) else None


class Place(Struct, frozen=True):
    """A file with a definition of a name, and its manner."""

    path: str
    symbol: str  # the name, or the type that lists it, or a module's constant
    found: Definition  # without its lines
    reference: Reference  # to it


class Places(Struct, frozen=True):
    """Definitions of a name, and the number of files with it."""

    defining: tuple[Place, ...]
    spread: int  # by the words in them: a namesake may be among them


def place(name: str, path: str, text: str) -> Place | None:
    """Look for the definition of a name in one file with it."""
    if whole(parts(name)[-1]).search(text) is None:  # a part of another name alone
        return None
    symbol, found = _located(name, path, text)
    if found is None:
        return None
    return Place(path, symbol, replace(found, lines=()), defined(path, text, symbol, found))


class Search:
    """Definitions of some names, collected file by file; ``read`` gives a file's text again."""

    def __init__(self, what: Named, read: Callable[[str], str]) -> None:
        self._read = read
        self._words = frozenset(what.words).difference(what.symbols)
        self._functions = frozenset(what.functions).difference(what.symbols)
        self._terms = what.terms
        self._text_words = what.text_words
        self._spread: dict[str, int] = {}  # files that have it
        self._called = frozenset(path.rpartition("/")[2] for path in what.files)
        self._found: dict[str, list[tuple[_Rank, Reference]]] = {}

    def take(self, name: str, places: Places) -> None:
        """Take in where a name is."""
        self._spread[name] = places.spread
        for one in places.defining:
            self._look(name, one)

    def _look(self, name: str, at: Place) -> None:
        found, reference = at.found, at.reference
        if not self._may_be(name, found):
            return
        program = _BESIDE.search(at.path) is None
        if program or not reference.is_guess:
            reference = replace(reference, is_guess=reference.is_guess or not program)
            rank = (at.symbol == name, *self._rank(name, at.path, program, found))
            self._found.setdefault(name, []).append((rank, reference))

    def _rank(self, name: str, path: str, program: bool, found: Definition) -> _Rank:
        """Rate a file: named, the program, sure, code, a body, free, called so, no header."""
        *owner, last = parts(name)
        file = path.rpartition("/")[2]
        certain = (found.sure, not found.is_data, not found.is_brief)
        likely = (bool(owner) or not found.is_member, file.partition(".")[0] == last)
        return (file in self._called, program, *certain, *likely, not file.endswith(".h"))

    def _may_be(self, name: str, found: Definition) -> bool:
        """Tell whether this can be meant: a word of a sentence is a type, or a function where it may."""
        if name in self._functions:
            return not found.is_data and (bool(found.keyword) or not found.is_brief)
        return name not in self._words or is_kind(found.keyword)

    def results(self) -> dict[str, Reference]:
        """Return the reference to each name of which one file is the likeliest."""
        chosen: dict[str, Reference] = {}
        for name, ranked in self._found.items():
            best = max(rank for rank, _ in ranked)
            equal = [one for rank, one in ranked if rank == best]
            likeliest = equal if len(equal) == 1 else self._nearest(name, equal)
            rare = name not in self._functions or self._spread[name] <= RARE
            if len(likeliest) == 1 and (rare or likeliest[0].is_type):
                chosen[name] = likeliest[0]
        return chosen

    def _nearest(self, name: str, equal: Sequence[Reference]) -> list[Reference]:
        """Guess at the one with more of the text's words in its file than the others."""
        places = [frozenset(_PLACE.findall(one.path.casefold())) for one in equal]
        shared = places[0].intersection(*places[1:])
        words = [
            (len(self._text_words & place - shared), self._alike(name, one))
            for place, one in zip(places, equal, strict=True)
        ]
        most = [one for one, count in zip(equal, words, strict=True) if count == max(words)]
        return [replace(one, is_guess=True) for one in most]

    def _alike(self, name: str, one: Reference) -> int:
        """Count the text's words in a file, where the name is a type or more than one word."""
        if not (is_compound(name) or one.is_type):
            return 0
        return len(self._terms & terms_of(self._read(one.path)))
