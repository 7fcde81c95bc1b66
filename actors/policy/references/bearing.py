"""Memories with a bearing on a file: about its definitions, about the file, or about things used in it.

Nothing goes by likeness or by the file's name: of the answers to a search for these most were wrong.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from actors.policy.patterns import pattern
from actors.policy.references.hints import Shared, subject
from actors.policy.references.naming import UNNAMED, is_compound
from actors.policy.references.references import Reference, symbol_reference
from actors.policy.references.symbols import parts

_WORD: Final = pattern(r"[^\W\d]\w*")
_BY_FOLDER: Final = frozenset("cs go java kt scala swift".split())  # files of one need no import


class Bond(IntEnum):
    """Tie between a memory and a file; the first is the closest."""

    DEFINED = 0
    NAMED = 1
    USED = 2


@dataclass(frozen=True, slots=True)
class Bearing:
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
