"""The gateway: connections in, frames to whoever answers them, answers out.

One task a connection and one a request, both bounded. What a peer does wrong costs its
own connection and no other: garbage closes it, half a frame that never ends closes it,
a request that is not understood is answered with an error. Only the user who owns the
home may connect.
"""

import errno
import logging
import socket
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import trio

from actors.core.receipt import Receipt
from daemon.wire import ERROR, Decoder, Frame, WireError, WrongVersion, encoded
from hooks import trust

log = logging.getLogger(__name__)

CHUNK = 65_536  # bytes a read
CONNECTIONS = 256  # open at once; further ones wait to be accepted
REQUESTS = 64  # under way at once on one connection
HALF_FRAME = 10.0  # seconds for the rest of a frame that has begun
SLOW_READER = 30.0  # seconds for a peer to take its answer

ACCEPT_AGAIN = 0.1  # seconds, when the process has no descriptor for one more connection
# What passes when other connections close (trio's own list for its listeners).
FULL = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOBUFS})

Send = Callable[[Frame], Awaitable[None]]
Answer = Callable[[Frame, Send, Receipt], Awaitable[None]]


@dataclass(slots=True)
class Gateway:
    """Serves connections until it is cancelled."""

    answer: Answer
    patient: frozenset[str]  # kinds that are answered when they are, not soon
    connections: int = 0
    busy: int = 0  # frames under way that somebody waits for now
    served: int = 0
    rejected: int = 0
    _room: trio.Semaphore = field(default_factory=lambda: trio.Semaphore(CONNECTIONS))

    def statistics(self) -> dict[str, Any]:
        """Open connections, frames answered, connections closed for what they sent."""
        return {
            "connections": self.connections,
            "served": self.served,
            "rejected": self.rejected,
        }

    async def serve(self, listener: socket.socket) -> None:
        """Accept and serve until cancelled."""
        accepting = trio.SocketListener(trio.socket.from_stdlib_socket(listener))
        async with trio.open_nursery() as nursery:
            while True:
                try:
                    stream = await accepting.accept()
                except OSError as error:
                    if error.errno not in FULL:
                        raise
                    log.warning("accept_waits errno=%s", error.errno)
                    await trio.sleep(ACCEPT_AGAIN)
                    continue
                await self._room.acquire()
                nursery.start_soon(self._connection, stream)

    async def _connection(self, stream: trio.SocketStream) -> None:
        self.connections += 1
        try:
            async with stream:
                if _is_ours(stream.socket):
                    await self._frames(stream)
                else:
                    self.rejected += 1
                    log.warning("stranger_refused")
        except* (trio.BrokenResourceError, trio.ClosedResourceError, trio.TooSlowError):
            pass  # the peer is gone, or takes no answer; its requests went with it
        finally:
            self.connections -= 1
            self._room.release()

    async def _frames(self, stream: trio.SocketStream) -> None:
        peer = _Peer(stream)
        places = trio.Semaphore(REQUESTS)
        async with trio.open_nursery() as nursery, trio.open_nursery() as patient:

            async def answered(frame: Frame) -> None:
                waited_for = frame.kind not in self.patient
                self.busy += waited_for
                try:
                    await peer.answered(self.answer, frame)
                    self.served += 1
                except (trio.BrokenResourceError, trio.ClosedResourceError, trio.TooSlowError):
                    nursery.cancel_scope.cancel()
                finally:
                    self.busy -= waited_for
                    places.release()

            try:
                while data := await peer.received():
                    peer.decoder.feed(data)
                    for frame in peer.decoder.frames():
                        await places.acquire()
                        room = patient if frame.kind in self.patient else nursery
                        room.start_soon(answered, frame)
                # A hook may leave once it has sent; who watches and leaves is gone.
                patient.cancel_scope.cancel()
            except WireError as error:
                self.rejected += 1
                log.info("frame_rejected why=%s", type(error).__name__)
                await peer.send(_complaint(error))
                nursery.cancel_scope.cancel()
        peer.has_read()


@dataclass(slots=True)
class _Peer:
    """The other end of a connection, and the answers that are out to it.

    It took them when it asks on, or leaves. Who leaves while something lies unread shows that by a
    reset (Linux; elsewhere it is not seen).
    """

    stream: trio.SocketStream
    decoder: Decoder = field(default_factory=Decoder)
    _under_way: list[Receipt] = field(default_factory=list[Receipt])
    _sent: list[Receipt] = field(default_factory=list[Receipt])
    _sending: trio.Lock = field(default_factory=trio.Lock)

    async def send(self, frame: Frame) -> None:
        """Send one frame; raises ``trio.TooSlowError`` when it is not taken."""
        with trio.fail_after(SLOW_READER):
            async with self._sending:
                await self.stream.send_all(encoded(frame))

    async def answered(self, answer: Answer, frame: Frame) -> None:
        """Answer a frame; nobody took what could not be sent."""
        receipt = Receipt()
        self._under_way.append(receipt)
        try:
            await answer(frame, self.send, receipt)
            self._sent.append(receipt)
        except BaseException:
            receipt(taken=False)
            raise
        finally:
            self._under_way.remove(receipt)

    async def received(self) -> bytes:
        """The next bytes; empty at the end."""
        try:
            data = await _received(self.stream, self.decoder)
        except trio.BrokenResourceError:
            self._sent += self._under_way
            self.has_read(everything=False)
            raise
        if data:
            self.has_read()
        return data

    def has_read(self, *, everything: bool = True) -> None:
        """Say to whom it matters that what was sent so far was read, or not."""
        for receipt in self._sent:
            receipt(taken=everything)
        self._sent.clear()


async def _received(stream: trio.SocketStream, decoder: Decoder) -> bytes:
    """The next bytes; empty at the end, or when a frame stays half for too long."""
    if not decoder.pending:
        return bytes(await stream.receive_some(CHUNK))
    with trio.move_on_after(HALF_FRAME):
        return bytes(await stream.receive_some(CHUNK))
    log.info("half_frame_abandoned bytes=%d", decoder.pending)
    return b""


def _complaint(error: WireError) -> Frame:
    if isinstance(error, WrongVersion):
        return Frame(error.id, ERROR, {"code": "version", "message": str(error)})
    return Frame(0, ERROR, {"code": "garbage", "message": str(error)})


def _is_ours(peer: trio.socket.SocketType) -> bool:
    """Return whether the peer is the user who runs the daemon, or root.

    Where the system does not say, the private folder of the socket is the guard.
    """
    try:
        trust.check_peer(peer)
    except trust.Distrusted:
        return False
    return True
