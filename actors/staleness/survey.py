"""Files of a project, looked through once for all memories about it, and the looks at these memories' files.

File names and definitions in the project's code were asked of the disk for each memory: three
thousand of them in a folder of two thousand files cost minutes. A survey keeps the names, the words
of each file of code as hashes, and the results for the latest names.
"""

from array import array
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import islice
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from actors.core.equipment import Latest
from actors.policy.patterns import pattern
from actors.policy.references.naming import (
    alone,
    candidates,
    is_source,
    is_written,
    joined,
    members,
    named,
    references,
)
from actors.policy.references.places import CHARACTERS, SOURCES, Places, missing, place, searched
from actors.policy.references.references import Reference, judged, phrase, taken_anew
from actors.policy.references.symbols import parts
from actors.staleness.messages import Referring, Stamp
from daemon.sources import DiskFolder

MOST: Final = 5_000  # files and folders outside of a repository: a larger folder is no project
ASKED: Final = 2_000  # names whose places are kept
HISTORY: Final = (".git/index", ".git/logs/HEAD")  # written when git knows of a move
UNSEEN: Final[Stamp] = (-1, -1)
_FILES: Final = 1 << 16  # bound of a file's number
_HASHES: Final = (1 << 47) - 1
_WORD: Final = pattern(r"\w+")

Stamps = dict[str, Stamp | None]


class Survey(Struct):
    """Names and words of a project's files. It belongs to the thread of the files."""

    _called: str = "\n"  # all paths, each after a line's end: compact, and quick to look through
    _stamps: dict[str, Stamp] = field(default_factory=dict[str, Stamp])  # of its code
    _numbers: dict[int, str] = field(default_factory=dict[int, str])
    _words: "array[int]" = field(default_factory=lambda: array("Q"))  # hash and file, in order
    _places: Latest[str, Places] = field(default_factory=lambda: Latest(ASKED))

    def renew(self, folder: DiskFolder) -> int:
        """Look at the files there now, and count them; only code written since is read."""
        paths = [one for one in folder.files(".", is_written, MOST) or () if one.isprintable()]
        self._called = "\n".join(("", *(f"/{one}" for one in paths), ""))
        stamps: dict[str, Stamp] = {}
        for path in islice(filter(is_source, paths), SOURCES + 1):
            if (stamp := folder.stamp(path)) is not None:
                stamps[path] = stamp
        if len(stamps) > SOURCES or sum(size for _, size in stamps.values()) > CHARACTERS:
            stamps = {}  # a large project is not searched
        if stamps != self._stamps:
            self._read(stamps, folder)
        return len(paths)

    def called(self, name: str) -> str:
        """Return the one file of this name; "" when there is none, or several."""
        ending = f"/{name}\n"
        at = self._called.find(ending)
        if at < 0 or self._called.find(ending, at + 1) >= 0:
            return ""
        return self._called[self._called.rfind("\n", 0, at + 1) + 2 : at + len(ending) - 1]

    def places(self, name: str, folder: DiskFolder) -> Places:
        """Find the definitions of a name, and the number of files with it."""
        if name not in self._places:
            having = self._having(parts(name)[-1])
            made = (place(name, path, folder.read(path) or "") for path in sorted(having))
            self._places[name] = Places(tuple(filter(None, made)), len(having))
        return self._places[name]

    def _having(self, name: str) -> set[str]:
        """List files likely to have a name: files with all its words, or their namesakes by hash."""
        having: list[set[str]] = []
        for word in _WORD.findall(name):
            least = _hashed(word, 0)
            first = bisect_left(self._words, least)
            end = bisect_left(self._words, least + _FILES, first)
            having.append({self._numbers[one % _FILES] for one in self._words[first:end]})
        return having[0].intersection(*having[1:]) if having else set()

    def _read(self, stamps: dict[str, Stamp], folder: DiskFolder) -> None:
        """Read new or changed code, and forget removed files."""
        kept = {
            number: path
            for number, path in self._numbers.items()
            if stamps.get(path) == self._stamps[path]
        }
        words = [one for one in self._words if one % _FILES in kept]
        new = stamps.keys() - set(kept.values())
        free = (number for number in range(_FILES) if number not in kept)
        for number, path in zip(free, sorted(new), strict=False):
            kept[number] = path
            words += (_hashed(word, number) for word in set(_WORD.findall(folder.read(path) or "")))
        self._stamps, self._numbers = stamps, kept
        self._words = array("Q", sorted(words))
        self._places.clear()


def _hashed(word: str, number: int) -> int:
    return (hash(word) & _HASHES) * _FILES + number


# ---- looks at the files of memories


class Unread(Struct, frozen=True):
    """A memory with an unread text, and the files its session touched."""

    about: Referring  # the given places, which stay
    text: str
    touched: tuple[str, ...]


def taken(unread: Sequence[Unread], survey: Survey, folder: DiskFolder) -> list[Referring]:
    """Refer to what these texts name, as the folder has it now."""
    return [
        replace(one.about, references=joined(one.about.references, _found(one, survey, folder)))
        for one in unread
    ]


def _found(one: Unread, survey: Survey, folder: DiskFolder) -> tuple[Reference, ...]:
    what = named(one.text, one.about.project)
    there = [path for path in candidates(what, one.touched) if folder.stamp(path) is not None]
    there += filter(None, map(survey.called, sorted(alone(what, there))))
    texts = {path: folder.read(path) for path in there}
    found = references(what, texts)
    if names := missing(what, found):
        places = {name: survey.places(name, folder) for name in names}
        known = searched(what, places, lambda path: folder.read(path) or "")
        found = references(what, texts, known)
    classes = {one.path: folder.read(one.path) for one in found if one.is_type}
    return members(found, what, classes)


def looked_over(
    known: Sequence[Referring], before: Stamps, anew: Collection[int], folder: DiskFolder
) -> tuple[list[Referring], Stamps]:
    """Look at the files written since the look ``before``, and at the references to take ``anew``.

    Returned are the memories in another condition now, and the files' stamps.
    """
    stamps = {path: folder.stamp(path) for path in before}
    written = {path for path, stamp in stamps.items() if stamp != before[path]}
    gone = [path for path in paths_of(known) if stamps.get(path, UNSEEN) is None]
    asked = gone if not written.isdisjoint((*gone, *HISTORY)) else []
    moved: Mapping[str, str] = folder.moved(asked) if asked else {}
    due = written | moved.keys()
    changed: list[Referring] = []
    for one in known:
        own = one.memory_id in anew
        if due.isdisjoint(paths_of([one])) and not (own and phrase(one.references)):
            continue
        rule = taken_anew if own else judged
        now = tuple(_now(reference, moved, rule, folder) for reference in one.references)
        if now != one.references:
            changed.append(replace(one, references=now))
    return changed, stamps


def _now(
    reference: Reference,
    moved: Mapping[str, str],
    rule: Callable[[Reference, bool, str | None], Reference],
    folder: DiskFolder,
) -> Reference:
    place = moved.get(reference.path, reference.path)
    there = folder.stamp(place) is not None
    if there:
        reference = replace(reference, path=place)
    return rule(reference, there, folder.read(place) if there and reference.digest else None)


def paths_of(known: Iterable[Referring]) -> set[str]:
    """Files named by some memories."""
    return {one.path for each in known for one in each.references if one.path}
