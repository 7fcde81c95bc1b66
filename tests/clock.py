"""Two clocks for tests: a virtual one that is patient, and a wall clock that follows it.

A virtual clock jumps when every task waits. A task that waits for SQLite waits for a
thread, which virtual time knows nothing of: without patience, every deadline around a
real query would pass before the query began.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import trio
from trio.testing import MockClock

BEGINNING = 1_800_000_000.0  # seconds since the epoch: the wall clock at virtual time 0


class Patience(trio.abc.Instrument):
    """Keeps the run's clock from jumping while real work is under way."""

    def __init__(self, clock: MockClock, in_flight: Callable[[], int]) -> None:
        self._clock = clock
        self._in_flight = in_flight

    def after_task_step(self, task: trio.lowlevel.Task) -> None:
        """Work begins and ends in a task's step: look after each."""
        threshold = math.inf if self._in_flight() else 0.0
        if self._clock.autojump_threshold != threshold:
            self._clock.autojump_threshold = threshold


def be_patient(in_flight: Callable[[], int]) -> None:
    """Make this run's virtual clock wait for work that is counted here."""
    clock = trio.lowlevel.current_clock()
    if isinstance(clock, MockClock):
        trio.lowlevel.add_instrument(Patience(clock, in_flight))


class FollowingClock:
    """``actors.ports.Clock``: the time of day that goes with virtual time."""

    def __init__(self, begins: float = BEGINNING) -> None:
        self._begins = begins

    def now(self) -> float:
        """Seconds since the epoch, UTC."""
        return self._begins + trio.current_time()
