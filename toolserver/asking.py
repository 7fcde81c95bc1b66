"""One question to the daemon, which is started when it is away; each on a connection of its own.

A call cancelled by the agent closes its connection, and so ends the work in the daemon. Any error
is one line with the remedy: an agent reads it.
"""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

import anyio
import msgspec

from daemon.api.operation import Operation
from daemon.asking.connection import DaemonAway, Refused
from daemon.client import open_client
from daemon.home import Home
from daemon.launch import StartFailed, ensure_daemon
from daemon.wire import TooLarge

R = TypeVar("R")
Progress = Callable[[dict[str, Any]], None]

READY_WITHIN = 30.0  # seconds for a daemon to come up: a large database may be migrated
ANSWER_WITHIN = 70.0  # seconds; the daemon gives up before and then says why


class NotDone(Exception):
    """The call failed; the text has reason and remedy, in one line for the agent."""


class Asking:
    """Asks the daemon of one home; the first question, and one after it went away, sees to it first."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._met = False  # a daemon that runs and is not older than this process

    async def __call__(self, request: Operation[R], progress: Progress | None = None) -> R:
        """The daemon's reply to one request. Raises ``NotDone``.

        Only a request with progress may take longer than ``ANSWER_WITHIN``.
        """
        try:
            if self._met:
                with suppress(DaemonAway):
                    return await self._asked(request, progress)
            ensure = partial(ensure_daemon, self._home, within=READY_WITHIN)
            await anyio.to_thread.run_sync(ensure, abandon_on_cancel=True)
            self._met = True
            return await self._asked(request, progress)
        except (StartFailed, DaemonAway) as error:
            raise NotDone(
                f"the memory is away ({error}): go on without it,"
                " and tell the user to run reverie doctor"
            ) from error

    async def _asked(self, request: Operation[R], progress: Progress | None) -> R:
        """Ask a present daemon. Raises ``DaemonAway`` or ``NotDone``."""
        within = ANSWER_WITHIN if progress is None else None
        try:
            async with open_client(self._home) as client:
                return await client.ask(request, within=within, progress=progress)
        except Refused as error:
            raise NotDone(str(error)) from error
        except TimeoutError as error:
            raise NotDone(
                f"the memory did not answer within {ANSWER_WITHIN:g} s and may have done it all the"
                " same: search before you write it again"
            ) from error
        except TooLarge as error:
            raise NotDone("the text is too large to be sent: shorten it") from error
        except msgspec.ValidationError as error:
            raise NotDone(
                "the memory is of another version: tell the user to run reverie down"
            ) from error
