"""Dreams through a real daemon: ordered, seen, cancelled, and gone on with."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import Any

import pytest
import trio

from actors.memory.writes import ModelChosen
from daemon.api.dreams import DreamNow
from daemon.home import Home
from daemon.storage.store import open_store
from daemon.wire import Decoder, Frame, encoded
from tests.daemon.conftest import Make
from tests.daemon.process import PROGRAM, Daemon, wait_for
from tests.patience import PATIENCE, ROOT
from tests.writing import DIMENSIONS, MODEL, new, vectors, written

NOTES = (
    "The staging deploy failed because the disk was full",
    "The staging deploy failed again: the disk was full",
    "Deploying to staging failed, no space left on the disk",
    "The invoice service rounds totals to the cent",
    "Renovate opens its pull requests on Monday",
)
MANY = 3_000  # memories over which a dream takes a second or more


async def _filled(home: Home, count: int) -> None:
    async with open_store(home) as store:
        texts = [f"{NOTES[n % 5]} in case {n // 5} of service{n % 97}" for n in range(count)]
        ids = await written(store, *(new(text) for text in texts))
        await written(store, ModelChosen(MODEL, DIMENSIONS))
        meant = zip(ids, texts, strict=True)
        await written(store, *(vectors(one, text, one % DIMENSIONS) for one, text in meant))


@pytest.fixture
def filled(make: Make) -> Daemon:
    """A daemon with enough to dream of for a while."""
    daemon = make()
    trio.run(_filled, daemon.home, MANY)
    return daemon.start()


def dreamt(daemon: Daemon, *, now: bool = True) -> Any:
    """What came of a dream."""
    with daemon.line() as line:
        line.send(encoded(Frame(1, DreamNow.NAME, {"now": now})))
        return _frames(line)[-1].body


def noted(daemon: Daemon) -> list[str]:
    return [daemon.remember(note) for note in NOTES]


def test_a_dream_by_hand_is_told_as_the_last_one_that_ran(daemon: Daemon) -> None:
    noted(daemon)
    before = daemon.ask("status")["schedule"]["dream"]["last_ran"]
    dreamt(daemon)
    after = daemon.ask("status")["schedule"]["dream"]["last_ran"]

    assert (before, after is None) == (None, False)


def test_control_c_stops_the_dream_at_its_next_checkpoint(filled: Daemon) -> None:
    """The command is gone at once, and the daemon does not dream on for nobody."""
    command = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, "dream", "--now"],
        cwd=ROOT, env={**os.environ, "REVERIE_HOME": str(filled.home.root)},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    wait_for(lambda: bool(filled.ask("status")["actors"]["dreaming"]["dreaming"]), filled.running)
    command.send_signal(signal.SIGINT)
    command.communicate(timeout=PATIENCE)
    wait_for(lambda: not filled.ask("status")["actors"]["dreaming"]["dreaming"], filled.running)
    (dream,) = filled.ask("dreams")["dreams"]

    assert command.returncode not in (0, None)
    assert dream["outcome"] is None  # it begins anew in the next pause


def _frames(line: Any) -> list[Frame]:
    """Progress, and the last word."""
    decoder, found = Decoder(), list[Frame]()
    while not found or found[-1].kind == "progress":
        decoder.feed(line.stream.recv(65_536))
        found += decoder.frames()
    return found
