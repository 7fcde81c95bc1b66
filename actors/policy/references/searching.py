"""Search of a project for the definitions of what a text names and no file that it names defines.

A name is found when exactly one file is the likeliest to define it: one that the text names, one
that says so (`class NAME`, a method within its class) before one where only the layout does, the
program before its tests. Of equals the one is taken whose path has more of the text's words, then
whose file has, and that is a guess.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from actors.policy.references.naming import Named, is_compound, terms_of
from actors.policy.references.references import Reference, defined, is_module
from actors.policy.references.symbols import Definition, definition, is_kind, parts, whole

SOURCES: Final = 2_000  # files of a project that is searched; a larger one is not
CHARACTERS: Final = 16_000_000  # of all of them together
RARE: Final = 5  # files that use a name which says something where it is used
_PLACE: Final = re.compile(r"[a-z0-9]{2,}")  # words of a path
_Rank = tuple[int, ...]  # what makes a file likelier than another, the weightiest first
_BESIDE: Final = re.compile(  # the program: its tests, what declares it
    r"(?:^|/)(?:(?:[\w-]*[_-])?(?:tests?|testing|testdata|bench(?:marks?)?)_*|spec|_?examples?|docs?|scripts?)/"
    r"|(?:^|/)(?:test_|conftest\.)|[._](?:test|spec)\.\w+$|\.d\.[cm]?ts$|\.pyi$"
)


def missing(what: Named, found: Iterable[Reference]) -> tuple[str, ...]:
    """List the names to search for: symbols that no file defined so far.

    A plain word rarely names a class: searched for are the one that the text begins with, and
    all where there is no symbol.
    """
    known = {one.symbol for one in found if one.symbol}
    symbols = tuple(one for one in what.symbols if one not in known)
    words = (*what.words, *what.functions) if not known else (what.subject,)
    return tuple(dict.fromkeys((*symbols, *filter(None, words))))


def _located(name: str, path: str, text: str) -> tuple[str, Definition | None]:
    """Find what a file defines of a name: it, the type that lists it, or a module's constant."""
    *owner, last = parts(name)
    found = definition(text, name)
    if found is not None or not owner:
        return name, found
    found = definition(text, owner[-1])  # of a case of an enum
    if found is not None and is_kind(found.keyword):
        return owner[-1], found
    return last, definition(text, last) if is_module(owner[-1], path, text) else None


class Search:
    """Definitions of some names, collected file by file."""

    def __init__(self, what: Named, names: Sequence[str]) -> None:
        self._last = {name: parts(name)[-1] for name in names}
        self._words = frozenset(what.words).difference(what.symbols)
        self._functions = frozenset(what.functions).difference(what.symbols)
        self._terms = what.terms
        self._text_words = what.text_words
        self._spread = dict.fromkeys(names, 0)  # files that have it
        self._called = frozenset(path.rpartition("/")[2] for path in what.files)
        self._found: dict[str, list[tuple[_Rank, Reference, str]]] = {}

    def look(self, path: str, text: str) -> None:
        """Look for all names in one file."""
        for name, last in self._last.items():
            if last not in text:
                continue
            self._spread[name] += whole(last).search(text) is not None
            symbol, found = _located(name, path, text)
            if found is None or not self._may_be(name, found):
                continue
            reference = defined(path, text, symbol, found)
            program = _BESIDE.search(path) is None
            if program or not reference.is_guess:
                reference = replace(reference, is_guess=reference.is_guess or not program)
                rank = (symbol == name, *self._rank(name, path, program, found))
                alike = is_compound(name) or reference.is_type
                self._found.setdefault(name, []).append((rank, reference, text if alike else ""))

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
            best = max(rank for rank, *_ in ranked)
            equal = [(one, text) for rank, one, text in ranked if rank == best]
            likeliest = [equal[0][0]] if len(equal) == 1 else self._nearest(equal)
            rare = name not in self._functions or self._spread[name] <= RARE
            if len(likeliest) == 1 and (rare or likeliest[0].is_type):
                chosen[name] = likeliest[0]
        return chosen

    def _nearest(self, equal: Sequence[tuple[Reference, str]]) -> list[Reference]:
        """Guess at the one whose file has more of the text's words than the others."""
        places = [frozenset(_PLACE.findall(one.path.casefold())) for one, _ in equal]
        shared = frozenset.intersection(*places)
        words = [
            (len(self._text_words & place - shared), len(self._terms & terms_of(text)))
            for place, (_, text) in zip(places, equal, strict=True)
        ]
        most = [one for (one, _), count in zip(equal, words, strict=True) if count == max(words)]
        return [replace(one, is_guess=True) for one in most]
