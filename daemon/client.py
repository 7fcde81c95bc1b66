"""The client for many questions at once, each with its deadline; a single one goes by ``daemon.asking``.

It is anyio, so it runs on asyncio (pygls, for the language server) and on trio alike.
"""

import math
import socket
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeVar

import anyio
import anyio.abc
import msgspec
from anyio.abc import UNIXSocketStream
from msgspec import Struct, field

from daemon.api.operation import Operation
from daemon.asking import (
    CHUNK,
    CONNECTED_WITHIN,
    PAUSE,
    DaemonAway,
    StrangerServes,
    answer,
    check_peer,
    connects,
    question,
    read_address,
)
from daemon.home import Home
from daemon.wire import PROGRESS, Decoder, Frame, WireError, encoded

R = TypeVar("R")


class _Pending(Struct):
    """One waiting question."""

    progress: Callable[[dict[str, Any]], None] | None
    answered: anyio.Event = field(default_factory=anyio.Event)
    frame: Frame | None = None


class Client:
    """An open connection. Make it with ``open_client``."""

    def __init__(self, stream: anyio.abc.ByteStream) -> None:
        self._stream = stream
        self._sending = anyio.Lock()
        self._pending: dict[int, _Pending] = {}
        self._last_id = 0
        self._gone = False

    async def ask(
        self,
        request: Operation[R],
        *,
        within: float | None,
        progress: Callable[[dict[str, Any]], None] | None = None,
    ) -> R:
        """Send the request and wait for its reply, at most ``within`` seconds.

        ``None`` waits as long as the daemon lives: only for requests with progress. Raises
        ``Refused``, ``DaemonAway`` or ``TimeoutError``.
        """
        self._last_id += 1
        id_ = self._last_id
        pending = self._pending[id_] = _Pending(progress)
        try:
            with anyio.fail_after(math.inf if within is None else within):
                await self._send(question(id_, request))
                await pending.answered.wait()
        finally:
            del self._pending[id_]
        if pending.frame is None:
            raise DaemonAway("the daemon closed the connection before it answered")
        return answer(request, pending.frame)

    async def _send(self, frame: Frame) -> None:
        if self._gone:
            raise DaemonAway("the connection to the daemon is closed")
        try:
            async with self._sending:
                await self._stream.send(encoded(frame))
        except (anyio.BrokenResourceError, anyio.ClosedResourceError) as error:
            raise DaemonAway("the daemon closed the connection") from error
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
        except (
            anyio.BrokenResourceError, anyio.EndOfStream, anyio.ClosedResourceError, WireError,
        ):  # fmt: skip
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


async def _connected(address: str) -> UNIXSocketStream:
    """A stream to this address; anyio's own way spins, or pretends, while a backlog is full."""
    connection = socket.socket(socket.AF_UNIX)
    connection.setblocking(False)
    try:
        with anyio.fail_after(CONNECTED_WITHIN):
            while not connects(connection, address):  # noqa: ASYNC110 - nobody tells of room
                await anyio.sleep(PAUSE)
        return await UNIXSocketStream.from_socket(connection)
    except BaseException:
        connection.close()
        raise


@asynccontextmanager
async def open_client(home: Home) -> AsyncGenerator[Client]:
    """Connect to the daemon of this home.

    Raises ``DaemonAway`` when nobody listens there, ``StrangerServes`` (before a byte is sent) when another user
    does, ``TimeoutError`` when the listener takes no connection. An error raised inside the block comes out as it
    is, and not in the exception group of a task group.
    """
    address = read_address(home)
    try:
        stream = await _connected(address)
    except TimeoutError:  # an OSError too, but somebody is there
        raise
    except OSError as error:
        raise DaemonAway(f"no daemon listens at {address}") from error
    try:
        check_peer(stream.extra(anyio.abc.SocketAttribute.raw_socket), address)
    except StrangerServes:
        await anyio.aclose_forcefully(stream)
        raise
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
