"""Offers of install, made once, at a real terminal: a first memory, and the reader."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from daemon.home import Home
from daemon.launch import own_command
from tests.cli.conftest import Program, document
from tests.cli.test_learn import REASON, commit
from tests.cli.test_learn_transcripts import PNPM, THEN, folder, session
from tests.e2e.terminal import ENTER, terminal

ASKED = "Look at what could be learnt of them?"
READ = "read sessions that begin from now on?"
__all__ = ["folder"]  # the fixture


@pytest.fixture
def environ(tmp_path: Path, folder: Path) -> dict[str, str]:
    """A person's environment, with git and no compiler; the client's folder holds a session."""
    session(folder, "one", PNPM)
    commit(tmp_path, REASON, THEN)
    programs, git = tmp_path / "programs", shutil.which("git")
    programs.mkdir()
    (programs / "git").symlink_to(git or "")
    return {**os.environ, "TERM": "dumb", "PATH": str(programs)}


@pytest.fixture
def client(home: Home, environ: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Claude Code on the path, of the daemon too, with a key."""
    program = Path(environ["PATH"]) / "claude"
    program.write_text(
        "#!/bin/sh\necho '2.1.332 --safe-mode --json-schema --no-session-persistence'\n"
    )
    program.chmod(0o755)
    environ["ANTHROPIC_API_KEY"] = "sk-ant-none"
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-none")
    monkeypatch.setenv("PATH", f"{environ['PATH']}:{os.environ['PATH']}")


def installing(*words: str) -> list[str]:
    return [*own_command(), "install", "claude", *words]


def said(folder: Path, environ: dict[str, str], *words: str) -> str:
    """What is said where a person sits at the keyboard, to the end."""
    line = f"{shlex.join(installing(*words))} > said 2>&1; echo that is all"
    with terminal(["/bin/sh", "-c", line], folder, environ) as screen:
        screen.until("that is all")
    return (folder / "said").read_text()


def test_install_offers_to_learn_once_and_asks_before_each(
    command: Program, environ: dict[str, str], tmp_path: Path, home: Home
) -> None:
    with terminal(installing(), tmp_path, environ) as screen:
        screen.until("Make these changes?")
        screen.press("y", ENTER)
        screen.until("This project has 1 session and commits.", ASKED)
        screen.press("y", ENTER)
        screen.until("1 new item", "each dated then?")
        screen.press("y", ENTER)
        screen.until("learnt 1 note and 1 passage of 1 session", "each dated when it was said?")
        screen.press("n", ENTER)
        screen.until("nothing was learnt")
    learnt = document(command("list", "--json"))["memories"]

    assert ASKED not in said(tmp_path, environ)
    assert [one["text"] for one in learnt] == [PNPM]


def test_where_nobody_can_answer_nothing_is_offered(
    home: Home, environ: dict[str, str], tmp_path: Path
) -> None:
    done = subprocess.run(
        installing(), cwd=tmp_path, env=environ, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, check=True,
    )  # fmt: skip

    assert ASKED not in done.stdout + done.stderr
    assert ASKED not in said(tmp_path, environ, "--yes")
    assert not (home.root / "learn-offered").exists()
    assert not (home.root / "reader-offered").exists()


def test_a_reader_is_offered_once_and_reads_only_for_who_agrees(
    client: None, command: Program, environ: dict[str, str], tmp_path: Path, home: Home
) -> None:
    installed = said(tmp_path, environ, "--yes")
    with terminal(installing(), tmp_path, environ) as screen:
        screen.until(ASKED)
        screen.press("n", ENTER)
        screen.until("$.002 to $.005 a session", READ)
        screen.press("y", ENTER)
        screen.until("'reverie reader use off' ends it")

    assert READ not in installed + said(tmp_path, environ)
    assert document(command("reader", "--json"))["engine"].startswith("claude")
