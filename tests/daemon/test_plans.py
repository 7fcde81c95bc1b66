"""Plans and the archivist through a real daemon."""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest
import trio

from actors.memory.writes import DueAt
from daemon.storage.store import open_store
from daemon.times import WallClock
from tests.daemon.conftest import Make
from tests.daemon.process import Daemon, prompt, wait_for
from tests.writing import written

# A daemon for which everything that three sessions were shown is old enough at once.
HURRIED = {"REVERIE_ARCHIVIST_AGE_DAYS": "1e-9"}
SOON = 3.0  # seconds: the daemon has started by then
PORT = "The staging database listens on port 5433."
ASKED = "which port is the staging database on?"
LINTER = "The linter is ruff."


def shown(daemon: Daemon, *prompts: str) -> None:
    """Three sessions are shown what these call for, and make no use of it."""
    for session in "abc":
        for number, text in enumerate(prompts):
            daemon.hook(f"shown{session}{number:010}".encode(), prompt(text, f"s-{session}"))


async def looked_for(daemon: Daemon) -> None:
    """The archivist's job is due soon after the next start, which would else be in two hours."""
    async with open_store(daemon.home) as store:
        await written(store, DueAt("archive", WallClock().now() + SOON, None))


def scanned(daemon: Daemon) -> None:
    """The archivist has looked."""
    daemon.end()
    trio.run(looked_for, daemon)
    daemon.start()
    wait_for(lambda: bool(daemon.ask("status")["actors"]["archivist"]["scans"]), daemon.running)


def told(daemon: Daemon, session: str) -> str:
    """What an agent is told as a session starts."""
    event = {
        "hook_event_name": "SessionStart", "session_id": session, "cwd": "/", "source": "startup",
    }  # fmt: skip
    return daemon.hook(f"start-{session:10.10}".encode(), event).decode()


def waiting(daemon: Daemon) -> list[dict[str, Any]]:
    return list(daemon.ask("plans")["plans"])


@pytest.fixture
def planned(make: Make) -> tuple[Daemon, str]:
    """A daemon whose archivist has proposed to archive the one memory that nobody used."""
    daemon = make(**HURRIED).start()
    memory = daemon.remember(PORT)
    daemon.remember(LINTER)
    shown(daemon, ASKED)
    scanned(daemon)
    wait_for(lambda: bool(waiting(daemon)), daemon.running)
    return daemon, memory


def test_a_plan_waits_is_told_done_and_taken_back(planned: tuple[Daemon, str]) -> None:
    daemon, memory = planned
    (plan,) = waiting(daemon)
    assert [step["memory"] for step in plan["steps"]] == [memory]
    assert daemon.ask("status")["plans"] == 1
    assert "reverie plans" in told(daemon, "s1")
    later = count(2)  # an event that comes again is told nothing
    wait_for(lambda: "reverie plans" not in told(daemon, f"s{next(later)}"), daemon.running)
    before = daemon.ask("show", id=memory)["memory"]

    done = daemon.ask("decide-plan", decision="apply", id=plan["id"])
    assert (done["count"], done["plan"]["state"]) == (1, "applied")
    assert PORT not in daemon.recall(ASKED)
    assert daemon.ask("show", id=memory)["memory"]["ended"] == "archived"
    undone = daemon.ask("decide-plan", decision="undo", id=plan["id"])
    assert (undone["count"], undone["plan"]["state"]) == (1, "undone")
    assert daemon.recall(ASKED)[0] == PORT
    after = daemon.ask("show", id=memory)["memory"]
    assert {**after, "retrievability": 0} == {
        **before,
        "retrievability": 0,
        "exposures": after["exposures"],
        "state": after["state"],
    }


def test_brought_back_an_archived_memory_is_back(planned: tuple[Daemon, str]) -> None:
    daemon, memory = planned
    daemon.ask("decide-plan", decision="apply", id=waiting(daemon)[0]["id"])
    daemon.ask("unforget", ids=[memory])

    assert daemon.ask("show", id=memory)["memory"]["ended"] is None
    assert daemon.recall(ASKED)[0] == PORT
