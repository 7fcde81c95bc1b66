"""Equipment of actors: the time of day, a thread, somebody's presence, a mapping of bounded size."""

import math
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeVar

import trio

# ---- the time of day, and where blocking work is done: the wall's or a simulation's, a thread or none.

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


# ---- somebody's presence: long work asks for it before it begins, and waits as it goes on
#
# Times are monotonic: setting the wall clock, or a sleep of the laptop, is no activity.


@dataclass(slots=True)
class Foreground:
    """Moment in which somebody last did something.

    Somebody is there when an agent's hook reports an event, an editor's text changes, or a person
    runs a command: ``daemon.conditions`` tells.
    """

    came: int = 0  # times somebody did something: work begun at another number was disturbed
    _last: float = -math.inf  # monotonic

    def happened(self) -> None:
        """Somebody did something, now."""
        self._last = trio.current_time()
        self.came += 1

    def idle_for(self) -> float:
        """Seconds since then; infinite when there was nothing yet."""
        return trio.current_time() - self._last


# ---- a mapping of bounded size


K = TypeVar("K")
V = TypeVar("V")


class Latest(OrderedDict[K, V]):
    """Mapping of bounded size. Setting or looking up a key moves it to the end; ``get`` moves nothing."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most

    def __getitem__(self, key: K) -> V:
        """The entry, which is in use from now on."""
        value = super().__getitem__(key)
        self.move_to_end(key)
        return value

    def __setitem__(self, key: K, value: V) -> None:
        """Keep it, and let go of the entry longest out of use when there are too many."""
        super().__setitem__(key, value)
        self.move_to_end(key)
        while len(self) > self.most:
            self.popitem(last=False)
