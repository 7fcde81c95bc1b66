"""Conversation of a command with the daemon: many questions on one connection, some at once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from daemon.asking.connection import LOOK
from daemon.asking.failures import NotAsked
from daemon.commands.terminal.question import (
    LEAVING,
    READY_WITHIN,
    look_whether_it_hangs,
    started,
)
from daemon.home import Home, current_home
from daemon.launch import Hung

if TYPE_CHECKING:
    from daemon.client import Client

T = TypeVar("T")


def conversation(talk: Callable[[Client], Awaitable[T]], home: Home | None = None) -> T:
    """Return the result of ``talk``, on a connection to a ready daemon of this home.

    Raises ``StartFailed``, ``DaemonAway`` and the errors of ``talk``.
    """
    home = home or current_home()
    for _ in range(LEAVING):
        try:
            return _talked(talk, home)
        except* NotAsked:
            pass
    return _talked(talk, home)


def _talked(talk: Callable[[Client], Awaitable[T]], home: Home) -> T:
    import anyio

    started(home, READY_WITHIN)
    return anyio.run(partial(_on_a_connection, talk, home))


async def _on_a_connection(talk: Callable[[Client], Awaitable[T]], home: Home) -> T:
    from daemon.client import open_client

    async with open_client(home) as client:
        return await _while_it_lives(talk(client), home)


async def _while_it_lives(talk: Awaitable[T], home: Home) -> T:
    """Return the result of ``talk``; raises ``Hung`` as well, where the daemon hangs meanwhile."""
    import anyio

    problem: Exception | None = None

    async def look_on() -> None:
        nonlocal problem
        try:
            while True:
                await anyio.sleep(LOOK)
                await anyio.to_thread.run_sync(look_whether_it_hangs, home, abandon_on_cancel=True)
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
