"""``merge``: another home, its preview, its question, its undoing, beside a real daemon."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import trio

from daemon.home import Home
from tests.cli.conftest import Program, Run, document
from tests.cli.test_backup import texts
from tests.durability import test_copies, test_merging

TOKEN = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"


@pytest.fixture
def other(tmp_path: Path) -> Home:
    """Another home with memories, one of which an earlier version let a secret into."""
    other = Home(tmp_path / "other")
    other.prepare()
    trio.run(test_merging.filled, other)
    trio.run(test_copies.filled, other, f"the token of the build is {TOKEN}")
    return other


def test_it_is_shown_and_asked_before_anything_comes(home: Home, other: Home, run: Run) -> None:
    home.prepare()
    early = run("merge", str(other.root))
    trio.run(test_merging.of_ours, home)
    shown = run("merge", str(other.root), "--json")
    refused = run("merge", str(other.root), input="n\n")
    failed = [
        run("merge", *words)
        for words in (["--undo"], ["--undo", "x"], [str(home.root)], ["/nowhere"])
    ]

    assert "'reverie up' makes one" in early.output
    assert json.loads(shown.output) == {
        "memories": 3, "ended": 1, "again": 0, "there": 1, "erased": 0, "noticed": 0,
        "intentions": 1, "run": "",
    }  # fmt: skip
    assert refused.output.startswith(
        "would bring 3 memories, 1 that had ended, 1 intention; left as it is: 1 here already\n"
    )
    assert "nothing was changed" in refused.output
    assert {done.exit_code for done in (early, refused, *failed)} == {1}
    assert (run("merge").exit_code, run("merge", "x", "--undo").exit_code) == (2, 2)
    assert sorted(test_merging.told(home)) == ["Shared by both.", "of ours"]
    assert not list(home.backups.iterdir())


@pytest.mark.slow
def test_it_is_merged_beside_a_daemon_and_taken_back(command: Program, other: Home) -> None:
    command("remember", "of ours")
    done = command("merge", str(other.root), stdin="y\n")
    run_name = done.stdout.split()[-1]
    came = texts(command)
    again = command("merge", str(other.root), "--yes")
    undone = document(command("merge", "--undo", run_name, "--json"))

    assert done.returncode == 0, done.stderr
    assert came == {
        "of ours", "the port is 5432", "the host is db2", "shared by both",
        "the token of the build is [REDACTED]",
    }  # fmt: skip
    assert again.stdout == "nothing new; left as it is: 5 here already\n"
    assert undone == {"run": run_name, "count": 4}
    assert texts(command) == {"of ours"}
