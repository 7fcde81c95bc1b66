"""Plain text for tired people: ages in words, tables that fit, no control characters.

Stored text is data: nothing in it may move the cursor or colour the terminal, so every
control character is replaced before it is shown. Colour only on a terminal, and not
when ``NO_COLOR`` is set (no-color.org).
"""

import json
import os
import re
import shutil
import sys
import unicodedata
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import TypeVar

import click
import msgspec

from daemon.requests.shapes import Done

T = TypeVar("T")

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


def printable(text: str) -> str:
    """The text without anything that acts on a terminal; line ends and tabs stay."""
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
    """Number of columns of a terminal that the text takes."""
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


def print_table(rows: Sequence[Sequence[str]], *, indent: int = 0) -> None:
    """Rows as aligned lines on the page, ``indent`` columns from its edge."""
    for line in table(rows, page_width() - indent):
        click.echo(" " * indent + line)


def print_found(
    found: object, as_json: bool, rows: Sequence[Sequence[str]], none: str, *, more: str = ""
) -> None:
    """Print what was found as one JSON document, or its rows and a line on the count."""
    if as_json:
        print_json(found)
        return
    print_table(rows)
    if line := more if rows else none:
        click.echo(line)


def shown_of(rows: Sequence[object], total: int) -> str:
    """Line that there are more than these rows; empty when they are all."""
    return f"{len(rows)} of {total:,}; --limit shows more" if len(rows) < total else ""


def print_section(title: str, rows: Sequence[Sequence[str]]) -> None:
    """Rows under a title, after an empty line; nothing where there are none."""
    if rows:
        click.echo(f"\n{title}")
        print_table(rows, indent=2)


def styled(text: str, **style: object) -> str:
    """The text in colour where that is wanted."""
    plain = (
        not sys.stdout.isatty()
        or os.environ.get("NO_COLOR")
        or os.environ.get("TERM", "dumb") == "dumb"
    )
    return text if plain else click.style(text, **style)  # type: ignore[arg-type]


# What has no shape of its own and acts on what reads it: controls, marks and overrides of direction,
# separators of lines, joiners, tags. It stands in JSON by its number, as JSON allows for each.
_ACTING = re.compile(
    "[\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e007f]"
)


def json_text(document: object) -> bytes:
    """One JSON document on one line, in which nothing acts on a terminal."""
    written = msgspec.json.encode(document)
    if written.isascii() and b"\x7f" not in written:
        return written
    return _ACTING.sub(lambda found: json.dumps(found[0])[1:-1], written.decode()).encode()


def print_json(document: object) -> None:
    """One JSON document on one line of standard output."""
    click.echo(json_text(document))


def present(found: T, as_json: bool, in_words: Callable[[T], None]) -> None:
    """Print what was found, as one JSON document or as a person reads it."""
    if as_json:
        print_json(found)
    else:
        in_words(found)


def say(found: object, as_json: bool, line: str) -> None:
    """Print what was found as one JSON document, or a line about it."""
    present(found, as_json, lambda _: click.echo(line))


def tell_count(done: Done, verb: str, as_json: bool) -> None:
    """``forgot 2 memories``, and what there is to say of them."""
    note = f" ({one_line(done.note)})" if done.note else ""
    say(done, as_json, f"{verb} {counted(done.count, 'memory', 'memories')}{note}")


def tell(done: Done, sentence: str, as_json: bool) -> None:
    """The sentence, unless nothing changed; and what there is to say of it."""
    note = f" ({one_line(done.note)})" if done.note else ""
    say(done, as_json, (sentence if done.count else "nothing changed") + note)


def ask_first(question: str, otherwise: str = "nothing was changed") -> None:
    """Ask a person; raises ``click.ClickException`` with the other line unless they agree."""
    if not click.confirm(question, default=False, err=True):
        raise click.ClickException(otherwise)


def error_line(text: str) -> None:
    """A line on standard error."""
    click.echo(one_line(text), err=True)
