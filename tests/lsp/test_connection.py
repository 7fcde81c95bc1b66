"""The connection to the daemon, on an event loop of its own."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import anyio
import pytest
from anyio.streams.memory import MemoryObjectReceiveStream

from daemon.api.about import Match
from daemon.api.opinions import Feedback
from daemon.asking import DaemonAway, Refused
from daemon.home import Home
from daemon.shapes.replies import Done
from daemon.wire import MAX_FRAME
from lsp.connection import FIRST_PAUSE, Away, Connection, Presence, Present, Start
from tests.lsp.fake_daemon import FakeDaemon
from tests.patience import PATIENCE
from tests.strangers import MALLORY, folder, foreign_server, heard, only_root, open_ground

READY = Present(revision=1, memories=1, vectors="ready")


Told = MemoryObjectReceiveStream[Presence]


def connected(
    home: Home, then: Callable[[Connection, Told], Awaitable[None]], start: Start | None = None
) -> None:
    """Run ``then`` beside a connection; it is told of every presence."""

    async def run() -> None:
        send, told = anyio.create_memory_object_stream[Presence](10)
        connection = Connection(home, start=start, changed=send.send_nowait)
        with send, told, anyio.fail_after(PATIENCE):
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(connection.run)
                await then(connection, told)
                tasks.cancel_scope.cancel()

    anyio.run(run)


def test_a_question_to_a_daemon_that_is_away_is_answered_at_once(home: Home) -> None:
    async def ask(connection: Connection, _: Told) -> None:
        with anyio.fail_after(0), pytest.raises(DaemonAway):
            await connection.ask(Feedback(id="m1", useful=True), within=PATIENCE)

    connected(home, ask)


def test_a_daemon_is_present_from_its_first_word(home: Home, daemon: FakeDaemon) -> None:
    daemon.start()

    async def ask(connection: Connection, told: Told) -> None:
        assert await told.receive() == READY
        assert await connection.ask(Feedback(id="m1", useful=True), within=PATIENCE) == Done()

    connected(home, ask)


def test_a_daemon_is_started_once_before_the_first_connection(
    home: Home, daemon: FakeDaemon
) -> None:
    calls: list[tuple[Home, bool]] = []

    async def start(home: Home, if_killed: bool) -> None:
        calls.append((home, if_killed))
        daemon.start()

    async def lose(_: Connection, told: Told) -> None:
        assert await told.receive() == READY
        daemon.stop()
        assert await told.receive() == Away()
        daemon.start()
        assert await told.receive() == READY

    connected(home, lose, start)

    assert calls == [(home, False)]


def test_a_daemon_that_was_killed_is_started_again(home: Home, daemon: FakeDaemon) -> None:
    home.prepare()
    starts: list[bool] = []

    async def start(_: Home, if_killed: bool) -> None:
        daemon.start()
        starts.append(if_killed)

    async def lose(_: Connection, told: Told) -> None:
        assert await told.receive() == READY
        home.lock.write_text("4000000\n")  # it could not take its name out
        daemon.stop()
        assert [await told.receive(), await told.receive()] == [Away(), READY]

    connected(home, lose, start)

    assert starts == [False, True]


def test_a_daemon_that_dies_at_every_start_is_not_started_at_every_look(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.prepare()
    home.lock.write_text("4000000\n")
    monkeypatch.setattr("lsp.connection.LONGEST_PAUSE", FIRST_PAUSE)
    monkeypatch.setattr("lsp.connection.STARTS", 2)
    starts: list[float] = []

    async def start(_: Home, __: bool) -> str:
        starts.append(anyio.current_time())
        return "it ended while it started"

    async def look(_: Connection, __: Told) -> None:
        while len(starts) < 3:  # noqa: ASYNC110 - a list sets no event
            await anyio.sleep(FIRST_PAUSE)
        await anyio.sleep(5 * FIRST_PAUSE)  # it has looked several times
        assert len(starts) == 3  # the one before the first connection, and two more

    connected(home, look, start)


def test_a_daemon_that_cannot_be_started_is_a_line_in_the_log(
    home: Home, daemon: FakeDaemon, caplog: pytest.LogCaptureFixture
) -> None:
    async def start(_: Home, __: bool) -> str:
        return "the disk is full"

    async def wait(connection: Connection, told: Told) -> None:
        assert await told.receive() == Away("the disk is full")
        daemon.start()  # by hand, later
        assert await told.receive() == READY

    connected(home, wait, start)

    assert caplog.messages == ["event=daemon_not_started reason=the disk is full"]


def test_a_daemon_that_does_not_answer_in_time_is_a_timeout(home: Home, daemon: FakeDaemon) -> None:
    daemon.start()
    daemon.may_answer.clear()

    async def ask(connection: Connection, told: Told) -> None:
        assert await told.receive() == READY
        with pytest.raises(TimeoutError):
            await connection.ask(Match(text="x"), within=0.05)

    connected(home, ask)


def test_an_address_that_leads_nowhere_is_tried_again(home: Home, daemon: FakeDaemon) -> None:
    home.address.write_text("/nowhere/daemon.sock\n", encoding="utf-8")

    async def start_later(_: Connection, told: Told) -> None:
        daemon.start()
        assert await told.receive() == READY

    connected(home, start_later)


def test_a_question_cancelled_while_it_was_sent_costs_the_connection_and_no_more(
    home: Home, daemon: FakeDaemon
) -> None:
    daemon.start()
    useful = Feedback(id="m1", useful=True)

    async def ask(connection: Connection, told: Told) -> None:
        assert await told.receive() == READY
        with anyio.CancelScope() as scope:
            scope.cancel()
            await connection.ask(useful, within=PATIENCE)
        with pytest.raises(DaemonAway):
            await connection.ask(useful, within=PATIENCE)
        assert [await told.receive(), await told.receive()] == [Away(), READY]
        assert await connection.ask(useful, within=PATIENCE) == Done()

    connected(home, ask)


def test_a_question_too_large_for_the_wire_is_refused(home: Home, daemon: FakeDaemon) -> None:
    daemon.start()

    async def ask(connection: Connection, told: Told) -> None:
        assert await told.receive() == READY
        with pytest.raises(Refused, match="over the limit"):
            await connection.ask(Match(text="x" * MAX_FRAME), within=PATIENCE)
        assert await connection.ask(Feedback(id="m1", useful=True), within=PATIENCE) == Done()

    connected(home, ask)


@only_root
def test_a_socket_that_another_user_serves_is_told_nothing(
    home: Home, caplog: pytest.LogCaptureFixture
) -> None:
    async def ask(connection: Connection, _: Told) -> None:
        while "other end" not in caplog.text:  # noqa: ASYNC110 - a log sets no event
            await anyio.sleep(0.01)
        await anyio.sleep(FIRST_PAUSE * 4)  # it has tried again
        assert connection.presence == Away()

    with open_ground() as ground:
        place = folder(ground / "tmp", 0, 0o1777) / "s"
        home.address.write_text(f"{place}\n")
        with foreign_server(place, MALLORY, b"") as server:
            connected(home, ask)
            assert "heard" not in heard(server)

    assert caplog.text.count(f"user {MALLORY} is at the other end") == 1
