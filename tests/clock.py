"""The simulation's clocks, for tests; a store that they wait for; a wait for what tells nobody."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final

import pytest
import trio
from trio.testing import MockClock

from daemon.home import Home
from daemon.storage.store import OpenStore, open_store
from lab.world import BEGINNING, FollowingClock, Patience, be_patient
from tests.new_store import lay
from tests.patience import PATIENCE

__all__ = [
    "BEGINNING",
    "VIRTUAL_TIME",
    "FollowingClock",
    "Patience",
    "be_patient",
    "open_patiently",
    "until",
]


def _run(
    test: Callable[[], Awaitable[object]],
    *,
    clock: trio.abc.Clock | None = None,
    instruments: Sequence[Any] = (),
) -> object:
    """Run a test on a clock that jumps when everybody waits, unless it brings one."""
    clock = clock or MockClock(autojump_threshold=0)
    return trio.run(test, clock=clock, instruments=instruments)


# The mark of tests whose time passes when nobody has anything to do.
VIRTUAL_TIME: Final = pytest.mark.trio(run=_run)


@asynccontextmanager
async def open_patiently(
    home: Home,
) -> AsyncGenerator[OpenStore]:
    """A real store; a virtual clock waits for it from before it opens until after it closed.

    A clock that does not wait spins beside SQLite's threads and takes the processor from them.
    """
    opening_or_closing = True
    stores: list[OpenStore] = []
    lay(home)
    be_patient(lambda: opening_or_closing + sum(store.in_flight for store in stores))
    try:
        async with open_store(home) as store:
            stores.append(store)
            opening_or_closing = False
            try:
                yield store
            finally:
                opening_or_closing = True
    finally:
        stores.clear()
        opening_or_closing = False


async def until(holds: Callable[[], bool]) -> None:
    """Until this holds, at most some minutes; for what tells nobody that it has happened."""
    with trio.fail_after(PATIENCE):
        while not holds():  # noqa: ASYNC110 - a test looks on from outside
            await trio.sleep(0.01)
