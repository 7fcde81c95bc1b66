"""Presence of somebody: long work asks for it before it begins, and waits as it goes on.

Times are monotonic: setting the wall clock, or a sleep of the laptop, is no activity.
"""

import math
from dataclasses import dataclass

import trio


@dataclass(slots=True)
class Foreground:
    """Moment in which somebody last did something.

    Somebody is there when an agent's hook reports an event, an editor's text changes, or a person
    runs a command: ``daemon.activity`` tells.
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
