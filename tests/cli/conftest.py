"""A home of its own for every test, and a daemon that answers as told."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Sequence
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

from daemon import cli
from daemon.home import Home
from daemon.launch import greeting, own_command
from daemon.lock import alive
from tests.cli.fake_daemon import FakeDaemon
from tests.daemon.process import Daemon
from tests.patience import PATIENCE, UNHURRIED


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch) -> Generator[Home]:
    """A data home with a short path: a socket's may have 107 bytes."""
    with tempfile.TemporaryDirectory(prefix="rv-") as folder:
        monkeypatch.setenv("REVERIE_HOME", folder)
        monkeypatch.setenv("XDG_DATA_HOME", f"{folder}/share")
        monkeypatch.delenv("COLUMNS", raising=False)
        yield Home(Path(folder))


@pytest.fixture
def daemon(home: Home) -> Generator[FakeDaemon]:
    """A daemon of this version at the home's address."""
    fake = FakeDaemon(home)
    yield fake
    fake.stop()


Run = Callable[..., Result]


@pytest.fixture
def run() -> Run:
    """Run one command in this process, by the entry that the program has."""

    class Entry(click.Command):
        def main(self, *_: Any, args: Sequence[str] = (), **__: Any) -> Any:  # type: ignore[override]
            sys.exit(cli.run(list(args)))

    def invoke(*arguments: str, input: str | bytes | None = None) -> Result:  # noqa: A002
        return CliRunner().invoke(Entry("reverie"), list(arguments), input=input)

    return invoke


Program = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def patient(home: Home, monkeypatch: pytest.MonkeyPatch) -> Generator[None]:
    """Commands wait for a busy machine; whatever daemon they started ends with the test."""
    for name, value in UNHURRIED.items():
        monkeypatch.setenv(name, value)
    yield
    found = greeting(home)
    if found is not None:
        os.kill(found.pid, signal.SIGKILL)
        while alive(found.pid):
            time.sleep(0.01)


@pytest.fixture
def program(patient: None, tmp_path: Path) -> Program:
    """Run ``reverie`` as a process in a folder outside git."""

    def run(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*own_command(), *arguments],
            input=stdin,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )

    return run


@pytest.fixture
def command(
    patient: None, home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Generator[Program]:
    """Run ``reverie`` in this process, with a real daemon; a process each would start for .1 s."""
    daemon = Daemon(home, dict(os.environ)).start()
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        with CliRunner().isolation(input=stdin) as (out, err, _):
            code = cli.run(list(arguments))
            sys.stderr.flush()
        return subprocess.CompletedProcess(
            arguments, code, out.getvalue().decode(), err.getvalue().decode()
        )

    yield run
    daemon.kill()


Hooked = Callable[..., str]


@pytest.fixture
def hooked(patient: None, hooks: Path) -> Hooked:
    """Hook that waits for whatever an agent is told when an event happens."""

    def told(event: str, session: str, **fields: Any) -> str:
        said = {"hook_event_name": event, "session_id": session, "cwd": "/nowhere", **fields}
        words = [sys.executable, "-I", "-S", str(hooks / "hook.py"), "claude"]
        return subprocess.run(
            words, input=json.dumps(said), capture_output=True, text=True, timeout=PATIENCE,
            check=True,
        ).stdout  # fmt: skip

    return told


def document(done: subprocess.CompletedProcess[str]) -> Any:
    """The JSON document that a command printed."""
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
