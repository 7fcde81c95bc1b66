"""Daemons of their own, which end with the test."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Generator
from pathlib import Path

import pytest

from daemon.home import Home
from tests.daemon.process import Daemon, running

Make = Callable[..., Daemon]


@pytest.fixture
def make() -> Generator[Make]:
    """Makes daemons that are not started yet, each in a home with a short path."""
    made: list[Daemon] = []
    with tempfile.TemporaryDirectory(prefix="rv-") as folder:

        def daemon(**environ: str) -> Daemon:
            home = Home(Path(folder) / str(len(made)))
            home.prepare()
            made.append(Daemon(home, environ))
            return made[-1]

        yield daemon
        for one in made:
            one.kill()


@pytest.fixture
def daemon(make: Make) -> Daemon:
    """A daemon that answers."""
    return make().start()


@pytest.fixture(scope="module")
def shared() -> Generator[Daemon]:
    """A daemon for the tests of one module that leave it as it was."""
    with running() as one:
        yield one


@pytest.fixture
def clean(shared: Daemon) -> Daemon:
    """The shared daemon without a memory."""
    shared.ask("purge", everything=True, yes=True)
    return shared
