"""The daemon leaves when nobody needs it, and not while a dream is due."""

from __future__ import annotations

from typing import cast

import pytest
import trio
from msgspec import Struct, field
from msgspec.structs import replace

from daemon.context import Parts
from daemon.host import leave_when_idle
from daemon.settings import Settings
from tests.clock import VIRTUAL_TIME


class Held(Struct):
    """A schedule that holds the daemon until told otherwise."""

    job: str = ""

    def holding(self) -> str:
        return self.job


class Few(Struct):
    """The little of the daemon's parts that leaving needs."""

    settings: Settings
    last_event: float
    schedule: Held = field(default_factory=Held)
    stop: trio.Event = field(default_factory=trio.Event)


def few(idle_exit: float) -> Few:
    settings = Settings()
    settings = replace(settings, daemon=replace(settings.daemon, idle_exit=idle_exit))
    return Few(settings, trio.current_time())


@VIRTUAL_TIME
async def test_it_leaves_after_a_day_without_a_frame() -> None:
    parts, began = few(86_400.0), trio.current_time()
    await leave_when_idle(cast("Parts", parts))

    assert parts.stop.is_set()
    assert trio.current_time() - began == pytest.approx(86_400)


@VIRTUAL_TIME
async def test_a_frame_puts_it_off() -> None:
    parts, began = few(100.0), trio.current_time()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(leave_when_idle, cast("Parts", parts))
        await trio.sleep(60)
        parts.last_event = trio.current_time()
        await parts.stop.wait()

    assert trio.current_time() - began == pytest.approx(160)


@VIRTUAL_TIME
async def test_it_does_not_leave_while_a_dream_is_due() -> None:
    parts, began = few(100.0), trio.current_time()
    parts.schedule.job = "dream"
    async with trio.open_nursery() as nursery:
        nursery.start_soon(leave_when_idle, cast("Parts", parts))
        await trio.sleep(5_000)
        stayed = not parts.stop.is_set()
        parts.schedule.job = ""
        await parts.stop.wait()

    assert stayed
    assert trio.current_time() - began <= 5_010


@VIRTUAL_TIME
async def test_zero_means_never() -> None:
    parts = few(0.0)
    await leave_when_idle(cast("Parts", parts))

    assert not parts.stop.is_set()
