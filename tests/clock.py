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
    """Keeps a run's clock from jumping while real work is under way."""

    def __init__(self, clock: MockClock) -> None:
        self._clock = clock
        self.counts: list[Callable[[], int]] = []

    def after_task_step(self, task: trio.lowlevel.Task) -> None:
        """Work begins and ends in a task's step: look after each."""
        working = any(count() for count in self.counts)
        threshold = math.inf if working else 0.0
        if self._clock.autojump_threshold != threshold:
            self._clock.autojump_threshold = threshold


_patience: trio.lowlevel.RunVar[Patience] = trio.lowlevel.RunVar("patience")


def be_patient(in_flight: Callable[[], int]) -> None:
    """Make this run's virtual clock wait for the work that is counted here as well."""
    clock = trio.lowlevel.current_clock()
    if not isinstance(clock, MockClock):
        return
    try:
        patience = _patience.get()
    except LookupError:
        patience = Patience(clock)
        _patience.set(patience)
        trio.lowlevel.add_instrument(patience)
    patience.counts.append(in_flight)


class FollowingClock:
    """``actors.ports.Clock``: the time of day that goes with virtual time."""

    def __init__(self, begins: float = BEGINNING) -> None:
        self._begins = begins

    def now(self) -> float:
        """Seconds since the epoch, UTC."""
        return self._begins + trio.current_time()


async def until(holds: Callable[[], bool]) -> None:
    """Until this holds, at most a minute; for what tells nobody that it has happened."""
    with trio.fail_after(60):
        while not holds():  # noqa: ASYNC110 - a test looks on from outside
            await trio.sleep(0.01)
