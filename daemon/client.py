"""The client: asks the daemon, on whichever event loop the caller runs.

The command line and the language server both stand on this; it is anyio, so it runs
on asyncio (pygls) and on trio alike. Many questions may be under way at once on one
connection; each has its deadline.
"""

import math
import os
import socket
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeVar

import anyio
import anyio.abc
import msgspec
from anyio.abc import UNIXSocketStream

from daemon.api.operation import Operation, reply_of
from daemon.home import Home
from daemon.shapes.replies import Problem
from daemon.wire import ERROR, PROGRESS, REPLY, Decoder, Frame, WireError, encoded
from hooks import trust

R = TypeVar("R")

CHUNK = 65536  # bytes a read
CONNECTED_WITHIN = 5.0  # seconds while the daemon's backlog is full: it hangs, or there is a storm
PAUSE = 0.02  # seconds between two tries meanwhile
# Signs in a refusal that the daemon knows other requests, or other fields of one.
STRANGE = ("contains unknown field", "missing required field", "there is no request called")


class DaemonAway(Exception):
    """No daemon answers at the address, or it went away: start one, or try again."""

    @property
    def line(self) -> str:
        """Line that a person is told."""
        return f"{self}; see 'reverie log --daemon'"


class NotAsked(DaemonAway):
    """The daemon left before it took what was asked: the next one can be asked the same."""


class StrangerServes(DaemonAway):
    """Somebody else could be the one who answers; the text says why, in one line."""


class Refused(Exception):
    """The daemon answered with an error; ``code`` is for programs, the text for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code

    @property
    def line(self) -> str:
        """Line that a person is told."""
        said = f"refused: {self} [{self.code}]"
        # A person types no fields: commands of another state of the code than the daemon's do.
        if any(sign in str(self) for sign in STRANGE):
            said += "; the daemon is of another version: try 'reverie down'"
        return said


class _Pending:
    """One question that waits."""

    def __init__(self, progress: Callable[[dict[str, Any]], None] | None) -> None:
        self.answered = anyio.Event()
        self.frame: Frame | None = None
        self.progress = progress


class Client:
    """An open connection. Make it with ``open_client``."""

    def __init__(self, stream: anyio.abc.ByteStream) -> None:
        self._stream = stream
        self._sending = anyio.Lock()
        self._pending: dict[int, _Pending] = {}
        self._last_id = 0
        self._gone = False
        self._was_reset = False  # the daemon closed before it had read all that was sent

    async def ask(
        self,
        request: Operation[R],
        *,
        within: float | None,
        progress: Callable[[dict[str, Any]], None] | None = None,
    ) -> R:
        """Send the request and wait for its reply, at most ``within`` seconds.

        ``None`` waits as long as the daemon lives: only for what reports progress.
        Raises ``Refused``, ``DaemonAway`` (``NotAsked`` where nothing of this connection's first
        request was taken) or ``TimeoutError``.
        """
        self._last_id += 1
        id_ = self._last_id
        pending = self._pending[id_] = _Pending(progress)
        try:
            with anyio.fail_after(math.inf if within is None else within):
                await self._send(Frame(id_, request.NAME, msgspec.to_builtins(request)))
                await pending.answered.wait()
        finally:
            del self._pending[id_]
        if pending.frame is None:
            # A socket is reset when it is closed over what nobody has read.
            away = NotAsked if id_ == 1 and self._was_reset else DaemonAway
            raise away("the daemon closed the connection before it answered")
        return _answer(request, pending.frame)

    async def _send(self, frame: Frame) -> None:
        away = NotAsked if frame.id == 1 else DaemonAway
        if self._gone:
            raise away("the connection to the daemon is closed")
        try:
            async with self._sending:
                await self._stream.send(encoded(frame))
        except (anyio.BrokenResourceError, anyio.ClosedResourceError) as error:
            raise away("the daemon closed the connection") from error
        except anyio.get_cancelled_exc_class():
            self._gone = True  # half a frame may be out: nothing can follow it
            raise

    async def receive(self) -> None:
        """Hand each answer to who waits for it, until the daemon closes."""
        decoder = Decoder()
        try:
            while True:
                decoder.feed(await self._stream.receive(CHUNK))
                for frame in decoder.frames():
                    self._deliver(frame)
        except anyio.BrokenResourceError:
            self._was_reset = True
        except (anyio.EndOfStream, anyio.ClosedResourceError, WireError):
            pass  # everyone who waits is told below
        finally:
            self._gone = True
            for pending in self._pending.values():
                pending.answered.set()

    def _deliver(self, frame: Frame) -> None:
        pending = self._pending.get(frame.id)
        if pending is None or pending.frame is not None:
            return  # its asker gave up, or has its answer
        if frame.kind == PROGRESS:
            if pending.progress is not None:
                pending.progress(msgspec.convert(frame.body, dict[str, Any]))
            return
        pending.frame = frame
        pending.answered.set()


def _answer(request: Operation[R], frame: Frame) -> R:
    if frame.kind == REPLY:
        return msgspec.convert(frame.body, reply_of(type(request)), strict=True)
    if frame.kind == ERROR:
        problem = msgspec.convert(frame.body, Problem)
        raise Refused(problem.code, problem.message)
    raise DaemonAway(f"the daemon answered with a frame of kind {frame.kind[:40]!r}")


def read_address(home: Home) -> str:
    """The path the daemon of this home says it listens on.

    Raises ``DaemonAway`` when it has not said so, ``StrangerServes`` when somebody else could have.
    """
    try:
        home.check()
        descriptor = os.open(home.address, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
        with os.fdopen(descriptor, encoding="utf-8") as file:
            trust.check_file(os.fsencode(home.address), descriptor)
            return file.read().strip()
    except trust.Distrusted as why:
        raise StrangerServes(str(why)) from None
    except OSError as error:
        raise DaemonAway(f"no daemon has written its address into {home.root}") from error


async def _connected(address: str) -> UNIXSocketStream:
    """A stream to this address; anyio's own way spins, or pretends, while a backlog is full."""
    connection = socket.socket(socket.AF_UNIX)
    connection.setblocking(False)
    try:
        with anyio.fail_after(CONNECTED_WITHIN):
            while not _connects(connection, address):  # noqa: ASYNC110 - nobody tells of room
                await anyio.sleep(PAUSE)
        return await UNIXSocketStream.from_socket(connection)
    except BaseException:
        connection.close()
        raise


def _connects(connection: socket.socket, address: str) -> bool:
    try:
        connection.connect(address)
    except BlockingIOError:
        return False
    return True


@asynccontextmanager
async def open_client(home: Home) -> AsyncGenerator[Client]:
    """Connect to the daemon of this home.

    Raises ``DaemonAway`` when nobody listens there, ``StrangerServes`` (before a byte is sent) when
    another user does, ``TimeoutError`` when who listens takes no connection. What is raised inside the block comes
    out as it is, and not in the exception group of a task group.
    """
    address = read_address(home)
    try:
        stream = await _connected(address)
    except TimeoutError:  # an OSError too, but somebody is there
        raise
    except OSError as error:
        raise NotAsked(f"no daemon listens at {address}") from error
    try:
        trust.check_peer(stream.extra(anyio.abc.SocketAttribute.raw_socket))
    except trust.Distrusted as why:
        await anyio.aclose_forcefully(stream)
        raise StrangerServes(f"nothing is sent to {address}: {why}") from None
    problem: Exception | None = None
    async with stream, anyio.create_task_group() as tasks:
        client = Client(stream)
        tasks.start_soon(client.receive)
        try:
            yield client
        except Exception as error:
            problem = error
        finally:
            # Not cancelled: asyncio may call the reader of a wait that was, and print a traceback.
            with suppress(OSError):  # the daemon has hung up
                stream.extra(anyio.abc.SocketAttribute.raw_socket).shutdown(socket.SHUT_RDWR)
    if problem is not None:
        raise problem
