"""The process of the view: its socket, who connects to it, the ASGI application, and its end when nobody looks any more."""

from __future__ import annotations

import asyncio
import os
import socket
import struct
import sys
import time
import webbrowser
from collections.abc import Callable
from contextlib import aclosing, suppress
from functools import partial
from typing import Final

import anyio
import uvicorn
from msgspec import Struct, field
from uvicorn.protocols.http.h11_impl import H11Protocol

from daemon.home import Home
from viewer import desk
from viewer.connection import Events, follow
from viewer.exchange import (
    SAFE,
    Answer,
    Door,
    Receive,
    Request,
    Scope,
    Send,
    TooLong,
    begin,
    body_of,
    pages,
    problem,
)

# ---- owner of the other end of a connection on this machine, as the kernel knows it
#
# Every user of a machine can connect to a port of the loopback. On Linux the kernel tells the user of a
# socket by its two addresses (sock_diag(7), ``NETLINK_SOCK_DIAG``): one question, 0.2 ms, where reading
# ``/proc/net/tcp`` takes 18. Elsewhere nobody is asked, and the cookie alone decides.

Address = tuple[str, int]

SOCK_DIAG: Final = 4  # protocol of netlink
BY_FAMILY: Final = 20  # a question, and its answer, about a socket of a family
REQUEST: Final = 1  # flag
HEADER: Final = struct.Struct("=IHHII")  # struct nlmsghdr: length, type, flags, sequence, process
ASKED: Final = struct.Struct("=BBBBI")  # of inet_diag_req_v2: family, protocol, more, pad, states
ANY_STATE: Final = 0xFFFFFFFF
NO_COOKIE: Final = b"\xff" * 8  # INET_DIAG_NOCOOKIE, twice
FACTS: Final = struct.Struct("=IIIII")  # of inet_diag_msg: expires, two queues, user, inode
FACTS_AT: Final = HEADER.size + 4 + 48  # behind family, state, timer, retransmits, and the identity
WITHIN: Final = 1.0  # seconds: the kernel answers at once


def owner(local: Address, peer: Address) -> int | None:
    """User of the socket with these two addresses, IPv4; ``None`` where nobody says."""
    if sys.platform != "linux":
        return None
    ends = struct.pack("!HH", local[1], peer[1])
    places = b"".join(socket.inet_aton(one[0]) + bytes(12) for one in (local, peer))
    asked = ASKED.pack(socket.AF_INET, socket.IPPROTO_TCP, 0, 0, ANY_STATE)
    asked += ends + places + bytes(4) + NO_COOKIE
    head = HEADER.pack(HEADER.size + len(asked), BY_FAMILY, REQUEST, 1, 0)
    with suppress(OSError), socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, SOCK_DIAG) as kernel:
        kernel.settimeout(WITHIN)
        kernel.send(head + asked)
        told = kernel.recv(1024)
        if HEADER.unpack_from(told)[1] == BY_FAMILY:
            return int(FACTS.unpack_from(told, FACTS_AT)[3])
    return None


def are_told(listening: socket.socket) -> bool:
    """Tell whether the kernel names the owners of connections to this socket: it is tried with our own."""
    address: Address = listening.getsockname()
    with socket.create_connection(address) as ours:
        told = owner(ours.getsockname(), address)
        taken, _ = listening.accept()
        taken.close()
    return told == os.getuid()


# ---- the view as an ASGI application: the door, then the desk, the events or a file

API: Final = "/api/"
EVENTS: Final = "/api/events"
STREAM: Final = {
    **SAFE,
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store",
}


class App(Struct):
    """Everything served by one process of the view."""

    door: Door
    home: Home
    events: Events
    pages: dict[str, Answer]
    asked_at: float = field(default_factory=time.monotonic)  # when somebody was here last

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return
        request = Request.of(scope)
        refusal = self.door.answer(request)
        if refusal is not None:
            await refusal.send(send, with_body=request.method != "HEAD")
            return
        self.asked_at = time.monotonic()
        if request.path == EVENTS and request.method == "GET":
            await self._follow(request, receive, send)
        elif request.path.startswith(API) and request.method == "POST":
            await self._ask(request, receive, send)
        elif request.path.startswith(API) or request.method not in ("GET", "HEAD"):
            await problem(405, "POST to /api/NAME, GET everything else").send(send)
        else:
            found = self.pages.get(request.path) or problem(404, "there is no such page")
            await found.send(send, with_body=request.method != "HEAD")

    def idle(self) -> float:
        """Seconds since somebody was here; 0 while anybody looks."""
        return 0.0 if self.events.looking else time.monotonic() - self.asked_at

    async def _ask(self, request: Request, receive: Receive, send: Send) -> None:
        try:
            body = await body_of(receive)
        except TooLong:
            await problem(413, "that is too much to ask at once").send(send)
            return
        name = request.path.removeprefix(API)
        answer = await desk.answer(self.home, request, name, body)
        await answer.send(send)

    async def _follow(self, request: Request, receive: Receive, send: Send) -> None:
        """Send events until the browser goes, or the process ends."""
        await begin(send, 200, STREAM)
        async with anyio.create_task_group() as tasks:

            async def until_gone() -> None:
                while (await receive())["type"] != "http.disconnect":
                    pass
                tasks.cancel_scope.cancel()

            tasks.start_soon(until_gone)
            last_id = request.headers.get("last-event-id", "")
            async with aclosing(self.events.after(last_id)) as messages:
                async for message in messages:  # a slow browser holds up its own messages alone
                    await send({"type": "http.response.body", "body": message, "more_body": True})
            tasks.cancel_scope.cancel()
        self.asked_at = time.monotonic()
        with anyio.CancelScope(shield=True):
            await send({"type": "http.response.body", "body": b""})


# ---- the process of the view: its socket, its server, and its end when nobody looks any more

HOST: Final = "127.0.0.1"
IDLE: Final = 900.0  # seconds without anybody who looks, after which it ends
LOOK: Final = 5.0  # seconds between two looks at that
AT_MOST: Final = 64  # connections; a browser opens six
ROOT: Final = 0  # may read everything anyway; relays of virtual machines run as root
LAST: Final = 2  # seconds for answers under way when it ends


class OwnUser(H11Protocol):
    """A connection cut at once where another user's process made it: silent ones would fill all places."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to listen to it, unless it is another user's."""
        super().connection_made(transport)
        ends = transport.get_extra_info("peername"), transport.get_extra_info("sockname")
        if owner(*ends) not in (os.getuid(), ROOT):
            transport.abort()


class Server(uvicorn.Server):
    """A server letting its followers go before it waits for them."""

    def __init__(self, config: uvicorn.Config, events: Events) -> None:
        super().__init__(config)
        self._events = events

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End every stream, then the rest."""
        self._events.end()
        await super().shutdown(sockets)


def listener(port: int) -> socket.socket:
    """A socket of this machine alone; 0: any free port. Raises ``OSError`` for a taken one."""
    listening = socket.socket()
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((HOST, port))
        listening.listen(AT_MOST)
    except OSError:
        listening.close()
        raise
    return listening


def serve(
    home: Home, listening: socket.socket, *, page: str, opens: bool, say: Callable[[str], None]
) -> None:
    """Serve the pages until nobody looks, or a signal ends it; ``say`` is told the address."""
    with listening:
        door = Door(listening.getsockname()[1])
        protocol = OwnUser if are_told(listening) else H11Protocol
        address = door.address(page)
        say(address)
        anyio.run(partial(_run, home, listening, door, protocol, address if opens else ""))


async def _run(
    home: Home, listening: socket.socket, door: Door, protocol: type[H11Protocol], address: str
) -> None:
    events = Events()
    app = App(door, home, events, pages())
    # Silent: whoever reaches the port could write into the terminal, and a traceback holds texts.
    config = uvicorn.Config(
        app, http=protocol, ws="none", lifespan="off", log_config=None, log_level="critical", access_log=False,
        server_header=False, proxy_headers=False, limit_concurrency=AT_MOST,
        timeout_graceful_shutdown=LAST,
    )  # fmt: skip
    server = Server(config, events)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(follow, home, events)
        tasks.start_soon(_end_when_idle, server, app)
        if address and _has_screen():
            tasks.start_soon(
                partial(anyio.to_thread.run_sync, abandon_on_cancel=True), webbrowser.open, address
            )
        await server.serve([listening])
        tasks.cancel_scope.cancel()


async def _end_when_idle(server: uvicorn.Server, app: App) -> None:
    while app.idle() < IDLE:  # noqa: ASYNC110 - nobody tells that nobody looks
        await anyio.sleep(LOOK)
    server.should_exit = True


def _has_screen() -> bool:
    """Tell whether a browser could show anything: one of the terminal would take the terminal."""
    return sys.platform == "darwin" or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))
