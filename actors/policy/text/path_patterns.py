"""Patterns for paths: globs.

A glob has its meaning of a shell and an ignore file: ``*`` and ``?`` stay within a folder, ``**``
goes through folders, ``[...]`` and ``{a,b}`` choose, and a pattern fits any tail of the path from a
folder on, unless it begins with ``/``. It is matched folder by folder, so the time grows with the
path and not with a power of it.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from actors.policy.patterns import pattern

LONGEST_PATTERN: Final = 200  # characters
MOST_CHOICES: Final = 32  # patterns that the braces of one glob may make

_BRACES: Final = pattern(r"\{([^{}]*)\}")
_WITHIN_FOLDER: Final = pattern(r"\[[!^]?\]?[^\]]{0,200}\]|\?|\*+|[^\[?*]+|\[")
_SPECIAL_INSIDE: Final = pattern(r"[\\\[&~|]|-(?=-)|^[\]^]")


class BadPattern(ValueError):
    """A string unfit as a pattern, or too large a one: the asker's fault."""


@lru_cache(maxsize=32_768)  # a thousand intentions look at the same few files again and again
def glob_matches(pattern: str, path: str) -> bool:
    """Return whether a glob fits a path; case counts, a backslash in a path is a slash.

    ``BadPattern`` when it is over 200 characters or its braces make over 32 patterns.
    """
    names = path.replace("\\", "/").split("/")
    return any(_fits(folders, names) for folders in _glob(pattern))


@lru_cache(maxsize=2048)  # every open intention's
def _glob(pattern: str) -> tuple[tuple[re.Pattern[str] | None, ...], ...]:
    _check_length(pattern)
    return tuple(_folders(choice) for choice in _choices(pattern))


def _choices(pattern: str) -> list[str]:
    patterns = [pattern]
    while _BRACES.search(patterns[0]):  # all of them have as many braces
        patterns = [choice for one in patterns for choice in _expanded(one)]
        if len(patterns) > MOST_CHOICES:
            raise BadPattern(f"its braces make more than {MOST_CHOICES} patterns")
    return patterns


def _expanded(pattern: str) -> list[str]:
    before, choices, after = _BRACES.split(pattern, maxsplit=1)
    return [before + choice + after for choice in choices.split(",")]


def _folders(pattern: str) -> tuple[re.Pattern[str] | None, ...]:
    # None stands for any number of folders.
    names = pattern.split("/")
    if names[0]:
        names.insert(0, "**")
    if names[-1] == "**":
        names.append("*")
    return tuple(None if name == "**" else _name(name) for name in names)


def _name(pattern: str) -> re.Pattern[str]:
    # The shortest way to the next fixed piece is the best one, so each is taken for good: (?>...).
    pieces = [""]
    for token in _WITHIN_FOLDER.findall(pattern):
        if token.startswith("*"):
            pieces.append("")
        else:
            pieces[-1] += _piece(token)
    first, *others = pieces
    if others:
        *middle, last = others
        first += "".join(f"(?>.*?{piece})" for piece in middle) + ".*" + last
    try:
        return re.compile(first, re.DOTALL)
    except re.error:
        raise BadPattern("a range in square brackets runs backwards") from None


def _piece(token: str) -> str:
    if token == "?":
        return "."
    if token.startswith("[") and len(token) > 1:
        negated = token[1] in "!^"
        inside = _SPECIAL_INSIDE.sub(r"\\\g<0>", token[2 if negated else 1 : -1])
        return f"[{'^' if negated else ''}{inside}]" if inside else re.escape(token)
    return re.escape(token)


def _fits(folders: Sequence[re.Pattern[str] | None], names: Sequence[str]) -> bool:
    places = _reachable({0}, folders)
    for name in names:
        moved: set[int] = set()
        for place in places:
            pattern = folders[place] if place < len(folders) else _NOTHING
            if pattern is None:
                moved.add(place)
            elif pattern.fullmatch(name):
                moved.add(place + 1)
        places = _reachable(moved, folders)
    return len(folders) in places


_NOTHING: Final = pattern(r"(?!)")


def _reachable(places: set[int], folders: Sequence[re.Pattern[str] | None]) -> set[int]:
    found = set(places)
    for place, folder in enumerate(folders):
        if place in found and folder is None:
            found.add(place + 1)
    return found


def _check_length(pattern: str) -> None:
    if len(pattern) > LONGEST_PATTERN:
        raise BadPattern(f"longer than {LONGEST_PATTERN} characters")
    if not pattern:
        raise BadPattern("an empty pattern fits everything: leave it out instead")
