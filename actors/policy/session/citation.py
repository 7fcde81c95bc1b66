"""Citation: words of an answer, a command or an edit only the memory had before.

A shown memory counts as used when something distinctive of it comes back: a path, an identifier, a
number, a name, or several of its rare words together. Every doubt is decided against citing: a
citation strengthens, and a wrong one makes a stale fact last. The weight of a hit is its rarity by
chance. Of scripts without spaces between words only numbers, paths and identifiers count.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from functools import lru_cache
from typing import Final

from msgspec import Struct

from actors.policy.events.trail import Signal, signals
from actors.policy.patterns import pattern
from actors.policy.text.turn import Turn
from actors.policy.text.wording import TOOLS
from actors.policy.text.words import (
    EVERYDAY,
    EVERYDAY_FILES,
    STOP_WORDS,
    caseless,
    stem,
    table,
    word_list,
)
from actors.policy.times.time_phrases import DAYS

READ: Final = 40_000  # characters of a text that are read
LONG: Final = 3  # parts from which an identifier of everyday words is distinctive


class Sort(Enum):
    """Sort of a distinctive piece of a text."""

    PATH = "path"
    IDENTIFIER = "identifier"
    NUMBER = "number"
    NAME = "name"
    WORD = "word"


# When a text cites a memory; set by the cases of ``tests/policy/session/test_citation.py``.
ENOUGH: Final = 1.0
HALF: Final = 0.7  # enough when it is this share of what was new:
SHARE: Final = 0.6
WORDS: Final = 3  # rare words that count when nothing stronger was said
WORDS_SHARE: Final = 0.5  # of the rare words that were new


class Specific(Struct, frozen=True):
    """A distinctive piece: its sort, and its weight as evidence (0..1)."""

    sort: Sort
    weight: float


# Words of the trade that say nothing about where they came from; beside EVERYDAY.
_TRADE: Final = word_list(__name__, "trade")
_GENERIC: Final = frozenset({stem(word) for word in (*_TRADE, *EVERYDAY, *STOP_WORDS)})
# In an answer the days and months are rare words when they come with others.
_CALENDAR: Final = frozenset(map(stem, (*DAYS, "weekend")))
_ROUND: Final = word_list(__name__, "round")
# A line is a unit and its other spellings.
_UNITS: Final = {
    spelling: spellings[0]
    for spellings in map(str.split, table(__name__)["units"].strip().splitlines())
    for spelling in spellings
}
_EXTENSION: Final = (
    r"(?:pyi?|tsx?|jsx?|mjs|cjs|go|rs|rb|java|kts?|cc?|cpp|hh?|hpp|cs|php|lua|swift|ex|exs|sh|sql"
    r"|json|toml|ya?ml|env|md|rst|txt|ini|cfg|conf|lock|tf|proto|html|s?css|vue|svelte|csv|db|log)"
)
# Paths and files are looked for where a run of their characters begins, and nowhere within it.
_RUN: Final = r"(?<![\w.@+-])"
_NAME: Final = r"(?<![\w-])(?:\.|(?<![\w-]\.))"
_SCAN: Final = caseless(
    # Most words of prose are nothing else: sought first, at half the cost of a scan.
    r"(?P<plain>[a-z]++(?![\w./:@+-]))"
    rf"|(?P<path>[a-z]++://[\w.@+-]+(?:/[\w.@+-]+)*|(?:~?/|{_RUN})[\w.@+-]++(?:/[\w.@+-]+)+"
    rf"|(?:~|\.{{1,2}})?/[\w.@+-]+)"
    rf"|(?P<flag>(?<![\w-])--[A-Za-z][\w-]+)"
    rf"|(?P<date>\b\d{{4}}-\d\d-\d\d\b)"
    rf"|(?P<file>{_NAME}\b\w[\w-]*+(?:\.\w[\w-]*+)*\.{_EXTENSION}\b)"
    rf"|(?P<version>\bv?\d+(?:\.\d+){{1,3}}\b)"
    rf"|(?P<hex>\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{{7,40}}\b)"
    rf"|(?P<number>(?<![\w.])\d{{1,3}}(?:[,_]\d{{3}})+\b|(?<![\w.])\d+(?!\w))"
    rf"|(?P<measure>(?<![\w.])\d+(?:ms|[smhdw]|sec|min|kb|mb|gb|kib|mib|gib)\b)"
    rf"|(?P<compound>[^\W_]\w*(?:[-.:]{{1,2}}\w+)+)"
    rf"|(?P<word>\w+)"
)  # fmt: skip
_WORDS: Final = frozenset({"plain", "word"})
_NUMBERS: Final = frozenset({"number", "version", "measure"})
_PIECES: Final = pattern(r"[./:@+-]+")
_UNIT: Final = pattern(r"[ -]?(%|[A-Za-z]+)")
_TICKED: Final = pattern(r"`([^`\n]{2,80})`")
_CAMEL: Final = pattern(r"[a-z0-9][A-Z]|[A-Z]{2}[a-z]{2}")
_HUMPS: Final = pattern(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[_\W]+")
_TOOL: Final = caseless(TOOLS)
_CLOSING: Final = ".-+@"  # signs after a path that are no part of it
_SENTENCE_STARTS: Final = pattern(r"(?:\A|[.!?:\n(\"“*•-])\s{0,4}\Z")
# Agreement that ``signals`` does not name: it is no praise, but said of the last answer.
_AGREES: Final = caseless(
    r"^(?:yes|yep|yeah|right|correct|exactly)[,.!]*\s+(?:exactly|correct|right|that['’]?s (?:it|right"
    r"|correct|the one)|precisely|i (?:remember|agree)|we (?:do|use|decided))\b"
    r"|^(?:exactly|precisely|correct|that['’]?s the one)(?:[,.!]|$)"
)


def specifics(text: str) -> dict[str, Specific]:
    """Distinctive pieces of a text, by a key shared by their other spellings."""
    found: dict[str, Specific] = {}
    ticked = {inner.casefold() for inner in _TICKED.findall(text[:READ])}
    plain: set[str] = set()
    for match in _SCAN.finditer(text[:READ]):
        token = match.group()
        if token.islower() and match.lastgroup in _WORDS:  # it shows the same wherever it stands
            if token in plain:
                continue
            plain.add(token)
        for key, specific in _specific(match, text, ticked):
            if key not in found or found[key].weight < specific.weight:
                found[key] = specific
    return found


def said_keys(text: str) -> frozenset[str]:
    """Every key of a text, distinctive or not, for looking ``specifics`` up."""
    keys: set[str] = set()
    for match in _SCAN.finditer(text[:READ]):
        sort = match.lastgroup or ""
        if sort in _NUMBERS:
            keys.update(_number_keys(match, text))
        else:
            keys |= _every_key(match.group(), sort)
    return frozenset(keys)


def left(wanted: Mapping[str, Specific], heard: Iterable[str]) -> dict[str, Specific]:
    """Specifics of a memory still fit to show a citation: nobody has said them yet."""
    known = frozenset(heard)
    return {key: specific for key, specific in wanted.items() if key not in known}


def cited(wanted: Mapping[str, Specific], spoken: frozenset[str]) -> bool:
    """Tell whether a text with the keys ``spoken`` cites the memory with these specifics ``left``."""
    hits = [key for key in wanted if key in spoken]
    rare = [key for key in hits if wanted[key].sort is Sort.WORD]
    if len(rare) == len(hits) and not _together(rare, wanted):
        return False
    score = round(sum(wanted[key].weight for key in hits), 6)
    whole = sum(specific.weight for specific in wanted.values())
    return score >= ENOUGH or (score >= HALF and score >= SHARE * whole)


def subjects(wanted: Mapping[str, Specific]) -> frozenset[str]:
    """The files and symbols of a memory."""
    about = (Sort.PATH, Sort.IDENTIFIER)
    return frozenset(key for key, one in wanted.items() if one.sort in about and one.weight >= 1)


def edited(about: frozenset[str], path: str, before: str) -> bool:
    """Return whether an edit of this file, or of this text in it, touched a memory's subjects."""
    return bool(about & (said_keys(path) | said_keys(before)))


def confirmed(turn: Turn) -> bool:
    """Tell whether a person agrees with the answer before it: praise or assent, and no correction.

    Assent has to be said of the answer ("yes, exactly", "that's right"): a bare "yes" mostly
    answers a question of the agent's. The frames are the ones of ``signals``, and a few more.
    """
    found = turn.beginning.read(signals)
    if Signal.CORRECTION in found:
        return False
    return Signal.REINFORCEMENT in found or _AGREES.search(turn.text.strip()) is not None


def _together(rare: list[str], wanted: Mapping[str, Specific]) -> bool:
    """Return whether rare words alone are too many to be chance."""
    words = sum(specific.sort is Sort.WORD for specific in wanted.values())
    return len(rare) >= WORDS and len(rare) >= WORDS_SHARE * words


def _specific(match: re.Match[str], text: str, ticked: set[str]) -> Iterable[tuple[str, Specific]]:
    token, sort = match.group(), match.lastgroup or ""
    if sort in _WORDS:
        inside = token[:1].isupper() and _inside_a_sentence(match, text)
        return _word(token, ticked=token.casefold() in ticked, inside=inside)
    if sort in ("path", "file"):
        return _of_path(token)
    if sort in _NUMBERS:
        return _of_number(match, text)
    if sort in ("flag", "hex", "date"):
        weight = 0.8 if sort == "flag" else 1.0
        return ((f"i:{_joined(token)}", Specific(Sort.IDENTIFIER, weight)),)
    return _of_compound(token, ticked)


@lru_cache(maxsize=1_024)  # four of five pieces; 1.3 KB each: of 16,384 they were 21 MB
def _every_key(token: str, sort: str) -> frozenset[str]:
    """Every key of a piece of a text; a session says the same pieces again and again."""
    if token.isalpha() and (token.islower() or token[1:].islower()):
        return frozenset((f"w:{stem(token)}", f"i:{token.casefold()}"))
    keys = {f"i:{_joined(token)}", f"w:{stem(token.strip('_'))}"}
    if sort in ("path", "file"):
        keys.update(_path_keys(token))
    keys.update(f"i:{_joined(piece)}" for piece in _PIECES.split(token))
    for part in _parts(token):
        keys.add(f"n:{part}" if part.isdigit() else f"w:{stem(part)}")
        keys.add(f"i:{part.casefold()}")
    return frozenset(keys)


def _of_path(token: str) -> Iterator[tuple[str, Specific]]:
    if re.fullmatch(r"[A-Za-z]+/[A-Za-z]+", token):  # "and/or", "read/write": two words, no path
        for part in _parts(token):
            yield from _plain(part, 0.35)
        return
    keys = _path_keys(token)
    if keys:
        yield keys[0], Specific(Sort.PATH, 1.0)


def _path_keys(token: str) -> list[str]:
    """The path by its last piece, or by two when its name is a common one."""
    parted = re.split(r"[/:]+", token.casefold().rstrip(_CLOSING))
    pieces = [piece for piece in parted if piece.strip(".~")]
    if not pieces:
        return []
    *_, last = pieces
    by_two = [f"p:{'/'.join(pieces[-2:])}"] if len(pieces) > 1 else []
    if last in EVERYDAY_FILES or stem(last) in _GENERIC:
        return by_two
    return [f"p:{last}", *by_two]


def _of_number(match: re.Match[str], text: str) -> Iterator[tuple[str, Specific]]:
    *bare, key = _number_keys(match, text)
    digits = key.removeprefix("n:")
    if bare:  # with its unit, and without
        yield key, Specific(Sort.NUMBER, 0.7)
        digits = bare[0].removeprefix("n:")
        if len(digits) >= 3 and digits not in _ROUND:
            yield bare[0], Specific(Sort.NUMBER, 1.0)
    elif match.lastgroup == "version":
        yield key, Specific(Sort.NUMBER, 0.8)
    elif len(digits) >= 3:
        common = digits in _ROUND or re.fullmatch(r"19\d\d|20[0-4]\d", digits)
        yield key, Specific(Sort.NUMBER, 0.3 if common else 1.0)


def _number_keys(match: re.Match[str], text: str) -> list[str]:
    """The number, and the number with its unit where one follows."""
    token = match.group().casefold()
    if match.lastgroup == "version":
        return [f"n:{token.removeprefix('v')}"]
    digits = re.match(r"[\d,_]+", token)
    assert digits is not None  # each of the patterns begins with a digit
    plain = re.sub(r"[,_]", "", digits.group())
    unit = token[digits.end() :]
    if not unit:
        after = _UNIT.match(text, match.end())
        unit = after[1].casefold() if after else ""
    named = _UNITS.get(unit)
    return [f"n:{plain}", f"n:{plain} {named}"] if named else [f"n:{plain}"]


def _of_compound(token: str, ticked: set[str]) -> Iterator[tuple[str, Specific]]:
    parts = _parts(token)
    key = f"i:{_joined(token)}"
    telling = [part for part in parts if not part.isdigit() and stem(part) not in _GENERIC]
    symbolic = any(mark in token for mark in "_.:") or _CAMEL.search(token) is not None
    coded = symbolic or any(character.isdigit() for character in token)
    if token.casefold() in ticked or (telling and coded):
        yield key, Specific(Sort.IDENTIFIER, 1.0)
    elif telling:
        yield key, Specific(Sort.NAME, 0.7)


@lru_cache(maxsize=16_384)  # most words come again
def _word(word: str, *, ticked: bool, inside: bool) -> Sequence[tuple[str, Specific]]:
    """Evidence of a word, which may stand in ticks, or with a capital ``inside`` a sentence."""
    if _TOOL.fullmatch(word):
        return _plain(word, 0.7, Sort.NAME)
    if "_" in word.strip("_") or _CAMEL.search(word):
        parts = _parts(word)
        telling = len(parts) >= LONG or any(
            stem(part) not in _GENERIC for part in parts if len(part) > 2
        )
        return ((f"i:{_joined(word)}", Specific(Sort.IDENTIFIER, 1.0 if telling else 0.35)),)
    if ticked:
        return _plain(word, 1.0, Sort.IDENTIFIER)
    return _plain(word, 0.7, Sort.NAME) if inside else _plain(word, 0.35)


def _plain(word: str, weight: float, sort: Sort = Sort.WORD) -> Sequence[tuple[str, Specific]]:
    """A word by its stem, unless everybody says it."""
    word = word.strip("_")
    key = stem(word)
    if key in _CALENDAR:
        return ((f"w:{key}", Specific(Sort.WORD, 0.35)),)
    if word.isascii() and len(word) >= 3 and key not in _GENERIC and not word.isdigit():
        return ((f"w:{key}", Specific(sort, weight)),)
    return ()


def _inside_a_sentence(match: re.Match[str], text: str) -> bool:
    before = text[max(0, match.start() - 4) : match.start()]
    return match.start() > 0 and _SENTENCE_STARTS.search(before) is None


def _joined(token: str) -> str:
    """One spelling of an identifier: `getUserName`, `get_user_name` and `get-user-name` are one."""
    return re.sub(r"[\W_]+", "", token).casefold()


def _parts(token: str) -> list[str]:
    return [part for part in _HUMPS.split(token) if part]
