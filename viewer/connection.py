"""The connection to the daemon: made, lost and made again. One task owns it; it follows the events there."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncGenerator, Callable, Mapping
from itertools import islice
from secrets import token_hex
from typing import Any, Final, TypeVar

import anyio
import msgspec
from msgspec import Struct

from daemon.api.journal import Follow
from daemon.api.operation import Operation
from daemon.asking import DaemonAway, Refused, StrangerServes
from daemon.client import Client, open_client
from daemon.home import Home

R = TypeVar("R")

FIRST_PAUSE: Final = 0.1  # seconds before the next attempt; doubled each time
LONGEST_PAUSE: Final = 2.0
AWAY: Final = "the daemon is away: 'reverie up' starts it"


class Connection(Struct):
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


# ---- events, as they happen, for every looking browser
#
# A ring of the last messages with rising numbers, and no queue for anybody: a browser asks for the messages after its
# number, so a sleeping one costs nothing, and finds the oldest gone when it wakes. It is told to load anew then
# (``resync``).

KEPT: Final = 1_000  # messages
HEARTBEAT: Final = 15.0  # seconds without anything else
TOGETHER: Final = 100  # messages that are sent at once
NAMES: Final = ("id", "one", "other")  # what holds the id of a memory
RESYNC: Final = b"event: resync\ndata: {}\n\n"
UP: Final = b'event: daemon\ndata: {"up":true}\n\n'
DOWN: Final = b'event: daemon\ndata: {"up":false}\n\n'
# The daemon's word for what happened, and the view's.
WORDS: Final = {
    "MemoryCreated": "learnt",
    "MemoryUpdated": "changed",
    "MemoryDeleted": "forgotten",
    "MemoryRestored": "restored",
    "MemoryPromoted": "strength",
    "MemoryDemoted": "strength",
    "MemorySuppressed": "strength",
    "MemoryUnsuppressed": "strength",
    "SearchPerformed": "searched",
    "NoteRead": "read",
    "NoteJudged": "judged",
    "ConnectionDiscovered": "linked",
    "DreamStarted": "dream",
    "DreamProgress": "dream",
    "DreamCompleted": "dream",
    "PlanProposed": "plan",
    "PlanDecided": "plan",
}


class Events:
    """The ring, and whether the daemon is there."""

    def __init__(self, heartbeat: float = HEARTBEAT) -> None:
        """``heartbeat``: seconds of silence before a browser gets a sign of life."""
        self.run = token_hex(4)  # a number is of one process only
        self._heartbeat = heartbeat
        self._ring: deque[bytes] = deque(maxlen=KEPT)
        self._last = 0
        self._up = False
        self._over = False
        self._news = anyio.Event()
        self.looking = 0  # browsers

    # ---- what is told

    def came(self) -> None:
        """Note the daemon as present: earlier events are unknown."""
        self._up = True
        self._keep(UP, RESYNC)

    def went(self) -> None:
        """Note the daemon as away."""
        self._up = False
        self._keep(DOWN)

    def happened(self, frame: Mapping[str, Any]) -> None:
        """Keep a frame of the operation ``follow``."""
        if frame["dropped"]:
            self._keep(RESYNC)
        self._keep(*(_written(one) for one in frame["events"] if one["type"] in WORDS))

    def end(self) -> None:
        """Let every browser go."""
        self._over = True
        self._wake()

    def _keep(self, *messages: bytes) -> None:
        for message in messages:
            self._last += 1
            self._ring.append(b"id: %s.%d\n%s" % (self.run.encode(), self._last, message))
        self._wake()

    def _wake(self) -> None:
        news, self._news = self._news, anyio.Event()
        news.set()

    # ---- who looks

    async def after(self, last_id: str) -> AsyncGenerator[bytes]:
        """Yield messages behind a browser's last one, until it goes; empty: from now on."""
        self.looking += 1
        try:
            place = self._place(last_id)
            yield UP if self._up else DOWN
            while not self._over:
                news = self._news
                if place is None or place < self._last - len(self._ring):
                    place = self._last
                    yield RESYNC
                    continue
                first = self._last - len(self._ring)
                waiting = list(islice(self._ring, place - first, place - first + TOGETHER))
                if waiting:
                    place += len(waiting)
                    yield b"".join(waiting)
                    continue
                with anyio.move_on_after(self._heartbeat) as silence:
                    await news.wait()
                if silence.cancelled_caught:
                    yield b": still here\n\n"
        finally:
            self.looking -= 1

    def _place(self, last_id: str) -> int | None:
        """Number of an id; ``None``: it is none of ours."""
        if not last_id:
            return self._last
        run, _, number = last_id.partition(".")
        known = run == self.run and number.isascii() and number.isdigit()
        return int(number) if known and int(number) <= self._last else None


def _written(event: Mapping[str, Any]) -> bytes:
    data: Mapping[str, Any] = event["data"]
    what = WORDS[event["type"]]
    if what == "searched" and data.get("by") == "agent":
        what = "told"
    told = {
        "what": what,
        "at": event["at"],
        "ids": [data[name] for name in NAMES if isinstance(data.get(name), str)],
        "titles": event.get("titles", {}),
        "detail": {name: value for name, value in data.items() if name not in NAMES},
    }
    return b"data: %s\n\n" % msgspec.json.encode(told)
