"""Trigger phrases: which memories a text calls by name.

The index is a trie over tokens, so a phrase begins and ends where a token does. Tokens are what
a reader takes for one word: `C++`, `node.js`, `don't`, `user_name`, an `é` in either spelling
(composed or not). In scripts written without spaces every character is a token, so a phrase is
found inside a run. Keys are case-folded and composed; offsets are those of the original text,
because folding changes lengths (ß, İ, ﬁ).

A part of a dotted name (`PaymentClient` in `PaymentClient.charge`) is found when the phrase looks
like a name in code; `node` is not found in `node.js`.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from actors.policy.text.phrase_arrays import Entry, PhraseArrays

SHORTEST: Final = 3
"""Characters a folded phrase must have; two characters that are words count with a space."""

LONGEST: Final = 12
"""Tokens a phrase may have: more is a sentence, and no prompt repeats it."""

_ENTRY: Final = 330
"""Bytes of a phrase in the three dictionaries of an index."""

_ROOM: Final = 2_048
"""Phrases that may wait there, or"""

_SHARE: Final = 32
"""one of so many; then all arrays are made anew, and the loop waits: 8 ms of 100,000, 100 of a
million; of an eighth that waits 26 and 277, for a tenth less CPU in all."""

_LOOKED_AT: Final = 16
"""Times as many owners of a phrase are asked whether they are let in, as are wanted."""

_DEEPEST: Final = 4
"""Parts of a dotted name that are looked up together: bounds the work for `a.a.a.a...`."""

_SOLID: Final = (
    r"\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3131-\u318e"
    r"\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9d"
    r"\U00020000-\U0003134f"
)
_MARK: Final = (
    r"\u0300-\u036f\u0483-\u0489\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed"
    r"\u0900-\u0903\u093a-\u094f\u0951-\u0957\u0962\u0963\u0981-\u0983\u09bc-\u09cd\u0e31"
    r"\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ecd\u102b-\u103e\u17b4-\u17d3"
    r"\u1ab0-\u1aff\u1dc0-\u1dff\u200c\u200d\u20d0-\u20ff\u3099\u309a\ufe00-\ufe0f\ufe20-\ufe2f"
)
_TOKEN: Final = re.compile(
    rf"[{_SOLID}][{_MARK}]*"
    rf"|(?:(?<![\w.])\.)?(?:[^\W{_SOLID}][{_MARK}]*)+"
    rf"(?:['’.](?:[^\W{_SOLID}][{_MARK}]*)+)*(?:\+\+|\#)?"
)
_ASCII_TOKEN: Final = re.compile(r"(?:(?<![\w.])\.)?\w+(?:['.]\w+)*(?:\+\+|#)?", re.ASCII)
ONE_SOLID: Final = re.compile(f"[{_SOLID}]")
SOLID_RUN: Final = re.compile(rf"[{_SOLID}]{{3,10}}")
_NAMELIKE: Final = re.compile(r"[_\d]|[a-zа-яё][A-ZА-ЯЁ]|^[A-Z][a-z]+[A-Z]|^[A-Z]{3,}$")


class Match(NamedTuple):
    """`text[start:end]` is `phrase` (as the index keeps it: folded) and calls `owner`."""

    start: int
    end: int
    owner: int
    phrase: str


@dataclass(frozen=True, slots=True)
class Called:
    """A memory that a text calls: by how many distinct phrases, and the longest match."""

    owner: int
    phrases: int
    longest: Match


@dataclass(slots=True)
class Told:
    """Matches in the earlier pieces of a text: the first places of each owner are enough."""

    most: int  # places of one owner
    owners: dict[str, list[int]] = field(default_factory=dict[str, list[int]])
    _places: Counter[int] = field(default_factory=Counter[int])

    def new(self, places: Iterable[tuple[int, int, str]], stop: int) -> list[Match]:
        """Take in the places that begin before ``stop`` in the next piece; the matches there."""
        found: list[Match] = []
        for start, end, phrase in sorted(places):
            if start >= stop:
                break
            for owner in self.owners[phrase]:
                if self._places[owner] < self.most:
                    self._places[owner] += 1
                    found.append(Match(start, end, owner, phrase))
        return found


class PhraseIndex:
    """Phrases of many owners, matched in time that depends on the text and not on their number.

    Mutable, single-owner, no I/O. Adding and removing touch only the phrase's own path. The trie
    is kept as whole phrases and proper prefixes with how many phrases need them: those that came
    last in flat dictionaries, all others in arrays, into which they are put many at a time.
    """

    def __init__(self, phrases: Iterable[tuple[str, int]] = ()) -> None:
        self._arrays = PhraseArrays()
        self._owners: dict[str, int | set[int]] = {}
        self._prefixes: dict[str, int] = {}
        self._owned: dict[int, str | tuple[str, ...]] = {}
        self._names: set[str] = set()
        self._waiting = 0  # of the size, what is in dictionaries
        self._size = 0
        for phrase, owner in phrases:
            self.add(phrase, owner)

    def __len__(self) -> int:
        """How many (phrase, owner) pairs are held."""
        return self._size

    @property
    def nbytes(self) -> int:
        """Memory held, in bytes: arrays exactly, dictionaries by what a usual phrase costs."""
        return self._arrays.nbytes + _ENTRY * self._waiting

    def add(self, phrase: str, owner: int) -> bool:
        """Let `phrase` call `owner`; False if it is too short, too long or already there."""
        keys = keys_of(phrase)
        key = " ".join(keys)
        if len(key) < SHORTEST or len(keys) > LONGEST or key in self._arrays.owned(owner):
            return False
        owners = self._owners.get(key)
        if owners is None:
            self._owners[key] = owner
            _count(self._prefixes, keys, 1)
        elif isinstance(owners, int):
            if owner == owners:
                return False
            self._owners[key] = {owners, owner}
        elif owner in owners:
            return False
        else:
            owners.add(owner)
        owned = self._owned.get(owner)
        self._owned[owner] = key if owned is None else (*_tuple(owned), key)
        if len(keys) == 1 and _NAMELIKE.search(phrase):
            self._names.add(key)
        self._size += 1
        self._waiting += 1
        if self._waiting >= max(_ROOM, self._size // _SHARE):
            self._settle()
        return True

    def remove(self, owner: int) -> int:
        """Forget every phrase of `owner`; how many there were."""
        owned = self._owned.pop(owner, ())
        phrases = _tuple(owned)
        for key in phrases:
            owners = self._owners[key]
            if isinstance(owners, set) and len(owners) > 1:
                owners.discard(owner)
                continue
            del self._owners[key]
            self._names.discard(key)
            _count(self._prefixes, key.split(" "), -1)
        gone = len(phrases) + self._arrays.remove(owner)
        self._waiting -= len(phrases)
        self._size -= gone
        if not self._size:
            self._arrays = PhraseArrays()
        return gone

    def phrases(self, owner: int) -> tuple[str, ...]:
        """The phrases that call `owner`, folded, in the order they were added."""
        return (*self._arrays.owned(owner), *_tuple(self._owned.get(owner, ())))

    def matches(
        self,
        text: str,
        admits: Callable[[int], bool] | None = None,
        most: int | None = None,
        told: Told | None = None,
        stop: int | None = None,
    ) -> list[Match]:
        """Every phrase in `text`, overlapping ones too, by place and then length.

        Of the owners that a phrase calls, only those that `admits` lets in, and only the `most`
        newest: a phrase that thousands share says little of each of them. `told` is for a text in
        pieces: of this one only what begins before `stop` is its own.
        """
        keys = keys_of(text)
        found = self._walk(keys)
        dotted = [at for at, key in enumerate(keys) if "." in key] if self._size else []
        if not found and not dotted:
            return []
        spans = _spans(text)
        places = [(spans[at][0], spans[last][1], phrase) for at, last, phrase in found]
        for at in dotted:
            places += self._inside(text, *spans[at])
        owners = told.owners if told is not None else {}
        for phrase in {phrase for _, _, phrase in places} - owners.keys():
            owners[phrase] = self._called(phrase, admits, most)
        if told is not None:
            return told.new(places, len(text) if stop is None else stop)
        return sorted(
            Match(start, end, owner, phrase)
            for start, end, phrase in places
            for owner in owners[phrase]
        )

    def _settle(self) -> None:
        """Put what is in dictionaries into the arrays."""
        self._arrays = self._arrays.with_entries(
            Entry(owner, key, key in self._names)
            for owner, owned in self._owned.items()
            for key in _tuple(owned)
        )
        self._owners, self._prefixes, self._owned, self._names = {}, {}, {}, set()
        self._waiting = 0

    def best(self, text: str, *, limit: int = 3) -> list[Called]:
        """The memories `text` calls most: by number of phrases, then by the longest."""
        called: dict[int, list[Match]] = {}
        for match in self.matches(text):
            called.setdefault(match.owner, []).append(match)
        ranked = [
            Called(owner, len({m.phrase for m in own}), max(own, key=lambda m: m.end - m.start))
            for owner, own in called.items()
        ]
        ranked.sort(key=lambda c: (-c.phrases, c.longest.start - c.longest.end, c.owner))
        return ranked[:limit]

    def _walk(self, keys: list[str]) -> list[tuple[int, int, str]]:
        """Phrases among the tokens, as (first token, last token, phrase)."""
        count, more = len(keys), 0
        found: list[tuple[int, int, str]] = []
        runs = list(enumerate(keys))
        while runs:  # all of one token, then those of two that something begins with, ...
            called, begun = self._arrays.known([hash(run) for _, run in runs])
            longer: list[tuple[int, str]] = []
            for (at, run), is_called, is_begun in zip(runs, called, begun, strict=True):
                if is_called or run in self._owners:
                    found.append((at, at + more, run))
                if (is_begun or run in self._prefixes) and at + more + 1 < count:
                    longer.append((at, f"{run} {keys[at + more + 1]}"))
            runs = longer
            more += 1
        return found

    def _called(
        self, phrase: str, admits: Callable[[int], bool] | None, most: int | None
    ) -> list[int]:
        owners = [*self._arrays.called(phrase), *_each(self._owners.get(phrase, ()))]
        if most is not None and len(owners) > most:
            owners = sorted(owners, reverse=True)[: _LOOKED_AT * most]
        return [owner for owner in owners if admits is None or admits(owner)][:most]

    def _inside(self, text: str, start: int, end: int) -> Iterator[tuple[int, int, str]]:
        """Code names that are parts of the dotted token at `start`..`end`."""
        edges = [start, *(i + 1 for i in range(start, end) if text[i] == "."), end + 1]
        for i, begin in enumerate(edges[:-1]):
            for after in edges[i + 1 : i + 1 + _DEEPEST]:
                key = _folded(text[begin : after - 1])
                if (begin, after) != (start, end + 1) and self._is_name(key):
                    yield begin, after - 1, key

    def _is_name(self, key: str) -> bool:
        return key in self._names or self._arrays.is_named(key)


def _each(owners: int | Iterable[int]) -> Iterable[int]:
    return (owners,) if isinstance(owners, int) else owners


def _tuple(phrases: str | tuple[str, ...]) -> tuple[str, ...]:
    return (phrases,) if isinstance(phrases, str) else phrases


def _count(prefixes: dict[str, int], keys: list[str], step: int) -> None:
    """Add `step` to how many phrases need each proper prefix of `keys`."""
    prefix = ""
    for key in keys[:-1]:
        prefix = f"{prefix} {key}" if prefix else key
        needed = prefixes.get(prefix, 0) + step
        if needed:
            prefixes[prefix] = needed
        else:
            del prefixes[prefix]


def keys_of(text: str) -> list[str]:
    """The tokens of `text` under which case and spelling do not matter, in order."""
    if text.isascii():
        lowered = text.lower()
        if lowered.replace(" ", "").isalpha():  # as most phrases are
            return lowered.split()
        return _ASCII_TOKEN.findall(lowered)
    return [_folded(token) for token in _TOKEN.findall(text)]


def tokens_of(text: str) -> list[str]:
    """The tokens of `text` as they are written, in order."""
    return _token(text).findall(text)


def _spans(text: str) -> list[tuple[int, int]]:
    return [match.span() for match in _token(text).finditer(text)]


def _token(text: str) -> re.Pattern[str]:
    return _ASCII_TOKEN if text.isascii() else _TOKEN


def _folded(token: str) -> str:
    """Canonical caseless form (Unicode 3.13, D145), with one kind of apostrophe."""
    if token.isascii():
        return token.lower()
    folded = unicodedata.normalize("NFD", token).casefold()
    return unicodedata.normalize("NFC", folded).replace("’", "'")


def is_named(project: str | None, phrase: str) -> bool:
    """Tell whether a phrase is what its project is called: every prompt there may hold it.

    A fact about `git-sync` in a folder of that name was told 50 times, each time for nothing.
    """
    name = (project or "").rstrip("/").rpartition("/")[2]
    is_near = abs(len(phrase) - len(name)) <= 2  # a look that spares nearly all phrases the rest
    return is_near and keys_of(phrase) == keys_of(name)
