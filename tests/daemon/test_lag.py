"""How long the loop is held, and by whom."""

import gc
import logging
import time
from collections.abc import Generator

import pytest
import trio
import trio.lowlevel

from daemon.conditions import HELD, timed_loop
from daemon.supervisor import Here

pytestmark = [pytest.mark.trio, pytest.mark.usefixtures("uncollected")]


@pytest.fixture
def uncollected() -> Generator[None]:
    """No collection of the heap of all tests: it would hold a turn as work does."""
    gc.disable()
    yield
    gc.enable()


async def test_a_turn_that_holds_the_loop_is_counted_and_says_what_ran(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.WARNING), timed_loop() as lag:
        await trio.sleep(0.01)
        await Here().run(lambda: time.sleep(10 * HELD))
        await trio.sleep(0.01)
        # At one moment: on a busy machine the turn that asks may be held as well.
        figures, logged = lag.statistics(), caplog.text

    assert figures["held"] == logged.count("loop_held") >= 1
    assert figures["longest_ms"] >= 1000 * HELD > figures["longest_cpu_ms"]
    assert f"by={trio.lowlevel.current_task().name}" in logged


async def test_waiting_holds_nobody() -> None:
    with timed_loop() as lag:
        for _ in range(10):
            await trio.sleep(0.02)
        figures = lag.statistics()

    assert figures["longest_cpu_ms"] < 1000 * HELD
