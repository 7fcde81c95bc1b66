"""Progress: renewed on a terminal, rare elsewhere, and gone when the work is done."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress
from typing import TextIO

import pytest

from daemon.commands.terminal.output import CLEARED, progress_line


@contextmanager
def terminal() -> Generator[tuple[int, TextIO]]:
    """The reading end of a real terminal, and its writing end."""
    reading, writing = os.openpty()
    os.set_blocking(reading, False)
    with os.fdopen(writing, "w") as file:
        yield reading, file
    os.close(reading)


def shown_on(reading: int) -> str:
    """Everything that was written to the terminal."""
    pieces: list[bytes] = []
    with suppress(BlockingIOError):
        while True:
            pieces.append(os.read(reading, 1_000))
    return b"".join(pieces).decode()


def test_a_terminal_shows_one_line_and_clears_it(monkeypatch: pytest.MonkeyPatch) -> None:
    with terminal() as (reading, file):
        monkeypatch.setattr(sys, "stderr", file)
        with progress_line() as show:
            show("10 of 20 rows")
            show("11 of 20 rows")  # too soon: not shown

        assert shown_on(reading) == f"{CLEARED}10 of 20 rows{CLEARED}"


@pytest.mark.parametrize("beside_results", [True, False])
def test_results_on_the_same_terminal_are_the_progress(
    monkeypatch: pytest.MonkeyPatch, beside_results: bool
) -> None:
    with terminal() as (reading, file):
        monkeypatch.setattr(sys, "stderr", file)
        monkeypatch.setattr(sys, "stdout", file)
        with progress_line(beside_results=beside_results) as show:
            show("10 of 20 rows")

        assert ("10 of 20" in shown_on(reading)) is not beside_results
