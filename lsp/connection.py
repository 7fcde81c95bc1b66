"""The connection to the daemon: found, watched, lost and found again, without a word.

One task owns it. It starts a daemon at its own start, and again when one was killed; one left on
request stays away. The daemon counts as present from its first word (the first frame of the watch)
until the connection ends; while it is away every question is answered at once by ``DaemonAway``,
nobody waits for a reconnection.
"""

import logging
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import anyio
import msgspec
from msgspec import Struct

from daemon.api.operation import Operation
from daemon.api.status import Watch
from daemon.asking import DaemonAway, Refused, StrangerServes
from daemon.client import Client, open_client
from daemon.home import Home
from daemon.lock import was_killed
from daemon.wire import TooLarge

R = TypeVar("R")

Start = Callable[[Home, bool], Awaitable[str | None]]
"""Makes sure that a daemon runs; answers with a line when it could not.

Where the second is true, only if the last one was killed: a person may have said ``down`` meanwhile.
"""

FIRST_PAUSE = 0.1  # seconds before the next attempt; doubled each time
LONGEST_PAUSE = 2.0
# Starts of a daemon that was killed, and the seconds within which there are no more: one killed by somebody is back
# at once, many times in a row; one dying of its circumstances does not cost a start at every look.
STARTS = 10
WITHIN = 1_200.0

logger = logging.getLogger(__name__)


class Present(msgspec.Struct, frozen=True):
    """The daemon answers; its last word about itself."""

    revision: int
    memories: int
    vectors: str  # ready, building, off


class Away(Struct, frozen=True):
    """No daemon answers; ``why`` is known when one could not be started."""

    why: str = ""


Presence = Present | Away


class Connection:
    """Asks the daemon of one home, when it is there."""

    def __init__(
        self, home: Home, *, start: Start | None, changed: Callable[[Presence], None]
    ) -> None:
        """``start`` is called before the first connection, and when the daemon was killed.

        A daemon left in order was told to: it is not started again. ``changed`` is told of every
        change, the first time one is found too.
        """
        self._home = home
        self._start = start
        self._changed = changed
        self._client: Client | None = None
        self._visiting: anyio.CancelScope | None = None
        self._distrusted = ""  # why nobody was asked, when that was the last reason
        self.presence: Presence = Away()

    async def ask(self, request: Operation[R], *, within: float) -> R:
        """The daemon's answer.

        Raises ``DaemonAway`` (at once, when it is), ``Refused`` or ``TimeoutError``.
        """
        if self._client is None or isinstance(self.presence, Away):
            raise DaemonAway("the daemon is away")
        try:
            return await self._client.ask(request, within=within)
        except DaemonAway:
            if self._visiting is not None:  # perhaps only sending broke: begin anew
                self._visiting.cancel()
            raise
        except TooLarge as error:
            raise Refused("too-large", str(error)) from error
        except msgspec.ValidationError as error:
            raise DaemonAway("the daemon is of another version") from error

    async def run(self) -> None:
        """Keep the connection, until cancelled."""
        await self._bring_up(if_killed=False)
        pause, starts = FIRST_PAUSE, deque[float](maxlen=STARTS)
        while True:
            began = anyio.current_time()
            await self._visit()
            now = anyio.current_time()
            pause = FIRST_PAUSE if now - began > LONGEST_PAUSE else pause
            await anyio.sleep(pause)
            pause = min(pause * 2, LONGEST_PAUSE)
            allowed = len(starts) < STARTS or now - starts[0] > WITHIN
            if allowed and was_killed(self._home):
                starts.append(now)
                await self._bring_up(if_killed=True)

    async def _bring_up(self, *, if_killed: bool) -> None:
        if self._start is None:
            return
        problem = await self._start(self._home, if_killed)
        if problem is not None:
            logger.warning("event=daemon_not_started reason=%s", problem)
            self._become(Away(problem))

    async def _visit(self) -> None:
        """One connection, from its opening to its end."""
        try:
            async with open_client(self._home) as client:
                self._client = client
                with anyio.CancelScope() as self._visiting:
                    await self._watch(client)
        except* StrangerServes as strangers:
            reason = str(strangers.exceptions[0])
            if reason != self._distrusted:  # once a reason: it is tried again every few seconds
                self._distrusted = reason
                logger.warning("event=daemon_not_trusted reason=%s", reason)
        except* (DaemonAway, TimeoutError):  # the second: it hangs and takes no connection
            pass
        except* msgspec.ValidationError:  # the task that receives met nonsense
            logger.warning("event=daemon_not_understood")
        finally:
            self._client = None
            if isinstance(self.presence, Present):
                self._become(Away())

    async def _watch(self, client: Client) -> None:
        def progress(body: dict[str, Any]) -> None:
            self._become(msgspec.convert(body, Present))

        try:
            await client.ask(Watch(), within=None, progress=progress)
        except (DaemonAway, Refused, msgspec.ValidationError) as error:
            logger.info("event=watch_ended reason=%s", type(error).__name__)

    def _become(self, presence: Presence) -> None:
        if presence != self.presence:
            self.presence = presence
            self._changed(presence)
