"""The time of day, who is there and where blocking work is done: Protocols that the host fills."""

from collections.abc import Callable
from typing import Protocol, TypeVar

T = TypeVar("T")


class Clock(Protocol):
    """The time of day."""

    def now(self) -> float:
        """Seconds since the epoch, UTC."""
        ...


class Foreground(Protocol):
    """Presence of somebody: long work asks for it before it begins, and waits as it goes on.

    Somebody is there when an agent's hook reports an event, an editor's text changes, or a person
    runs a command. ``daemon.activity`` knows; here is what actors see of it.
    """

    def idle_for(self) -> float:
        """Seconds since somebody last did something; infinite when nobody ever did."""
        ...

    @property
    def came(self) -> int:
        """Number of times somebody did something: work begun at another number was disturbed."""
        ...


class Worker(Protocol):
    """Thread for blocking work, one piece at a time."""

    async def run(self, function: Callable[[], T]) -> T:
        """The function's value; a cancelled caller leaves, the work is finished unseen."""
        ...
