"""Speech: forms in which people say something, words of the same meaning, and kinds of talk."""

import re
from collections.abc import Collection, Iterable, Mapping
from typing import Final

from msgspec import Struct

from actors.policy.patterns import pattern
from actors.policy.text.words import (
    EXPRESSIONS,
    STOP_WORDS,
    caseless,
    expressions,
    stem,
    table,
    word_list,
)

_EXPRESSIONS: Final = expressions(__name__)

# ---- forms of speech: rows of the table beside a module, each an expression with two examples
#
# The examples are the tests of a form: ``tests/policy/text/test_forms.py`` walks all of them.
NO_WORDS: Final[Mapping[str, str]] = {}
WORDS: Final = "words"  # lists that stand in expressions by their names in braces: {work}


class Form(Struct, frozen=True):
    """A way of saying something, with a sentence of this form and a similar one without it."""

    name: str
    form: str  # an expression, in which case does not matter
    says: str
    but_not: str


def forms(
    module: str, name: str = "", more: Mapping[str, str] = NO_WORDS
) -> Mapping[str, tuple[Form, ...]]:
    """The forms of a module by their meaning (``module`` is its ``__name__``), of a table with a name of its own.

    ``more``: lists from elsewhere. A list may name the ones below it, and these.
    """
    lists = dict(table(module, name))
    parts: Mapping[str, str] = {**lists.pop(WORDS, {}), **more, **table(__name__, "forms")[WORDS]}
    return {
        said: tuple(_form(row, parts) for row in rows)
        for said, rows in lists.items()
        if not isinstance(rows, str) and said != EXPRESSIONS  # a list of words
    }


def pattern_of(several: Iterable[Form]) -> re.Pattern[str]:
    """One expression for any of these forms; the first one wins a text of several."""
    return caseless("|".join(f"(?:{one.form})" if "|" in one.form else one.form for one in several))


def _form(row: Mapping[str, str], parts: Mapping[str, str]) -> Form:
    form = row["form"]
    for name, words in parts.items():
        form = form.replace(f"{{{name}}}", words)
    return Form(row["name"], form, row["says"], row["but_not"])


# ---- words of the same meaning, words excluding each other, and words of one kind
#
# A cosine cannot tell these apart: "enabled" and "disabled" lie as close as "enabled" and "switched
# on". A small list made by hand, for comparing two short notes word by word (its worth is measured in
# docs/adr/0007). Words are given and looked up under their stems.
#
# A word has one meaning here at most: a list with every sense of "run" would call too much alike.
# Kinds hold words able to replace each other while the rest of a sentence stays (a package manager, a
# colour); words for choosing among several things (staging, production) have a list of their own.


_LISTS: Final = table(__name__, "lexicon")


def _groups(lines: Iterable[str]) -> Mapping[str, str]:
    """Each word's stem to one stem for its group; a word keeps the first group it is in."""
    found: dict[str, str] = {}
    for line in lines:
        words = [stem(word) for word in line.split()]
        shared = found.get(words[0], words[0])
        for word in words:
            found.setdefault(word, shared)
    return found


MEANINGS: Final = _groups(_LISTS["same"].splitlines())
"""Stems of words that share a meaning, to one stem that stands for all of them."""


def meaning(word: str) -> str:
    """The stem for all words of the same meaning as ``word`` (lower case)."""
    bare = stem(word)
    return MEANINGS.get(bare, bare)


def meanings(words: str) -> frozenset[str]:
    """The meanings of these words."""
    return frozenset(map(meaning, words.split()))


def _pairs(text: str) -> frozenset[tuple[str, str]]:
    found: set[tuple[str, str]] = set()
    for pair in text.split():
        one, other = (meaning(word) for word in pair.split("/"))
        found |= {(one, other), (other, one)}
    return frozenset(found)


def _kinds(*lists: str) -> Mapping[str, frozenset[int]]:
    found: dict[str, set[int]] = {}
    for number, line in enumerate(line for one in lists for line in one.splitlines()):
        for word in line.split():
            found.setdefault(meaning(word), set()).add(number)
    return {word: frozenset(numbers) for word, numbers in found.items()}


_OPPOSITES: Final = _pairs(_LISTS["opposite"])
_KIND_OF: Final = _kinds(_LISTS["kinds"], _LISTS["tools"])
TOOLS: Final = meanings(_LISTS["tools"])
"""Meanings that name a tool or a format, written small or not."""
_NONE: Final[frozenset[int]] = frozenset()
QUALIFIERS: Final = meanings(_LISTS["qualifiers"])
"""Meanings that say which of several things is meant."""


def opposed(one: str, other: str) -> bool:
    """Return whether two meanings exclude each other: enabled and disabled, before and after."""
    return (one, other) in _OPPOSITES


def kin(words: Iterable[str]) -> frozenset[str]:
    """The meanings of every kind with one of these words in it, themselves among them."""
    kinds = frozenset[int]().union(*(_KIND_OF.get(meaning(word), _NONE) for word in words))
    return frozenset(word for word, own in _KIND_OF.items() if own & kinds)


def of_one_kind(one: str, other: str) -> bool:
    """Return whether two different meanings are values of one kind: npm and pnpm, red and blue."""
    return one != other and not _KIND_OF.get(one, _NONE).isdisjoint(_KIND_OF.get(other, _NONE))


# ---- utterances: kinds of texts as talk, before they are asked for a claim
#
# "Thanks, that helped", "can you look at it?" and "I'm so excited about the trip" resemble others of
# their kind and deny none of them: nobody claims a lasting fact in them. The words are English, like
# the markers of contradiction; the question marks of other scripts count too.
#
# A label gives the owner or the kind of a text, before its first colon. "Melanie: I have just signed
# up for it" is Melanie's, "shop convention: amounts are whole cents" is a convention of the shop. A
# question with the label asks for this text rather than for one with a mere mention of the name, or
# for one said to her. On turns of conversations it is worth 3.7 points of MRR, on facts about
# projects 1.2; of seven other sets none moved (docs/measured/recall-ablation.md).
#
# A short note only about the past comes a little later, unless the question is about the past. "The
# API originally used cookies" resembles the question which login the API uses as much as the text
# with the present state. The words and the factor were chosen on the development half of one set
# (docs/adr/0006): a replaced fact is there above its successor else.


READ: Final = 600  # characters that are looked at

LINES: Final = 3  # of code, at least; a shorter piece may be quoted by a sentence. Choice.
MARKS: Final = 0.05  # share of brackets and the like among what is written. Choice.

NAMED: Final = 0.2  # of its score that a text gains whose whole label is named
_WORDS: Final = 6  # a longer beginning is a sentence
_LABEL: Final = pattern(r"\A\s*+([^\W\d_][\w .'/-]{0,38}?\w):\s+")
_PART: Final = pattern(r"[^\W_]+")

PAST_FACTOR: Final = 0.8  # of the score of a text about the past
NOTE: Final = 400  # characters: longer texts tell of the past and of the present

_TOLD: Final = pattern(_EXPRESSIONS["told"], re.IGNORECASE | re.VERBOSE)
_ASKED: Final = pattern(_EXPRESSIONS["asked"], re.IGNORECASE | re.VERBOSE)

# A question, at the beginning of a sentence or of a part of one; each is read a bounded way.
_OUTRIGHT: Final = caseless(_EXPRESSIONS["outright"])

_DEFINITION: Final = pattern(_EXPRESSIONS["definition"], re.MULTILINE)
_MARK: Final = pattern(r"[(){}\[\]=;<>_]")
_HEADINGS: Final = frozenset(
    stem(word)
    for word in (
        "note notes update decision correction todo fact reminder fyi ps edit fix warning important"
        " preference rule remember summary result answer tip context background status use prefer"
        " never always avoid do don't we"
    ).split()
)
_QUESTION: Final = caseless(_EXPRESSIONS["question"])
# What opens a reply. Praise and assent count when little follows them: "Nice levels are 10" claims.
_OPENING: Final = pattern(_EXPRESSIONS["opening"], re.IGNORECASE | re.VERBOSE)
_THANKS: Final = caseless(r"(?:^|[.!?,;]\s+)(?:many )?thank(?:s| you)\b(?! to\b)")
# What one does or feels at the time, or did: "I prefer tabs" and "I'm the maintainer" go on.
_NARRATION: Final = pattern(_EXPRESSIONS["narration"], re.IGNORECASE | re.VERBOSE)
_PERFECT: Final = caseless(r"i['’](?:ve|d)\b|i (?:had|was)\b")
_FELT: Final = word_list(__name__, "felt")
_STANDING: Final = frozenset("need used".split())
_DATE: Final = pattern(_EXPRESSIONS["date"], re.IGNORECASE | re.VERBOSE)
_MONTH: Final = pattern(_EXPRESSIONS["month"])
_PAST: Final = pattern(_EXPRESSIONS["past"])
_ONCE: Final = caseless(_EXPRESSIONS["once"])
_SINCE: Final = caseless(_EXPRESSIONS["since"])


def label(text: str) -> frozenset[str]:
    """The stems of the text before the first colon of ``text``; empty without a label."""
    found = _LABEL.match(text)
    if found is None:
        return frozenset()
    parts = _PART.findall(found[1].lower())
    if len(parts) > _WORDS:
        return frozenset()
    return frozenset(stem(part) for part in parts if part not in STOP_WORDS)


def named(asked: Collection[str], text: str) -> float:
    """Share, 0..1, of the words of the label of ``text`` among the ``asked`` stems."""
    words = label(text)
    return len(words.intersection(asked)) / len(words) if words else 0.0


def voice(text: str) -> frozenset[str]:
    """Speaker or subject before the first colon of a text; empty when it names none.

    "Note: …" and "Decision: …" name the kind of text, and may be about the same thing.
    """
    return label(text) - _HEADINGS


def asks(text: str) -> bool:
    """Return whether somebody asks for something in it: a question, or "can you …"."""
    return _QUESTION.search(text[:READ]) is not None


def asks_outright(text: str) -> bool:
    """Return whether a text asks for a fact or a reason, present or past; an order ("can you fix …?") does not."""
    return _OUTRIGHT.search(text) is not None


def is_code(text: str) -> bool:
    """Tell whether it is code rather than a sentence about it: several lines, full of its marks."""
    read = text[:READ]
    lines = read.count("\n") + 1
    marks = len(_MARK.findall(read))
    if lines >= LINES and marks >= MARKS * (len(read) - read.count(" ")):
        return True
    return lines > 1 and marks > 1 and _DEFINITION.search(read) is not None


def chats(text: str) -> bool:
    """Tell whether it opens like a reply or a greeting, or thanks: "Hey Ann, …", "Sounds good."."""
    said = _said(text)
    return _OPENING.match(said) is not None or _THANKS.search(said) is not None


def narrates(text: str) -> bool:
    """Return whether somebody tells their acts or feelings of the time, rather than a lasting fact."""
    said = _said(text)
    found = _NARRATION.match(said)
    if found is None:
        return False
    verb = found["verb"]
    if not verb.islower() or verb in _STANDING:
        return False
    return _PERFECT.match(said) is not None or verb.endswith(("ing", "ed")) or verb in _FELT


def tells_a_date(text: str) -> bool:
    """Tell whether it says when something happened: on a day, in a month, two weeks ago."""
    return _DATE.search(text[:READ]) is not None


def happened(text: str) -> bool:
    """Return whether it reports an event with its date."""
    return tells_a_date(text) and _PAST.search(text[:READ]) is not None


def tells_only_of_before(text: str) -> bool:
    """Return whether it tells the first state of something, and not the later one."""
    return _ONCE.search(text[:READ]) is not None and _SINCE.search(text[:READ]) is None


def tells_of_past(text: str) -> bool:
    """Return whether a short text tells how something was and is no more."""
    return len(text) <= NOTE and _TOLD.search(text) is not None


def asks_of_past(query: str) -> bool:
    """Return whether a question is about a past state, or the way to the present one."""
    return _ASKED.search(query) is not None


def months(text: str) -> frozenset[str]:
    """The months named in it."""
    return frozenset(_MONTH.findall(text[:READ]))


def _said(text: str) -> str:
    """The text without the name of who says it."""
    labelled = _LABEL.match(text)
    return text[labelled.end() if labelled else 0 : READ].lstrip(" \t\n\"'“”‘’*-•")
