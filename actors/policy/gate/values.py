"""Values: the words of a sentence replaceable by others of their kind.

A number with its unit, a weekday, a version, a path, a name, a tool: "24 hours" may become "8
hours" or "two days", and no weekday. Every other word belongs to the sentence's subject.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from actors.policy.gate.gate_features import in_digits
from actors.policy.patterns import pattern
from actors.policy.text.lexicon import TOOLS, kin, meaning, of_one_kind
from actors.policy.text.words import STOP_WORDS, caseless


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a text, its place, and its kind of value."""

    start: int
    end: int
    key: str  # its meaning; a number in digits
    kind: str  # of value: "number hour", "version", "name", "path"; empty for any other word
    content: bool


_TOKEN: Final = pattern(
    r"`[^`\n]{1,60}`|--?[a-z][\w-]*|(?<![\w/])[#@][a-z][\w-]+|\d++(?:[.,]\d++)*(?=/(?:s|sec|min|minute|h|hour|day|week|month)\b)|(?<![\w@~./-])[\w@~.]*+/(?:[\w./-]*\w)?"
    r"|\d++(?:[.,:]\d++)*(?: ?%|[A-Za-z]{1,3}\b)?|\w++(?:['’._+#@-]\w++)*(?:\+\+|#)?"
)
_VERSION: Final = pattern(r"\A(?:v?\d+(?:\.\d+)+|v\d+)\Z")
_NUMBER: Final = pattern(r"\A(\d+(?:[.,:]\d+)*)( ?%|[a-z]{1,3})?\Z")
_INSIDE: Final = pattern(r"[/@]|\w[._]\w|[a-z][A-Z]")  # of a path, an address, an identifier
_UNITS: Final = {
    unit: kind
    for kind, units in {
        "duration": "ms millisecond s sec second min minute h hour day week month year",
        "size": "b byte kb mb gb tb kib mib gib ki mi gi",
        "share": "percent %",
        "clock": "am pm utc o'clock",
    }.items()
    for unit in units.split()
}
_POINTING: Final = frozenset("the this that which any no each every only".split())
_SPANS: Final = frozenset("minute hour day week month year".split())
_BEFORE_SPANS: Final = frozenset("is are for after to of within every now than".split())
# Behind the first word of a sentence they make a name of it.
_OF_PEOPLE: Final = frozenset("owns leads maintains reviews approves handles looks".split())
COUNTED: Final = frozenset({*_UNITS.values(), "number"})  # kinds of values with a number
_HYPHENS: Final = pattern(r"\A[a-z]++-[a-z]++\Z")
ONE_OF_A_KIND: Final = "one of a kind: "
_CALLED: Final = caseless(r"\b(?:called|named)\s+([`\w./+#-]*\w`?)")
# Names of tools that are words of every day when they are written small.
_EVERYDAY: Final = frozenset("go make rest black nose rails slack teams linear solid bun".split())

# Every word of the kinds of values that people change.
_CHANGED: Final = (
    kin(
        (
            "monday tuesday january february hourly daily postgresql mysql npm yarn pip poetry jest"
            " vitest pytest unittest cypress playwright react vue django flask rails sinatra python"
            " ruby webpack vite aws azure kafka rabbitmq make bazel black ruff eslint biome mypy"
            " pyright rest graphql jwt oauth json yaml github gitlab jira linear slack teams nginx"
            " apache main master linux windows ubuntu debian mit bsd utc cet vim emacs"
        ).split()
    )
    | TOOLS
)


class _Form(NamedTuple):
    """Meaning of a word wherever it stands."""

    lower: str
    number: str  # in digits; empty for what is none
    unit: str  # glued to the number
    kind: str  # of a value by the form alone
    named: bool  # a name, unless it begins a sentence
    key: str  # its meaning
    content: bool


def words_of(text: str) -> Iterator[Word]:
    """The words of a text in their order, a number and its unit as one."""
    found = list(_TOKEN.finditer(text))
    called = {match.start(1) for match in _CALLED.finditer(text)}
    skip = -1
    for at, token in enumerate(found):
        if at == skip:
            continue
        form, start, end = _form(token.group()), *token.span()
        if at and form.lower in ("a", "an") and _is_a_span(found, at):
            skip, end = at + 1, found[at + 1].end()
            yield Word(start, end, text[start:end].lower(), "duration", content=True)
            continue
        if form.number and not (form.lower == "one" and _counts_nothing(found, at)):
            # 600/min counts no minutes
            following = "" if text[end : end + 1] == "/" else _behind(found, at)
            kind, with_unit = _number_kind(form.number, form.unit, following)
            if with_unit:
                skip, end = at + 1, found[at + 1].end()
            yield Word(start, end, text[start:end].lower(), kind, content=True)
            continue
        kind = "called" if start in called else form.kind
        if form.named and not kind and (at or _behind(found, at).lower() in _OF_PEOPLE):
            kind = "name"
        key = form.key
        if not kind and _HYPHENS.match(form.lower):
            key = meaning(form.lower.replace("-", ""))  # on-call, oncall
        yield Word(start, end, key, kind, form.content)


@lru_cache(maxsize=8_192)  # four fifths of the cost of a look at a memory; most words come again
def _form(written: str) -> _Form:
    lower = written.lower().replace("’", "'").removesuffix("'s").strip("`")
    figure = _NUMBER.match(lower)
    counted = in_digits(lower)
    number = figure[1] if figure else counted if counted.isdigit() else ""
    unit = figure[2].strip() if figure and figure[2] else ""
    return _Form(
        lower,
        "" if _VERSION.match(lower) else number,
        unit,
        _kind(written),
        written[:1].isupper() and len(written) > 1,
        meaning(lower),
        lower.partition("'")[0] not in STOP_WORDS and len(lower) > 1,
    )


def alike(old: Word, new: Word) -> bool:
    """Return whether one value may stand for the other: of one kind, in one unit."""
    named = {old.kind, new.kind} <= {"name", "called"}
    same = old.kind == new.kind != ""
    return of_one_kind(old.key, new.key) or same or named


def _counts_nothing(found: Sequence[re.Match[str]], at: int) -> bool:
    """Return whether a "one" points at a thing and counts none, as in "the one"."""
    before = found[at - 1].group().lower() if at else ""
    return before in _POINTING or _behind(found, at) in STOP_WORDS


def _is_a_span(found: Sequence[re.Match[str]], at: int) -> bool:
    """Tell whether an article counts a unit of time: "for a year", not "twice a day"."""
    before = found[at - 1].group().lower()
    return before in _BEFORE_SPANS and _behind(found, at).lower() in _SPANS


def _behind(found: Sequence[re.Match[str]], at: int) -> str:
    """The word behind a word, as written; empty where there is none."""
    return found[at + 1].group() if at + 1 < len(found) else ""


def _number_kind(number: str, glued: str, following: str) -> tuple[str, bool]:
    """The unit of a number, and whether the next word belongs to it: 8 hours, 25mb, port 5433."""
    unit = (glued or following).lower().rstrip(".")
    kind = _UNITS.get(unit) or _UNITS.get(unit.removesuffix("s")) or ""
    if kind:
        return kind, not glued
    return ("clock" if ":" in number else "number"), False


def _kind(written: str) -> str:
    """Return a word's kind of value by its form alone; empty where it has none."""
    lower = written.lower()
    if _VERSION.match(lower):
        return "version"
    if written[0] in "`-#@" or _INSIDE.search(written):
        return "path"
    if written not in _EVERYDAY and meaning(lower) in _CHANGED:
        return ONE_OF_A_KIND + lower
    return ""
