"""Output of a command: plain text, tables, JSON, and the progress of long work.

Stored text is data: nothing in it may move the cursor or colour the terminal, so every control character is
replaced before it is shown. Colour only on a terminal, and not when ``NO_COLOR`` is set (no-color.org).
"""

import json
import math
import os
import re
import sys
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from itertools import groupby
from time import monotonic
from typing import TypeVar

import click
import msgspec

from daemon.api.operation import Alarm, Aside, Complaint, Line, Title
from daemon.commands.terminal.words import one_line, page_width, printable, shortened, table

T = TypeVar("T")


def styled(text: str, **style: object) -> str:
    """The text in colour where wanted."""
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


def show(found: object, as_json: bool, lines: Iterable[Line]) -> None:
    """Print results as one JSON document, or these lines about them."""
    if as_json:
        print_json(found)
    else:
        print_lines(lines)


def print_lines(lines: Iterable[Line]) -> None:
    """Print lines as they are, and neighbouring rows as a table."""
    for is_text, group in groupby(lines, lambda line: isinstance(line, str)):
        if is_text:
            for line in group:
                _print_line(line)
        else:
            rows = [line for line in group if not isinstance(line, str)]
            for line in table(rows, page_width()):
                click.echo(line)


def _print_line(line: Line) -> None:
    match line:
        case Complaint():
            error_line(line)
        case Alarm():
            click.echo(styled(printable(line), fg="yellow"))
        case Aside():
            click.echo(styled(printable(line), dim=True))
        case Title():
            click.echo(styled(shortened(printable(line), page_width()), bold=True))
        case _:
            click.echo(printable(str(line)))


def ask_first(question: str, otherwise: str = "nothing was changed") -> None:
    """Ask a person; raises ``click.ClickException`` with the other line unless they agree."""
    if not click.confirm(question, default=False, err=True):
        raise click.ClickException(otherwise)


def error_line(text: str) -> None:
    """A line on standard error."""
    click.echo(one_line(text), err=True)


# ---- progress of long work, on standard error
#
# One line renewing itself on a terminal, a line every ten seconds elsewhere, nothing when it is short.


RENEWED = 0.1  # seconds between two states of the line on a terminal
REPEATED = 10.0  # seconds between two lines elsewhere
CLEARED = "\r\x1b[K"  # back to the beginning of the line, and erase it


@contextmanager
def progress_line(*, beside_results: bool = False) -> Generator[Callable[[str], None]]:
    """A function for showing the state of the work; the line is gone when the work is.

    ``beside_results``: results are printed meanwhile; on a terminal, where both would mix, they are
    the progress.
    """
    terminal = sys.stderr.isatty()
    quiet = beside_results and sys.stdout.isatty()
    pause = RENEWED if terminal else REPEATED
    last = -math.inf if terminal else monotonic()
    shown = False

    def show(state: str) -> None:
        nonlocal last, shown
        if quiet or monotonic() - last < pause:
            return
        last = monotonic()
        shown = terminal
        sys.stderr.write(CLEARED + shortened(state, _room()) if terminal else f"{state}\n")
        sys.stderr.flush()

    try:
        yield show
    finally:
        if shown:
            sys.stderr.write(CLEARED)
            sys.stderr.flush()


def _room() -> int:
    """Columns of the terminal of standard error, less the one in which it would wrap."""
    return (os.get_terminal_size(sys.stderr.fileno()).columns or 80) - 1
