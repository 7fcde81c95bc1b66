"""Layout of source text: the extent of a block and its surroundings, by indentation.

A string of several lines is laid out as nothing around it is; its text is no part of the layout.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Final

from actors.policy.patterns import pattern

WIDTH: Final = 400  # characters of a line that are read
LONGEST: Final = 8_000  # lines of one symbol
STRING: Final = 200  # lines of a string; behind more of them the quotes were none
CONTAINERS: Final = frozenset(
    "class struct interface enum trait impl module namespace object protocol record union".split()
)
_CLOSING: Final = (")", "}", "]", "{", "#", "end", ">")
_GROUPS: Final = ("const (", "var (", "type (")  # of Go
# A comment, a string of one line, or what opens a text of several.
_PIECES: Final = pattern(
    r"[#/\"'`](?:(?<=#)(?!\w)[^\n]*|(?<=/)(?<![\w:]/)/[^\n]*|(?<=/)\*|(?<=`)"
    r"|(?<=\")(?:\"\"|(?:[^\"\\\n]|\\.){0,120}\")|(?<=')(?:''|(?:[^'\\\n]|\\.){0,120}'))"
)
_OPENING: Final = {"`": "`", '"""': '"""', "'''": "'''", "/*": "*/"}


@lru_cache(maxsize=4)  # of an open file it is asked for every memory about it
def laid_out(text: str) -> Sequence[str]:
    """Split a text into lines; lines of a string indented less than its start are empty."""
    lines = text.split("\n")
    if not any(quotes in text for quotes in ("`", '"""', "'''")):
        return lines
    at = line = counted = 0
    while (piece := _PIECES.search(text, at)) is not None:
        at = piece.end()
        if (closing := _OPENING.get(piece.group())) is None:
            continue
        line, counted = line + text.count("\n", counted, at), at
        stop = text.find(closing, at)
        below = text.count("\n", at, stop) if stop >= 0 else 0
        if stop < 0 and closing == "*/":
            break
        if stop < 0 or below > STRING:
            continue
        at = stop + len(closing)
        for inner in range(line + 1, line + below + 1) if closing != "*/" else ():
            if indent(lines[inner]) < indent(lines[line]):
                lines[inner] = ""
    return lines


@lru_cache(maxsize=4)
def lines_of(text: str) -> Sequence[str]:
    """Split a text into its lines."""
    return tuple(text.split("\n"))


@lru_cache(maxsize=4)
def starts_of(text: str) -> Sequence[int]:
    """Offsets at which the lines of a text start."""
    return [0, *accumulate(len(line) + 1 for line in lines_of(text))][:-1]


def lines_with(text: str, words: str) -> Iterator[int]:
    """Yield the lines in which these words stand; the text between them is not looked at in Python."""
    starts, at = starts_of(text), text.find(words)
    while at >= 0:
        line = bisect_right(starts, at) - 1
        yield line
        at = text.find(words, starts[line + 1]) if line + 1 < len(starts) else -1


def end_of(lines: Sequence[str], first: int, stop: int) -> int:
    """Return the line after a block: its lines are indented deeper, or close a bracket."""
    depth = indent(lines[first])
    end = first + 1
    for at in range(first + 1, min(stop, first + LONGEST)):
        body = lines[at].strip()
        if not body:
            continue
        here = indent(lines[at])
        if here < depth or (here == depth and not body.startswith(_CLOSING)):
            break
        if not (here == depth and body.startswith("#")):  # a comment may belong to what follows
            end = at + 1
    return end


def is_within_code(lines: Sequence[str], first: int) -> bool:
    """Return whether the code around a definition may run: a function's body, a call's arguments.

    So is text outside of any block: an unindented string.
    """
    depth = indent(lines[first])
    for at in range(first - 1, max(-1, first - LONGEST), -1):
        if depth == 0:
            return False
        line = lines[at][:WIDTH]
        if line.strip() not in ("", "{") and indent(line) < depth:
            depth = indent(line)
            words = line.strip()
            runs = "(" in line or words[0] == ")" or words.endswith("=> {")
            opens = not runs and words.endswith(("{", "[", ":"))
            holds = opens or words in _GROUPS or not CONTAINERS.isdisjoint(words.split())
            if not holds:
                return True
    return False


def indent(line: str) -> int:
    """Count the spaces of an indentation; a tab counts as four."""
    space = line[: len(line) - len(line.lstrip())][:WIDTH]
    return len(space.replace("\t", "    "))
