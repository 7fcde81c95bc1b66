"""The process of the view: its socket, its server, and its end when nobody looks any more."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
import webbrowser
from collections.abc import Callable
from functools import partial
from typing import Final

import anyio
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from daemon.home import Home
from viewer.app import App
from viewer.connection import Connection
from viewer.desk import Desk
from viewer.door import Door
from viewer.events import Events
from viewer.files import pages
from viewer.owners import are_told, owner

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
    connection = Connection(home, events.came, events.went, events.happened)
    app = App(door, Desk(home, connection), events, pages())
    # Silent: whoever reaches the port could write into the terminal, and a traceback holds texts.
    config = uvicorn.Config(
        app, http=protocol, ws="none", lifespan="off", log_config=None, log_level="critical", access_log=False,
        server_header=False, proxy_headers=False, limit_concurrency=AT_MOST,
        timeout_graceful_shutdown=LAST,
    )  # fmt: skip
    server = Server(config, events)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(connection.run)
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
