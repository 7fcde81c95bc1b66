"""Virtual time: a patient clock, a wall clock following it, a repeatable scheduler.

A virtual clock jumps when every task waits. A task waiting for SQLite on its thread, or for the
embedding worker, waits for something unknown to virtual time: without patience, every deadline
around a real query would pass before the query began.
"""

import importlib
import math
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

import trio
from trio.testing import MockClock

BEGINNING = 1_800_000_000.0  # seconds since the epoch: the wall clock at virtual time 0


class Patience(trio.abc.Instrument):
    """Keeps a run's clock from jumping while real work is under way."""

    def __init__(self, clock: MockClock) -> None:
        self._clock = clock
        self.counts: list[Callable[[], int]] = []

    def after_task_step(self, task: trio.lowlevel.Task) -> None:  # noqa: ARG002 - trio's
        """Work begins and ends in a task's step: look after each."""
        working = any(count() for count in self.counts)
        threshold = math.inf if working else 0.0
        if self._clock.autojump_threshold != threshold:
            self._clock.autojump_threshold = threshold


_patience: trio.lowlevel.RunVar[Patience] = trio.lowlevel.RunVar("patience")


def be_patient(in_flight: Callable[[], int]) -> None:
    """Make this run's virtual clock wait for the work counted here as well."""
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
    """``actors.core.equipment.Clock``: the time of day along with virtual time."""

    def __init__(self, begins: float = BEGINNING) -> None:
        self._begins = begins

    def now(self) -> float:
        """Seconds since the epoch, UTC."""
        return self._begins + trio.current_time()


@contextmanager
def repeatable(seed: int) -> Generator[None]:
    """Runs of trio inside the block take their turns by this seed, not by chance.

    trio mixes the order of tasks that are ready together, on purpose. It has a switch for
    repeatable tests, and no public name for it; where a later version has neither, the order is
    left to chance and only the seed's promise is lost.
    """
    run = vars(importlib.import_module("trio._core._run"))
    before: Any = run.get("_ALLOW_DETERMINISTIC_SCHEDULING")
    source: Any = run.get("_r")
    if before is None or source is None:
        yield
        return
    state = source.getstate()
    run["_ALLOW_DETERMINISTIC_SCHEDULING"] = True
    source.seed(seed)
    try:
        yield
    finally:
        run["_ALLOW_DETERMINISTIC_SCHEDULING"] = before
        source.setstate(state)
