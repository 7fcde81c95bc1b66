"""Search of a project for definitions of names in a text, missing from the files named there.

A name is found when exactly one file is the likeliest to define it: one named in the text, an
explicit one (`class NAME`, a method within its class) before one by the layout alone, the program
before its tests. Of equals the one is taken with more of the text's words in its path, then in its
file, and it counts as a guess.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from actors.policy.patterns import pattern
from actors.policy.references.naming import Named, is_compound, terms_of
from actors.policy.references.references import Reference, defined, is_module
from actors.policy.references.symbols import Definition, definition, is_kind, parts, whole

SOURCES: Final = 2_000  # files of a project that is searched; a larger one is not
CHARACTERS: Final = 16_000_000  # of all of them together
RARE: Final = 5  # files that use a name which says something where it is used
_PLACE: Final = pattern(r"[a-z0-9]{2,}")  # words of a path
_Rank = tuple[int, ...]  # signs for a file against another, the weightiest first
_BESIDE: Final = pattern(  # the program: its tests, what declares it
    r"(?:^|/)(?:(?:[\w-]*[_-])?(?:tests?|testing|testdata|bench(?:marks?)?)_*|spec|_?examples?|docs?|scripts?)/"
    r"|(?:^|/)(?:test_|conftest\.)|[._](?:test|spec)\.\w+$|\.d\.[cm]?ts$|\.pyi$"
)


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


@dataclass(frozen=True, slots=True)
class Place:
    """A file with a definition of a name, and its manner."""

    path: str
    symbol: str  # the name, or the type that lists it, or a module's constant
    found: Definition  # without its lines
    reference: Reference  # to it


@dataclass(frozen=True, slots=True)
class Places:
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
