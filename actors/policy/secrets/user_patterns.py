"""Patterns of the user's own, beside the rules of `redaction.py`: they add, they take nothing away.

A pattern is a regular expression of which every match is a secret. It must stay linear in the text,
whoever wrote the text, so its parsed form is checked before it is used. A repeat of a part itself
of many lengths is refused: there backtracking has no end. Of the other repeats each multiplies the
cost of one attempt; the product is bounded, closely for a pattern with any beginning, less closely
for one with fixed first characters, which is tried only at these and no further than `WINDOW`.
"""

from __future__ import annotations

import re

from actors.policy.secrets.secret_values import MARKER

TYPE_CHECKING = False  # the constant of typing, which costs 10 ms to import
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    Redact = Callable[[str], "tuple[str, list[str]]"]

MOST = 50  # patterns
LONGEST = 300  # characters of a pattern
WINDOW = 1_024  # characters that one match may take; a word at its end is taken whole
ANYWHERE = 64  # ways that an attempt may try at most, of a pattern that may begin anywhere
AT_PREFIX = 4 * WINDOW  # and of one that is tried only where its first characters stand
PREFIX = 2  # fixed characters with which such a pattern begins, at least
KIND = "user-pattern"

_REPEATS = ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT")
_ZERO_WIDTH = ("AT", "ASSERT", "ASSERT_NOT")
_PLAIN = ("LITERAL", "NOT_LITERAL", "IN", "ANY", "AT", "RANGE", "CATEGORY")
# What Python warns of: a set in a set, or an operation on sets.
_SET = re.compile(r"(?<!\\)\[\^?\[|(?<!\\)\[[^\]]*(?:--|&&|~~|\|\|)")
_REST = re.compile(r"\S*")
# The parser of `re` itself, by the name of its version; no stub tells its types.
_PARSER: Any = getattr(re, "_parser", None) or getattr(re, "sre_parse", None)


class BadPattern(ValueError):
    """A pattern cannot be used; the text names it and says why, in one line."""


class Pattern:
    """A checked pattern, and the places worth trying."""

    def __init__(self, compiled: re.Pattern[str], prefix: re.Pattern[str] | None) -> None:
        self._compiled = compiled
        self._prefix = prefix

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Spans at which it matches, in order, none over another."""
        if self._prefix is None:
            yield from (found.span() for found in self._compiled.finditer(text))
            return
        at = 0
        start = self._prefix.search(text, at)
        while start is not None:
            at = start.start() + 1
            found = self._compiled.match(text, start.start(), start.start() + WINDOW)
            if found is not None:
                end = found.end()
                if end == start.start() + WINDOW:  # it may go on
                    rest = _REST.match(text, end)
                    end = end if rest is None else rest.end()
                yield found.start(), end
                at = max(at, end)
            start = self._prefix.search(text, at)


def checked(patterns: Iterable[str]) -> list[Pattern]:
    """The patterns, ready to be used; raises ``BadPattern`` for the first unfit one."""
    if isinstance(patterns, str):
        raise BadPattern("patterns are a list")
    listed = list(patterns)
    if len(listed) > MOST:
        raise BadPattern(f"{len(listed)} patterns: there may be {MOST}")
    return [_checked(pattern) for pattern in listed]


def with_patterns(redact: Redact, patterns: list[Pattern]) -> Redact:
    """`redact`, after replacing every match of the patterns."""
    if not patterns:
        return redact

    def redacted(text: str) -> tuple[str, list[str]]:
        kinds: list[str] = []
        cleaned, found = redact(without(text, patterns, kinds))
        return cleaned, kinds + found

    return redacted


def without(text: str, patterns: list[Pattern], kinds: list[str]) -> str:
    """The text without the matches of the patterns; one kind is added for each match."""
    for pattern in patterns:
        text = _replaced(text, pattern, kinds)
    return text


def _replaced(text: str, pattern: Pattern, kinds: list[str]) -> str:
    """The text without the matches; the part between two markers is read by itself."""
    pieces: list[str] = []
    for part in text.split(MARKER):
        cleaned: list[str] = []
        at = 0
        for start, end in pattern.spans(part):
            cleaned += (part[at:start], MARKER)
            kinds.append(KIND)
            at = end
        pieces.append("".join(cleaned) + part[at:])
    return MARKER.join(pieces)


def _checked(pattern: str) -> Pattern:
    shown = f"the pattern {pattern[:60]!r}"
    if len(pattern) > LONGEST:
        raise BadPattern(f"{shown} has {len(pattern)} characters: the limit is {LONGEST}")
    if _SET.search(pattern) is not None:
        raise BadPattern(f"{shown} may mean another set in a later Python: escape its [ - & ~ |")
    try:
        compiled = re.compile(pattern)
        tree: Any = _PARSER.parse(pattern)
        prefix = "".join(_prefix(tree))
        ways = _ways(tree, shown)
    except (re.error, RecursionError, OverflowError) as error:
        raise BadPattern(f"{shown} is no regular expression: {error}") from None
    if tree.getwidth()[0] == 0 or compiled.search("") is not None:
        raise BadPattern(f"{shown} matches an empty text")
    if compiled.search(MARKER) is not None and compiled.search("x" * 40) is not None:
        raise BadPattern(f"{shown} matches everything")
    if len(prefix) < PREFIX:
        if ways > ANYWHERE:
            raise BadPattern(
                f"{shown} would cost too much: begin with {PREFIX} fixed characters, or bound its"
                " repeats ({1,40})"
            )
        return Pattern(compiled, None)
    if ways > AT_PREFIX:
        raise BadPattern(f"{shown} would cost too much: bound its repeats ({{1,40}})")
    return Pattern(compiled, re.compile(re.escape(prefix), compiled.flags & re.IGNORECASE))


def _ways(items: Any, shown: str) -> int:
    """Number of ways an attempt may go on, at most; raises ``BadPattern`` for one without end."""
    ways = 1
    for operation, given in items:
        name = operation.name
        if name in _REPEATS:
            ways *= _ways_of_repeat(given, shown)
        elif name == "BRANCH":
            ways *= sum(_ways(choice, shown) for choice in given[1])
        elif name == "SUBPATTERN":
            ways *= _ways(given[-1], shown)
        elif name in ("ASSERT", "ASSERT_NOT"):
            ways *= _ways(given[1], shown)
        elif name == "ATOMIC_GROUP":
            ways *= _ways(given, shown)
        elif name not in _PLAIN:
            raise BadPattern(f"{shown} refers to a group: that is not linear")
    return ways


def _ways_of_repeat(given: Any, shown: str) -> int:
    least, most, body = given
    within = _ways(body, shown)
    if most == 1:
        return 1 + within
    narrowest, widest = body.getwidth()
    if within > 1 or narrowest != widest:
        raise BadPattern(f"{shown} has a repeat within a repeat: that is not linear")
    return int(min(most, WINDOW)) - int(min(least, WINDOW)) + 1


def _prefix(items: Any) -> Iterator[str]:
    """The first characters of every match; nothing without width stands before them."""
    for operation, given in items:
        name = operation.name
        if name == "LITERAL":
            yield chr(given)
        elif name == "SUBPATTERN" and not given[1] and not given[2]:
            inner = list(given[-1])
            yield from _prefix(inner)
            if any(one.name != "LITERAL" for one, _ in inner):
                return
        elif name not in _ZERO_WIDTH:
            return
