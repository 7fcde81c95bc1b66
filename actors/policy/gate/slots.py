"""Slots: facts written as ``subject predicate: value``, and which of two values excludes the other.

A slot for one value (a database, a port) is given another at any similarity; one for many (a
convention, a framework) accumulates.
"""

from typing import Final

from actors.policy.gate.copies import normalised
from actors.policy.gate.gate_features import read
from actors.policy.patterns import pattern
from actors.policy.text.lexicon import meanings
from actors.policy.text.utterances import is_code
from actors.policy.text.words import caseless

SLOT_NAME: Final = range(3, 61)  # characters of what stands before the colon
# What there is only one of at a time. Conventions, frameworks, tools, dependencies are many.
_SINGLE: Final = caseless(
    r"(?:^|[\s_-])(?:database|db|datastore|auth\w*|platform|hosting|host|port|url|endpoint|domain"
    r"|region|timezone|version|runtime|package[\s_-]?manager|license|owner|maintainer"
    r"|(?:default|main|release)[\s_-]branch|status|state|deadline|password[\s_-]policy)"
    r"(?:[\s_-](?:is|method|name|type|number|provider|engine))?$"
)
_DETAIL: Final = pattern(r"[.;]\s|,\s|\s\(|\swith\s")
# "SQLite for development" says when, not what for: PostgreSQL for all of it takes its place.
_EVERYWHERE: Final = meanings(
    "all everything everywhere environment development production staging testing test"
)


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
    """Return whether a text gives another value to the slot of another, which holds one at a time."""
    ours, theirs = _slot(incoming), _slot(existing)
    if ours is None or theirs is None or ours[0] != theirs[0] or not _SINGLE.search(ours[0]):
        return False
    return _excludes(ours[1], theirs[1])


def shared_slot(incoming: str, existing: str) -> tuple[str, str] | None:
    """Both values when both texts fill the same slot."""
    ours, theirs = _slot(incoming), _slot(existing)
    if ours is None or theirs is None or ours[0] != theirs[0]:
        return None
    return ours[1], theirs[1]


def _excludes(value: str, stored: str) -> bool:
    """Return whether two values of a slot for one exclude each other.

    They do not when they name the same thing with other details ("Fargate. We moved in April"), and
    when each names another purpose ("Redis for caching" beside "PostgreSQL for orders").
    """
    (ours, purpose), (theirs, other) = _head(value), _head(stored)
    if ours == theirs:
        return False
    return 2 * len(purpose & other) >= min(len(purpose), len(other))


def _head(value: str) -> tuple[str, frozenset[str]]:
    """The name in a value, and the words of its purpose, unless it is an environment."""
    named, _, purpose = _DETAIL.split(value, maxsplit=1)[0].partition(" for ")
    words = read(purpose).content
    return named.strip(), words if words.isdisjoint(_EVERYWHERE) else frozenset()
