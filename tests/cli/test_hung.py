"""A daemon that hangs: whoever asks it something is told so, and which process it is."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Generator

import pytest

from daemon.home import Home
from daemon.launch import GREETING_WITHIN, HUNG_AFTER
from daemon.lock import alive, holder
from tests.cli.conftest import Program, document

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="how processes are looked at")


@pytest.fixture
def hung(program: Program) -> Generator[int]:
    """A real daemon that is stopped in its tracks; it goes on after the test."""
    process = int(document(program("up", "--json"))["pid"])
    os.kill(process, signal.SIGSTOP)
    yield process
    os.kill(process, signal.SIGCONT)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "within"),
    [
        ("status", HUNG_AFTER),
        ("down", HUNG_AFTER),
        ("recall anything", GREETING_WITHIN),
        ("up", GREETING_WITHIN),
        ("export", GREETING_WITHIN),
    ],
)
def test_one_line_says_that_it_hangs_and_how_to_end_it(
    hung: int, program: Program, command: str, within: float
) -> None:
    done = program(*command.split())

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        f"reverie: the daemon (process {hung}) listens but did not answer within {within:g} s:"
        f" 'kill -9 {hung}' ends it\n"
    )
    assert alive(hung)


def test_only_who_holds_the_lock_and_is_named_in_it_is_called_the_daemon(
    hung: int, home: Home
) -> None:
    assert holder(home) == hung
    with subprocess.Popen(["/bin/sleep", "60"]) as bystander:
        home.lock.write_text(f"{bystander.pid}\n")
        assert holder(home) is None
        bystander.kill()
    home.lock.write_text(f"{hung}\n")
