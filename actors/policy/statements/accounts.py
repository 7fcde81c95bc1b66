"""Accounts of a session, as a compaction writes them: sections, and the points of a section.

A point is a line at the edge of its section with the lines below it: an item with its sub-items, or a
line announcing a list with the list. A section on the line of its heading is read as if each of its
sentences had a line. Code is left out.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from actors.policy.patterns import pattern
from actors.policy.text.words import caseless

ANALYSIS: Final = "Analysis"  # the part before the numbered sections
TITLE: Final = 80  # characters
SHORT: Final = 5  # words of what is no sentence between two semicolons
_SUMMARY: Final = "\nSummary:\n"

_HEADING: Final = pattern(
    r"^[ \t]{0,3}(#+[ \t]*|\*\*)?(\d{1,2})[.)][ \t]+\**([A-Z][\w ,&/()-]{2,50}+)\**(?:(?(1):?|:))\**[ \t]*$",
    re.MULTILINE,
)
# What a section is called where its heading has no number or its text follows on the line: any other word
# before a colon ("Note:", "Fix:") begins a line of a section.
_NAMES: Final = (
    r"(?:(?:all|key|main|major|primary|important|technical|architectural|design|open|optional|immediate|planned"
    r"|critical|relevant|project|user|user['’]s|the user['’]s|remaining|outstanding|pending|current|next|completed) )*"
    r"(?:(?:requests?|goals?|objectives?|tasks?)(?: and intent)?|intent|messages|concepts|context"
    r"|decisions?|choices|agreements|preferences|conventions|constraints|requirements|rules|corrections|feedback"
    r"|errors?|problems?|issues?|bugs?|(?:root )?causes?(?: and fix(?:es)?)?|fixes|discoveries|findings|insights|learnings"
    r"|lessons|problem[ -]solving|files|code|changes|work|progress|accomplished|done|in progress|blocked|blockers"
    r"|status|state|steps?|actions|questions|notes?|instructions|background|overview|environment|testing|results?"
    r"|verification|outcomes?|risks|assumptions|architecture|design|implementation|plans?|rationale"
    r"|to-?dos?|pending|where (?:it|we|i|the work) (?:stopped|left off))"
    r"(?:,? (?:and|&) (?:[a-z]+ ){0,2}[a-z]+|,? with (?:their )?[a-z]+| (?:we made|made|learned|fixed|found|sections?|solved|encountered|touched"
    r"|modified|changed|read|so far|taken)){0,2}(?: \([^)\n]{1,40}\))?"
)
_OPENING: Final = pattern(
    rf"^(?=[ \t]{{0,3}}\S)(?P<indent>[ \t]{{0,3}})(?P<mark>(?:#{{1,6}}[ \t]{{0,2}}|[-*•][ \t]{{1,3}})?(?:\*\*)?)(?:(?P<number>\d{{1,2}})[.)][ \t]{{1,3}})?"
    rf"(?:\*\*)?(?P<name>{_NAMES})(?P<end>(?:\*\*)?(?::(?:\*\*)?|[ \t][–—-](?=[ \t])|(?=[ \t]*$)))",
    re.MULTILINE | re.IGNORECASE,
)
# Where one thing ends that a line tells, and the next begins; not in code, quotations and brackets.
_APART: Final = pattern(
    r"`[^`\n]*`|\"[^\"\n]*\"|“[^“”\n]*”|\([^()\n]*\)"
    r"|(?P<between>(?<=[.!?])[ \t]+(?=[A-Z`\"“'(])|;[ \t]+|(?<=[\"”])[,.]?[ \t]+(?=[\"“]))"
)
# It goes on about what stands before it.
_GOES_ON: Final = caseless(
    r"\A(?:(?:it|its|this|that|they|these|those|which|so|but|then|hence|therefore|otherwise)\b"
    r"|(?:(?:the|we|i|was|were|is) ){0,2}(?:fix(?:ed|es)?|solution|solved|resolved|mended|workaround|(?:root )?cause|reason)\b"
    r"|(?-i:[a-z]+ed)\b)"
)
_FIX: Final = caseless(r"\A[ \t#*•\d.)-]{0,8}(?=(?:fix|fixed|solution|resolution)\b)")
_TAGGED: Final = pattern(r"^[ \t]*<analysis>(.*?)(?:</analysis>|\Z)", re.DOTALL | re.MULTILINE)
_UNTAGGED: Final = pattern(r"^Analysis:\n", re.MULTILINE)
_FENCE: Final = pattern(r"```.*?(?:```|\Z)", re.DOTALL)
_LINE: Final = pattern(r"^([ \t]*)((?:[-*•]|\d{1,2}[.)])[ \t]+)?(\S.*)$", re.MULTILINE)
_TITLE: Final = pattern(rf"\A((?:[^:`\"\n]|`[^`\n]*`|\"[^\"\n]*\"|:(?=\S)){{2,{TITLE}}}+):(?: |\Z)")
_MARKS: Final = "#-–— \t"


@dataclass(slots=True)
class Point:
    """A line of an account and the lines below it, without marks."""

    head: str
    below: list[str] = field(default_factory=list[str])

    @property
    def title(self) -> str:
        """The point's subject, before its colon; empty when it has none."""
        titled = _TITLE.match(self.head)
        return titled[1] if titled else ""

    @property
    def body(self) -> str:
        """The head below its title; all of it when it has none."""
        titled = _TITLE.match(self.head)
        return self.head[titled.end() :] if titled else self.head


def sections(account: str) -> list[tuple[str, str]]:
    """The (name, body) of each section, first the account's draft before its summary."""
    text = _FENCE.sub("", account)
    tagged = _TAGGED.search(text)
    before, _, after = _TAGGED.sub("", text).rpartition(_SUMMARY)
    opened = _UNTAGGED.search(before)
    weighed = tagged[1] if tagged else before[opened.end() :] if opened else ""
    return [(ANALYSIS, weighed), *_headed(after)]


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


@dataclass(frozen=True, slots=True)
class _Heading:
    """A heading, where its section begins, and how it is marked."""

    start: int
    end: int
    name: str
    number: int | None
    mark: str


def _headed(text: str) -> Iterator[tuple[str, str]]:
    """The sections by their headings, all marked like the first; numbers grow: a list within one begins anew."""
    last = 0
    headings: list[_Heading] = []
    for heading in _headings(text):
        if heading.mark != (headings or [heading])[0].mark:
            continue
        if heading.number is None or heading.number > last:
            headings.append(heading)
            last = heading.number or 0
    for one, following in pairwise([*headings, None]):
        if one is not None:
            yield one.name, _unrolled(text[one.end : following.start if following else None])


def _headings(text: str) -> list[_Heading]:
    """Candidates for headings, in the order of the text."""
    found = {
        one.start(): _Heading(one.start(), one.end(), one[3], int(one[2]), "")
        for one in _HEADING.finditer(text)
    }
    for one in _OPENING.finditer(text):
        number, indent = one["number"], one["indent"]
        mark = indent if number else indent + one["mark"]
        if number or one["end"].strip("* ") or "#" in mark or "**" in mark:
            heading = _Heading(
                one.start(), one.end(), one["name"], int(number) if number else None, mark
            )
            found.setdefault(one.start(), heading)
    return [found[at] for at in sorted(found)]


def _unrolled(body: str) -> str:
    """The body of a section with a line for each thing on the line of its heading."""
    line, _, rest = body.partition("\n")
    groups: list[list[str]] = []
    for after, piece in _pieces(line):
        parted = not groups or not after.startswith(";") or _GOES_ON.match(piece) is not None
        if parted or min(len(one.split()) for one in (groups[-1][-1], piece)) >= SHORT:
            groups.append([piece])
        else:
            groups[-1].append(piece)
    told = map("; ".join, groups)
    lines = [f"  - {one}" if _GOES_ON.match(one) else f"- {one}" for one in told]
    return "\n".join([*lines, _FIX.sub("  - ", rest) if lines else rest])


def _pieces(line: str) -> Iterator[tuple[str, str]]:
    """The things on a line, each with the text between it and the one before."""
    between, start = "", 0
    for end in [*(one for one in _APART.finditer(line) if one["between"]), None]:
        if piece := line[start : end.start() if end else None].strip():
            yield between, piece
        if end is not None:
            between, start = end["between"], end.end()


def _lines(body: str) -> Iterator[tuple[int, str]]:
    """Each line's depth and its words; a bullet is one deeper than a line without."""
    for indent, bullet, text in _LINE.findall(body):
        bare = text.replace("**", "").strip(_MARKS)
        if bare:
            yield len(indent.expandtabs()) + bool(bullet), bare
