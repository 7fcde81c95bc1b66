"""Documents of a project learnt in bulk, and taken back, beside a real daemon."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Program, document

HANDOFF = """# Handoff

## Gotchas

- **`make lint` hangs on macOS**: the watcher waits for `fsevents`, because the sandbox denies it.
- **Never run `reset.sh` on staging**: it drops the `orders` table, since both share one database.
"""
ADR = """# Decisions

- We chose `trio` over `asyncio` because a cancelled `await` must never leak a socket.
"""
CHANGES = "# Changelog\n\n## 1.0\n\nThe `marzipan` oven can be preheated twice in one session.\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository with documents: two that say something, one to search, others left out."""
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    texts = {
        "HANDOFF.md": HANDOFF,
        "docs/adr/0001-loop.md": ADR,
        "CHANGELOG.md": CHANGES,
        ".gitignore": "private/\n",
        "private/notes.md": HANDOFF.replace("staging", "private"),
        "quiet/notes.md": HANDOFF.replace("staging", "quiet"),
        "quiet/.nomemory": "",
        "large.md": HANDOFF.replace("staging", "large") + "x" * 300_000,
        "main.py": "print('never')\n",
    }
    for place, text in texts.items():
        path = tmp_path / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def texts(command: Program) -> list[str]:
    """Texts of the living memories, as they were made."""
    return sorted(one["text"] for one in document(command("list", "--json"))["memories"])


def news(found: dict[str, Any]) -> dict[str, list[bool]]:
    """Whether each item is new, by the document that says it."""
    return {one["place"]: [item["new"] for item in one["items"]] for one in found["documents"]}


def passages(command: Program, words: str) -> int:
    return len(document(command("recall", "--passages", words, "--json"))["passages"])


def test_a_preview_tells_what_would_be_learnt_and_changes_nothing(
    command: Program, project: Path
) -> None:
    shown = command("learn", "--docs", stdin="n\n")
    found = document(command("learn", "--docs", "--json"))

    assert shown.returncode == 1
    assert "HANDOFF.md" in shown.stdout
    assert "trap, HANDOFF.md:5" in shown.stdout
    assert "nothing was learnt" in shown.stderr
    assert "1 document left out: where recording is switched off" in shown.stderr
    assert news(found) == {
        "CHANGELOG.md": [], "HANDOFF.md": [True, True], "docs/adr/0001-loop.md": [True],
    }  # fmt: skip
    assert (found["off"], found["unread"], found["run"]) == (1, 1, "")
    assert texts(command) == []
    assert passages(command, "marzipan") == 0


def test_what_is_confirmed_is_learnt_once_and_taken_back_as_often_as_one_likes(
    command: Program, project: Path
) -> None:
    done = command("learn", "--docs", stdin="y\n")
    first = texts(command)
    again = document(command("learn", "--docs", "--yes", "--json"))
    second = texts(command)
    searched = passages(command, "marzipan oven")
    undone = command("learn", "--undo")

    assert done.returncode == 0, done.stderr
    assert "take it back: reverie learn --undo learn-" in done.stdout
    assert len(first) == 3
    assert not any("private" in one or "quiet" in one or "large" in one for one in first)
    assert second == first
    assert (again["notes"], again["passages"]) == (0, 0)
    assert not any(new for one in news(again).values() for new in one)
    assert searched == 1
    assert "took back 3 notes" in undone.stdout, undone.stderr
    assert texts(command) == []
    assert passages(command, "marzipan oven") == 0
    run = document(command("learn", "--docs", "--yes", "--json"))["run"]
    assert texts(command) == first
    assert document(command("learn", "--undo", run, "--json"))["count"] == 3
    assert texts(command) == []
    left = command("learn", "--undo")
    assert left.returncode == 1
    assert "is left to take back" in left.stderr


def test_undo_leaves_what_others_said_and_brings_back_what_the_run_ended(
    command: Program, project: Path
) -> None:
    document(command("learn", "--docs", "--yes", "--json"))
    before = texts(command)
    (project / "HANDOFF.md").write_text(HANDOFF.split("- **Never")[0])
    (project / "NOTES.md").write_text(ADR.replace("socket", "file descriptor of a `Pipe`"))
    document(command("learn", "--docs", "--yes", "--json"))
    changed = texts(command)
    command("learn", "--undo")

    assert changed != before
    assert texts(command) == before


def test_a_memory_that_a_person_pinned_stays(command: Program, project: Path) -> None:
    document(command("learn", "--docs", "--yes", "--json"))
    kept = document(command("list", "--json"))["memories"][0]
    command("pin", kept["id"])

    assert document(command("learn", "--undo", "--json"))["count"] == 2
    assert texts(command) == [kept["text"]]


def test_a_folder_of_the_project_is_enough(command: Program, project: Path) -> None:
    found = document(command("learn", "--docs", "docs", "--json"))
    assert [one["place"] for one in found["documents"]] == ["docs/adr/0001-loop.md"]


def test_one_of_the_two_is_needed(command: Program) -> None:
    assert command("learn").returncode == 2
    assert command("learn", "--docs", ".", "--undo", "learn-1").returncode == 2
    assert command("learn", "--docs", "missing").returncode == 1
    assert "no run" in command("learn", "--undo", "learn-none").stderr


def test_what_a_person_says_as_well_stays(command: Program, project: Path) -> None:
    document(command("learn", "--docs", "--yes", "--json"))
    said = next(one for one in texts(command) if "trio" in one)
    command("remember", said, "--project", ".")

    assert document(command("learn", "--undo", "--json"))["count"] == 2
    assert texts(command) == [said]


def test_what_another_document_said_before_is_not_new_and_is_taken_back(
    command: Program, project: Path
) -> None:
    (project / "docs/notes.md").write_text(HANDOFF)
    command("learn", "--docs", "docs", "--yes")
    preview = news(document(command("learn", "--docs", "--json")))
    command("learn", "--docs", "--yes")
    command("learn", "--undo")
    command("learn", "--undo")

    assert preview["HANDOFF.md"] == preview["docs/notes.md"] == [False, False]
    assert texts(command) == []


def test_two_new_documents_that_say_the_same_give_one_note(command: Program, project: Path) -> None:
    (project / "docs/notes.md").write_text(HANDOFF)
    preview = news(document(command("learn", "--docs", "--json")))

    assert (preview["HANDOFF.md"], preview["docs/notes.md"]) == ([True, True], [False, False])
    assert document(command("learn", "--docs", "--yes", "--json"))["notes"] == 3


def test_a_note_of_the_last_run_that_stays_does_not_hide_the_run_before(
    command: Program, project: Path
) -> None:
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


def test_a_preview_tells_how_many_notes_would_end(command: Program, project: Path) -> None:
    command("learn", "--docs", "--yes")
    (project / "HANDOFF.md").write_text(HANDOFF.split("- **Never")[0])

    assert "0 of them new; 1 earlier note ends" in command("learn", "--docs", stdin="n\n").stdout
    assert len(texts(command)) == 3


def test_a_run_that_brings_passages_alone_says_so_and_how_to_take_them_back(
    command: Program, tmp_path: Path
) -> None:
    (tmp_path / "CHANGELOG.md").write_text(CHANGES)
    told = command("learn", "--docs", "--yes").stdout

    assert "learnt 0 notes and 1 passage of 1 document" in told
    assert "take it back: reverie learn --undo learn-" in told
    assert "learnt nothing new of 1 document" in command("learn", "--docs", "--yes").stdout


def test_where_git_gives_no_list_nothing_is_read(command: Program, project: Path) -> None:
    (project / ".git/index").write_bytes(b"broken")

    shown = command("learn", "--docs")

    assert (shown.returncode, shown.stdout) == (1, "")
    assert "git did not list" in shown.stderr


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
    shown = command("learn", "--git", "--dry-run")
    before = texts(command)
    learnt = document(command("learn", "--git", "--yes", "--json"))
    notes = document(command("list", "--json"))["memories"]
    again = command("learn", "--git", "--yes")
    undone = command("learn", "--undo")

    assert "4 commits with 3 items worth a note, 3 of them new" in shown.stdout
    assert "Retry uploads with a jitter" in shown.stdout
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


def test_the_newest_commits_come_first_and_a_pause_is_left_out(
    command: Program, repository: Path
) -> None:
    (repository / "private").mkdir()
    newest = document(command("learn", "--git", "--limit", "2", "--json"))
    (repository / ".nomemory").touch()
    off = document(command("learn", "--git", "--json"))

    assert [one["place"].split(" ", 1)[1] for one in newest["documents"]] == [
        "Cache the price table for a minute"
    ]
    assert (off["off"], off["documents"]) == (4, [])


def test_a_reason_that_is_remembered_is_not_learnt_twice(
    command: Program, repository: Path
) -> None:
    command("learn", "--git", "--yes")
    kept = texts(command)
    commit(repository, "Serve the docs from the cache\n\nThe origin is slow because it renders each page.", MARCH + 20 * 86_400)  # fmt: skip

    learnt = document(command("learn", "--git", "--yes", "--json"))

    assert learnt["notes"] == 1
    assert len(texts(command)) == len(kept) + 1


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


def test_outside_of_git_there_is_no_history(command: Program, tmp_path: Path) -> None:
    done = command("learn", "--git")

    assert done.returncode == 1
    assert "git told no commits of this folder" in done.stderr
