"""A daemon that hangs: who asks how it is, or stops it, is told so at once, and may end it."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
from collections.abc import Generator
from contextlib import closing
from time import sleep

import pytest

from daemon.home import Home
from daemon.launch import HUNG_AFTER, Hung, StartFailed, end_hung, own_command, stop_daemon
from daemon.lock import alive, holder, processor_time, stands_still, was_killed
from tests.cli.conftest import Program, document
from tests.patience import PATIENCE

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="how processes are looked at")


@pytest.fixture
def hung(program: Program) -> Generator[int]:
    """A real daemon that is stopped in its tracks; it goes on after the test."""
    process = int(document(program("up", "--json"))["pid"])
    os.kill(process, signal.SIGSTOP)
    yield process
    if alive(process):
        os.kill(process, signal.SIGCONT)


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    ["status", "down", "recall anything", "remember x", "up", "list --json", "export", "dream"],
)
def test_one_line_says_that_it_hangs_and_how_to_end_it(
    hung: int, program: Program, command: str
) -> None:
    done = program(*command.split())

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        f"reverie: the daemon (process {hung}) listens but did not answer within {HUNG_AFTER:g} s:"
        " 'reverie down --force' ends it\n"
    )
    assert alive(hung)


@pytest.mark.slow
def test_force_ends_it_and_the_next_daemon_has_what_it_kept(program: Program, home: Home) -> None:
    program("remember", "the parser lives in lib/parse.c")
    process = int(document(program("status", "--json"))["pid"])
    os.kill(process, signal.SIGSTOP)

    done = program("down", "--force", "--json")

    assert document(done) == {"stopped": True, "pid": process}
    assert not alive(process)
    assert not was_killed(home)  # an editor does not bring it back
    assert document(program("list", "--json"))["total"] == 1


@pytest.mark.slow
@pytest.mark.parametrize("word", ["y", "n"])
def test_at_a_terminal_it_asks(hung: int, word: str) -> None:
    ours, theirs = pty.openpty()
    with closing(os.fdopen(ours, "wb", buffering=0)) as terminal:
        asking = subprocess.Popen(
            [*own_command(), "down"], stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        os.close(theirs)
        terminal.write(f"{word}\n".encode())
        said, asked = asking.communicate(timeout=PATIENCE)

    assert b"End it now? [y/N]" in asked
    assert (asking.returncode, alive(hung)) == ((0, False) if word == "y" else (1, True))
    assert (b"reverie has stopped" in said) is (word == "y")


def test_only_who_holds_the_lock_and_is_named_in_it_is_ended(hung: int, home: Home) -> None:
    assert holder(home) == hung
    with subprocess.Popen(["/bin/sleep", "60"]) as bystander:
        home.lock.write_text(f"{bystander.pid}\n")
        assert holder(home) is None
        with pytest.raises(Hung) as told:
            stop_daemon(home)
        with pytest.raises(StartFailed, match="does not hold"):
            end_hung(home, bystander.pid)

        assert told.value.process is None
        assert bystander.poll() is None
        bystander.kill()
    home.lock.write_text(f"{hung}\n")


def test_a_daemon_that_computes_is_busy_and_does_not_hang() -> None:
    """It may take long to answer on a machine that is busy; one that stands still never will."""
    working = [sys.executable, "-c", "while True: pass"]
    for program, stands in ((working, False), (["/bin/sleep", "60"], True)):
        with subprocess.Popen(program) as other:
            before = processor_time(other.pid)
            sleep(0.2)
            assert stands_still(other.pid, before) is stands
            os.kill(other.pid, signal.SIGSTOP)
            os.waitid(os.P_PID, other.pid, os.WSTOPPED | os.WNOWAIT)
            assert stands_still(other.pid, before)
            other.kill()
