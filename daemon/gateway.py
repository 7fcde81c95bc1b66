"""The gateway: connections in, frames to whoever answers them, answers out.

One task a connection and one a request, both bounded. A peer's mistake costs its own connection and
no other: garbage closes it, an endless half frame closes it, an unknown request is answered with an
error. Who is idle makes way when all places are taken, and some places are the hooks' alone: an
agent waits for them. Only the user who owns the home may connect.
"""

from __future__ import annotations

import errno
import hashlib
import logging
import math
import os
import socket
import stat
import tempfile
from collections.abc import Awaitable, Callable, Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import trio
from msgspec import Struct, field

from actors.core.equipment import Receipt
from daemon.home import FILE_MODE, FOLDER_MODE, Home, distrust, identity, whole_file
from daemon.wire import (
    ERROR,
    MOST_VALUES,
    Decoder,
    Frame,
    TooMany,
    WireError,
    WrongVersion,
    encoded,
)
from hooks import ownership

log = logging.getLogger(__name__)

CHUNK = 65_536  # bytes a read
CONNECTIONS = 256  # open at once; for a further one the longest idle is closed
FOR_HOOKS = 32  # places of these that nobody keeps who asks for anything but a hook
LARGE = 262_144  # bytes of a frame that is on its way, from which on
LARGE_AT_ONCE = 4  # connections alone go on reading: each may hold 16 MB
REQUESTS = 64  # under way at once on one connection
HALF_FRAME = 10.0  # seconds for the whole rest of a frame that has begun
SLOW_READER = 30.0  # seconds for a peer to take its answer

ACCEPT_AGAIN = 0.1  # seconds, when the process has no descriptor for one more connection
# What passes when other connections close (trio's own list for its listeners).
FULL = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOBUFS})

Send = Callable[[Frame], Awaitable[None]]
Answer = Callable[[Frame, Send, Receipt], Awaitable[None]]


class Gateway(Struct):
    """Serves connections until it is cancelled."""

    answer: Answer
    patient: Callable[[str], bool]  # of a kind that is answered when it is, not soon
    hooks: frozenset[str]  # kinds for which places are kept
    connections: int = 0
    busy: int = 0  # frames under way that somebody waits for now
    served: int = 0
    rejected: int = 0
    made_way: int = 0
    _room: trio.Semaphore = field(default_factory=lambda: trio.Semaphore(CONNECTIONS))
    _large: trio.Semaphore = field(default_factory=lambda: trio.Semaphore(LARGE_AT_ONCE))
    _open: dict[_Peer, None] = field(default_factory=dict["_Peer", None])  # last heard last

    def statistics(self) -> dict[str, Any]:
        """Open connections, frames answered, connections closed for their frames or for others."""
        return {
            "connections": self.connections,
            "served": self.served,
            "rejected": self.rejected,
            "made_way": self.made_way,
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
                if not self._room.value:
                    self._make_way(self._open)
                await self._room.acquire()
                nursery.start_soon(self._connection, stream)

    def _make_way(self, among: Iterable[_Peer]) -> bool:
        """Close the longest idle connection of these, else a merely watching one; returns whether there was one."""
        quiet = [peer for peer in among if not peer.waits]
        idle = next((peer for peer in quiet if not peer.watches), next(iter(quiet), None))
        if idle is None:
            return False
        del self._open[idle]
        idle.scope.cancel()
        self.made_way += 1
        log.info("idle_made_way connections=%d", self.connections)
        return True

    async def _connection(self, stream: trio.SocketStream) -> None:
        self.connections += 1
        peer = _Peer(stream)
        try:
            async with stream:
                if _is_ours(stream.socket):
                    self._open[peer] = None
                    with peer.scope:
                        await self._frames(peer)
                else:
                    self.rejected += 1
                    log.warning("stranger_refused")
        except* (trio.BrokenResourceError, trio.ClosedResourceError, trio.TooSlowError):
            pass  # the peer is gone, or takes no answer; its requests went with it
        finally:
            self._open.pop(peer, None)
            self._is_whole(peer)
            self.connections -= 1
            self._room.release()

    async def _frames(self, peer: _Peer) -> None:
        places = trio.Semaphore(REQUESTS)
        async with trio.open_nursery() as nursery, trio.open_nursery() as patient:

            async def answered(frame: Frame) -> None:
                try:
                    await peer.answered(self.answer, frame)
                    self.served += 1
                except (trio.BrokenResourceError, trio.ClosedResourceError, trio.TooSlowError):
                    nursery.cancel_scope.cancel()
                finally:
                    self._count(peer, frame, -1)
                    if self._room.statistics().tasks_waiting:
                        self._make_way(self._open)
                    places.release()

            try:
                while data := await peer.received():
                    for frame in peer.frames(data):
                        self._is_whole(peer)
                        self._admit(peer, frame)
                        await places.acquire()
                        self._count(peer, frame, 1)
                        room = patient if self.patient(frame.kind) else nursery
                        room.start_soon(answered, frame)
                    await self._wait_if_large(peer)
                # A hook may leave once it has sent; who watches and leaves is gone.
                patient.cancel_scope.cancel()
            except (WireError, _Full) as error:
                self.rejected += 1
                log.info("frame_rejected why=%s", type(error).__name__)
                await peer.send(_complaint(error))
                nursery.cancel_scope.cancel()
        peer.has_read()

    async def _wait_if_large(self, peer: _Peer) -> None:
        """Let only a few collect large frames at a time; who waits too long is abandoned."""
        if peer.pending > LARGE and not peer.is_large:
            with trio.move_on_at(peer.until):
                await self._large.acquire()
                peer.is_large = True

    def _is_whole(self, peer: _Peer) -> None:
        if peer.is_large:
            self._large.release()
            peer.is_large = False

    def _admit(self, peer: _Peer, frame: Frame) -> None:
        """Let a connection ask for more than hooks do; raises ``_Full`` where all such places wait."""
        if peer.is_guest or frame.kind in self.hooks:
            return
        guests = [other for other in self._open if other.is_guest]
        if len(guests) >= CONNECTIONS - FOR_HOOKS and not self._make_way(guests):
            raise _Full(frame.id)
        peer.is_guest = True

    def _count(self, peer: _Peer, frame: Frame, by: int) -> None:
        """Count an answer that has begun (1), or ended (-1)."""
        if self.patient(frame.kind):
            peer.watches += by
        else:
            peer.waits += by
            self.busy += by
        if peer in self._open:  # the last to make way is now this one
            del self._open[peer]
            self._open[peer] = None


class _Full(Exception):
    """As many connections as may keep a place wait for answers, all of them."""

    def __init__(self, id: int) -> None:  # noqa: A002 - the wire's own word
        super().__init__(
            f"{CONNECTIONS - FOR_HOOKS} other connections wait for answers: end what asks so"
            " much, then try again"
        )
        self.id = id


class _Peer(Struct, eq=False):
    """The other end of a connection, and the answers on the way to it.

    It took them when it asks on, or leaves. Leaving with something unread shows by a reset (Linux;
    elsewhere it is not seen).
    """

    stream: trio.SocketStream
    is_guest: bool = False  # it asked for more than hooks do
    is_large: bool = False  # it is one of the few that send a large frame
    waits: int = 0  # answers that it waits for now
    watches: int = 0  # answers that come when they do
    scope: trio.CancelScope = field(default_factory=trio.CancelScope)
    _decoder: Decoder = field(default_factory=lambda: Decoder(MOST_VALUES))
    until: float = math.inf  # when the frame that has begun must be whole
    _under_way: list[Receipt] = field(default_factory=list[Receipt])
    _sent: list[Receipt] = field(default_factory=list[Receipt])
    _sending: trio.Lock = field(default_factory=trio.Lock)

    @property
    def pending(self) -> int:
        """Bytes of a frame not yet whole."""
        return self._decoder.pending

    async def send(self, frame: Frame) -> None:
        """Send one frame; raises ``trio.TooSlowError`` when it is not taken."""
        with trio.fail_after(SLOW_READER):
            async with self._sending:
                await self.stream.send_all(encoded(frame))

    async def answered(self, answer: Answer, frame: Frame) -> None:
        """Answer a frame; an unsent answer was taken by nobody."""
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
        """The next bytes; empty at the end, or when a frame stays half for too long."""
        data = b""
        try:
            with trio.move_on_at(self.until) as patience:
                data = bytes(await self.stream.receive_some(CHUNK))
        except trio.BrokenResourceError:
            self._sent += self._under_way
            self.has_read(everything=False)
            raise
        if patience.cancelled_caught:
            log.info("half_frame_abandoned bytes=%d", self.pending)
        elif data:
            self.has_read()
        return data

    def frames(self, data: bytes) -> Iterator[Frame]:
        """The frames made whole by these bytes. Raises ``WireError``.

        The deadline of a begun one does not move with its bytes: a drip holds no place.
        """
        self._decoder.feed(data)
        for frame in self._decoder.frames():
            self.until = math.inf
            yield frame
        if self.pending:
            self.until = min(self.until, trio.current_time() + HALF_FRAME)

    def has_read(self, *, everything: bool = True) -> None:
        """Tell the receipts whether the answers sent so far were read."""
        for receipt in self._sent:
            receipt(taken=everything)
        self._sent.clear()


def _complaint(error: WireError | _Full) -> Frame:
    match error:
        case _Full(id=id_):
            code = "full"
        case TooMany(id=id_):
            code = "too_many"
        case WrongVersion(id=id_):
            code = "version"
        case _:
            id_, code = 0, "garbage"
    return Frame(id_, ERROR, {"code": code, "message": str(error)})


def _is_ours(peer: trio.socket.SocketType) -> bool:
    """Return whether the peer is the user who runs the daemon, or root.

    Where the system does not say, the private folder of the socket is the guard.
    """
    try:
        ownership.check_peer(peer)
    except ownership.Distrusted:
        return False
    return True


# ---- address on which the daemon listens, and how clients learn of it
#
# The socket lies in the home. A path too long for a socket (108 bytes on Linux, 104 on
# macOS) falls back to a short folder of the user's own; the address file names whichever
# it is. Beside it lies how long hooks wait for an answer: clients of an earlier version take
# all of the address file for the path.

LONGEST_PATH = 100  # bytes of a socket's path, safe on every system
BACKLOG = 128  # connections that may wait to be accepted: a storm of hooks
ON_THE_WAY = 0.030  # seconds that a hook needs beside the time that a prompt is given


class NoPlaceForSocket(Exception):
    """The runtime folder is not the user's own."""


def socket_path(home: Home) -> Path:
    """Path for the socket of this home."""
    if len(os.fsencode(home.socket)) <= LONGEST_PATH:
        return home.socket
    name = hashlib.blake2b(os.fsencode(home.root), digest_size=8).hexdigest()
    folder = _runtime_folder() / f"reverie-{os.getuid()}-{name}"
    with suppress(FileExistsError):
        folder.mkdir(mode=FOLDER_MODE)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
        raise NoPlaceForSocket(
            f"{folder} belongs to somebody else: remove it, or move REVERIE_HOME"
        )
    if stat.S_IMODE(found.st_mode) & ~FOLDER_MODE:  # who could enter may have prepared something
        raise NoPlaceForSocket(f"others may enter {folder}: remove it, or move REVERIE_HOME")
    return folder / "daemon.sock"


def _runtime_folder() -> Path:
    """A folder for short-lived things in which nobody else replaces ours.

    The variables outlive their session, and may be another user's after su.
    """
    named = os.environ.get("XDG_RUNTIME_DIR") or tempfile.gettempdir()
    for choice in (named, "/tmp"):
        short = len(os.fsencode(choice)) <= LONGEST_PATH - 50
        # Its sticky bit excuses it: ours lies in it, in a folder of its own.
        if short and os.access(choice, os.W_OK | os.X_OK) and not distrust(Path(choice), strict=0):
            return Path(choice)
    raise NoPlaceForSocket(f"neither {named} nor /tmp is safe to use: move REVERIE_HOME")


@contextmanager
def listening(home: Home, deadline: float) -> Generator[socket.socket]:
    """A bound, listening socket with its address in the home's file.

    ``deadline``: seconds for a prompt; hooks wait a little longer. Only the holder of the home's
    lock may call this: a socket file in the way is then a dead daemon's, and is removed.
    """
    path = socket_path(home)
    path.unlink(missing_ok=True)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    bound: tuple[int, int] | None = None
    try:
        listener.bind(str(path))
        bound = identity(path)
        path.chmod(FILE_MODE)
        listener.listen(BACKLOG)
        listener.setblocking(False)
        _write(home.hook_budget, f"{1000 * (deadline + ON_THE_WAY):.0f}\n")
        _write(home.address, f"{path}\n")
        yield listener
    finally:
        listener.close()
        if bound is not None and bound == identity(path):  # else it is a later daemon's
            home.address.unlink(missing_ok=True)
            home.hook_budget.unlink(missing_ok=True)
            path.unlink(missing_ok=True)


def _write(path: Path, line: str) -> None:
    """Make the file whole, in one step."""
    with whole_file(path) as file:
        file.write(line.encode())
