"""Progress: renewed on a terminal, rare elsewhere, and gone when the work is done."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator
from typing import TextIO

import pytest

from daemon.commands.progress import CLEARED, progress_line


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Generator[tuple[int, TextIO]]:
    """The reading end of a real terminal that is standard error, and its writing end."""
    reading, writing = os.openpty()
    os.set_blocking(reading, False)
    with os.fdopen(writing, "w") as file:
        monkeypatch.setattr(sys, "stderr", file)
        yield reading, file
    os.close(reading)


def test_a_terminal_shows_one_line_and_clears_it(terminal: tuple[int, TextIO]) -> None:
    with progress_line() as show:
        show("10 of 20 rows")
        show("11 of 20 rows")  # too soon: not shown

    assert os.read(terminal[0], 1_000).decode() == f"{CLEARED}10 of 20 rows{CLEARED}"


def test_a_line_is_cut_at_the_width_of_the_terminal(terminal: tuple[int, TextIO]) -> None:
    with progress_line() as show:
        show("x" * 500)

    shown = os.read(terminal[0], 1_000).decode().split(CLEARED)[1]
    assert len(shown) == 79
    assert shown.endswith("…")


def test_results_on_the_same_terminal_are_the_progress(
    terminal: tuple[int, TextIO], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdout", terminal[1])

    with progress_line(beside_results=True) as show:
        show("10 of 20 rows")

    with pytest.raises(BlockingIOError):
        os.read(terminal[0], 1_000)


def test_short_work_into_a_pipe_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with progress_line() as show:
        show("10 of 20 rows")

    assert capsys.readouterr().err == ""
