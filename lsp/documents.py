"""Documents: the text of an open file as the editor has it, line by line, the memories found in it, and the lines that wait to be matched."""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from typing import Any, Literal, NamedTuple

import msgspec
from lsprotocol.types import (
    Position,
    TextDocumentContentChangeEvent,
    TextDocumentContentChangeWholeDocument,
)
from msgspec import Struct, field
from msgspec.structs import replace

from daemon.shapes.memory import MatchView

# ---- positions: code points here, UTF-8, UTF-16 or UTF-32 units in the editor
#
# Pure. A text is a list of lines, each with its own line ending; the last one has none,
# so ``"".join(lines)`` is the text again. A line ends where the protocol says: at
# ``\n``, ``\r\n`` or ``\r``, and nowhere else. (``str.splitlines`` also splits at form
# feeds and at U+2028, which sit inside lines of real sources.)

Encoding = Literal["utf-8", "utf-16", "utf-32"]

_LINE_START = re.compile(r"(?<=\n)|(?<=\r)(?!\n)")


def lines_of(text: str) -> list[str]:
    """The lines of a text, with their endings; never empty."""
    if "\r" in text:
        return _LINE_START.split(text)
    *whole, last = text.split("\n")
    return [line + "\n" for line in whole] + [last]


def content(line: str) -> str:
    """The line without its ending."""
    return line.rstrip("\r\n")


def units(text: str, encoding: Encoding) -> int:
    """Number of units of the text in the editor's encoding."""
    if encoding == "utf-32" or text.isascii():
        return len(text)
    if encoding == "utf-8":
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def column(line: str, character: int, encoding: Encoding) -> int:
    """The code point of the editor's ``character``.

    Past the end of the line it is the end; inside a character, its start.
    """
    inside = content(line)
    if encoding == "utf-32" or inside.isascii():
        return max(0, min(character, len(inside)))
    for index, width in enumerate(accumulate(units(char, encoding) for char in inside)):
        if width > character:
            return index
    return len(inside)


# ---- quiet: which lines wait to be matched, and when their turn comes
#
# Pure; times are seconds of one clock. A line being typed is not matched until it has been left alone
# for a while, so nothing appears under the cursor (people switch off first a hint jumping about while
# they type: vscode#130580, error-lens#150). Lines nobody has read yet are due at once.

NEVER_READ = -math.inf
_READ = math.inf
NEAR = 20  # lines: two spans closer than this are asked as one


class Span(NamedTuple):
    """The lines ``first`` to before ``end``."""

    first: int
    end: int


class Unread:
    """Times of the last change of every line of a text, until it is read again."""

    def __init__(self, lines: int) -> None:
        self._changed_at = [NEVER_READ] * lines

    def replace(self, span: Span, lines: int, now: float) -> None:
        """``lines`` new lines stand where the span was."""
        self._changed_at[span.first : span.end] = [now] * lines

    def read(self, span: Span) -> None:
        """These lines are known again."""
        size = len(self._changed_at[span.first : span.end])
        self._changed_at[span.first : span.first + size] = [_READ] * size

    def forget(self, at: float) -> None:
        """Forget the matches: read lines count as changed at ``at``."""
        self._changed_at = [at if was == _READ else was for was in self._changed_at]

    def due(self, quiet: float) -> float | None:
        """Time when the first line has been left alone for ``quiet`` seconds.

        ``None`` when all of them are read.
        """
        earliest = min(self._changed_at, default=_READ)
        return None if earliest == _READ else earliest + quiet

    def settled(self, now: float, quiet: float) -> list[Span]:
        """The spans with every line left alone for ``quiet`` seconds.

        Lines between two near spans are read again with them, unless they are being
        typed.
        """
        spans: list[Span] = []
        typed = -1  # the last line that is not left alone yet
        for line, at in enumerate(self._changed_at):
            if at == _READ:
                continue
            if at + quiet > now:
                typed = line
                continue
            if spans and line - spans[-1].end < NEAR and typed < spans[-1].first:
                spans[-1] = Span(spans[-1].first, line + 1)
            else:
                spans.append(Span(line, line + 1))
        return spans


# ---- documents
#
# pygls keeps documents too, but splits them with ``str.splitlines``: after the first
# edit below a form feed its text is no longer the editor's. It also copies the whole
# text for every keystroke; here an edit touches the lines it names.
#
# A match lives as long as the text of its lines: an edit of them removes it at once, an edit above moves it, an edit of
# its memory's subject below it makes it stale. Changed lines wait in ``unread`` until they are quiet (``lsp.documents``) and
# are then matched again.

LARGE_LINES = 20_000  # above either, nothing of a file is matched: nobody reads it
LARGE_CHARACTERS = 1_000_000
EDITED = "edited here since"  # until it is known what became of it


class Place(Struct, frozen=True):
    """Place where a memory was found: lines and columns in code points, end exclusive."""

    line: int
    start: int
    last_line: int
    end: int
    memory: MatchView

    def moved(self, lines: int) -> Place:
        """The same place after lines were added or removed above it."""
        return replace(self, line=self.line + lines, last_line=self.last_line + lines)

    def holds(self, line: int) -> bool:
        """Return whether the memory's subject goes on below this place, as far as the line."""
        return self.memory.anchored and self.line < line < self.line + self.memory.lines

    def edited(self, added: int, *, anew: bool) -> Place:
        """The same place after an edit within it; ``anew``: it says something else by now."""
        stale = self.memory.stale or (EDITED if anew else "")
        lines = max(1, self.memory.lines + added)
        return replace(self, memory=msgspec.structs.replace(self.memory, stale=stale, lines=lines))


class Document(Struct):
    """One open file."""

    uri: str
    path: str | None
    version: int
    lines: list[str]
    unread: Unread
    places: list[Place] = field(default_factory=list[Place])
    typed: tuple[Span, float] = (Span(0, 0), -math.inf)  # the lines changed last, and when
    edited: set[str] = field(default_factory=set[str])  # memories about lines that were, just now

    @property
    def large(self) -> bool:
        """Too large to be matched."""
        if len(self.lines) > LARGE_LINES:
            return True
        return sum(map(len, self.lines)) > LARGE_CHARACTERS

    def text(self, first: int, end: int) -> str:
        """The text of the lines ``first`` to before ``end``."""
        return "".join(self.lines[first:end])

    def between(self, start: Position, end: Position, encoding: Encoding) -> str:
        """The text between two positions."""
        first, from_column = self._located(start, encoding)
        last, to_column = self._located(end, encoding)
        if first == last:
            return self.lines[first][from_column:to_column]
        middle = self.text(first + 1, last)
        return self.lines[first][from_column:] + middle + self.lines[last][:to_column]

    def apply(self, edit: TextDocumentContentChangeEvent, encoding: Encoding, now: float) -> None:
        """Change the text; unchanged lines keep their matches."""
        if isinstance(edit, TextDocumentContentChangeWholeDocument):
            self._replace(0, len(self.lines), lines_of(edit.text), now)
            return
        first, from_column = self._located(edit.range.start, encoding)
        last, to_column = self._located(edit.range.end, encoding)
        new = self.lines[first][:from_column] + edit.text + self.lines[last][to_column:]
        if new.startswith("\n") and first > 0 and self.lines[first - 1].endswith("\r"):
            first -= 1  # the two become one line ending
            new = self.lines[first] + new
        fresh = lines_of(new)
        if last + 1 < len(self.lines):
            fresh.pop()  # empty: what follows the line ending is the next line, which stays
        self._replace(first, last + 1, fresh, now)

    def keep_found(self, span: Span, places: Iterable[Place]) -> None:
        """Keep the matches found in the lines of ``span`` instead of the former ones."""
        kept = [p for p in self.places if p.memory.anchored or not _touches(p, span)]
        self._keep([*kept, *(place for place in places if _touches(place, span))])
        self.unread.read(span)

    def anchored(self, places: Iterable[Place]) -> None:
        """Keep these definitions instead of the former ones."""
        self._keep([*(place for place in self.places if not place.memory.anchored), *places])
        self.edited = set()

    def is_typed(self, line: int, since: float) -> bool:
        """Tell whether this line was changed last, and after ``since``."""
        (first, end), at = self.typed
        return first <= line < end and at > since

    def learn(self, memory: str, facts: Mapping[str, Any]) -> None:
        """Take note of new facts about a memory."""
        self.places = [
            replace(place, memory=msgspec.structs.replace(place.memory, **facts))
            if place.memory.id == memory
            else place
            for place in self.places
        ]

    def _keep(self, places: Iterable[Place]) -> None:
        self.places = sorted(places, key=lambda place: (place.line, place.start))

    def _located(self, point: Position, encoding: Encoding) -> tuple[int, int]:
        if point.line >= len(self.lines):
            return len(self.lines) - 1, len(self.lines[-1])
        return point.line, column(self.lines[point.line], point.character, encoding)

    def _replace(self, first: int, end: int, new: list[str], now: float) -> None:
        old = self.lines[first:end]
        before, after = _unchanged(old, new)
        self.lines[first:end] = new
        first, end = first + before, end - after
        anew = _said(old[before : len(old) - after]) != _said(new[before : len(new) - after])
        changed = len(new) - before - after
        self.unread.replace(Span(first, end), changed, now)
        self.typed = Span(first, first + changed), now
        added = changed - (end - first)
        if anew:
            lost = (p for p in self.places if p.last_line >= first and p.line < end)
            self.edited |= {place.memory.id for place in lost if place.memory.anchored}
        self.places = [
            place.edited(added, anew=anew)
            if place.holds(first)
            else place.moved(added)
            if added and place.line >= end
            else place
            for place in self.places
            if place.last_line < first or place.line >= end
        ]


def _unchanged(old: Sequence[str], new: Sequence[str]) -> tuple[int, int]:
    """How many lines at the start and at the end say the same in both.

    Line endings do not count: Enter at the end of a line leaves its matches alone.
    """
    limit = min(len(old), len(new))
    before = 0
    while before < limit and content(old[before]) == content(new[before]):
        before += 1
    after = 0
    while after < limit - before and content(old[-1 - after]) == content(new[-1 - after]):
        after += 1
    return before, after


def _said(lines: Iterable[str]) -> list[str]:
    """Words of these lines: how they are indented is nothing, and so is an empty one."""
    return [words for line in lines if (words := " ".join(line.split()))]


def _touches(place: Place, span: Span) -> bool:
    return place.line < span.end and place.last_line >= span.first


def placed(matches: Iterable[MatchView], first_line: int, lines: Sequence[str]) -> list[Place]:
    """The places of matches, whose offsets count from the start of ``first_line``.

    A match outside the lines is dropped: its offsets are not of this text.
    """
    starts = [0, *accumulate(len(line) for line in lines)]
    places: list[Place] = []
    for match in matches:
        if not 0 <= match.start < match.end <= starts[-1]:
            continue
        line = bisect_right(starts, match.start) - 1
        last = bisect_right(starts, match.end - 1) - 1
        places.append(
            Place(
                first_line + line,
                match.start - starts[line],
                first_line + last,
                match.end - starts[last],
                match,
            )
        )
    return places
