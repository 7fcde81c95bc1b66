"""Consolidation in a real daemon: whoever leaves ends it, and the store is whole."""

from __future__ import annotations

import socket
import time
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import apsw
import trio

from actors.consolidation.consolidation import PAGE
from daemon.home import Home
from daemon.requests.consolidation import ConsolidateNow
from daemon.storage.database.sql import Sql
from daemon.storage.store import open_store
from daemon.wire import PROGRESS, Decoder, Frame, encoded
from tests.daemon.conftest import Make
from tests.daemon.process import Daemon, wait_for
from tests.patience import PATIENCE
from tests.writing import new, written

PAGES = 20


async def filled(home: Home) -> None:
    """Twenty pages of memories."""
    async with open_store(home) as store:
        await written(store, *(new(f"memory number {n}") for n in range(PAGES * PAGE)))


def relevances(daemon: Daemon) -> int:
    connection = apsw.Connection(str(daemon.home.database), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        return Sql(connection).number("SELECT count(*) FROM relevance")
    finally:
        connection.close()


@contextmanager
def asking(daemon: Daemon, body: dict[str, Any]) -> Generator[socket.socket]:
    """A connection on which a person has asked for a cycle."""
    with socket.socket(socket.AF_UNIX) as stream:
        stream.settimeout(PATIENCE)
        stream.connect(daemon.home.address.read_text(encoding="utf-8").strip())
        stream.sendall(encoded(Frame(1, ConsolidateNow.NAME, body)))
        yield stream


def replied(stream: socket.socket) -> Any:
    """The reply, after whatever was said of the progress."""
    decoder = Decoder()
    while data := stream.recv(65_536):
        decoder.feed(data)
        for frame in decoder.frames():
            if frame.kind != PROGRESS:
                return frame.body
    raise AssertionError("the daemon closed the connection")


def test_the_cycles_run_by_themselves_when_nobody_is_there(make: Make) -> None:
    """With every interval shortened; looking at the status is nobody's presence."""
    daemon = make(
        REVERIE_DAEMON_IDLE="0.2",
        REVERIE_DAEMON_SETTLE="0",
        REVERIE_DAEMON_LOAD="1000",
        REVERIE_DAEMON_ON_BATTERY="true",
        REVERIE_CONSOLIDATION_DECAY_EVERY="0.5",
    ).start()
    daemon.remember("the deploy goes through main")
    kept = daemon.ask("show", id="m1")["memory"]["created_at"]

    def ran() -> bool:
        """Whether it has run since; before it had nothing to look at."""
        ran_at = daemon.ask("status")["schedule"]["decay"]["last_ran"]
        return bool(ran_at is not None and ran_at > kept)

    wait_for(ran, daemon.running)

    assert daemon.ask("show", id="m1")["usage"]["relevance"] > 0.4


def test_who_leaves_ends_the_cycle_and_whole_pages_are_stored(make: Make) -> None:
    daemon = make()
    trio.run(filled, daemon.home)
    daemon.start()
    with asking(daemon, {"cycle": "decay"}):
        deadline = time.monotonic() + PATIENCE
        while not relevances(daemon) and time.monotonic() < deadline:
            time.sleep(0.001)
    # Nobody waits for the rest: the actor is free for the next one, which goes by what is there.
    with asking(daemon, {"cycle": "decay", "dry_run": True}) as stream:
        done = replied(stream)["cycles"][0]
    stored = relevances(daemon)

    assert 0 < stored < PAGES * PAGE
    assert stored % PAGE == 0
    assert done["looked_at"] == PAGES * PAGE
    assert done["changed"] == PAGES * PAGE - stored
