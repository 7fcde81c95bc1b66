"""The connection to the daemon: made, lost and made again. One task owns it; it follows the events there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import anyio
import msgspec

from daemon.api.journal import Follow
from daemon.api.operation import Operation
from daemon.asking.connection import DaemonAway, Refused, StrangerServes
from daemon.client import Client, open_client
from daemon.home import Home

R = TypeVar("R")

FIRST_PAUSE: Final = 0.1  # seconds before the next attempt; doubled each time
LONGEST_PAUSE: Final = 2.0
AWAY: Final = "the daemon is away: 'reverie up' starts it"


@dataclass(slots=True)
class Connection:
    """The daemon of a home, as far as it is there."""

    home: Home
    came: Callable[[], None]  # told when the daemon is there
    went: Callable[[], None]
    happened: Callable[[dict[str, Any]], None]  # told of each frame of ``follow``
    _client: Client | None = None

    async def ask(self, request: Operation[R]) -> R:
        """The daemon's reply.

        Raises ``DaemonAway`` (at once, while it is away), ``Refused``, ``TimeoutError`` or ``TooLarge``.
        """
        if self._client is None:
            raise DaemonAway(AWAY)
        try:
            return await self._client.ask(request, within=request.WITHIN)
        except msgspec.ValidationError as error:
            raise DaemonAway("the daemon is of another version: 'reverie down' ends it") from error

    async def run(self) -> None:
        """Keep the connection, until cancelled."""
        pause = FIRST_PAUSE
        while True:
            began = anyio.current_time()
            await self._visit()
            pause = FIRST_PAUSE if anyio.current_time() - began > LONGEST_PAUSE else pause
            await anyio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    async def _visit(self) -> None:
        """One connection, from its beginning to its end."""
        try:
            async with open_client(self.home) as client:
                self._client = client
                self.came()
                await client.ask(Follow(titles=True), within=None, progress=self.happened)
        except* (DaemonAway, StrangerServes, Refused, TimeoutError, msgspec.ValidationError):
            pass  # it is away, or no daemon of ours: looked for again
        finally:
            if self._client is not None:
                self._client = None
                self.went()
