"""``pause`` and ``resume``: what they say, and what ``status`` and ``doctor`` say of it."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from daemon.commands.terminal.words import now
from daemon.home import Home
from daemon.recording import Recording
from tests.cli.conftest import Run

BY_HAND = Path("pauses.json")


def off(home: Home, at: float, folder: str = "/x", session: str = "s1") -> bool:
    return Recording(home).off([folder], session, at, at) is not None


def test_a_pause_of_a_time_ends_by_itself(run: Run, home: Home) -> None:
    begin = now()

    said = run("pause", "--for", "2h")

    assert re.fullmatch(
        r"recording is off since [\d: -]+ until [\d: -]+: no session is recorded, and agents are told nothing;"
        r" 'reverie resume' ends it\n",
        said.stdout,
    )
    assert [off(home, begin + seconds) for seconds in (-60, 60, 7_100, 7_260)] == [
        False, True, True, False,
    ]  # fmt: skip


def test_a_pause_of_a_project_concerns_its_worktree_as_well(
    run: Run, home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    main, tree = tmp_path / "main", tmp_path / "tree"
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-C", str(main)]
    subprocess.run(["git", "init", "-q", str(main)], check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "x"], check=True)
    subprocess.run([*git, "worktree", "add", "-q", str(tree)], check=True, capture_output=True)
    monkeypatch.chdir(tree)

    run("pause", "--project")

    moment = now()
    assert [off(home, moment, str(one)) for one in (main, tree / "src", tmp_path)] == [
        True, True, False,
    ]  # fmt: skip


def test_status_and_doctor_say_what_is_off(run: Run, home: Home) -> None:
    run("pause", "--for", "1h")
    status, doctor = run("status"), run("doctor")
    run("resume")

    assert status.stdout.startswith("recording is off since ")
    assert re.search(r"recording +off since .* until ", doctor.stdout)
    assert "recording is" not in run("status").stdout


def test_a_file_of_pauses_that_cannot_be_read_switches_off_until_resume(
    run: Run, home: Home
) -> None:
    (home.root / BY_HAND).write_text("[{")

    status = run("status").stdout
    held = off(home, 1.0)
    run("resume")

    assert status.startswith("recording is off: pauses.json or config.toml")
    assert (held, off(home, 1.0)) == (True, False)


def test_only_the_user_can_read_what_was_paused(run: Run, home: Home) -> None:
    run("pause")

    assert os.stat(home.root / BY_HAND).st_mode & 0o077 == 0  # noqa: PTH116
