"""One question to the daemon, which is started when it is away; each on a connection of its own.

A call that the agent cancels closes its connection, and so ends the work in the daemon. Whatever
goes wrong is one line that says what to do: an agent reads it.
"""

from typing import TypeVar

import msgspec

from daemon.client import DaemonAway, Refused, open_client
from daemon.home import Home
from daemon.launch import StartFailed, ensure_daemon
from daemon.requests.shapes import Request
from daemon.wire import TooLarge

R = TypeVar("R")

READY_WITHIN = 30.0  # seconds for a daemon to come up: a large database may be migrated
ANSWER_WITHIN = 70.0  # seconds; the daemon gives up before and then says why


class NotDone(Exception):
    """The call came to nothing; the text says why and what to do, in one line for the agent."""


async def asked(home: Home, request: Request[R]) -> R:
    """The daemon's reply to one request. Raises ``NotDone``."""
    try:
        return await _asked(home, request)
    except DaemonAway:
        return await _asked_of_a_new_one(home, request)


async def _asked_of_a_new_one(home: Home, request: Request[R]) -> R:
    try:
        await ensure_daemon(home, within=READY_WITHIN)
        return await _asked(home, request)
    except (StartFailed, DaemonAway) as error:
        raise NotDone(
            f"the memory is away ({error}): go on without it, and tell the user to run reverie doctor"
        ) from error


async def _asked(home: Home, request: Request[R]) -> R:
    """Ask a daemon that is there. Raises ``DaemonAway`` or ``NotDone``."""
    try:
        async with open_client(home) as client:
            return await client.ask(request, within=ANSWER_WITHIN)
    except Refused as error:
        raise NotDone(str(error)) from error
    except TimeoutError as error:
        raise NotDone(
            f"the memory did not answer within {ANSWER_WITHIN:g} s and may have done it all the same:"
            " search before you write it again"
        ) from error
    except TooLarge as error:
        raise NotDone("the text is too large to be sent: shorten it") from error
    except msgspec.ValidationError as error:
        raise NotDone(
            "the memory is of another version: tell the user to run reverie down"
        ) from error
