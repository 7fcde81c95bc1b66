"""Learning in bulk and taking it back, beside a real daemon: what the sitting of it cannot show.

Names of runs and times of commits differ from run to run; all else is in ``transcripts/learn.txt``.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.cli.conftest import Program, document
from tests.repositories import git

HANDOFF = """# Handoff

## Gotchas

- **`make lint` hangs on macOS**: the watcher waits for `fsevents`, because the sandbox denies it.
- **Never run `reset.sh` on staging**: it drops the `orders` table, since both share one database.
"""
ADR = """# Decisions

- We chose `trio` over `asyncio` because a cancelled `await` must never leak a socket.
"""


def texts(command: Program) -> list[str]:
    """Texts of the living memories, as they were made."""
    return sorted(one["text"] for one in document(command("list", "--json"))["memories"])


def test_a_note_of_the_last_run_that_stays_does_not_hide_the_run_before(
    command: Program, tmp_path: Path
) -> None:
    git(tmp_path, "init", "-q")
    (tmp_path / "docs/adr").mkdir(parents=True)
    (tmp_path / "docs/adr/0001-loop.md").write_text(ADR)
    (tmp_path / "HANDOFF.md").write_text(HANDOFF)
    command("learn", "--docs", "docs", "--yes")
    command("learn", "--docs", "--yes")
    kept = next(
        one for one in document(command("list", "--json"))["memories"] if "Never" in one["text"]
    )
    command("pin", kept["id"])
    command("learn", "--undo")
    command("learn", "--undo")

    assert texts(command) == [kept["text"]]


def test_a_run_that_is_named_is_taken_back_from_anywhere(command: Program, tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/notes.md").write_text(HANDOFF)
    run = document(command("learn", "--docs", "docs", "--yes", "--json"))["run"]

    assert document(command("learn", "--undo", run, "--json"))["count"] == 2


# ---- Commits


MARCH = 1_772_618_400  # 2026-03-04T10:00 UTC
REASON = """Retry uploads with a jitter of 20 %

Without it all workers came back at once after a failure, so that the gateway was down again."""
LATER = """Cache the price table for a minute

The price service allows 10 calls a second, because it is billed by call."""
SECRET = """Read the key of the mail server from the environment

It stood in the source as AKIAIOSFODNN7EXAMPLE, so that everybody who cloned it could send mail."""


def commit(folder: Path, message: str, at: int, author: str = "Ada") -> None:
    git = ["git", "-C", str(folder), "-c", f"user.name={author}", "-c", "user.email=a@b.example"]
    dates = {"GIT_AUTHOR_DATE": f"{at} +0000", "GIT_COMMITTER_DATE": f"{at} +0000"}
    subprocess.run(
        [*git, "commit", "-q", "--allow-empty", "-m", message],
        check=True, env={**os.environ, **dates},
    )  # fmt: skip


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with three commits that say why, one that does not, and one of a machine."""
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    messages = [
        REASON,
        "Collect coverage from the jobs instead of running all tests again",
        SECRET,
        LATER,
    ]
    for number, message in enumerate(messages):
        author = "Grace" if message == LATER else "Ada"
        commit(tmp_path, message, MARCH + number * 86_400, author)
    commit(tmp_path, REASON.replace("uploads", "robots"), MARCH + 9 * 86_400, "renovate[bot]")
    return tmp_path


def test_reasons_of_commits_are_shown_learnt_once_dated_and_taken_back(
    command: Program, repository: Path
) -> None:
    shown = command("learn", "--git", stdin="n\n")
    before = texts(command)
    learnt = document(command("learn", "--git", "--yes", "--json"))
    notes = document(command("list", "--json"))["memories"]
    again = command("learn", "--git", "--yes")
    undone = command("learn", "--undo")

    assert "4 commits with 3 items worth a note, 3 of them new" in shown.stdout
    assert before == []
    assert (learnt["notes"], learnt["commits"]) == (3, 4)
    assert sorted(round(one["created_at"]) for one in notes) == [
        MARCH, MARCH + 2 * 86_400, MARCH + 3 * 86_400,
    ]  # fmt: skip
    assert [one["origin"].partition(" by ")[2] for one in notes] == ["Grace", "Ada", "Ada"]
    assert "AKIA" not in json.dumps(notes)
    assert again.stdout == "learnt nothing new of 4 commits\n"
    assert "took back 3 notes" in undone.stdout, undone.stderr
    assert texts(command) == []


def test_the_newest_commit_comes_first_and_a_pause_is_left_out(
    command: Program, repository: Path
) -> None:
    (repository / "private").mkdir()
    newest = document(command("learn", "--git", "--json"))
    (repository / ".nomemory").touch()
    off = document(command("learn", "--git", "--json"))

    assert newest["documents"][0]["place"].endswith(" Cache the price table for a minute")
    assert (off["off"], off["documents"]) == (4, [])


def test_what_was_taken_back_gives_way_to_why(command: Program, repository: Path) -> None:
    head = subprocess.run(
        ["git", "-C", str(repository), "rev-parse", "HEAD~1"],
        capture_output=True, text=True, check=True,
    ).stdout.strip()  # fmt: skip
    back = f'Revert "Cache the price table for a minute"\n\nThis reverts commit {head}.\n\n'
    why = "Customers saw old prices, because the cache outlived a change of the contract."
    commit(repository, back + why, MARCH + 20 * 86_400)
    command("learn", "--git", "--yes")

    about = [one for one in texts(command) if "price" in one]
    assert about == [f'Revert "Cache the price table for a minute". {why}']
