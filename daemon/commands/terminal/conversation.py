"""Conversation of a command with the daemon: it is started if need be, and asked.

Every way in which that fails becomes one line and exit code 1.
"""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import TypeVar

import anyio
import click
import msgspec

from daemon.client import Client, DaemonAway, NotAsked, Refused, open_client
from daemon.commands.terminal.output import error_line
from daemon.home import Home, current_home
from daemon.launch import StartFailed, ensure_daemon
from daemon.requests.shapes import Request
from daemon.wire import TooLarge

T = TypeVar("T")
R = TypeVar("R")

EXPLAINED = (StartFailed, Refused, DaemonAway, TimeoutError, TooLarge, msgspec.ValidationError)
READY_WITHIN = 30.0  # seconds for a daemon to come up: a large database may be migrated
LEAVING = 3  # daemons in a row that leave before they take what is asked
ANSWER_WITHIN = 70.0  # seconds; the daemon gives up before and then says why


def asked(request: Request[R], *, within: float | None = ANSWER_WITHIN) -> R:
    """The daemon's reply to one request."""

    async def ask(client: Client) -> R:
        return await client.ask(request, within=within)

    return conversation(ask)


def conversation(talk: Callable[[Client], Awaitable[T]], home: Home | None = None) -> T:
    """Return what ``talk`` returns, on a connection to a daemon of this home that is ready.

    Raises ``click.ClickException`` when it cannot be started, refuses or goes away.
    """
    return anyio.run(partial(_conversation, talk, home or current_home()))


async def _conversation(talk: Callable[[Client], Awaitable[T]], home: Home) -> T:
    try:
        for _ in range(LEAVING):
            with suppress(NotAsked):
                return await _talked(talk, home)
        return await _talked(talk, home)
    except EXPLAINED as error:
        raise _explained(error) from error


async def _talked(talk: Callable[[Client], Awaitable[T]], home: Home) -> T:
    await ensure_daemon(home, within=READY_WITHIN, say=error_line)
    async with open_client(home) as client:
        return await talk(client)


def _explained(problem: Exception) -> click.ClickException:
    match problem:
        case Refused():
            return click.ClickException(f"refused: {problem} [{problem.code}]")
        case TimeoutError():
            return click.ClickException("the daemon did not answer in time; see 'reverie logs'")
        case TooLarge():
            return click.ClickException("the text is too large to be sent (16 MiB)")
        case msgspec.ValidationError():
            return click.ClickException("the daemon is of another version; try 'reverie down'")
        case DaemonAway():
            return click.ClickException(f"{problem}; see 'reverie logs'")
        case _:
            return click.ClickException(str(problem))
