"""Blocking work has one thread with a name: here is such a thread."""

from collections.abc import Callable
from typing import TypeVar

import trio

T = TypeVar("T")


class WorkThread:
    """Runs one piece of work at a time; callers wait for their turn."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._turn = trio.CapacityLimiter(1)

    @property
    def in_flight(self) -> int:
        """Pieces of work under way; one abandoned by its caller is among them until it is done."""
        return self._turn.borrowed_tokens

    async def run(self, function: Callable[[], T]) -> T:
        """The function's value. A cancelled caller leaves; begun work is finished unseen."""
        return await trio.to_thread.run_sync(
            function, thread_name=self._name, abandon_on_cancel=True, limiter=self._turn
        )


class Here:
    """No thread at all: work is done where it is asked for, in a simulation and in tests."""

    async def run(self, function: Callable[[], T]) -> T:
        """The function's value."""
        await trio.lowlevel.checkpoint()
        return function()
