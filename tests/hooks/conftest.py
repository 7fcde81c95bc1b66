"""The home of one test, and each hook client in turn."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.hooks.clients import HOOKS, PYTHON, SHELL, Client, Home


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """A data home that records a command which only notes that it was started."""
    root = tmp_path / "home"
    root.mkdir(mode=0o700)
    program = tmp_path / "fake-daemon"
    program.write_text(
        '#!/bin/sh\nenv >"$REVERIE_HOME/environment"\npwd >"$REVERIE_HOME/folder"\n'
        'echo "$@" >>"$REVERIE_HOME/started"\n'
    )
    program.chmod(0o700)
    (root / "command").write_text(f"{program}\n--recorded\n")
    return Home(root)


@pytest.fixture(scope="session")
def native(tmp_path_factory: pytest.TempPathFactory) -> Client:
    """The native client, compiled for this run."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler: the native client is not built")
    binary = tmp_path_factory.mktemp("native") / "reverie-hook"
    warnings = ["-std=c99", "-Wall", "-Wextra", "-Werror"]
    subprocess.run([compiler, *warnings, "-O1", "-o", binary, HOOKS / "hook.c"], check=True)
    return Client("native", (str(binary),), (str(HOOKS),))


@pytest.fixture(params=["python", "shell", "native"])
def client(request: pytest.FixtureRequest) -> Client:
    """Each client in turn: all of them keep the same promises."""
    named: Client = request.getfixturevalue(request.param)
    return named


@pytest.fixture
def python() -> Client:
    """The client that needs nothing but an interpreter."""
    return PYTHON


@pytest.fixture
def shell() -> Client:
    """What agents run: the script that picks a client."""
    return SHELL
