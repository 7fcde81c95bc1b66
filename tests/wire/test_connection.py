"""A connection without an event loop: one question at a time, and every bad end."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress

import pytest

from daemon import asking as module
from daemon.api.status import AwaitEmbedded, Embedded, Stop
from daemon.asking import NotAsked, open_connection
from daemon.home import Home
from daemon.shapes.replies import Done
from daemon.wire import REPLY, Frame, encoded
from tests.cli.conftest import daemon as daemon
from tests.cli.conftest import home as home
from tests.cli.fake_daemon import FakeDaemon
from tests.patience import PATIENCE

READY = Embedded(pending=0, state="ready", detail="")


def test_a_request_gets_its_typed_reply_and_the_next_one_its_own(
    home: Home, daemon: FakeDaemon
) -> None:
    daemon.reply(AwaitEmbedded, READY, Embedded(pending=3, state="off", detail=""))

    with open_connection(home) as asking:
        first, second = (asking.ask(AwaitEmbedded(), within=PATIENCE) for _ in range(2))

    assert (first.state, second.state) == ("ready", "off")


def test_progress_comes_before_the_reply_and_in_order(home: Home, daemon: FakeDaemon) -> None:
    said: list[object] = []

    def answer(_request: object, say: object) -> Embedded:
        assert callable(say)
        for left in (2, 1):
            say({"left": left})
        return READY

    daemon.answers[AwaitEmbedded] = answer

    with open_connection(home) as asking:
        asking.ask(AwaitEmbedded(), within=None, progress=said.append)

    assert said == [{"left": 2}, {"left": 1}]


def test_nobody_at_the_address_has_not_been_asked(home: Home) -> None:
    home.prepare()
    home.address.write_text(f"{home.socket}\n")

    with pytest.raises(NotAsked, match="no daemon listens"), open_connection(home):
        raise AssertionError("somebody was there")


def test_who_waits_looks_on_in_silence_and_is_answered_all_the_same(
    home: Home, daemon: FakeDaemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LOOK", 0.01)
    looked = threading.Event()

    def answer(_request: object, _say: object) -> Done:
        looked.wait()
        return Done()

    daemon.answers[Stop] = answer

    with open_connection(home) as asking:
        reply = asking.ask(Stop(), within=PATIENCE, look=looked.set)

    assert reply == Done()


def test_what_the_look_raises_ends_the_question(
    home: Home, daemon: FakeDaemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LOOK", 0.01)
    over = threading.Event()
    daemon.answers[Stop] = lambda _request, _say: Done() if over.wait() else None

    def look() -> None:
        raise KeyError("it hangs")

    with open_connection(home) as asking, pytest.raises(KeyError):
        asking.ask(Stop(), within=None, look=look)

    over.set()


def test_a_question_that_takes_too_long_is_given_up(home: Home, daemon: FakeDaemon) -> None:
    over = threading.Event()
    daemon.answers[Stop] = lambda _request, _say: Done() if over.wait() else None

    with open_connection(home) as asking, pytest.raises(TimeoutError):
        asking.ask(Stop(), within=0.01)

    over.set()


def test_a_frame_in_pieces_and_one_of_an_earlier_question_are_understood(home: Home) -> None:
    home.prepare()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(home.socket))
        listener.listen(1)
        home.address.write_text(f"{home.socket}\n")

        def serve() -> None:
            peer, _ = listener.accept()
            with peer, suppress(OSError):
                peer.recv(65536)
                late = encoded(Frame(0, REPLY, {}))
                whole = encoded(Frame(1, REPLY, {"count": 4}))
                for piece in (late + whole[:3], whole[3:9], whole[9:]):
                    peer.sendall(piece)
                peer.recv(1)

        thread = threading.Thread(target=serve)
        thread.start()
        with open_connection(home) as asking:
            reply = asking.ask(Stop(), within=PATIENCE)
        thread.join()

    assert reply.count == 4
