"""The script by which a plugin runs the tool server: whose program it runs, and what it says without one."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.hooks.clients import program
from tests.patience import HOOKS, PATIENCE

SAYS = '#!/bin/sh\nprintf \'%s\\n\' "$0" "$@"\n'


@pytest.fixture
def script(tmp_path: Path) -> Path:
    """The script in a checkout that has nothing installed."""
    hooks = tmp_path / "checkout" / "hooks"
    hooks.mkdir(parents=True)
    for name in ("tools.sh", "ownership.sh", "notice.sh"):
        shutil.copy(HOOKS / name, hooks)
    return hooks / "tools.sh"


def run(
    script: Path, home: Path, path: str = "/usr/bin:/bin", *words: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["/bin/sh", str(script), *words],
        env={"PATH": path, "HOME": str(home), "REVERIE_HOME": str(home)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data home."""
    home = tmp_path / "data"
    home.mkdir(mode=0o700)
    return home


def test_the_recorded_command_is_run_with_its_words(
    script: Path, data: Path, tmp_path: Path
) -> None:
    recorded = program(tmp_path / "bin" / "python", SAYS)
    program(script.parents[1] / ".venv" / "bin" / "reverie", SAYS)
    (data / "command").write_text(f"{recorded}\n-c\nmain( 'x' )\n")
    (data / "command").chmod(0o600)

    done = run(script, data)

    assert done.stdout.splitlines() == [str(recorded), "-c", "main( 'x' )", "mcp"]


def test_without_a_record_the_checkouts_is_run_and_then_that_of_the_path(
    script: Path, data: Path, tmp_path: Path
) -> None:
    installed = program(tmp_path / "bin" / "reverie", SAYS)
    path = f"{installed.parent}:/usr/bin:/bin"

    by_path = run(script, data, path).stdout.splitlines()
    own = program(script.parents[1] / ".venv" / "bin" / "reverie", SAYS)
    by_checkout = run(script, data, path).stdout.splitlines()

    assert by_path == [str(installed), "mcp"]
    assert by_checkout == [str(own), "mcp"]


def test_what_others_may_write_is_not_run(script: Path, data: Path) -> None:
    program(script.parents[1] / ".venv" / "bin" / "reverie", SAYS).chmod(0o777)

    done = run(script, data)

    assert (done.returncode, done.stdout) == (1, "")
    assert "everybody may write" in done.stderr


def test_a_record_that_others_may_write_is_passed_over(
    script: Path, data: Path, tmp_path: Path
) -> None:
    (data / "command").write_text(f"{program(tmp_path / 'evil', SAYS)}\n")
    (data / "command").chmod(0o666)

    done = run(script, data)

    assert (done.returncode, done.stdout) == (1, "")
    assert "no reverie is installed" in done.stderr
