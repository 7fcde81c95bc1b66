"""Places in a project: of a memory's hint in an editor, of what bears on a file, and of a definition that is searched.

A memory stands at the line given when it was remembered, at the definition of its symbol, one of
the symbols named in it, or at the first use of a phrase set by a person. Any other place is for
hovers.
"""

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
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
    found: list[Bearing] = []
    for memory_id, references in known.items():
        first = subject(references, shared)
        if first is not None and first.symbol and first.path == place:
            bond, why = Bond.DEFINED, f"about {first.symbol}, which it defines"
        elif any(one.path == place for one in references):
            bond, why = Bond.NAMED, "names this file"
        elif first is not None and _is_used(first, place, words):
            bond, why = Bond.USED, f"about {first.symbol} of {first.path}, which it uses"
        else:
            continue
        found.append(Bearing(memory_id, bond, why))
    return sorted(found, key=lambda one: (one.bond, -one.memory_id))


def _is_used(defined: Reference, place: str, words: frozenset[str]) -> bool:
    """Return whether a file has a name defined in another, and names that file, or its package is a folder."""
    if not words.issuperset(parts(defined.symbol.rstrip("?!"))):
        return False
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
    """A definition of a name, and its manner."""

    reference: Reference  # to it, to the type that lists it, or to a module's constant
    found: Definition  # without its lines


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
    return Place(defined(path, text, symbol, found), replace(found, lines=()))


def searched(
    what: Named, places: Mapping[str, Places], read: Callable[[str], str]
) -> dict[str, Reference]:
    """Refer to each name of which one file is the likeliest; ``read`` gives a file's text again."""
    called = frozenset(path.rpartition("/")[2] for path in what.files)
    chosen: dict[str, Reference] = {}
    for name, there in places.items():
        found = [
            (_rank(name, one, called), one) for one in there.defining if _may_be(name, one, what)
        ]
        best = max((rank for rank, _ in found), default=())
        equal = [one.reference for rank, one in found if rank == best]
        likeliest = equal if len(equal) == 1 else _nearest(name, equal, what, read)
        rare = not _is_function(name, what) or there.spread <= RARE
        if len(likeliest) == 1 and (rare or likeliest[0].is_type):
            (one,) = likeliest
            chosen[name] = replace(one, is_guess=one.is_guess or not _is_program(one.path))
    return chosen


def _is_program(path: str) -> bool:
    return _BESIDE.search(path) is None


def _is_function(name: str, what: Named) -> bool:
    return name in what.functions and name not in what.symbols


def _may_be(name: str, at: Place, what: Named) -> bool:
    """Tell whether this can be meant: a word of a sentence is a type, or a function where it may."""
    found = at.found
    if at.reference.is_guess and not _is_program(at.reference.path):
        return False
    if _is_function(name, what):
        return not found.is_data and (bool(found.keyword) or not found.is_brief)
    return name not in what.words or name in what.symbols or is_kind(found.keyword)


def _rank(name: str, at: Place, called: Collection[str]) -> tuple[bool, ...]:
    """Signs for a definition against another, the weightiest first.

    It is the name's own; its file is named, is the program; it is sure, code, a body, free; its file
    is called so, and no header.
    """
    *owner, last = parts(name)
    path, found = at.reference.path, at.found
    file = path.rpartition("/")[2]
    certain = (found.sure, not found.is_data, not found.is_brief)
    likely = (bool(owner) or not found.is_member, file.partition(".")[0] == last)
    place = (at.reference.symbol == name, file in called, _is_program(path))
    return (*place, *certain, *likely, not file.endswith(".h"))


def _nearest(
    name: str, equal: Sequence[Reference], what: Named, read: Callable[[str], str]
) -> list[Reference]:
    """Guess at the one with more of the text's words in its path, then in its file, than the others."""
    if not equal:
        return []
    places = [frozenset(_PLACE.findall(one.path.casefold())) for one in equal]
    shared = places[0].intersection(*places[1:])
    words: list[tuple[int, int]] = []
    for place, one in zip(places, equal, strict=True):
        alike = 0
        if is_compound(name) or one.is_type:
            alike = len(what.terms & terms_of(read(one.path)))
        words.append((len(what.text_words & place - shared), alike))
    most = [one for one, count in zip(equal, words, strict=True) if count == max(words)]
    return [replace(one, is_guess=True) for one in most]
