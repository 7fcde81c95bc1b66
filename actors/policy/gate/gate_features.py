"""Features of two short texts for the gate: their common ground, their differences, what these weigh.

A cosine says two texts are about the same thing; these numbers say whether they say the same about
it. Each is between 0 and about 6 and can be read off the two texts by eye; ``gate_features.toml``
has the meaning, the order and the weight of each.
"""

import math
import re
import unicodedata
from collections.abc import Mapping, Sequence
from enum import Enum
from functools import lru_cache
from hashlib import blake2b
from itertools import pairwise
from typing import Final

from msgspec import Struct

from actors.policy.patterns import pattern
from actors.policy.text.speech import QUALIFIERS, is_code, meaning, meanings, of_one_kind, opposed
from actors.policy.text.words import STOP_WORDS, caseless, expressions, table, word_list

# ---- copies: texts equal but for their edges, as duplicates are compared


_TRAILING: Final = " \t\n\"'“”‘’«»`*.,;:!…。"
# Bullets one behind the other are read once: a text of nothing else would be copied for each.
_LEADING: Final = pattern(r"\A(?:[ \t\n\"'“”‘’«»`*•]|(?:[-*•]|\d++[.)])\s+)*+")


def normalised(text: str) -> str:
    """The text as duplicates are compared: NFC, case folded, single spaces, bare edges.

    Only quotes, bullets and closing punctuation are taken from the edges: `C++`, `.env` and
    `--force` are words.
    """
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())
    flat = " ".join(folded.split())
    return _LEADING.sub("", flat).rstrip(_TRAILING)


def content_hash(text: str) -> bytes:
    """Hash of a text, the same for texts equal after ``normalised``."""
    return blake2b(normalised(text).encode("utf-8", "replace"), digest_size=16).digest()


WORDS: Final = 160  # of each text: more says nothing new about two notes
CROWD: Final = 6  # counts above it are the same
LETTERS: Final = 80  # of a word that are looked at; no word is longer


class Kind(Enum):
    """Kind of a sign of contradiction."""

    NEGATION = "negation"
    REPLACEMENT = "replacement"
    DEPRECATION = "deprecation"
    CORRECTION = "correction"
    CLARIFICATION = "clarification"
    PROHIBITION = "prohibition"
    OBSOLESCENCE = "obsolescence"
    EXPLICIT = "explicit"
    CHANGED_VALUE = "changed_value"  # ours: port 5432 -> port 5433, tests run on Jest -> on Vitest
    OPPOSITE = "opposite"  # ours: commits are squashed -> commits are not squashed
    DISAGREEMENT = "disagreement"  # ours: seen by the weights of the gate, by no single sign


class Pattern(Struct, frozen=True):
    """A marker and its confidence in the new text replacing the old."""

    kind: Kind
    confidence: float
    marker: re.Pattern[str]


_TABLE: Final = table(__name__)
PATTERNS: Final[tuple[Pattern, ...]] = tuple(
    Pattern(Kind(kind), confidence, caseless(marker))
    for kind, confidence, marker in _TABLE["markers"]
)

_EXPRESSIONS: Final = expressions(__name__)
_TOKEN: Final = pattern(_EXPRESSIONS["token"])
_CODE: Final = pattern(r"[^\W\d_][_.]*\d|\d[^\W\d_]|\w[_./@]\w|[a-z][A-Z]|-\d")
_DETAIL: Final = pattern(r"\d|\w[_./@]\w")
# What a text gives up: "use X instead of Y". It excludes a stored text only if that one has Y.
_GIVEN_UP: Final = caseless(_EXPRESSIONS["given_up"])
# Words that announce a change beside the eight patterns of `contradiction`.
_ANNOUNCED: Final = caseless(_EXPRESSIONS["announced"])
_NUMBERS: Final[Mapping[str, str]] = _TABLE["numbers"]
_ORDINAL: Final = pattern(r"\A(\d+)(?:st|nd|rd|th)")
_NEGATIONS: Final = word_list(__name__, "negations")
VERBS: Final = word_list(__name__, "verbs")


class _Word(Struct, frozen=True):
    key: str  # its meaning, a number in digits
    code: bool  # a number, an identifier, or a name inside a sentence
    name: bool
    number: bool
    content: bool


class Text(Struct, frozen=True):
    """A text and its words, made once and compared often."""

    text: str
    keys: tuple[str, ...]
    words: tuple[_Word, ...]
    content: frozenset[str]
    pairs: frozenset[tuple[str, str]]
    numbers: frozenset[str]
    names: frozenset[str]
    code: frozenset[str]
    details: frozenset[str]  # not to be lost: numbers, paths, words with a digit
    subject: frozenset[str]
    negated: bool
    announces: bool
    markers: tuple[bool, ...]  # which of the eight patterns it has
    given_up: frozenset[str]  # Y of "instead of Y"


def read(text: str) -> Text:
    """The words of ``text`` as they are compared."""
    found = [match.group() for _, match in zip(range(WORDS), _TOKEN.finditer(text), strict=False)]
    words = tuple(_word(written, inside=place > 0) for place, written in enumerate(found))
    keys = tuple(word.key for word in words)
    verb = next((at for at, word in enumerate(found) if at and word.lower() in VERBS), 0)
    return Text(
        text,
        keys,
        words,
        frozenset(word.key for word in words if word.content),
        frozenset(pairwise(keys)),
        frozenset(word.key for word in words if word.number),
        frozenset(word.key for word in words if word.name),
        frozenset(word.key for word in words if word.code),
        frozenset(word.key for word in words if _DETAIL.search(word.key)),
        frozenset(word.key for word in words[:verb] if word.content),
        any(_negates(written.lower()) for written in found),
        _ANNOUNCED.search(text) is not None,
        tuple(pattern.marker.search(text) is not None for pattern in PATTERNS),
        frozenset(meaning(word.lower()) for word in _GIVEN_UP.findall(text)),
    )


def gives_up_another(old: Text, new: Text) -> bool:
    """Return whether the thing given up in ``new`` ("instead of Y") is unknown to ``old``."""
    return bool(new.given_up) and new.given_up.isdisjoint(old.keys)


def loses_nothing(old: Text, new: Text) -> bool:
    """Return whether every number and content word of ``old`` is in ``new`` too."""
    return old.content <= new.content


def new_detail(old: Text, new: Text) -> bool:
    """Return whether ``new`` has a number, a path or the like absent from ``old``.

    Names do not count: a fuller name is the commonest way to say the same again.
    """
    return not new.details <= frozenset(old.keys)


def features(old: Text, new: Text, similarity: float) -> tuple[float, ...]:
    """The numbers of ``gate_features.toml`` for a stored and a new text; ``similarity`` is a cosine 0..1."""
    both, either = old.content & new.content, old.content | new.content
    only_old, only_new = old.content - both, new.content - both
    lengths = len(old.keys), len(new.keys)
    longest = max(*lengths, 1)
    head, tail = _ends(old.keys, new.keys)
    gaps = lengths[0] - head - tail, lengths[1] - head - tail
    shared = len(both) / max(1, len(either))
    covers_old = len(both) / max(1, len(old.content))
    covers_new = len(both) / max(1, len(new.content))
    negated = float(old.negated is not new.negated)
    left, right = len(only_old), len(only_new)
    swapped = gaps == (1, 1)
    numbers = old.numbers - new.numbers, new.numbers - old.numbers
    names = old.names - frozenset(new.keys), new.names - frozenset(old.keys)
    code = old.code & only_old, new.code & only_new
    subjects = old.subject - new.content, new.subject - old.content
    other_subject = bool(subjects[0] and subjects[1])
    rest = only_old - old.subject, only_new - new.subject
    one, other = (old.words[head], new.words[head]) if swapped else (_NO_WORD, _NO_WORD)
    differing = [(a, b) for a in _few(only_old) for b in _few(only_new)]
    return (
        similarity,
        max(0.0, similarity - 0.85),
        shared,
        covers_old,
        covers_new,
        len(old.pairs & new.pairs) / max(1, len(old.pairs | new.pairs)),
        (head + tail) / longest,
        min(CROWD, left),
        min(CROWD, right),
        min(CROWD, left, right),
        float(left == right == 1),
        float((left == 0) is not (right == 0)),
        math.log1p(lengths[0]),
        math.log1p(lengths[1]),
        min(lengths) / longest,
        negated,
        negated * max(covers_old, covers_new),
        float(old.negated and new.negated),
        _marker(old, new),
        float(new.announces and not old.announces),
        float(swapped),
        float(not swapped and 1 <= gaps[0] <= 3 and 1 <= gaps[1] <= 3),
        float(one.code and other.code),
        float(of_one_kind(one.key, other.key)),
        float(swapped and one.key in old.subject),
        float(any(opposed(*pair) for pair in differing)),
        float(any(of_one_kind(*pair) for pair in differing)),
        float(bool(numbers[0] and numbers[1])),
        float(len(numbers[0]) > 1 and len(numbers[1]) > 1),
        float(bool(numbers[0]) is not bool(numbers[1])),
        min(3, len(old.numbers & new.numbers)),
        float(bool(names[0] and names[1])),
        float(bool(names[0]) is not bool(names[1])),
        min(3, len(old.names & new.names)),
        float(bool(code[0] and code[1])),
        float(other_subject),
        float(bool(subjects[0] & old.code and subjects[1] & new.code)),
        float(old.content & QUALIFIERS != new.content & QUALIFIERS),
        float(other_subject and bool(rest[0] and rest[1])),
        float(_first(old) == _first(new)),
        float(bool(old.keys and new.keys) and old.keys[-1] == new.keys[-1]),
    )


@lru_cache(maxsize=8_192)  # two thirds of the cost of a decision; most words come again
def _word(written: str, *, inside: bool) -> _Word:
    lower = written.lower().replace("’", "'").removesuffix("'s")
    key = in_digits(lower)
    number = key[:1].isdigit() and (
        bool(_ORDINAL.fullmatch(key)) or not _CODE.search(key[:LETTERS])
    )
    name = inside and written[:1].isupper() and len(written) > 1
    code = number or name or _CODE.search(written[:LETTERS]) is not None
    key = key if number else meaning(lower)
    said = lower not in STOP_WORDS and len(lower) > 1 and not _negates(lower)
    return _Word(key, code, name, number, number or said)


def in_digits(word: str) -> str:
    """A number in digits, an ordinal as 3th; any other word as it is."""
    if word[:1].isdigit():
        ordinal = _ORDINAL.fullmatch(word)
        return f"{ordinal[1]}th" if ordinal else word.replace(",", "")
    return _NUMBERS.get(word, word)


def _negates(word: str) -> bool:
    return word in _NEGATIONS or word.endswith(("n't", "n’t"))


def _ends(old: Sequence[str], new: Sequence[str]) -> tuple[int, int]:
    """Numbers of equal words from the front, and from the back of the rest."""
    most = min(len(old), len(new))
    head = 0
    while head < most and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < most - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    return head, tail


def _few(words: frozenset[str]) -> list[str]:
    return sorted(words)[:CROWD]


def _first(text: Text) -> str:
    return next((word.key for word in text.words if word.content), "")


def _marker(old: Text, new: Text) -> float:
    """The confidence of the surest marker in the new text alone."""
    if gives_up_another(old, new):
        return 0.0
    marks = zip(PATTERNS, old.markers, new.markers, strict=True)
    return max(
        (pattern.confidence for pattern, in_old, in_new in marks if in_new > in_old), default=0.0
    )


_NO_WORD: Final = _Word("", code=False, name=False, number=False, content=False)


# ---- weights of the features, for a logistic rule with four outcomes
#
# Fitted by L2-regularised multinomial regression on public pairs of sentences with known relations,
# on neighbouring notes of real conversations and on coding notes written from templates;
# docs/adr/0007 has the method, the data, and the results on rows outside of the fit. Only the weights
# are kept, no text. The four weights of a number add up to nothing: each speaks for one outcome
# against the others.


INTERCEPT: Final[Sequence[float]] = _TABLE["intercept"]
"""Intercepts of same, conflict, new, refines."""

WEIGHTS: Final[Mapping[str, Sequence[float]]] = _TABLE["weights"]
"""Per number of ``gate_features.features``, in its order: what it adds to each of the four."""

_COLUMNS: Final = tuple(zip(*WEIGHTS.values(), strict=True))


def chances(values: Sequence[float]) -> tuple[float, float]:
    """The chances, 0..1, that a new text says the same as a stored one, and that both cannot hold.

    Given are the numbers of ``features``. The rest: it is about something else, or refines it.
    """
    sums = [
        start + sum(weight * value for weight, value in zip(column, values, strict=True))
        for start, column in zip(INTERCEPT, _COLUMNS, strict=True)
    ]
    most = max(sums)
    shares = [math.exp(each - most) for each in sums]
    return shares[0] / sum(shares), shares[1] / sum(shares)


# ---- slots: facts written as ``subject predicate: value``, and which of two values excludes the other
#
# A slot for one value (a database, a port) is given another at any similarity; one for many (a
# convention, a framework) accumulates.


SLOT_NAME: Final = range(3, 61)  # characters of what stands before the colon
# What there is only one of at a time. Conventions, frameworks, tools, dependencies are many.
_SINGLE: Final = caseless(_EXPRESSIONS["single"])
_ASIDE: Final = pattern(r"[.;]\s|,\s|\s\(|\swith\s")
# "SQLite for development" says when, not what for: PostgreSQL for all of it takes its place.
_EVERYWHERE: Final = meanings(_TABLE["everywhere"])


def _slot(text: str) -> tuple[str, str] | None:
    """Slot of a text and its value, as duplicates are compared; None when it fills none."""
    name, _, value = text.partition(":")
    name, value, follows = name.strip(), value.strip(), value[:1].isspace()
    if not value or not follows or "\n" in name or len(name) not in SLOT_NAME:
        return None
    if is_code(text):  # "def area(a, b):" names no slot
        return None
    return normalised(name), normalised(value)


def takes_slot(incoming: str, existing: str) -> bool:
    """Return whether a text gives another value to the slot of another, which holds one at a time.

    It does not when both values name the same thing with other details ("Fargate. We moved in
    April"), and when each names another purpose ("Redis for caching" beside "PostgreSQL for orders").
    """
    values = shared_slot(incoming, existing)
    if values is None or not _SINGLE.search(normalised(incoming.partition(":")[0])):
        return False
    (ours, purpose), (theirs, other) = _head(values[0]), _head(values[1])
    return ours != theirs and 2 * len(purpose & other) >= min(len(purpose), len(other))


def shared_slot(incoming: str, existing: str) -> tuple[str, str] | None:
    """Both values when both texts fill the same slot."""
    ours, theirs = _slot(incoming), _slot(existing)
    if ours is None or theirs is None or ours[0] != theirs[0]:
        return None
    return ours[1], theirs[1]


def _head(value: str) -> tuple[str, frozenset[str]]:
    """The name in a value, and the words of its purpose, unless it is an environment."""
    named, _, purpose = _ASIDE.split(value, maxsplit=1)[0].partition(" for ")
    words = read(purpose).content
    return named.strip(), words if words.isdisjoint(_EVERYWHERE) else frozenset()
