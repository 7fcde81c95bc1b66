"""Words for tired people: ages, counts, and stored text of which nothing acts on a terminal.

Without click: operations of ``daemon/api/`` print with it, which the daemon imports as well.
"""

import os
import shutil
import sys
import unicodedata
from collections.abc import Sequence
from datetime import UTC, datetime

from daemon.shapes.replies import Done

NARROW = 20  # columns below which no column is cut any further
PIPED_WIDTH = 100  # columns when the output is no terminal and COLUMNS is not set
ELLIPSIS = "…"

_AGES = (  # seconds, the word for one of them
    (31_556_952.0, "year"),
    (2_629_746.0, "month"),
    (604_800.0, "week"),
    (86_400.0, "day"),
    (3_600.0, "hour"),
    (60.0, "minute"),
)


def now() -> float:
    """The wall clock, in seconds since the epoch: the command line's one place for it."""
    return datetime.now(UTC).timestamp()


def age(seconds: float) -> str:
    """``3 days ago`` for a moment this many seconds back."""
    if seconds >= 60.0:
        return f"{duration(seconds)} ago"
    return "just now" if seconds >= -60.0 else "in the future"


def when(at: float) -> str:
    """``2026-03-04 09:30 (3 days ago)``, in local time."""
    return f"{datetime.fromtimestamp(at).astimezone():%Y-%m-%d %H:%M} ({age(now() - at)})"


def duration(seconds: float) -> str:
    """``3 days`` or ``12 s``: how long something took or has run."""
    for size, word in _AGES:
        count = int(seconds // size)
        if count >= 1:
            return f"{count} {word}{'' if count == 1 else 's'}"
    return f"{seconds:.0f} s"


def counted(count: int, word: str, plural: str | None = None) -> str:
    """``1 memory``, ``2 memories``."""
    return f"{count:,} {word if count == 1 else plural or word + 's'}"


def shown_of(rows: Sequence[object], total: int) -> str:
    """Line saying there are more than these rows; empty when they are all."""
    return f"{len(rows)} of {total:,}; --limit shows more" if len(rows) < total else ""


def megabytes(size: float) -> str:
    """``1.2 MB`` of so many bytes."""
    return f"{size / 1e6:.1f} MB"


def counted_memories(done: Done, verb: str) -> str:
    """``forgot 2 memories``, and the remark on them."""
    note = f" ({one_line(done.note)})" if done.note else ""
    return f"{verb} {counted(done.count, 'memory', 'memories')}{note}"


def printable(text: str) -> str:
    """The text without anything acting on a terminal; line ends and tabs stay."""
    if text.isprintable():
        return text
    return "".join(_shown(character) for character in text)


def _shown(character: str) -> str:
    if character in "\n\t" or character.isprintable():
        return character
    return (
        " "
        if unicodedata.category(character) in ("Zs", "Zl", "Zp")
        else "\N{REPLACEMENT CHARACTER}"
    )


def one_line(text: str) -> str:
    """The text on one line, safe to show."""
    return " ".join(printable(text).split())


def columns(text: str) -> int:
    """Number of columns of a terminal for the text."""
    if text.isascii():
        return len(text)
    return sum(_columns(character) for character in text)


def _columns(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def shortened(text: str, width: int) -> str:
    """The text in at most ``width`` columns, with an ellipsis where it was cut."""
    if columns(text) <= width:
        return text
    kept: list[str] = []
    room = width - 1
    for character in text:
        room -= _columns(character)
        if room < 0:
            break
        kept.append(character)
    return "".join(kept).rstrip() + ELLIPSIS if width > 0 else ""


def page_width() -> int:
    """The columns there are."""
    if sys.stdout.isatty() or "COLUMNS" in os.environ:
        return shutil.get_terminal_size().columns
    return PIPED_WIDTH


def fitted(line: str) -> str:
    """The line as much as the page has room for."""
    return shortened(line, page_width())


def table(rows: Sequence[Sequence[str]], width: int) -> list[str]:
    """Rows as aligned lines, none wider than ``width``; the last column gives way first.

    Cells are one line each and safe to show afterwards.
    """
    cells = [[one_line(cell) for cell in row] for row in rows]
    if not cells:
        return []
    sizes = [max(columns(row[i]) for row in cells) for i in range(len(cells[0]))]
    for index in reversed(range(len(sizes))):
        excess = sum(sizes) + 2 * (len(sizes) - 1) - width
        if excess > 0:
            sizes[index] = max(min(NARROW, sizes[index]), sizes[index] - excess)
    lines: list[str] = []
    for row in cells:
        cut = [shortened(cell, size) for cell, size in zip(row, sizes, strict=True)]
        padded = [
            cell + " " * (size - columns(cell)) for cell, size in zip(cut, sizes, strict=True)
        ]
        lines.append(shortened("  ".join(padded).rstrip(), width))
    return lines
