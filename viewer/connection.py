"""Questions to the daemon, each on a connection of its own, and the events that one task follows there."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from typing import Any, Final, TypeVar

import anyio
import msgspec
from anyio.streams.memory import MemoryObjectSendStream

from daemon.api.journal import Follow
from daemon.api.operation import Operation
from daemon.asking import DaemonAway, Refused, StrangerServes
from daemon.client import open_client
from daemon.home import Home

R = TypeVar("R")

FIRST_PAUSE: Final = 0.1  # seconds before the next attempt; doubled each time
LONGEST_PAUSE: Final = 2.0
AWAY: Final = "the daemon is away: 'reverie up' starts it"


async def ask(home: Home, request: Operation[R]) -> R:
    """The daemon's reply. Raises ``DaemonAway``, ``Refused``, ``TimeoutError`` or ``TooLarge``."""
    try:
        async with open_client(home) as client:
            return await client.ask(request, within=request.WITHIN)
    except StrangerServes:
        raise
    except DaemonAway as error:
        raise DaemonAway(AWAY) from error
    except msgspec.ValidationError as error:
        raise DaemonAway("the daemon is of another version: 'reverie down' ends it") from error


async def follow(home: Home, events: Events) -> None:
    """Tell what happens in the daemon, whenever it is there, until cancelled."""
    pause = FIRST_PAUSE
    while True:
        began = anyio.current_time()
        try:
            async with open_client(home) as client:
                events.came()
                try:
                    await client.ask(Follow(), within=None, progress=events.happened)
                finally:
                    events.went()
        except* (DaemonAway, Refused, TimeoutError, msgspec.ValidationError):
            pass  # it is away, or no daemon of ours: looked for again
        pause = FIRST_PAUSE if anyio.current_time() - began > LONGEST_PAUSE else pause
        await anyio.sleep(pause)
        pause = min(2 * pause, LONGEST_PAUSE)


# ---- events, as they happen, for every looking browser
#
# Each has a bounded queue; one that is asleep loses it, and is told to load anew (``resync``), as is one that comes
# back after its connection broke.

KEPT: Final = 1_000  # messages that wait for a browser
HEARTBEAT: Final = 15.0  # seconds without anything else
ID: Final = b"id: 1\n"  # by which a browser that comes back says that it was here
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
    "DreamCompleted": "dream",
    "PlanProposed": "plan",
    "PlanDecided": "plan",
}


class Events:
    """The looking browsers, and whether the daemon is there."""

    def __init__(self, heartbeat: float = HEARTBEAT) -> None:
        """``heartbeat``: seconds of silence before a browser gets a sign of life."""
        self._heartbeat = heartbeat
        self._up = False
        self._browsers: dict[MemoryObjectSendStream[bytes], bool] = {}  # whether it lost messages

    @property
    def looking(self) -> int:
        """How many browsers look."""
        return len(self._browsers)

    def came(self) -> None:
        """Note the daemon as present: earlier events are unknown."""
        self._up = True
        self._tell(UP, RESYNC)

    def went(self) -> None:
        """Note the daemon as away."""
        self._up = False
        self._tell(DOWN)

    def happened(self, frame: Mapping[str, Any]) -> None:
        """Tell a frame of the operation ``follow``."""
        if frame["dropped"]:
            self._tell(RESYNC)
        self._tell(*(_written(one) for one in frame["events"] if one["type"] in WORDS))

    def end(self) -> None:
        """Let every browser go."""
        for browser in self._browsers:
            browser.close()

    def _tell(self, *messages: bytes) -> None:
        for browser in self._browsers:
            try:
                for message in messages:
                    browser.send_nowait(message)
            except (anyio.WouldBlock, anyio.ClosedResourceError):  # asleep, or let go
                self._browsers[browser] = True

    async def after(self, last_id: str) -> AsyncGenerator[bytes]:
        """Yield what happens from now on, until the browser goes; ``last_id`` is empty for a new one."""
        browser, coming = anyio.create_memory_object_stream[bytes](KEPT)
        self._browsers[browser] = bool(last_id)
        with browser, coming:
            try:
                yield ID + (UP if self._up else DOWN)
                while True:
                    if self._browsers[browser]:
                        self._browsers[browser] = False
                        while coming.statistics().current_buffer_used:
                            coming.receive_nowait()
                        yield RESYNC
                    message = b": still here\n\n"
                    with anyio.move_on_after(self._heartbeat):
                        message = await coming.receive()
                    yield message
            except anyio.EndOfStream:  # at the end of the process
                pass
            finally:
                del self._browsers[browser]


def _written(event: Mapping[str, Any]) -> bytes:
    """Tell what happened in a word: a page asks anew for what it shows of it."""
    what = WORDS[event["type"]]
    if what == "searched" and event["data"].get("by") == "agent":
        what = "told"
    return b"data: %s\n\n" % msgspec.json.encode({"what": what})
