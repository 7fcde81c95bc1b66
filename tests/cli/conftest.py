"""A home of its own for every test, and a daemon that answers as told."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import anyio
import pytest
from click.testing import CliRunner, Result

from daemon.commands.group import reverie
from daemon.home import Home
from daemon.launch import alive, greeting, own_command
from tests.cli.fake_daemon import FakeDaemon


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch) -> Generator[Home]:
    """A data home with a short path: a socket's may have 107 bytes."""
    with tempfile.TemporaryDirectory(prefix="rv-") as folder:
        monkeypatch.setenv("REVERIE_HOME", folder)
        monkeypatch.delenv("COLUMNS", raising=False)
        yield Home(Path(folder))


@pytest.fixture
def daemon(home: Home) -> Generator[FakeDaemon]:
    """A daemon of this version at the home's address."""
    fake = FakeDaemon(home)
    yield fake
    fake.close()


Run = Callable[..., Result]


@pytest.fixture
def run() -> Run:
    """Run one command in this process."""

    def invoke(*arguments: str, input: str | bytes | None = None) -> Result:  # noqa: A002
        return CliRunner().invoke(reverie, list(arguments), input=input)

    return invoke


Program = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def program(home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[Program]:
    """Run ``reverie`` in a folder outside git; whatever daemon it started ends with the test."""
    monkeypatch.setenv("REVERIE_EMBEDDING_ENABLED", "false")

    def run(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*own_command(), *arguments],
            input=stdin,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=240,
            check=False,
        )

    yield run
    found = anyio.run(greeting, home)
    if found is not None:
        os.kill(found.pid, signal.SIGKILL)
        while alive(found.pid):
            time.sleep(0.01)


def document(done: subprocess.CompletedProcess[str]) -> Any:
    """The JSON document that a command printed."""
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
