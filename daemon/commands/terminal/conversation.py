"""Conversation of a command with the daemon: it is started if need be, and asked."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import TypeVar

import anyio

from daemon.client import Client, NotAsked, open_client
from daemon.commands.terminal.output import error_line
from daemon.home import Home, current_home
from daemon.launch import Hung, StartFailed, ensure_daemon, greeting
from daemon.requests.shapes import Request

T = TypeVar("T")
R = TypeVar("R")

READY_WITHIN = 30.0  # seconds for a daemon to come up: a large database may be migrated
LEAVING = 3  # daemons in a row that leave before they take what is asked
ANSWER_WITHIN = 70.0  # seconds; the daemon gives up before and then says why
LOOK = 1.0  # seconds of waiting, after which the daemon is asked whether it hangs


def asked(request: Request[R], *, within: float | None = ANSWER_WITHIN) -> R:
    """The daemon's reply to one request."""

    async def ask(client: Client) -> R:
        return await client.ask(request, within=within)

    return conversation(ask)


def conversation(talk: Callable[[Client], Awaitable[T]], home: Home | None = None) -> T:
    """Return what ``talk`` returns, on a connection to a daemon of this home that is ready.

    Raises ``StartFailed``, ``DaemonAway`` and what ``talk`` raises.
    """
    return anyio.run(partial(_conversation, talk, home or current_home()))


async def _conversation(talk: Callable[[Client], Awaitable[T]], home: Home) -> T:
    for _ in range(LEAVING):
        try:
            return await _talked(talk, home)
        except* NotAsked:
            pass
    return await _talked(talk, home)


async def _talked(talk: Callable[[Client], Awaitable[T]], home: Home) -> T:
    await ensure_daemon(home, within=READY_WITHIN, say=error_line)
    async with open_client(home) as client:
        return await _while_it_lives(talk(client), home)


async def _while_it_lives(talk: Awaitable[T], home: Home) -> T:
    """Return what it returns; raises ``Hung`` as well, where the daemon hangs meanwhile."""
    problem: Exception | None = None

    async def look_on() -> None:
        nonlocal problem
        try:
            await _until_it_hangs(home)
        except Hung as hung:
            problem = hung
            tasks.cancel_scope.cancel()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(look_on)
        try:
            return await talk
        except Exception as error:
            problem = error
        finally:
            tasks.cancel_scope.cancel()
    assert problem is not None  # nothing else ends the talk
    raise problem


async def _until_it_hangs(home: Home) -> None:
    """Greet the daemon now and then; raises ``Hung``."""
    while True:
        await anyio.sleep(LOOK)
        try:
            await greeting(home, within=ANSWER_WITHIN)
        except Hung:
            raise
        except StartFailed:
            pass  # whoever talks hears it as well
