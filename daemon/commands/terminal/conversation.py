"""Conversation of a command with the daemon: it is started if need be, and asked."""

import os
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, TypeVar

import anyio

from daemon.api.operation import Operation
from daemon.api.status import Greeting
from daemon.client import Client, NotAsked, open_client
from daemon.commands.terminal.output import error_line
from daemon.commands.terminal.progress import progress_line
from daemon.home import Home, current_home
from daemon.launch import Hung, StartFailed, ensure_daemon, greeting

T = TypeVar("T")
R = TypeVar("R")

READY_WITHIN = 30.0  # seconds for a daemon to come up: a large database may be migrated
LEAVING = 3  # daemons in a row that leave before they take what is asked
ANSWER_WITHIN = 70.0  # seconds; the daemon gives up before and then says why
LOOK = 1.0  # seconds of waiting, after which the daemon is asked whether it hangs


def asked(request: Operation[R], *, within: float | None = ANSWER_WITHIN) -> R:
    """The daemon's reply to one request."""

    async def ask(client: Client) -> R:
        return await client.ask(request, within=within)

    return conversation(ask)


def watched(
    request: Operation[R], said: Callable[[dict[str, Any]], str], home: Home | None = None
) -> R:
    """The reply to a request that takes as long as it takes; ``said``: a progress frame in words."""
    with progress_line() as show:

        async def ask(client: Client) -> R:
            return await client.ask(request, within=None, progress=lambda frame: show(said(frame)))

        return conversation(ask, home)


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
    await started(home, READY_WITHIN)
    async with open_client(home) as client:
        return await _while_it_lives(talk(client), home)


async def started(home: Home, within: float) -> Greeting:
    """A daemon that is ready; of a new home it is said at once when it has no model."""
    is_new = not (home.database.exists() or home.address.exists())
    found = await ensure_daemon(home, within=within, say=error_line)
    if is_new and _lacks_model(home):
        error_line(
            "this new home finds memories by words alone: 'reverie model setup' brings a model"
        )
    return found


def _lacks_model(home: Home) -> bool:
    # Not before: most commands need neither.
    from daemon.embedding.provision import found
    from daemon.settings import load

    settings = load(home, os.environ).settings.embedding
    return settings.enabled and found(home, settings.model) is None


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
