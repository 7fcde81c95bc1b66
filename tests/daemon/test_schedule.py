"""Background jobs: once after a long sleep, at their times over restarts."""

from __future__ import annotations

from typing import Any, cast

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st
from trio.testing import MockClock

from actors.messages import Tidy, Write
from actors.writes import DueAt
from daemon.answers.parts import Parts
from daemon.schedule import FADE, TIDY, Schedule, next_due
from daemon.settings import Settings
from daemon.storage.store import OpenStore
from tests.actors.post import mail, queue
from tests.clock import BEGINNING, FollowingClock
from tests.writing import written

HOUR = 3600.0


@pytest.mark.parametrize(
    ("due", "now", "then"),
    [(10, 5, 10), (10, 10, 13), (10, 12.9, 13), (10, 13, 16), (10, 1000, 1003)],
)
def test_the_next_time_keeps_the_rhythm(due: float, now: float, then: float) -> None:
    assert next_due(due, 3, now) == then


@given(due=st.floats(0, 2e9), every=st.floats(1, 1e6), now=st.floats(0, 2e9))
def test_the_next_time_lies_ahead_and_not_far(due: float, every: float, now: float) -> None:
    then = next_due(due, every, now)

    assert then >= now
    assert then == due or then - now <= every * 1.01


class Few:
    """The little of the daemon's parts that the schedule needs."""

    def __init__(self, store: OpenStore, clock: FollowingClock) -> None:
        self.settings = Settings()
        self.reader = store.reading
        self.clock = clock
        self.box = queue("long_term", room=500)
        self.tags = queue("tagging", room=500)
        self.dimming = queue("importance", room=500)
        self.intending = queue("prospective", room=5_000)
        self.mailboxes = self

    @property
    def long_term(self) -> Any:
        return self.box.mailbox

    @property
    def tagging(self) -> Any:
        return self.tags.mailbox

    @property
    def prospective(self) -> Any:
        return self.intending.mailbox

    @property
    def importance(self) -> Any:
        return self.dimming.mailbox


async def hours(few: Few, count: float) -> list[Any]:
    """What the schedule sends in so many hours."""
    with trio.move_on_after(count * HOUR):
        await Schedule(cast("Parts", few)).run()
    return mail(few.box)


def tidied(sent: list[Any]) -> list[float]:
    return [(message.at - BEGINNING) / HOUR for message in sent if isinstance(message, Tidy)]


@pytest.mark.trio
async def test_a_job_runs_every_hour_and_its_next_time_is_stored(
    store: OpenStore, autojump_clock: MockClock
) -> None:
    sent = await hours(Few(store, FollowingClock()), 3.5)
    stored = [
        write
        for message in sent
        if isinstance(message, Write)
        for write in message.unit
        if isinstance(write, DueAt) and write.job == TIDY
    ]

    assert tidied(sent) == pytest.approx([1, 2, 3], abs=0.02)
    assert stored[0] == DueAt(TIDY, BEGINNING + HOUR, None)
    assert [write.due_at for write in stored] == [BEGINNING + n * HOUR for n in (1, 2, 3, 4)]


@pytest.mark.trio
async def test_each_job_has_its_own_rhythm(store: OpenStore, autojump_clock: MockClock) -> None:
    """Row H10: the fading of tags is due every hour, whenever tidying is."""
    few = Few(store, FollowingClock())
    await written(store, DueAt(FADE, BEGINNING + HOUR / 2, None))
    sent = await hours(few, 2)
    faded = [(message.at - BEGINNING) / HOUR for message in mail(few.tags)]

    assert tidied(sent) == pytest.approx([1], abs=0.02)
    assert faded == pytest.approx([0.5, 1.5], abs=0.02)


@pytest.mark.trio
async def test_a_job_that_is_due_soon_runs_then_after_a_restart(
    store: OpenStore, autojump_clock: MockClock
) -> None:
    await written(store, DueAt(TIDY, BEGINNING + HOUR / 4, None))

    assert tidied(await hours(Few(store, FollowingClock()), 1)) == pytest.approx([0.25], abs=0.02)


@pytest.mark.trio
async def test_a_job_that_was_missed_a_hundred_times_runs_once(
    store: OpenStore, autojump_clock: MockClock
) -> None:
    await written(store, DueAt(TIDY, BEGINNING - 100.5 * HOUR, None))

    assert tidied(await hours(Few(store, FollowingClock()), 1)) == pytest.approx([0, 0.5], abs=0.02)


@pytest.mark.trio
async def test_a_wall_clock_that_jumps_ahead_brings_the_job_on(
    store: OpenStore, autojump_clock: MockClock
) -> None:
    clock = FollowingClock()
    few = Few(store, clock)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(Schedule(cast("Parts", few)).run)
        await trio.sleep(60)
        clock._begins += 10 * HOUR  # pyright: ignore[reportPrivateUsage]  # the laptop slept
        await trio.sleep(60)
        nursery.cancel_scope.cancel()

    assert len(tidied(mail(few.box))) == 1
