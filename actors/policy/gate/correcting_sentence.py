"""Corrections by a sentence of a prompt: its values, and its announcement of a change.

A question, a guess, an order for the task, one more value and statements about the past correct
nothing. The words are English, like the markers of contradiction; numbers work in any script.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from msgspec import Struct

from actors.policy.gate.gate_features import in_digits
from actors.policy.patterns import pattern
from actors.policy.text.speech import (
    TOOLS,
    forms,
    kin,
    meaning,
    of_one_kind,
    pattern_of,
    tells_only_of_before,
)
from actors.policy.text.turn import Turn
from actors.policy.text.wording import one_line, sentences
from actors.policy.text.words import STOP_WORDS, caseless, expressions, table, word_list

# ---- values: the words of a sentence replaceable by others of their kind
#
# A number with its unit, a weekday, a version, a path, a name, a tool: "24 hours" may become "8
# hours" or "two days", and no weekday. Every other word belongs to the sentence's subject.


class Word(Struct, frozen=True):
    """A word of a text, its place, and its kind of value."""

    start: int
    end: int
    key: str  # its meaning; a number in digits
    kind: str  # of value: "number hour", "version", "name", "path"; empty for any other word
    content: bool


class Sentence(Struct, frozen=True):
    """A sentence and its words."""

    text: str
    words: tuple[Word, ...]

    @property
    def values(self) -> tuple[Word, ...]:
        """The words fit to be somebody's value."""
        return tuple(word for word in self.words if word.kind)

    @property
    def keys(self) -> set[str]:
        """The meanings of its words."""
        return {word.key for word in self.words}


_EXPRESSIONS: Final = expressions(__name__)
_TOKEN: Final = pattern(_EXPRESSIONS["token"])
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
_CHANGED: Final = kin(word_list(__name__, "changed")) | TOOLS


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
    written = [*(token.group() for token in found), ""]  # also before the first, at -1
    skip = -1
    for at, token in enumerate(found):
        if at == skip:
            continue
        form, start, end = _form(written[at]), *token.span()
        before, behind = written[at - 1], written[at + 1]
        # An article counts a unit of time here and there: "for a year", not "twice a day".
        counts_one = form.lower in ("a", "an") and before.lower() in _BEFORE_SPANS
        if counts_one and behind.lower() in _SPANS:
            skip, end = at + 1, found[at + 1].end()
            yield Word(start, end, text[start:end].lower(), "duration", content=True)
            continue
        if form.number and not (
            form.lower == "one" and (before.lower() in _POINTING or behind in STOP_WORDS)
        ):
            # Not "the one"; and 600/min counts no minutes.
            following = "" if text[end : end + 1] == "/" else behind
            kind, with_unit = _number_kind(form.number, form.unit, following)
            if with_unit:
                skip, end = at + 1, found[at + 1].end()
            yield Word(start, end, text[start:end].lower(), kind, content=True)
            continue
        kind = "called" if start in called else form.kind
        if form.named and not kind and (at or behind.lower() in _OF_PEOPLE):
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


MOST: Final = 5  # sentences of a prompt that may correct something
READ: Final = 300  # characters of a sentence: a longer one states more than one value
SHORT: Final = 2  # words of one that stands before an arrow
BRIEF: Final = 160  # characters of a prompt that is one line
PHRASE: Final = 4  # words of a value that is named: "from the old build server to ..."


class CorrectingSentence(Sentence, frozen=True):
    """A sentence without its words for the correction itself, as it is laid beside memories."""

    marked: bool  # "no, ...", "actually", "moved", "now": it says that something is otherwise
    pairs: tuple[tuple[str, str], ...]  # an old value and the new one, both named
    left: tuple[str, ...] = ()  # old values of which it is said that they are no more


FORMS: Final = forms(__name__)
_MARK: Final = caseless(_EXPRESSIONS["mark"])
_DENIES: Final = caseless(_EXPRESSIONS["denies"])
_CHANGES: Final = pattern_of(FORMS["changes"])
_BARRED: Final = pattern_of(FORMS["barred"])
# Where both values are named: what stands between them, and whether the old one comes first.
_BETWEEN: Final = tuple(
    (caseless(form), order == "old_first")
    for order in ("new_first", "old_first")
    for form in table(__name__)[order].splitlines()
)
# ... or what stands before the old one, and then before the new one.
_BEFORE: Final = tuple(
    (caseless(rf"\b(?:{first}) "), caseless(rf",? (?:{second}) "))
    for first, _, second in (
        line.partition(" => ") for line in table(__name__)["before"].splitlines()
    )
)
_BOUNDARY: Final = word_list(__name__, "boundary")
# What follows is its consequence or its reason.
_CLAUSES: Final = caseless(r",? (?:so(?! that\b)|because|becuase|anyway)\b|\s[—–-]+\s")
_APART: Final = pattern(r"->|[,;:] \w")
_COMMA: Final = pattern(r"[,;:] ")
_OF_IT: Final = caseless(r"(?:it|its|it['’]s|they|that|that['’]s|there)\b")
_ANNOUNCED: Final = caseless(r"\b(?:changed|updated?|wrong|outdated)$")
_FOR_A_TIME: Final = caseless(_EXPRESSIONS["for_a_time"])
# Who or what is there no more; the successor stands beside it.
_DEPARTED: Final = caseless(_EXPRESSIONS["departed"])
VALUE_BEFORE: Final = word_list(__name__, "value_before")
_ARROW: Final = pattern(r" ?(?:->|=>|→) ?")
_STOPS: Final = ".,;:!)"
# A phrase that is a statement about a thing is no value: "develop is dead".
_STATES: Final = caseless(_EXPRESSIONS["states"])
_LEADING: Final = caseless(r"^(?:the|an?|our|my|its|their|old|new|that|this)\s+")
_TRAILING: Final = caseless(_EXPRESSIONS["trailing"])
# The old one alone is named: what became of it stands behind it, or what was done with it before.
_ENDED: Final = caseless(_EXPRESSIONS["ended"])
_LEFT: Final = caseless(_EXPRESSIONS["left"])


def said_in(turn: Turn) -> tuple[CorrectingSentence, ...]:
    """The sentences of a person able to correct something, in their order, at most five."""
    line = turn.text.strip()
    # A prompt of one short line, with names enough to look like a reviewer's remark.
    is_brief = len(line) <= BRIEF and "\n" not in line
    lines = list(turn.sentences) or (sentences(line) if is_brief else [])
    around = zip(["", *lines], lines, [*lines[1:], ""], strict=False)
    told = (
        one
        for before, line, after in around
        for one in _parts(line, _departed(before) or _departed(after))
    )
    return tuple(one for one in told if one is not None)[:MOST]


def _departed(clause: str) -> str:
    """Name of a person or thing no longer there, by a whole clause; empty when it says so of nothing."""
    found = None if _FOR_A_TIME.search(clause) else _DEPARTED.match(clause.rstrip(_STOPS))
    return (found["who"] or found["what"]) if found else ""


def _parts(line: str, departed: str) -> Iterator[CorrectingSentence | None]:
    """A sentence without its consequences and reasons; one of them may announce the change.

    ``departed``: the name of somebody no longer there, by the sentence before or behind.
    """
    parts = _CLAUSES.split(line)
    if len(parts) > 1 and _DENIES.fullmatch(parts[0]):  # "No - it is in Redis"
        parts = [f"{parts[0]}, {parts[1]}", *parts[2:]]
    changed = any(_CHANGES.search(part) for part in parts[1:])
    for number, part in enumerate(parts):
        clauses = _COMMA.split(part)
        gone = _departed(clauses[0])
        others = clauses[1:] if gone or len(clauses) < 2 else clauses
        named = [one for one in others if not _OF_IT.match(one)]
        if not gone:
            ended = departed or (_departed(clauses[-1]) if len(clauses) > 1 else "")
            yield correcting_sentence(part, changed=changed and number == 0, departed=ended)
        announced = bool(gone or _ANNOUNCED.search(clauses[0]))
        yield from (
            correcting_sentence(one, changed=announced, departed=gone)
            for one in named
            if announced or _CHANGES.search(one)
        )


def correcting_sentence(
    sentence: str, *, changed: bool = False, departed: str = ""
) -> CorrectingSentence | None:
    """A sentence of a prompt as it may correct something; None when it can correct nothing."""
    line = one_line(sentence)
    if len(line) > READ:
        return None
    opening = _MARK.match(line)
    rest = line[opening.end() :] if opening else line
    if not rest or _BARRED.search(rest) or tells_only_of_before(rest):
        return None
    denies = opening is not None and _DENIES.match(line) is not None
    marked = (
        denies
        or changed
        or bool(departed)
        or _CHANGES.search(rest) is not None
        or _ARROW.search(rest) is not None
    )
    rest = rest.replace(" = ", " is ")
    words = tuple(words_of(rest))
    pairs = tuple(
        (old, new)
        for old, new in _pairs(rest)
        if old and new and old.lower() != new.lower()
        if not (_STATES.search(old) or _STATES.search(new))
    )
    left = tuple(_bare(old) for shape in (_ENDED, _LEFT) for old in shape.findall(rest))
    left = (departed, *left) if departed else left
    if not (pairs or left or marked) and not any(word.kind for word in words):
        return None
    return CorrectingSentence(rest, words, marked, pairs, left)


def _pairs(line: str) -> Iterator[tuple[str, str]]:
    """The old and the new value where both are named."""
    steps = _ARROW.split(line)
    if len(steps) == 2 and len(steps[0].split()) <= SHORT:  # "lerna -> nx", no steps of a path
        yield _value(steps[0]), _beginning(steps[1])
    for between, old_first in _BETWEEN:
        for match in between.finditer(line):
            one, other = _value(line[: match.start()]), _beginning(line[match.end() :])
            yield (one, other) if old_first else (other, one)
    for before, then in _BEFORE:
        for match in before.finditer(line):
            second = then.search(line, match.end())
            first = line[match.end() : second.start()] if second is not None else ""
            if second is not None and len(first.split()) <= PHRASE and not _APART.search(first):
                yield _value(first), _beginning(line[second.end() :])


def _beginning(text: str) -> str:
    """The name at the beginning of a text, up to four words."""
    words: list[str] = []
    for word in text.split()[:PHRASE]:
        if word.lower().strip(_STOPS) in _BOUNDARY:
            break
        words.append(word)
        if word[-1] in _STOPS:
            break
    return _bare(" ".join(words))


def _value(phrase: str) -> str:
    """The name at the end of a text, after its last verb or preposition, up to four words."""
    while (shorter := _TRAILING.sub("", phrase)) != phrase:
        phrase = shorter
    words = _COMMA.split(phrase)[-1].split()[-PHRASE:]
    last = max((at for at, word in enumerate(words) if word.lower() in VALUE_BEFORE), default=-1)
    return _bare(" ".join(words[last + 1 :]))


def _bare(phrase: str) -> str:
    """A phrase without the articles before it."""
    while (shorter := _TRAILING.sub("", _LEADING.sub("", phrase))) != phrase:
        phrase = shorter
    return phrase.strip(f" {_STOPS}")
