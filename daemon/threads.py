"""Blocking work has one thread with a name: here is such a thread."""

import threading
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from queue import SimpleQueue
from typing import TypeVar

import outcome
import trio

T = TypeVar("T")
Work = Callable[[], None]


class WorkThread:
    """Runs one piece of work at a time; callers queue, and bound themselves."""

    def __init__(self, name: str, *, room: int) -> None:
        self._work: SimpleQueue[Work | None] = SimpleQueue()
        self._places = trio.Semaphore(room)
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self.in_flight = 0

    def _run(self) -> None:
        while (work := self._work.get()) is not None:
            work()

    async def run(self, function: Callable[[], T]) -> T:
        """The function's value. A cancelled caller leaves; the work is finished unseen."""
        token = trio.lowlevel.current_trio_token()
        finished = trio.Event()
        result: list[outcome.Outcome[T]] = []

        def done() -> None:
            # Only now: a caller that left does not make room while its work goes on.
            self.in_flight -= 1
            self._places.release()
            finished.set()

        def work() -> None:
            result.append(outcome.capture(function))
            with suppress(trio.RunFinishedError):
                token.run_sync_soon(done)

        await self._places.acquire()
        self.in_flight += 1
        self._work.put(work)
        await finished.wait()
        return result[0].unwrap()

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """End after what is queued."""
        self._work.put(None)


class Here:
    """No thread at all: work is done where it is asked for, in a simulation and in tests."""

    async def run(self, function: Callable[[], T]) -> T:
        """The function's value."""
        await trio.lowlevel.checkpoint()
        return function()


@asynccontextmanager
async def open_thread(name: str, *, room: int) -> AsyncGenerator[WorkThread]:
    """A thread that ends with the block."""
    thread = WorkThread(name, room=room)
    thread.start()
    try:
        yield thread
    finally:
        thread.stop()
