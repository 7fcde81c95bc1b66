"""Whatever a command raises is one line on standard error and an exit code."""

from __future__ import annotations

import errno
import io
import sys
from pathlib import Path

import click
import msgspec
import pytest

from daemon import cli
from daemon.asking import DaemonAway, NotAsked, Refused
from daemon.commands.terminal import failure
from daemon.commands.terminal.failure import SHOW_TRACEBACK
from daemon.launch import StartFailed
from daemon.wire import TooLarge

SECRET = "the parser's secret"
NOT_THERE = FileNotFoundError(errno.ENOENT, "No such file or directory", "/nowhere")
WORDS = [
    (Refused("no_such_plan", "there is none"), "refused: there is none [no_such_plan]"),
    (
        Refused("bad_request", "remember: Object contains unknown field `new`"),
        (
            "refused: remember: Object contains unknown field `new` [bad_request];"
            " the daemon is of another version: run 'reverie down' and ask again"
        ),
    ),
    (DaemonAway("it went"), "it went; see 'reverie log --daemon'"),
    (NotAsked("it went"), "it went; see 'reverie log --daemon'"),
    (StartFailed("the daemon did not start"), "the daemon did not start"),
    (TimeoutError(), "the daemon did not answer in time; see 'reverie log --daemon'"),
    (TooLarge("a frame of 99"), "the text is too large to be sent (16 MiB)"),
    (
        msgspec.ValidationError("$.x"),
        "the daemon is of another version; run 'reverie down' and ask again",
    ),
    (NOT_THERE, "/nowhere: No such file or directory"),
    (OSError(errno.ENOSPC, "No space left on device"), "No space left on device: free some room"),
    (click.ClickException("two\nlines"), "two lines"),
    (StartFailed("a \x1b[31mred\u202e line"), "a \ufffd[31mred\ufffd line"),
]


def raising(error: BaseException) -> int:
    def work() -> None:
        raise error

    return cli.outcome(work)


@pytest.mark.parametrize(("error", "line"), WORDS, ids=[type(error).__name__ for error, _ in WORDS])
@pytest.mark.parametrize("depth", [0, 1, 2])
def test_a_failure_is_one_line_also_from_a_group(
    error: Exception, line: str, depth: int, capsys: pytest.CaptureFixture[str]
) -> None:
    for _ in range(depth):
        error = ExceptionGroup("unhandled errors in a TaskGroup", [error])

    assert raising(error) == failure.FAILED
    assert capsys.readouterr().err == f"reverie: {line}\n"


def test_what_nobody_foresaw_is_told_by_its_place_and_not_by_what_it_holds(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert raising(ExceptionGroup("", [ValueError(SECRET)])) == failure.FAILED

    said = capsys.readouterr().err
    assert said.startswith("reverie: unforeseen ValueError")
    assert said.count("\n") == 1
    assert SECRET not in said


def test_who_mends_reverie_sees_the_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(SHOW_TRACEBACK, "1")
    raising(ExceptionGroup("", [ValueError(SECRET)]))

    said = capsys.readouterr().err
    assert "Traceback" in said
    assert Path(__file__).name in said


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (BrokenPipeError(errno.EPIPE, "Broken pipe"), failure.CLOSED_PIPE),
        (ExceptionGroup("", [BrokenPipeError(errno.EPIPE, "Broken pipe")]), failure.CLOSED_PIPE),
        (KeyboardInterrupt(), failure.INTERRUPTED),
        (BaseExceptionGroup("", [KeyboardInterrupt()]), failure.INTERRUPTED),
        (SystemExit(3), 3),
    ],
)
def test_an_end_that_somebody_wanted_is_quiet(
    error: BaseException, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert raising(error) == code
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("terminal", "code", "line"), [(True, failure.INTERRUPTED, ""), (False, 1, "nobody is there")]
)
def test_who_refuses_at_a_terminal_knows_it_and_elsewhere_it_is_told(
    *,
    terminal: bool,
    code: int,
    line: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = io.StringIO()
    monkeypatch.setattr(asked, "isatty", lambda: terminal)
    monkeypatch.setattr(sys, "stdin", asked)

    assert raising(click.Abort()) == code
    assert line in capsys.readouterr().err


def test_wrong_usage_says_what_is_right(capsys: pytest.CaptureFixture[str]) -> None:
    assert raising(click.UsageError("Give one of the two.")) == failure.WRONG_USAGE
    assert "Give one of the two." in capsys.readouterr().err

    raising(click.UsageError("no such option: \x07\u202e"))
    assert "no such option: \ufffd\ufffd" in capsys.readouterr().err
