"""Accounts of a session, as a compaction writes them: sections, and the points of a section.

A point is a line at the edge of its section with the lines below it: an item with its sub-items, or a
line that announces a list with that list. Code is left out.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

ANALYSIS: Final = "Analysis"  # what precedes the numbered sections
TITLE: Final = 80  # characters
_SUMMARY: Final = "\nSummary:\n"

_HEADING: Final = re.compile(
    r"^[ \t]{0,3}(#+[ \t]*|\*\*)?(\d{1,2})[.)][ \t]+\**([A-Z][\w ,&/()-]{2,50}+)\**(?:(?(1):?|:))\**[ \t]*$",
    re.MULTILINE,
)
_TAGGED: Final = re.compile(r"^[ \t]*<analysis>(.*?)(?:</analysis>|\Z)", re.DOTALL | re.MULTILINE)
_UNTAGGED: Final = re.compile(r"^Analysis:\n", re.MULTILINE)
_FENCE: Final = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_LINE: Final = re.compile(r"^([ \t]*)((?:[-*•]|\d{1,2}[.)])[ \t]+)?(\S.*)$", re.MULTILINE)
_TITLE: Final = re.compile(
    rf"\A((?:[^:`\"\n]|`[^`\n]*`|\"[^\"\n]*\"|:(?=\S)){{2,{TITLE}}}+):(?: |\Z)"
)
_MARKS: Final = "#-–— \t"


@dataclass(slots=True)
class Point:
    """A line of an account and the lines below it, without marks."""

    head: str
    below: list[str] = field(default_factory=list[str])

    @property
    def title(self) -> str:
        """What the point is about, before its colon; empty when it has none."""
        titled = _TITLE.match(self.head)
        return titled[1] if titled else ""

    @property
    def body(self) -> str:
        """What the head says below its title; all of it when it has none."""
        titled = _TITLE.match(self.head)
        return self.head[titled.end() :] if titled else self.head


def sections(account: str) -> list[tuple[str, str]]:
    """The (name, body) of each section, first what the account weighed before it summed up."""
    text = _FENCE.sub("", account)
    tagged = _TAGGED.search(text)
    before, _, after = _TAGGED.sub("", text).rpartition(_SUMMARY)
    opened = _UNTAGGED.search(before)
    weighed = tagged[1] if tagged else before[opened.end() :] if opened else ""
    return [(ANALYSIS, weighed), *_numbered(after)]


def points(body: str) -> list[Point]:
    """The points of a section."""
    found: list[Point] = []
    edge = 0
    for depth, text in _lines(body):
        # A list stands below the line that announces it, whether it is indented or not.
        if not found or depth <= edge or (text.endswith(":") and depth <= edge + 1):
            found.append(Point(text))
            edge = depth
        else:
            found[-1].below.append(text)
    return found


def _numbered(text: str) -> Iterator[tuple[str, str]]:
    """The sections by their headings, whose numbers grow; a list within one begins anew."""
    last = 0
    headings: list[re.Match[str]] = []
    for heading in _HEADING.finditer(text):
        if int(heading[2]) > last:
            headings.append(heading)
            last = int(heading[2])
    for one, following in pairwise([*headings, None]):
        if one is not None:
            yield one[3], text[one.end() : following.start() if following else None]


def _lines(body: str) -> Iterator[tuple[int, str]]:
    """Each line's depth and its words; a bullet is one deeper than a line without."""
    for indent, bullet, text in _LINE.findall(body):
        bare = text.replace("**", "").strip(_MARKS)
        if bare:
            yield len(indent.expandtabs()) + bool(bullet), bare
