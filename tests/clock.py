"""The simulation's clocks, for tests; and a wait for what tells nobody that it has happened."""

from __future__ import annotations

from collections.abc import Callable

import trio

from lab.simulation.clock import BEGINNING, FollowingClock, Patience, be_patient

__all__ = ["BEGINNING", "FollowingClock", "Patience", "be_patient", "until"]


async def until(holds: Callable[[], bool]) -> None:
    """Until this holds, at most a minute; for what tells nobody that it has happened."""
    with trio.fail_after(60):
        while not holds():  # noqa: ASYNC110 - a test looks on from outside
            await trio.sleep(0.01)
