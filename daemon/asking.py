"""Questions to the daemon: their failures, its address, and a connection without an event loop."""

import math
import os
import socket
from collections.abc import Callable, Generator
from contextlib import contextmanager
from time import monotonic, sleep
from typing import Any, TypeVar

import msgspec

from daemon.api.operation import Operation, reply_of
from daemon.home import Home
from daemon.shapes.replies import Problem
from daemon.wire import ERROR, PROGRESS, REPLY, Decoder, Frame, WireError, encoded
from hooks import ownership

# ---- failures


# Signs in a refusal that the daemon knows other requests, or other fields of one.
STRANGE = ("contains unknown field", "missing required field", "there is no request called")


class DaemonAway(Exception):
    """No daemon answers at the address, or it went away: start one, or try again."""

    @property
    def line(self) -> str:
        """Line for a person."""
        return f"{self}; see 'reverie log --daemon'"


class NotAsked(DaemonAway):
    """The daemon left before it took the question: the next one can be asked the same."""


class StrangerServes(DaemonAway):
    """Somebody else could be the one who answers; the text says why, in one line."""


class Refused(Exception):
    """The daemon answered with an error; ``code`` is for programs, the text for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code

    @property
    def line(self) -> str:
        """Line for a person."""
        said = f"refused: {self} [{self.code}]"
        # A person types no fields: commands of another state of the code than the daemon's do.
        if any(sign in str(self) for sign in STRANGE):
            said += "; the daemon is of another version: run 'reverie down' and ask again"
        return said


# ---- both ends


R = TypeVar("R")

CHUNK = 65536  # bytes a read
CONNECTED_WITHIN = 5.0  # seconds while the daemon's backlog is full: it hangs, or there is a storm
PAUSE = 0.02  # seconds between two tries meanwhile


def read_address(home: Home) -> str:
    """The path the daemon of this home says it listens on.

    Raises ``DaemonAway`` when it has not said so, ``StrangerServes`` when somebody else could have.
    """
    try:
        home.check()
        descriptor = os.open(home.address, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
        with os.fdopen(descriptor, encoding="utf-8") as file:
            ownership.check_file(os.fsencode(home.address), descriptor)
            return file.read().strip()
    except ownership.Distrusted as why:
        raise StrangerServes(str(why)) from None
    except OSError as error:
        raise DaemonAway(f"no daemon has written its address into {home.root}") from error


def connects(connection: socket.socket, address: str) -> bool:
    """Connect a non-blocking socket; ``False`` while the daemon's backlog is full."""
    try:
        connection.connect(address)
    except BlockingIOError:
        return False
    return True


def check_peer(connection: socket.socket, address: str) -> None:
    """Raise ``StrangerServes`` when another user listens, before a byte is sent."""
    try:
        ownership.check_peer(connection)
    except ownership.Distrusted as why:
        raise StrangerServes(f"nothing is sent to {address}: {why}") from None


def question(id_: int, request: Operation[R]) -> Frame:
    """The frame of a question."""
    return Frame(id_, request.NAME, msgspec.to_builtins(request))


def answer(request: Operation[R], frame: Frame) -> R:
    """The answer in a frame. Raises ``Refused``, or ``DaemonAway`` for anything else."""
    if frame.kind == REPLY:
        return msgspec.convert(frame.body, reply_of(type(request)), strict=True)
    if frame.kind == ERROR:
        problem = msgspec.convert(frame.body, Problem)
        raise Refused(problem.code, problem.message)
    raise DaemonAway(f"the daemon answered with a frame of kind {frame.kind[:40]!r}")


# ---- one question at a time
#
# Commands and whoever starts the daemon ask so: to import anyio and to run a loop takes a third of the
# time of ``reverie list``. Who asks many things at once does it with ``daemon.client``.


LOOK = 1.0  # seconds of silence, after which who waits may look whether the daemon hangs


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
        look: Callable[[], None] | None = None,
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

    def _send(self, data: bytes, until: float, look: Callable[[], None] | None) -> None:
        left = memoryview(data)
        while left:
            sent = self._waited(lambda: self._socket.send(left), until, look)  # noqa: B023 - called at once
            left = left[sent:]

    def _answering(
        self,
        id_: int,
        until: float,
        look: Callable[[], None] | None,
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

    def _waited(self, step: Callable[[], R], until: float, look: Callable[[], None] | None) -> R:
        """The result of a step on the socket, tried again after each look."""
        while True:
            left = until - monotonic()
            if left <= 0:
                raise TimeoutError
            self._socket.settimeout(min(left, LOOK))
            try:
                return step()
            except TimeoutError:
                if look is not None and until > monotonic():
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
