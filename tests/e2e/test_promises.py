"""What reverie promises of a whole life: nothing lost, nothing leaked, nothing left."""

from __future__ import annotations

import itertools
import json
import os
import random
import secrets
import shutil
import signal
import sqlite3
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest

from daemon.launch import own_command
from daemon.lock import alive
from tests.e2e.conftest import Reverie
from tests.patience import PATIENCE
from tests.repositories import git

CLIENTS = 8
EVENTS = 96
KILLS = 4


@pytest.fixture
def command() -> list[str]:
    """The installed program."""
    return own_command()


def kill_now_and_then(reverie: Reverie, over: threading.Event, killed: list[int]) -> None:
    """SIGKILL for the daemon at moments that nobody chose."""
    chance = random.Random(7)
    while not over.wait(chance.uniform(0.1, 0.6)) and len(killed) < KILLS:
        try:
            process = int(reverie.home.lock.read_text())
            os.kill(process, signal.SIGKILL)
            killed.append(process)
        except (OSError, ValueError):
            continue  # it is just being started


@pytest.mark.slow
def test_no_acknowledged_event_is_lost_when_the_daemon_is_killed(reverie: Reverie) -> None:
    token = "ghp_" + secrets.token_hex(18)
    reverie.document("up")
    numbers, acknowledged = itertools.count(), list[str]()
    over, killed = threading.Event(), list[int]()

    def client() -> None:
        while (number := next(numbers)) < EVENTS:
            done = reverie.hook(
                hook_event_name="UserPromptSubmit", session_id=f"s{number}", cwd="/shop",
                prompt=f"part {number} of the job uses {token}",
            )  # fmt: skip
            if done.returncode == 0:
                acknowledged.append(f"s{number}")

    clients = [threading.Thread(target=client, name=f"client-{n}") for n in range(CLIENTS)]
    killer = threading.Thread(target=kill_now_and_then, args=(reverie, over, killed), name="killer")
    for thread in (*clients, killer):
        thread.start()
    for thread in clients:
        thread.join()
    over.set()
    killer.join()
    reverie.document("up")
    reverie.settle()
    journal = reverie.journal()
    reverie.run("down")

    assert killed
    assert len(acknowledged) == EVENTS
    assert {event["session"] for event in journal} == set(acknowledged)
    assert len({event["event_id"] for event in journal}) == EVENTS
    assert "database is locked" not in reverie.home.log.read_text()
    assert reverie.files_with(token) == []
    with closing(sqlite3.connect(reverie.home.database)) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


@pytest.mark.parametrize(
    "order",
    [("forget", "--erase", "--yes"), pytest.param(("purge", "--yes"), marks=pytest.mark.slow)],
    ids=" ".join,
)
def test_what_is_erased_is_in_no_file(reverie: Reverie, order: tuple[str, ...]) -> None:
    reverie.document("up")
    reverie.hook(
        hook_event_name="UserPromptSubmit", session_id="s1", cwd=str(reverie.folder),
        prompt="We decided to use Quetzalcoatl for the billing queue.",
    )  # fmt: skip
    reverie.run("remember", "Quetzalcoatl listens on port 9911", "--trigger", "quetzalcoatl")
    reverie.settle()
    before = reverie.files_with("Quetzalcoatl")
    ids = [memory["id"] for memory in reverie.document("list")["memories"]]
    reverie.run("forget", *ids)
    reverie.run(*order, *(ids if order[0] == "forget" else ()))
    while_it_runs = reverie.files_with("Quetzalcoatl")
    reverie.run("down")

    assert len(ids) == 2
    assert before
    assert while_it_runs == []
    assert reverie.files_with("Quetzalcoatl") == reverie.files_with("quetzalcoatl") == []


def test_a_worktree_shares_what_another_project_does_not_see(reverie: Reverie) -> None:
    shop, tree, other = (reverie.folder / name for name in ("main", "tree", "other"))
    shop.mkdir()
    other.mkdir()
    git(shop, "init", "-q")
    git(shop, "commit", "-q", "--allow-empty", "-m", "begin")
    git(shop, "worktree", "add", "-q", str(tree))
    reverie.document("up")
    reverie.hook(
        hook_event_name="UserPromptSubmit", session_id="s1", cwd=str(shop),
        prompt="We decided to use Redis Streams for the order events.",
    )  # fmt: skip
    reverie.settle()

    def told(folder: Path) -> bytes:
        done = reverie.told(
            hook_event_name="UserPromptSubmit", session_id=folder.name, cwd=str(folder),
            prompt="What did we decide about Redis Streams for the order events?",
        )  # fmt: skip
        return done.stdout

    answer = json.loads(told(tree))["hookSpecificOutput"]
    assert "Redis Streams" in answer["additionalContext"]
    assert told(other) == b""


@pytest.mark.slow
def test_a_daemon_whose_home_was_removed_leaves_the_new_one_alone(reverie: Reverie) -> None:
    reverie.document("up")
    reverie.run("remember", "the port is 5432")
    old = reverie.pid()
    assert old is not None
    shutil.rmtree(reverie.home.root)
    done = reverie.hook(hook_event_name="Stop", session_id="s1", cwd="/shop")
    deadline = time.monotonic() + PATIENCE
    while alive(old) and time.monotonic() < deadline:
        time.sleep(0.05)
    new = reverie.document("up")["pid"]
    reverie.settle()

    assert done.returncode == 0
    assert not alive(old)
    assert new != old
    assert [event["session"] for event in reverie.journal()] == ["s1"]
    assert reverie.document("status")["memories"] == 0
