"""Search of a project for the definitions of what a text names and no file that it names defines.

A name is found when exactly one file is the likeliest to define it: one that says so (`class NAME`,
a method within its class) before one where only the layout does, the program before its tests.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from actors.policy.references.naming import Named
from actors.policy.references.references import Reference
from actors.policy.references.symbols import definition, digest, is_kind, parts

SOURCES: Final = 2_000  # files of a project that is searched; a larger one is not
CHARACTERS: Final = 16_000_000  # of all of them together
_TESTS: Final = re.compile(
    r"(?:^|/)(?:tests?|testdata|spec|__tests__|examples?|docs?|bench(?:marks?)?)/"
    r"|(?:^|/)(?:test_|conftest\.)|[._](?:test|spec)\.\w+$"
)


def missing(what: Named, found: Iterable[Reference]) -> tuple[str, ...]:
    """List the names to search for: symbols that no file defined so far.

    A plain word rarely names a class: searched for are the one that the text begins with, and
    all where there is no symbol.
    """
    known = {one.symbol for one in found if one.symbol}
    symbols = tuple(one for one in what.symbols if one not in known)
    words = what.words if not known else (what.subject,) if what.subject else ()
    return (*symbols, *(one for one in words if one not in symbols))


class Search:
    """Definitions of some names, collected file by file."""

    def __init__(self, what: Named, names: Sequence[str]) -> None:
        self._last = {name: parts(name)[-1] for name in names}
        self._words = frozenset(what.words).difference(what.symbols)
        self._found: dict[str, list[tuple[int, Reference]]] = {}

    def look(self, path: str, text: str) -> None:
        """Look for all names in one file."""
        for name, last in self._last.items():
            found = definition(text, name) if last in text else None
            if found is None or (name in self._words and not is_kind(found.keyword)):
                continue
            rank = 2 * found.sure + (_TESTS.search(path) is None)
            reference = Reference(path, name, digest=digest(found.lines))
            self._found.setdefault(name, []).append((rank, reference))

    def results(self) -> dict[str, Reference]:
        """Return the reference to each name of which one file is the likeliest."""
        chosen: dict[str, Reference] = {}
        for name, ranked in self._found.items():
            best = max(rank for rank, _ in ranked)
            likeliest = [reference for rank, reference in ranked if rank == best]
            if len(likeliest) == 1:
                chosen[name] = likeliest[0]
        return chosen
