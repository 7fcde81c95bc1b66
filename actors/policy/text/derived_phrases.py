"""Phrases derived from a memory: likely words of a prompt about it.

Precision first. Names in code, files, commands, pinned packages and quoted names of its text; of
its title also pairs of uncommon words.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from actors.policy.patterns import pattern
from actors.policy.text.phrases import LONGEST, ONE_SOLID, SHORTEST, SOLID_RUN, keys_of, tokens_of
from actors.policy.text.words import (
    CODE_FILES,
    DATA_FILES,
    EVERYDAY,
    STOP_WORDS,
    expressions,
    word_list,
)

_EXPRESSIONS: Final = expressions(__name__, "phrases")

_COINED: Final = pattern(r"[^\W\d_](?=[_\d])|[_\d](?=[^\W\d_])|[a-zа-яё][A-ZА-ЯЁ]|[A-Z]{2}[a-z]")
# Words that authors set in backticks and that name no one thing.
FIELDS: Final = word_list(__name__, "fields", "phrases")
# Words that join others without naming anything: no pair with one of them is a name.
_JOINING: Final = STOP_WORDS | word_list(__name__, "joining", "phrases")
_COMMON: Final = EVERYDAY | STOP_WORDS
_HOUSEHOLD: Final = word_list(__name__, "household", "phrases")
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
    """Tell whether a phrase of a text says which memory is meant."""
    return _specific(phrase, keys_of(phrase)) or _set_in_code(phrase, text)


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


def _set_in_code(phrase: str, text: str) -> bool:
    """Return whether it is a lower-case word in the author's backticks and not an everyday one: `pnpm`."""
    named = phrase.islower() and phrase.isalpha() and phrase not in FIELDS
    return named and _telling(phrase) and f"`{phrase}`" in text


def _runs(title: str) -> Iterator[str]:
    """Neighbouring words of a title, one of them telling, never across a stop; solid script.

    Of 140 everyday prompts one said a phrase of 121 facts about projects, and meant it.
    """
    plain = title.isascii()
    for clause in _CLAUSE.split(title):
        tokens: list[str] = tokens_of(clause)
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
