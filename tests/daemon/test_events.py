"""Following what happens in a real daemon: bounded, oldest left out, nobody is slowed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from daemon.wire import Decoder, Frame, encoded
from tests.daemon.process import PROGRAM, Daemon, Line, prompt, wait_for
from tests.patience import PATIENCE, ROOT

KEPT = 1_000  # what the ring holds


class Follower:
    """One who follows, and has what it was told."""

    def __init__(self, line: Line, **body: Any) -> None:
        self.line = line
        self.events: list[dict[str, Any]] = []
        self.dropped = 0
        self._decoder = Decoder()
        line.send(encoded(Frame(1, "follow", body)))

    def until(self, type_: str, count: int = 1) -> list[dict[str, Any]]:
        """Read on until so many events of this type have come; those."""
        while len(found := [e for e in self.events if e["type"] == type_]) < count:
            self.read()
        return found

    def read(self) -> None:
        """What is there, at least one piece."""
        self._decoder.feed(self.line.stream.recv(65536))
        for frame in self._decoder.frames():
            assert frame.kind == "progress"
            self.events += frame.body["events"]
            self.dropped += frame.body["dropped"]


@contextmanager
def following(daemon: Daemon, **body: Any) -> Generator[Follower]:
    with daemon.line() as line:
        follower = Follower(line, **body)
        wait_for(lambda: followers(daemon) > 0, daemon.running)
        yield follower


def followers(daemon: Daemon) -> int:
    actors = daemon.ask("status")["actors"]
    return int(actors["observatory"]["followers"])


def rows(first: int, count: int) -> list[dict[str, Any]]:
    return [{"text": f"note {n} about port {n * 7}"} for n in range(first, first + count)]


def test_a_prompt_is_told_as_an_agents_with_what_its_session_knows(daemon: Daemon) -> None:
    daemon.remember("The staging database listens on port 5433.")
    asked = prompt("which port has the staging database?")
    with following(daemon) as follower:
        daemon.hook(b"p" * 16, asked)
        daemon.hook(b"q" * 16, asked)
        told, again = follower.until("SearchPerformed", 2)

    assert told["data"]["by"] == "agent"
    assert (told["data"]["found"], told["data"]["known_in_session"]) == (1, None)
    assert (again["data"]["found"], again["data"]["known_in_session"]) == (0, 1)
    assert "staging" not in json.dumps(follower.events)


# ---- the command


@pytest.fixture
def command(daemon: Daemon, tmp_path: Path) -> Generator[subprocess.Popen[str]]:
    """``reverie log --follow --json`` as a process."""
    environ = {**os.environ, "REVERIE_HOME": str(daemon.home.root)}
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, "log", "--follow", "--json"],
        cwd=ROOT, env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        wait_for(lambda: followers(daemon) > 0, daemon.running)
        yield process
        process.kill()


def cpu_of(daemon: Daemon) -> float:
    """Seconds of CPU that the daemon's process has taken."""
    fields = Path(f"/proc/{daemon.running.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_follower_that_is_stopped_does_not_slow_the_daemon(
    daemon: Daemon, command: subprocess.Popen[str]
) -> None:
    """What it takes to import is the same whether or not a stopped follower hangs on it."""
    os.kill(command.pid, signal.SIGSTOP)
    answered: list[float] = []
    before = cpu_of(daemon)
    for start in range(0, 3_000, 250):
        daemon.ask("import", rows=rows(start, 250), gate=False)
        began = time.thread_time()
        daemon.ask("greet", version="test")
        answered.append(time.thread_time() - began)
    stopped = cpu_of(daemon) - before
    os.kill(command.pid, signal.SIGKILL)
    command.wait(PATIENCE)
    before = cpu_of(daemon)
    for start in range(3_000, 6_000, 250):
        daemon.ask("import", rows=rows(start, 250), gate=False)
    alone = cpu_of(daemon) - before

    status = daemon.ask("status")
    assert status["memories"] == 6_000
    assert stopped <= 1.5 * alone + 0.5
    assert status["actors"]["observatory"]["kept"] == KEPT
