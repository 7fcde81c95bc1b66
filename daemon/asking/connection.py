"""A connection on which one question is asked at a time, without an event loop.

Commands and whoever starts the daemon ask so: to import anyio and to run a loop takes a third of the
time of ``reverie list``. Who asks many things at once does it with ``daemon.client``.
"""

import math
import socket
from collections.abc import Callable, Generator
from contextlib import contextmanager
from time import monotonic, sleep
from typing import Any, TypeVar

import msgspec

from daemon.api.operation import Operation
from daemon.asking.ends import (
    CHUNK,
    CONNECTED_WITHIN,
    PAUSE,
    answer,
    check_peer,
    connects,
    question,
    read_address,
)
from daemon.asking.failures import DaemonAway, NotAsked
from daemon.home import Home
from daemon.wire import PROGRESS, Decoder, Frame, WireError, encoded

R = TypeVar("R")
T = TypeVar("T")

LOOK = 1.0  # seconds of silence, after which who waits may look whether the daemon hangs


def _look_at_nothing() -> None:
    """Nobody looks: the deadline is enough."""


class Connection:
    """An open connection. Make it with ``open_connection``."""

    def __init__(self, connection: socket.socket) -> None:
        self._socket = connection
        self._decoder = Decoder()
        self._last_id = 0

    def ask(
        self,
        request: Operation[R],
        *,
        within: float | None,
        progress: Callable[[dict[str, Any]], None] | None = None,
        look: Callable[[], None] = _look_at_nothing,
    ) -> R:
        """Send the request and wait for its reply, at most ``within`` seconds.

        ``None`` waits as long as the daemon lives. ``look`` is called after each second without a
        word, and may raise. Raises ``Refused``, ``DaemonAway`` (``NotAsked`` where nothing of this
        connection's first request was taken) or ``TimeoutError``.
        """
        until = math.inf if within is None else monotonic() + within
        self._last_id += 1
        asked = question(self._last_id, request)
        away = NotAsked if asked.id == 1 else DaemonAway
        try:
            self._send(encoded(asked), until, look)
        except (BrokenPipeError, ConnectionResetError) as error:
            raise away("the daemon closed the connection") from error
        try:
            return answer(request, self._answering(asked.id, until, look, progress))
        except ConnectionResetError as error:
            # A socket is reset when it is closed over what nobody has read.
            raise away("the daemon closed the connection before it answered") from error

    def _send(self, data: bytes, until: float, look: Callable[[], None]) -> None:
        left = memoryview(data)
        while left:
            sent = self._waited(lambda: self._socket.send(left), until, look)  # noqa: B023 - called at once
            left = left[sent:]

    def _answering(
        self,
        id_: int,
        until: float,
        look: Callable[[], None],
        progress: Callable[[dict[str, Any]], None] | None,
    ) -> Frame:
        """The last frame of this question."""
        while True:
            data = self._waited(lambda: self._socket.recv(CHUNK), until, look)
            if not data:
                raise DaemonAway("the daemon closed the connection before it answered")
            try:
                self._decoder.feed(data)
                frames = [frame for frame in self._decoder.frames() if frame.id == id_]
            except WireError:
                raise DaemonAway("the daemon closed the connection before it answered") from None
            for frame in frames:
                if frame.kind != PROGRESS:
                    return frame
                if progress is not None:
                    progress(msgspec.convert(frame.body, dict[str, Any]))

    def _waited(self, step: Callable[[], T], until: float, look: Callable[[], None]) -> T:
        """The result of a step on the socket, tried again after each look."""
        while True:
            left = until - monotonic()
            if left <= 0:
                raise TimeoutError
            self._socket.settimeout(min(left, LOOK))
            try:
                return step()
            except TimeoutError:
                if until - monotonic() > 0:
                    look()


@contextmanager
def open_connection(home: Home, within: float = CONNECTED_WITHIN) -> Generator[Connection]:
    """Connect to the daemon of this home.

    Raises ``DaemonAway`` when nobody listens there, ``StrangerServes`` (before a byte is sent) when
    another user does, ``TimeoutError`` when who listens takes no connection.
    """
    address = read_address(home)
    with socket.socket(socket.AF_UNIX) as connection:
        _connect(connection, address, min(within, CONNECTED_WITHIN))
        check_peer(connection, address)
        yield Connection(connection)


def _connect(connection: socket.socket, address: str, within: float) -> None:
    connection.setblocking(False)
    until = monotonic() + within
    while True:
        try:
            if connects(connection, address):
                return
        except OSError as error:
            raise NotAsked(f"no daemon listens at {address}") from error
        if monotonic() >= until:
            raise TimeoutError
        sleep(PAUSE)
