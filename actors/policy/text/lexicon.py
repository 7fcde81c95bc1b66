"""Words of the same meaning, words excluding each other, words of one kind, and forms in which people say something.

A cosine cannot tell these apart: "enabled" and "disabled" lie as close as "enabled" and "switched
on". A small list made by hand, for comparing two short notes word by word (its worth is measured in
docs/adr/0007). Words are given and looked up under their stems.

A word has one meaning here at most: a list with every sense of "run" would call too much alike.
Kinds hold words able to replace each other while the rest of a sentence stays (a package manager, a
colour); words for choosing among several things (staging, production) have a list of their own.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from actors.policy.text.words import caseless, stem, table

# ---- forms of speech: rows of the table beside a module, each an expression with two examples
#
# The examples are the tests of a form: ``tests/policy/text/test_forms.py`` walks all of them.


NO_WORDS: Final[Mapping[str, str]] = {}
WORDS: Final = "words"  # lists that stand in expressions by their names in braces: {work}


@dataclass(frozen=True, slots=True)
class Form:
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
        if not isinstance(rows, str)  # a list of words
    }


def pattern_of(several: Iterable[Form]) -> re.Pattern[str]:
    """One expression for any of these forms; the first one wins a text of several."""
    return caseless("|".join(f"(?:{one.form})" if "|" in one.form else one.form for one in several))


def _form(row: Mapping[str, str], parts: Mapping[str, str]) -> Form:
    form = row["form"]
    for name, words in parts.items():
        form = form.replace(f"{{{name}}}", words)
    return Form(row["name"], form, row["says"], row["but_not"])


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
