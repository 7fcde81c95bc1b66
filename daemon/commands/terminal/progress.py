"""Progress of long work on standard error: one line renewing itself on a terminal, a line every ten
seconds elsewhere, nothing when the work is short."""

import math
import os
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from time import monotonic

from daemon.commands.terminal.words import shortened

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
