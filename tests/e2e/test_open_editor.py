"""Editors that are open while their daemon is killed: it is back for all of them, whatever they ask."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import ExitStack

import pytest

from daemon.launch import own_command
from daemon.lock import was_killed
from lab.benchmarks import instruments
from tests.e2e.conftest import Reverie
from tests.lsp.editing import EditorClient

CODE = "def retry_budget():\n    return 3\n"
KILLS = 4  # the fourth came back after 11 seconds, the fifth after more than 25


@pytest.fixture
def two(reverie: Reverie) -> Generator[list[EditorClient]]:
    """Two editors with servers of their own on one home; they ask for nothing."""
    (reverie.folder / "pay.py").write_text(CODE)
    with ExitStack() as stack:
        command = [*own_command(), "lsp"]
        opened = [
            instruments.editor(reverie.environ, command, folder=reverie.folder) for _ in range(2)
        ]
        clients = [stack.enter_context(one)[0] for one in opened]
        for client in clients:
            client.initialize(capabilities={})
        yield clients


def daemons(reverie: Reverie) -> int:
    """Number of daemons that have begun to serve this home."""
    return reverie.home.log.read_text().count("daemon.host ready pid=")


def back(client: EditorClient, nth: int) -> None:
    """Wait until its server has found a daemon so many times."""
    client.wait("reverie/status", lambda status: status["state"] != "away", nth)


@pytest.mark.slow
def test_a_daemon_that_is_killed_again_and_again_is_back_for_editors_that_ask_nothing(
    reverie: Reverie, two: list[EditorClient]
) -> None:
    for kill in range(1, KILLS + 1):
        for client in two:
            back(client, kill)
        reverie.kill()
    for client in two:
        back(client, KILLS + 1)

    assert daemons(reverie) == KILLS + 1


def test_a_daemon_that_was_killed_and_then_told_to_leave_stays_away(
    reverie: Reverie, two: list[EditorClient]
) -> None:
    for client in two:
        back(client, 1)
    reverie.kill()

    done = reverie.run("down")

    assert done.returncode == 0
    assert reverie.pid() is None
    assert not was_killed(reverie.home)
