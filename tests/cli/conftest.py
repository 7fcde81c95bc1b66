"""A home of its own for every test, and a daemon that answers as told."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Generator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from daemon.commands.group import reverie
from daemon.home import Home
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
