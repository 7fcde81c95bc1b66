"""A daemon after its database was repaired: the journal tells again what was lost."""

from __future__ import annotations

import apsw

from daemon.durability.repair import repair
from daemon.storage.database.sql import Sql
from tests.clock import BEGINNING
from tests.daemon.process import Daemon, prompt

PAGE = 4096  # bytes
TOLD = [
    f"remember that the {name} of staging is {9000 + n}"
    for n, name in enumerate(("port", "queue size", "worker limit", "cache size"))
]


def test_memories_that_are_lost_are_made_once_more_of_their_events(daemon: Daemon) -> None:
    for number, text in enumerate(TOLD):
        daemon.hook(number.to_bytes(16, "big"), prompt(text))
    daemon.settled()
    before = {memory["text"] for memory in daemon.ask("list", limit=99)["memories"]}
    daemon.end()
    lose_memories(daemon)

    done = repair(daemon.home, BEGINNING)
    daemon.start()
    daemon.settled()
    after = {memory["text"] for memory in daemon.ask("list", limit=99)["memories"]}

    assert len(before) == len(TOLD)
    assert (done.memories.salvaged, done.memories.missing) == (0, len(TOLD))
    assert (done.events.salvaged, done.replayed) == (len(TOLD), len(TOLD))
    assert after == before


def lose_memories(daemon: Daemon) -> None:
    """Overwrite the page at which the table of memories begins."""
    path = daemon.home.database
    connection = apsw.Connection(str(path))
    root = Sql(connection).number("SELECT rootpage FROM sqlite_schema WHERE name = 'memory'")
    connection.close()
    with path.open("r+b") as file:
        file.seek((root - 1) * PAGE)
        file.write(b"\xff" * PAGE)
