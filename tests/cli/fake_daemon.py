"""A small daemon that speaks the real wire: it answers what a test told it to answer.

Run as a program (``fake_daemon.py [MODE] daemon``) it stands in for the installed one:
``serve`` listens until it is asked to stop, ``die`` says why and ends, ``hang`` never
listens.
"""

from __future__ import annotations

import os
import socket
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from daemon import own_version
from daemon.api.operation import Operation
from daemon.api.status import Greet, Greeting, Stop
from daemon.dispatch import parsed
from daemon.home import Home
from daemon.shapes.replies import Done, Problem, Reply
from daemon.wire import ERROR, PROGRESS, REPLY, Frame, encoded
from tests.listening import Listening

Say = Callable[[dict[str, Any]], None]
Answer = Callable[[Any, Say], Reply | Problem | None]


class FakeDaemon(Listening):
    """Listens at the address of ``home``; ``answers`` maps a request's class."""

    def __init__(self, home: Home, version: str | None = None) -> None:
        super().__init__(home)
        self.version = own_version() if version is None else version
        self.pid = os.getpid()
        self.ready = True
        self.asked: list[Operation[Any]] = []
        self.answers: dict[type[Operation[Any]], Answer] = {Greet: self._greet, Stop: self._stop}
        self.stopped = threading.Event()
        self.start()

    def reply(self, request: type[Operation[Any]], *replies: Reply | Problem) -> None:
        """Answer with these, one after another; the last one for ever after."""
        left = list(replies)
        self.answers[request] = lambda _request, _say: left.pop(0) if len(left) > 1 else left[0]

    def close_when_stopped(self) -> None:
        """Wait until a client has asked it to stop, then close."""
        self.stopped.wait()
        self.stop()

    def _greet(self, _request: Greet, _say: Say) -> Reply:
        return Greeting(version=self.version, pid=self.pid, ready=self.ready)

    def _stop(self, _request: Stop, _say: Say) -> Reply:
        self.stopped.set()
        return Done()

    def handle(self, stream: socket.socket, frame: Frame) -> None:
        """Answer as told."""
        request = parsed(frame.kind, frame.body)
        self.asked.append(request)

        def send(kind: str, body: object) -> None:
            stream.sendall(encoded(Frame(frame.id, kind, msgspec.to_builtins(body))))

        answer = self.answers[type(request)](request, lambda state: send(PROGRESS, state))
        if answer is None:  # the test wants it to go away without a word
            stream.shutdown(socket.SHUT_RDWR)
        else:
            send(ERROR if isinstance(answer, Problem) else REPLY, answer)


def _main(mode: str) -> None:
    home = Home(Path(os.environ["REVERIE_HOME"]))
    if mode == "die":
        sys.stderr.write("event=failed reason=the-disk-is-full\n")
        sys.exit(1)
    if mode == "hang":
        threading.Event().wait()
    daemon = FakeDaemon(home)
    daemon.close_when_stopped()


if __name__ == "__main__":
    _main(sys.argv[1])
