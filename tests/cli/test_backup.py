"""``backup``: made by a real daemon, listed, checked, and brought back."""

from __future__ import annotations

import fcntl
import time
from pathlib import Path

import pytest

from daemon.home import Home
from tests.cli.conftest import Hooked, Program, document
from tests.daemon.process import Daemon


def settled(home: Home) -> None:
    """Wait until everything that happened is worked through."""
    daemon = Daemon(home)
    while daemon.ask("status")["undone"]:
        time.sleep(0.05)


def texts(program: Program) -> set[str]:
    return {memory["text"] for memory in document(program("list", "--json"))["memories"]}


@pytest.mark.slow
def test_a_home_that_is_locked_is_left_alone(home: Home, program: Program) -> None:
    """Somebody who holds the lock may have the database open."""
    program("remember", "the port is 5432")
    program("backup", "now")
    program("down")
    with home.lock.open("r+b") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = program("backup", "restore", "--yes")

    assert done.returncode == 1
    assert "already" in done.stderr
    assert not list(home.backups.glob("aside-*"))


def test_what_sessions_said_since_the_backup_is_learnt_again(
    command: Program, hooked: Hooked, home: Home
) -> None:
    command("remember", "the port is 5432")
    command("backup", "now")
    hooked("UserPromptSubmit", "s1", prompt="Remember: the staging host is db7.example.com.")
    settled(home)
    before = texts(command)

    done = document(command("backup", "restore", "--yes", "--json"))
    texts(command)
    settled(home)

    assert done["events"] == 1
    assert len(before) == 2
    assert texts(command) == before


@pytest.mark.slow
def test_a_backup_with_a_name_is_brought_back_by_it_and_deleted(
    command: Program, home: Home, tmp_path: Path
) -> None:
    command("remember", "the port is 5432")
    made = document(command("backup", "now", "monday", "--json"))
    again = command("backup", "now", "monday")
    command("remember", "the host is db1")
    (tmp_path / "monday").mkdir()
    (tmp_path / "friday").mkdir()
    no_file = command("backup", "restore", "friday", "--yes")
    (tmp_path / "monday").rmdir()
    (tmp_path / "monday").write_text("a file of the project")
    restored = command("backup", "restore", "monday", "--yes")
    kept = texts(command)
    deleted = command("backup", "delete", "monday")

    assert made["file"].endswith("-monday.db")
    assert "there is a backup 'monday'" in again.stderr
    assert "there is no backup 'friday'" in no_file.stderr
    assert restored.returncode == 0, restored.stderr
    assert kept == {"the port is 5432"}
    assert deleted.stdout == "deleted monday\n"
    assert not list(home.backups.glob("*monday*"))
