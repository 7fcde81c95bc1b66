"""Both ends of a question: the daemon's address, its listener, and the answer in a frame."""

import os
import socket
from typing import TypeVar

import msgspec

from daemon.api.operation import Operation, reply_of
from daemon.asking.failures import DaemonAway, Refused, StrangerServes
from daemon.home import Home
from daemon.shapes.replies import Problem
from daemon.wire import ERROR, REPLY, Frame
from hooks import ownership

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
