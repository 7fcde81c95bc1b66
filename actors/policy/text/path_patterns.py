"""Patterns for paths: globs.

A glob has its meaning of a shell and an ignore file: ``*`` and ``?`` stay within a folder, ``**``
goes through folders, ``[...]`` and ``{a,b}`` choose, and a pattern fits any tail of the path from a
folder on, unless it begins with ``/``. It is matched folder by folder, so the time grows with the
path and not with a power of it.
"""

import re
from collections.abc import Sequence
from fnmatch import translate
from functools import lru_cache
from typing import Final

from actors.policy.patterns import pattern

LONGEST_PATTERN: Final = 200  # characters
MOST_CHOICES: Final = 32  # patterns that the braces of one glob may make

_BRACES: Final = pattern(r"\{([^{}]*)\}")


class BadPattern(ValueError):
    """A string unfit as a pattern, or too large a one: the asker's fault."""


@lru_cache(maxsize=32_768)  # a hundred intentions look at the same few files again and again
def glob_matches(glob: str, path: str) -> bool:
    """Return whether a glob fits a path; case counts, a backslash in a path is a slash.

    ``BadPattern`` when it is over 200 characters or its braces make over 32 patterns.
    """
    names = path.replace("\\", "/").split("/")
    return any(_fits(folders, names) for folders in _glob(glob))


@lru_cache(maxsize=2048)  # every open intention's
def _glob(glob: str) -> tuple[tuple[re.Pattern[str] | None, ...], ...]:
    if len(glob) > LONGEST_PATTERN:
        raise BadPattern(f"longer than {LONGEST_PATTERN} characters")
    if not glob:
        raise BadPattern("an empty pattern fits everything: leave it out instead")
    return tuple(map(_folders, _choices(glob)))


def _choices(glob: str) -> list[str]:
    globs = [glob]
    while _BRACES.search(globs[0]):  # all of them have as many braces
        parts = [_BRACES.split(one, maxsplit=1) for one in globs]
        globs = [f"{begin}{one}{end}" for begin, inner, end in parts for one in inner.split(",")]
        if len(globs) > MOST_CHOICES:
            raise BadPattern(f"its braces make more than {MOST_CHOICES} patterns")
    return globs


def _folders(glob: str) -> tuple[re.Pattern[str] | None, ...]:
    """The patterns of the folders and of the name; None stands for any number of folders."""
    names = glob.split("/")
    if names[0]:
        names.insert(0, "**")
    if names[-1] == "**":
        names.append("*")
    return tuple(
        None if name == "**" else re.compile(translate(name.replace("[^", "[!"))) for name in names
    )


def _fits(folders: Sequence[re.Pattern[str] | None], names: Sequence[str]) -> bool:
    """Tell whether the folders fit the names; of ``**`` the fewest that do are taken, and more by need."""
    at = here = 0
    again: tuple[int, int] | None = None  # behind the last ``**``, and the name it went up to
    while here < len(names):
        folder = folders[at] if at < len(folders) else _NOTHING
        if folder is None:
            at += 1
            again = at, here
        elif folder.fullmatch(names[here]):
            at, here = at + 1, here + 1
        elif again is not None:
            at, here = again[0], again[1] + 1
            again = at, here
        else:
            return False
    return all(folder is None for folder in folders[at:])


_NOTHING: Final = pattern(r"(?!)")
