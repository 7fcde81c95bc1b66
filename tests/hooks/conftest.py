"""The home of one test, and each hook client in turn."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import daemon.home
from daemon.installing.agents import Places
from tests.hooks.clients import Client, Home, native_client, program, python_client, shell_client
from tests.patience import HOOKS


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """A data home that records a command which only notes that it was started."""
    root = tmp_path / "home"
    root.mkdir(mode=0o700)
    starts = program(
        tmp_path / "fake-daemon",
        '#!/bin/sh\nenv >"$REVERIE_HOME/environment"\npwd >"$REVERIE_HOME/folder"\n'
        'echo "$@" >>"$REVERIE_HOME/started"\n',
    )
    (root / "command").write_text(f"{starts}\n--recorded\n")
    return Home(root)


@pytest.fixture
def places(tmp_path: Path) -> Places:
    """A user without any agent, and no compiler, which is quick."""
    user = tmp_path / "user"
    user.mkdir()
    return Places(
        home=daemon.home.Home(tmp_path / "home"),
        claude=user / ".claude",
        hooks=HOOKS,
        command=("/opt/reverie/bin/reverie",),
        interpreter=Path(sys.executable).resolve(),
        compiler=None,
        user=user,
    )


@pytest.fixture(scope="session")
def native(hooks: Path, tmp_path_factory: pytest.TempPathFactory) -> Client:
    """The native client, compiled for this run."""
    return _compiled(hooks, tmp_path_factory)


@pytest.fixture(params=["python", "shell", "native"])
def client(request: pytest.FixtureRequest) -> Client:
    """Each client in turn: all of them keep the same promises."""
    named: Client = request.getfixturevalue(request.param)
    return named


@pytest.fixture
def python(hooks: Path) -> Client:
    """The client that needs nothing but an interpreter."""
    return python_client(hooks)


@pytest.fixture
def shell(hooks: Path) -> Client:
    """What agents run: the script that picks a client."""
    return shell_client(hooks)


@pytest.fixture(scope="session")
def hurried_native(tmp_path_factory: pytest.TempPathFactory) -> Client:
    """Native client as it is shipped, compiled for this run."""
    return _compiled(HOOKS, tmp_path_factory)


@pytest.fixture(params=["python", "shell", "native"])
def hurried(request: pytest.FixtureRequest) -> Client:
    """Each client as it is shipped: it waits for a daemon that hangs no longer than it says."""
    if request.param == "native":
        shipped: Client = request.getfixturevalue("hurried_native")
        return shipped
    return python_client(HOOKS) if request.param == "python" else shell_client(HOOKS)


def _compiled(hooks: Path, folders: pytest.TempPathFactory) -> Client:
    client = native_client(hooks, folders.mktemp("native"))
    if client is None:
        pytest.skip("NOT TESTED: no C compiler, the native client is not built")
    return client
