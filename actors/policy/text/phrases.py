"""Trigger phrases: memories called by name in a text, and the phrases derived from a memory.

The index is of whole tokens, so a phrase begins and ends where a token does. A token is one word to
a reader: `C++`, `node.js`, `don't`, `user_name`, an `é` in either spelling (composed or not). In
scripts written without spaces every character is a token, so a phrase is found inside a run. Keys
are case-folded and composed; offsets are of the original text, because folding changes lengths (ß,
İ, ﬁ).

A part of a dotted name (`PaymentClient` in `PaymentClient.charge`) is found when the phrase looks
like a name in code; `node` is not found in `node.js`.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import Final, NamedTuple

from actors.policy.patterns import pattern
from actors.policy.text.words import (
    CODE_FILES,
    DATA_FILES,
    EVERYDAY,
    STOP_WORDS,
    expressions,
    word_list,
)

SHORTEST: Final = 3
"""Characters a folded phrase must have; two characters that are words count with a space."""

LONGEST: Final = 12
"""Tokens a phrase may have: more is a sentence, and no prompt repeats it."""

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
_TOKEN: Final = pattern(
    rf"[{_SOLID}][{_MARK}]*"
    rf"|(?:(?<![\w.])\.)?(?:[^\W{_SOLID}][{_MARK}]*)+"
    rf"(?:['’.](?:[^\W{_SOLID}][{_MARK}]*)+)*(?:\+\+|\#)?"
)
_ASCII_TOKEN: Final = pattern(r"(?:(?<![\w.])\.)?\w+(?:['.]\w+)*(?:\+\+|#)?", re.ASCII)
ONE_SOLID: Final = pattern(f"[{_SOLID}]")
SOLID_RUN: Final = pattern(rf"[{_SOLID}]{{3,10}}")
_NAMELIKE: Final = pattern(r"[_\d]|[a-zа-яё][A-ZА-ЯЁ]|^[A-Z][a-z]+[A-Z]|^[A-Z]{3,}$")


class Match(NamedTuple):
    """`text[start:end]` is `phrase` (as the index keeps it: folded) and calls `owner`."""

    start: int
    end: int
    owner: int
    phrase: str


class PhraseIndex:
    """Phrases of many owners, matched in time by the text and not by their number.

    Mutable, single-owner, no I/O. A phrase is held by Python's hash of it: 64 bits with a secret of the
    process, so nobody can write two to be taken for one another, and chance does once in 10^14 look-ups
    among 100,000. The greatest length of phrases with the same first token bounds the look-ups.
    """

    def __init__(self, phrases: Iterable[tuple[str, int]] = ()) -> None:
        self._owners: dict[int, int | dict[int, None]] = {}  # by phrase, in the order they came
        self._owned: dict[int, tuple[int, ...]] = {}  # phrases by owner
        self._longest: dict[str, int] = {}  # tokens of a phrase that begins with this one, at most
        self._names: set[int] = set()
        self._size = 0
        for phrase, owner in phrases:
            self.add(phrase, owner)

    def __len__(self) -> int:
        """How many (phrase, owner) pairs are held."""
        return self._size

    def add(self, phrase: str, owner: int) -> bool:
        """Let `phrase` call `owner`; False if it is too short, too long or already there."""
        keys = keys_of(phrase)
        text = " ".join(keys)
        if len(text) < SHORTEST or len(keys) > LONGEST:
            return False
        key, owned = hash(text), self._owned.get(owner, ())
        if key in owned:
            return False
        owners = self._owners.setdefault(key, owner)
        if isinstance(owners, dict):
            owners[owner] = None
        elif owners != owner:
            self._owners[key] = {owners: None, owner: None}
        self._owned[owner] = (*owned, key)
        self._longest[keys[0]] = max(len(keys), self._longest.get(keys[0], 0))
        if len(keys) == 1 and _NAMELIKE.search(phrase):
            self._names.add(key)
        self._size += 1
        return True

    def remove(self, owner: int) -> None:
        """Forget every phrase of `owner`."""
        owned = self._owned.pop(owner, ())
        for key in owned:
            owners = self._owners[key]
            if isinstance(owners, dict) and len(owners) > 1:
                del owners[owner]
            else:
                del self._owners[key]
                self._names.discard(key)
        self._size -= len(owned)
        if not self._size:
            self._longest.clear()

    def matches(
        self,
        text: str,
        admits: Callable[[int], bool] | None = None,
        most: int | None = None,
    ) -> list[Match]:
        """Every phrase in `text`, overlapping ones too, by place and then length.

        Of the owners of a phrase, only the ones `admits` lets in, and only the `most` newest: a
        phrase shared by thousands says little of each of them.
        """
        keys = keys_of(text)
        found = self._walk(keys)
        dotted = [at for at, key in enumerate(keys) if "." in key] if self._size else []
        if not found and not dotted:
            return []
        spans = [match.span() for match in _token(text).finditer(text)]
        places = [(spans[at][0], spans[last][1], phrase) for at, last, phrase in found]
        for at in dotted:
            places += self._inside(text, *spans[at])
        owners = {
            phrase: self._called(phrase, admits, most)
            for phrase in {phrase for _, _, phrase in places}
        }
        return sorted(
            Match(start, end, owner, phrase)
            for start, end, phrase in places
            for owner in owners[phrase]
        )

    def _walk(self, keys: list[str]) -> list[tuple[int, int, str]]:
        """Phrases among the tokens, as (first token, last token, phrase)."""
        found: list[tuple[int, int, str]] = []
        for at, first in enumerate(keys):
            run, end = first, min(at + self._longest.get(first, 0), len(keys))
            for last in range(at, end):
                run = run if last == at else f"{run} {keys[last]}"
                if hash(run) in self._owners:
                    found.append((at, last, run))
        return found

    def _called(
        self, phrase: str, admits: Callable[[int], bool] | None, most: int | None
    ) -> list[int]:
        held = self._owners.get(hash(phrase), ())
        owners = [held] if isinstance(held, int) else [*held]
        if most is not None and len(owners) > most:
            owners = sorted(owners, reverse=True)[: _LOOKED_AT * most]
        return [owner for owner in owners if admits is None or admits(owner)][:most]

    def _inside(self, text: str, start: int, end: int) -> Iterator[tuple[int, int, str]]:
        """Code names as parts of the dotted token at `start`..`end`."""
        edges = [start, *(i + 1 for i in range(start, end) if text[i] == "."), end + 1]
        for i, begin in enumerate(edges[:-1]):
            for after in edges[i + 1 : i + 1 + _DEEPEST]:
                key = _folded(text[begin : after - 1])
                if (begin, after) != (start, end + 1) and hash(key) in self._names:
                    yield begin, after - 1, key


def keys_of(text: str) -> list[str]:
    """The tokens of `text` under which case and spelling do not matter, in order."""
    if text.isascii():
        lowered = text.lower()
        if lowered.replace(" ", "").isalpha():  # as most phrases are
            return lowered.split()
        return _ASCII_TOKEN.findall(lowered)
    return [_folded(token) for token in _TOKEN.findall(text)]


def _token(text: str) -> re.Pattern[str]:
    return _ASCII_TOKEN if text.isascii() else _TOKEN


def _folded(token: str) -> str:
    """Canonical caseless form (Unicode 3.13, D145), with one kind of apostrophe."""
    if token.isascii():
        return token.lower()
    folded = unicodedata.normalize("NFD", token).casefold()
    return unicodedata.normalize("NFC", folded).replace("’", "'")


def is_named(project: str | None, phrase: str) -> bool:
    """Return whether a phrase is its project's name: every prompt there may hold it.

    A fact about `git-sync` in a folder of the same name was told 50 times, each time for nothing.
    """
    name = (project or "").rstrip("/").rpartition("/")[2]
    is_near = abs(len(phrase) - len(name)) <= 2  # a look that spares nearly all phrases the rest
    return is_near and keys_of(phrase) == keys_of(name)


# ---- slices of a long text, each matched for phrases by itself, so nobody waits for the whole


SLICE: Final = 2_048  # characters; with sixteen owners a phrase under 5 ms
BEYOND: Final = 256  # characters read past a slice, for a phrase that begins in it. Choice.
WORD: Final = 512  # characters up to which the end of a word is looked for: a longer one is none


class Slice(NamedTuple):
    """A stretch of a text: matches beginning in its first ``own`` characters are its own."""

    start: int  # in the whole text
    own: int
    text: str


def slices(text: str) -> Iterator[Slice]:
    """Cut a text between words; a short one is one slice."""
    start = 0
    while start < len(text):
        end = _between_words(text, start + SLICE)
        yield Slice(start, end - start, text[start : _between_words(text, end + BEYOND)])
        start = end


def _between_words(text: str, at: int) -> int:
    """The end of the word at a place."""
    most = min(at + WORD, len(text))
    while at < most and not text[at].isspace():
        at += 1
    return min(at, len(text))


# ---- phrases derived from a memory: likely words of a prompt about it
#
# Precision first. Names in code, files, commands, pinned packages and quoted names of its text; of
# its title also pairs of uncommon words.


_EXPRESSIONS: Final = expressions(__name__)

_COINED: Final = pattern(r"[^\W\d_](?=[_\d])|[_\d](?=[^\W\d_])|[a-zа-яё][A-ZА-ЯЁ]|[A-Z]{2}[a-z]")
# Words that authors set in backticks and that name no one thing.
FIELDS: Final = word_list(__name__, "fields")
# Words that join others without naming anything: no pair with one of them is a name.
_JOINING: Final = STOP_WORDS | word_list(__name__, "joining")
_COMMON: Final = EVERYDAY | STOP_WORDS
_HOUSEHOLD: Final = word_list(__name__, "household")
"""Names with inner capitals or digits that every programmer writes: they call no memory alone."""

DERIVED: Final = 12
"""Phrases derived for one memory at most; each must earn its place in every prompt."""

_QUOTED: Final = pattern(r"`([^`\n]{2,80})`|\"([^\"\n]{3,60})\"|“([^”\n]{3,60})”|«([^»\n]{3,60})»")
COMMAND: Final = pattern(_EXPRESSIONS["command"])
FILE: Final = pattern(
    r"(?<![\w/.@-])(?:~|\.{1,2})?/?(?:[\w.@-]+/)*(?:[\w@-]*+\.[\w-]++|[\w@-]++(?<!@))"
    r"\.[A-Za-z]\w{0,7}\b"
)
_PATH: Final = pattern(r"(?<![\w/.:@-])(?:~|\.{1,2})?/?(?:[\w.@-]+/)+[\w.@-]+")
_NAME: Final = pattern(
    r"\b(?:_*[A-Za-z]+(?:_[A-Za-z0-9]+)+|[a-z]+(?:[A-Z][a-z0-9]*)+|(?:[A-Z][a-z0-9]+){2,}[A-Z]*"
    r"|[A-Z]{2,}[a-z]{2,}\w*)\b"
)
_PINNED: Final = pattern(
    r"\b([A-Za-z][\w.-]{1,60}+(?<=[A-Za-z]))(?:[ @]v?|==|>=|~=)(\d+(?:\.\d+)*)\b"
)
# Without these no name of a file or of code is found, and looking for one takes five times as long.
_ENDED: Final = pattern(r"\.[A-Za-z]")
_HUMP: Final = pattern(r"[a-z0-9][A-Z]|[A-Z]{2}[a-z]{2}")
_CLAUSE: Final = pattern(r"[.,:;!?()\[\]{}\n。、，！？：；]+")


def phrases_of(title: str, text: str, *, limit: int = DERIVED) -> list[str]:
    """Phrases by which a prompt is likely to mean this memory, the surest first."""
    both = f"{title}\n{text}"
    candidates = [
        *quoted_in(both),
        *COMMAND.findall(both),
        *filter(_is_path, _PATH.findall(both) if "/" in both else ()),
        *(
            name
            for file in (FILE.findall(both) if _ENDED.search(both) else ())
            for name in file_names(file)
        ),
        *(_NAME.findall(both) if "_" in both or _HUMP.search(both) else ()),
        *(f"{name} {version}" for name, version in _PINNED.findall(both) if _telling(name)),
        *_runs(title),
    ]
    kept: dict[str, str] = {}
    for candidate in candidates:
        phrase = candidate.strip(" .,:;!?()[]")
        keys = keys_of(phrase)
        key = " ".join(keys)
        if len(key) >= SHORTEST and len(keys) <= LONGEST and is_telling(phrase, text):
            kept.setdefault(key, phrase)
    return list(kept.values())[:limit]


def quoted_in(text: str) -> Iterator[str]:
    """Texts between backticks or quotation marks, in their order."""
    return (next(filter(None, match.groups())) for match in _QUOTED.finditer(text))


def is_telling(phrase: str, text: str) -> bool:
    """Tell whether a phrase of a text says which memory is meant: by itself, or in backticks: `pnpm`."""
    if _specific(phrase, keys_of(phrase)):
        return True
    plain = phrase.islower() and phrase.isalpha() and phrase not in FIELDS
    return plain and _telling(phrase) and f"`{phrase}`" in text


def is_common(word: str) -> bool:
    """Tell whether a word is one of every prompt."""
    return word.lower() in _COMMON


def _is_path(path: str) -> bool:
    """Return whether it is a path, not `and/or` nor a fraction: three parts, or a name that is no prose."""
    parts = [part for part in path.split("/") if part not in ("", ".", "..", "~")]
    return len(parts) > 2 or any("." in part.strip(".") or "_" in part for part in parts)


def file_names(found: str) -> list[str]:
    """The file name of `found`, if its ending is a file's."""
    name = found.rsplit("/", 1)[-1]
    return [name] if name.rsplit(".", 1)[-1].lower() in CODE_FILES | DATA_FILES else []


def _telling(word: str) -> bool:
    return len(word) > 2 and not is_common(word)


def _specific(phrase: str, keys: list[str]) -> bool:
    """Return whether a phrase says which memory is meant: several words not all common, or a name.

    A single plain word, quoted or not, is too much a word of every prompt (`port`, `status`).
    """
    if len(keys) > 1:
        return any(map(_telling, keys)) or any(map(ONE_SOLID.match, keys))
    dotted = "." in phrase.strip(".")
    coined = bool(_COINED.search(phrase)) and keys[0] not in _HOUSEHOLD
    return not phrase.isnumeric() and (dotted or coined or phrase.startswith("."))


def _runs(title: str) -> Iterator[str]:
    """Neighbouring words of a title, one of them telling, never across a stop; solid script.

    Of 140 everyday prompts one said a phrase of 121 facts about projects, and meant it.
    """
    plain = title.isascii()
    for clause in _CLAUSE.split(title):
        tokens: list[str] = _token(clause).findall(clause)
        names = [_may_name(token) for token in tokens]
        for at, (first, second) in enumerate(pairwise(tokens)):
            both_name = names[at] and names[at + 1]
            if both_name and (_telling(first) or _telling(second)):
                yield f"{first} {second}"
        if not plain:
            yield from SOLID_RUN.findall(clause)


def _may_name(token: str) -> bool:
    """Tell whether it may be one of two words of a name: no joining word, and no single letter."""
    joins = len(token) < 3 or token.lower() in _JOINING
    return not joins and (token.isascii() or not ONE_SOLID.match(token))
