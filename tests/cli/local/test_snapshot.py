"""``snapshot``: named, shown, and some memories of one brought back beside a real daemon."""

from __future__ import annotations

import pytest

from daemon.durability.copying import keep
from daemon.home import Home
from tests.cli.conftest import Program, Run, document
from tests.cli.test_backup import texts
from tests.durability.test_copies import filled


@pytest.mark.slow
def test_some_memories_of_a_snapshot_are_brought_back_and_that_is_undone(
    command: Program, home: Home
) -> None:
    command("remember", "the port is 5432", "--project", "/shop")
    command("remember", "the host is db1")
    made = command("snapshot", "make", "monday")
    again = command("snapshot", "make", "monday")
    command("edit", "m1", "the port is 6543")
    command("forget", "m2")
    command("remember", "said since", "--project", "/shop")
    preview = document(command("snapshot", "restore", "monday", "--project", "/shop", "--json"))
    refused = command("snapshot", "restore", "monday", "--project", "/shop", stdin="n\n")
    before = texts(command)
    done = command("snapshot", "restore", "monday", "--project", "/shop", stdin="y\n")
    after = texts(command)
    undone = command("snapshot", "restore", "before-restore", "--project", "/shop", "--yes")

    assert made.stdout.startswith("monday: 2 memories, ")
    assert "delete it first" in again.stderr
    assert (preview["back"], preview["changed"], preview["newer"]) == ([], [1], 1)
    assert refused.returncode == 1
    assert "m1  changes back  the port is 5432" in refused.stdout
    assert "nothing was changed" in refused.stderr
    assert before == {"the port is 6543", "said since"}
    assert after == {"the port is 5432", "said since"}
    assert "0 memories brought back, 1 changed back, 0 ended again, 1 left alone" in done.stdout
    assert "undo it: reverie snapshot restore before-restore --project /shop" in done.stdout
    assert undone.returncode == 0, undone.stderr
    assert texts(command) == before

    whole = command("snapshot", "restore", "monday", "--yes")
    listed = document(command("snapshot", "list", "--json"))["snapshots"]
    sound = document(command("backup", "verify", "monday", "--json"))
    deleted = command("snapshot", "delete", "monday")

    assert whole.returncode == 0, whole.stderr
    assert texts(command) == {"the port is 5432", "the host is db1"}
    assert [(one["file"], one["memories"]) for one in listed] == [
        ("before-restore", 1 + 1), ("monday", 2),
    ]  # fmt: skip
    assert sound["memories"] == 2
    assert deleted.stdout.startswith("deleted monday, made ")
    assert not list(home.backups.glob("*monday*"))


@pytest.mark.trio
async def test_a_name_that_is_no_name_is_refused(home: Home, run: Run) -> None:
    home.prepare()
    await filled(home, "the port is 5432")
    keep(home, "monday", 1.8e9)
    named = [run("snapshot", "make", name) for name in ("../up", "", "a b", "x" * 41, "monday")]
    same = run("snapshot", "restore", "monday", "--project", "/shop")

    assert {done.exit_code for done in named} == {1}
    assert same.output.startswith("nothing to bring back: ")
