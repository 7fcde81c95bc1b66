"""A real daemon with short intervals: it dreams when nobody is there, and lets people in.

The first dream is due as soon as anything is there. The store is large enough that a dream takes a while: what is waited
for is seen in the store itself, since to ask a daemon is to be somebody.
"""

from __future__ import annotations

from contextlib import closing
from typing import Any

import apsw
import pytest
import trio

from daemon.schedule import AT_START
from daemon.storage.database.sql import Sql
from lab.benchmarks import house
from tests.daemon.conftest import Make
from tests.daemon.process import Daemon, prompt, wait_for
from tests.patience import PATIENCE

MANY = 5_000  # memories: a dream of seconds
SHORT = {
    "REVERIE_DREAMING_EVERY": "0.2",
    "REVERIE_DAEMON_IDLE": "1.5",
    "REVERIE_DAEMON_SETTLE": "0.2",
    "REVERIE_DAEMON_LOAD": "1000000",  # a busy machine is no reason here
    "REVERIE_DAEMON_ON_BATTERY": "true",
}


def dreams(daemon: Daemon) -> list[dict[str, Any]]:
    """What the store says of dreams; nobody notices the question."""
    path = str(daemon.home.database)
    with closing(apsw.Connection(path, flags=apsw.SQLITE_OPEN_READONLY)) as raw:
        raw.setbusytimeout(round(1000 * PATIENCE))
        names = ("id", "why", "outcome", "stage", "began_at")
        return [
            dict(zip(names, row, strict=True))
            for row in Sql(raw).rows(f"SELECT {', '.join(names)} FROM dream ORDER BY id")
        ]


def started(daemon: Daemon) -> float:
    """When the session's start was reported."""
    with closing(apsw.Connection(str(daemon.home.database))) as raw:
        (first,) = Sql(raw).rows("SELECT min(received_at) FROM journal")
        return float(first[0])


def is_under_way(daemon: Daemon) -> bool:
    """Whether a dream has begun and is not over."""
    return any(one["outcome"] is None for one in dreams(daemon))


def is_over(daemon: Daemon) -> bool:
    """Whether there was a dream and all are over."""
    found = dreams(daemon)
    return bool(found) and all(one["outcome"] == "finished" for one in found)


def job(daemon: Daemon) -> dict[str, Any]:
    """What status says of dreaming; whoever looks on is nobody."""
    found: dict[str, Any] = daemon.ask("status")["schedule"]["dream"]
    return found


@pytest.fixture
def many(make: Make) -> Daemon:
    """A daemon over many memories that is not started yet."""
    daemon = make(**SHORT)
    trio.run(house.made, daemon.home, MANY)
    return daemon


def test_it_dreams_by_itself_once_nobody_is_there(make: Make) -> None:
    """And not again at once."""
    daemon = make(**SHORT).start()
    for n in range(6):
        daemon.remember(f"Ticket {n}: the staging deploy failed because disk {n} was full")
    wait_for(lambda: is_over(daemon), daemon.running)
    wait_for(
        lambda: "the last dream was only just" in (job(daemon)["waits_for"] or ""), daemon.running
    )

    assert [(one["why"], one["stage"]) for one in dreams(daemon)] == [("the schedule", "transfer")]
    assert job(daemon)["last_ran"] is not None


@pytest.mark.slow
def test_a_prompt_stops_a_dream_which_goes_on_when_it_is_quiet_again(many: Daemon) -> None:
    """The same dream; meanwhile status says what it waits for."""
    daemon = many.start()
    wait_for(lambda: is_under_way(daemon), daemon.running)
    asked = 0

    def waits_for_somebody() -> bool:
        nonlocal asked
        asked += 1
        daemon.hook(asked.to_bytes(16, "big"), prompt("Which port does staging use?"))
        return bool(job(daemon)["waits_for"] == "somebody is working")

    wait_for(waits_for_somebody, daemon.running)
    (stopped,) = dreams(daemon)
    wait_for(lambda: is_over(daemon), daemon.running)
    (finished,) = dreams(daemon)

    assert stopped["outcome"] is None
    assert (finished["id"], finished["began_at"]) == (stopped["id"], stopped["began_at"])
    assert (finished["outcome"], finished["stage"]) == ("finished", "transfer")


@pytest.mark.slow
@pytest.mark.parametrize("stop", ["SIGKILL", "SIGTERM"])
def test_a_dream_that_the_daemons_end_cut_off_goes_on_after_the_restart(
    many: Daemon, stop: str
) -> None:
    """Issue 5, 3: what its stages had found is there, once. Who stops a daemon stops no dream."""
    daemon = many.start()
    wait_for(lambda: is_under_way(daemon), daemon.running)
    if stop == "SIGKILL":
        daemon.kill()
    else:
        daemon.end()
    (cut,) = dreams(daemon)
    daemon.start()
    wait_for(lambda: is_over(daemon), daemon.running)
    (finished,) = dreams(daemon)

    assert cut["outcome"] is None
    assert (finished["id"], finished["began_at"]) == (cut["id"], cut["began_at"])
    assert (finished["outcome"], finished["stage"]) == ("finished", "transfer")


def test_a_sessions_start_begins_a_dream_that_a_prompt_does_not_stop(make: Make) -> None:
    """Although somebody is there; the first answer is long out."""
    daemon = make(**SHORT | {"REVERIE_DAEMON_IDLE": "3600"})
    daemon.start()
    for n in range(6):
        daemon.remember(f"Ticket {n}: the staging deploy failed because disk {n} was full")
    start = {"hook_event_name": "SessionStart", "session_id": "s1", "cwd": "/", "source": "startup"}
    daemon.hook(b"\x01" * 16, start)
    daemon.hook(b"\x02" * 16, prompt("Which port does staging use?"))
    wait_for(lambda: is_over(daemon), daemon.running)
    (dream,) = dreams(daemon)

    assert dream["why"] == "a session's start"
    assert dream["began_at"] >= started(daemon) + AT_START - 0.5  # a wall clock may be set a little
