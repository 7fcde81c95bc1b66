"""``backup``: made by a real daemon, listed, checked, and brought back."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from daemon.durability.copies import BACKUP, copy_name
from daemon.home import Home
from daemon.requests.backup import BackedUp, BackupNow
from daemon.requests.shapes import Problem
from tests.cli.conftest import Hooked, Program, Run, document
from tests.cli.fake_daemon import FakeDaemon, Say
from tests.daemon.process import Daemon

MADE = BackedUp(file="/home/backups/b.db", at=0.0, size=1_200_000, memories=1, removed=0)


def settled(home: Home) -> None:
    """Wait until everything that happened is worked through."""
    daemon = Daemon(home)
    while daemon.ask("status")["undone"]:
        time.sleep(0.05)


def texts(program: Program) -> set[str]:
    return {memory["text"] for memory in document(program("list", "--json"))["memories"]}


def test_a_backup_is_made_listed_checked_and_brought_back(command: Program, home: Home) -> None:
    command("remember", "the port is 5432")
    made = command("backup", "now")
    command("remember", "the host is db1")
    status = document(command("status", "--json"))
    listed = document(command("backup", "list", "--json"))
    verified = command("backup", "verify")
    restored = command("backup", "restore", "--yes")

    (file,) = home.backups.glob("backup-*.db")
    assert made.returncode == 0, made.stderr
    assert made.stdout.startswith(f"{file}: 1 memory, ")
    assert made.stdout.count("\n") == 1
    assert [(one["file"], one["memories"]) for one in listed["backups"]] == [(file.name, 1)]
    assert status["backup"] == listed["backups"][0]["at"]
    assert verified.stdout.startswith(f"{file} is sound: 1 memory")
    assert restored.returncode == 0, restored.stderr
    assert "brought back 1 memory as of just now" in restored.stdout
    assert "what was kept by hand since is only in" in restored.stdout
    assert "the daemon has stopped" in restored.stderr
    assert texts(command) == {"the port is 5432"}

    (aside,) = home.backups.glob("aside-*.db")
    undone = command("backup", "restore", aside.name, "--yes")

    assert undone.returncode == 0, undone.stderr
    assert texts(command) == {"the port is 5432", "the host is db1"}


def test_nothing_is_brought_back_without_a_yes(command: Program, home: Home) -> None:
    command("remember", "the port is 5432")
    command("backup", "now")
    before = home.database.stat().st_ino

    done = command("backup", "restore", stdin="n\n")

    assert done.returncode == 1
    assert "today's database with 1 memory" in done.stderr
    assert "nothing was changed" in done.stderr
    assert home.database.stat().st_ino == before
    assert not list(home.backups.glob("aside-*"))


def test_progress_is_shown_and_a_failure_is_one_line(daemon: FakeDaemon, run: Run) -> None:
    def made(_request: BackupNow, say: Say) -> BackedUp:
        say({"done": 1, "total": 2})
        return MADE

    daemon.answers[BackupNow] = made
    done = run("backup", "now")
    daemon.reply(BackupNow, Problem(code="backup_failed", message="the disk is full"))
    failed = run("backup", "now")

    assert done.output == "/home/backups/b.db: 1 memory, 1.2 MB, sound\n"
    assert (failed.exit_code, failed.output.count("\n")) == (1, 1)
    assert "the disk is full" in failed.output


def test_without_a_backup_each_command_says_what_to_do(home: Home, run: Run) -> None:
    home.prepare()
    listed, verified, restored = (run("backup", name) for name in ("list", "verify", "restore"))

    assert (listed.exit_code, verified.exit_code, restored.exit_code) == (0, 1, 1)
    assert "reverie backup now" in listed.output
    assert "reverie backup now" in verified.output
    assert "no sound backup" in restored.output


@pytest.mark.parametrize("name", ["verify", "restore"])
@pytest.mark.parametrize("file", ["nothing.db", "/nowhere/nothing.db", ".", ""])
def test_a_file_that_is_not_there_is_named(home: Home, run: Run, name: str, file: str) -> None:
    home.prepare()
    done = run("backup", name, file or "x")

    assert done.exit_code == 1
    assert "there is no backup" in done.output


def test_a_damaged_one_is_said_to_be_and_is_not_brought_back(home: Home, run: Run) -> None:
    home.prepare()
    broken = home.backups / copy_name(BACKUP, 1.8e9)
    broken.write_bytes(b"not a database " * 1_000)
    verified, restored = run("backup", "verify"), run("backup", "restore", str(broken))
    listed = run("backup", "list")

    assert verified.exit_code == restored.exit_code == 1
    assert "is not sound" in verified.output
    assert "cannot be brought back: it is not sound" in restored.output
    assert "cannot be read" in listed.output


@pytest.mark.slow
def test_a_home_that_is_locked_is_left_alone(home: Home, program: Program, tmp_path: Path) -> None:
    """Somebody who holds the lock may have the database open."""
    import fcntl

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
