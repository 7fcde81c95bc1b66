"""Sections of a Markdown document: its text cut at headings, each with the path of headings above.

Headings are ATX (``## Title``) and setext (a line underlined with ``===`` or ``---``), as CommonMark
has them, outside fenced code, comments and front matter. Fenced code stays in the text of its
section: who reads items leaves it out, who searches passages does not. One pass over the lines.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from actors.policy.patterns import pattern
from actors.policy.text.wording import one_line

HEADING: Final = 200  # characters of a heading

_ATX: Final = pattern(r" {0,3}(#{1,6})(?:[ \t]+(.*))?")
_UNDERLINE: Final = pattern(r" {0,3}(?:=+|-{2,})[ \t]*")
_FENCE: Final = pattern(r" {0,12}(`{3,}|~{3,})(.*)")  # also within an item of a list
# A line of another block: an underline below it makes no heading of it.
_OTHER_BLOCK: Final = pattern(r" {4}|\t| {0,3}(?:[-*+>|]|\d{1,9}[.)] )")


@dataclass(frozen=True, slots=True)
class Section:
    """Text below one heading up to the next, of whatever level."""

    path: str  # of the document, as it was given
    headings: tuple[str, ...]  # the document's first; empty before the first heading
    first_line: int  # of the text in the document, from 1
    text: str  # without the heading's own line; never blank


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a document."""

    number: int  # from 1
    text: str
    is_prose: bool  # neither fenced code nor a fence


def sections(path: str, text: str) -> tuple[Section, ...]:
    """Cut a document at its headings; a section without text is left out."""
    headings: list[tuple[int, str]] = []
    found: list[Section] = []
    gathered: list[Line] = []

    def close() -> None:
        section = _section(path, tuple(title for _, title in headings), gathered)
        if section is not None:
            found.append(section)
        gathered.clear()

    for line in prose_lines(text):
        if not line.is_prose:
            gathered.append(line)
        elif (atx := _ATX.fullmatch(line.text)) is not None:
            close()
            _enter(headings, len(atx[1]), _closed(atx[2] or ""))
        elif _UNDERLINE.fullmatch(line.text) and _is_underlined(gathered):
            title = gathered.pop().text
            close()
            _enter(headings, 1 if "=" in line.text else 2, title)
        else:
            gathered.append(line)
    close()
    return tuple(found)


def prose_lines(text: str, first: int = 1) -> Iterator[Line]:
    """Number the lines of a text and tell prose from fenced code; front matter is left out."""
    lines = text.splitlines()
    fence = ""
    for number, line in enumerate(lines[(skipped := _front_matter(lines)) :], first + skipped):
        marker = _FENCE.fullmatch(line)
        if marker is None:
            yield Line(number, line, not fence)
            continue
        yield Line(number, line, is_prose=False)
        if not fence:
            # An info string with a backtick is inline code on a line of its own.
            fence = "" if marker[1][0] == "`" and "`" in marker[2] else marker[1]
        elif marker[1].startswith(fence) and not marker[2].strip():
            fence = ""


def _front_matter(lines: Sequence[str]) -> int:
    """Count the lines of metadata between two ``---`` at the very beginning."""
    if not lines or lines[0].rstrip() != "---":
        return 0
    closing = (at for at, line in enumerate(lines[1:], 1) if line.rstrip() == "---")
    return next(closing, -1) + 1


def _enter(headings: list[tuple[int, str]], level: int, title: str) -> None:
    while headings and headings[-1][0] >= level:
        headings.pop()
    headings.append((level, one_line(title, HEADING)))


def _closed(title: str) -> str:
    """A title without its closing hashes, which stand after a space."""
    bare = title.rstrip().rstrip("#")
    return bare if not bare or bare[-1] in " \t" else title


def _is_underlined(gathered: Sequence[Line]) -> bool:
    """Tell whether the last line is a paragraph of one line, which an underline makes a heading."""
    if not gathered or not gathered[-1].is_prose or not gathered[-1].text.strip():
        return False
    alone = len(gathered) == 1 or not gathered[-2].text.strip()
    return alone and _OTHER_BLOCK.match(gathered[-1].text) is None


def _section(path: str, headings: tuple[str, ...], lines: Sequence[Line]) -> Section | None:
    kept = [line.text for line in lines]
    start = next((at for at, line in enumerate(kept) if line.strip()), None)
    if start is None:
        return None
    return Section(path, headings, lines[start].number, "\n".join(kept[start:]).rstrip())
