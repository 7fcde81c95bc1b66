"""The time of day, and where blocking work is done: the wall's or a simulation's, a thread or none."""

from collections.abc import Callable
from typing import Protocol, TypeVar

T = TypeVar("T")


class Clock(Protocol):
    """The time of day."""

    def now(self) -> float:
        """Seconds since the epoch, UTC."""
        ...


class Worker(Protocol):
    """Thread for blocking work, one piece at a time."""

    async def run(self, function: Callable[[], T]) -> T:
        """The function's value; a cancelled caller leaves, the work is finished unseen."""
        ...
