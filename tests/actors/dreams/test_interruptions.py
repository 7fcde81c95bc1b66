"""A dream lets others pass, begins anew, and can be stopped."""

from __future__ import annotations

import gc

import pytest
import trio

from actors.core.failures import Conflicting
from actors.memory.commit import StoreWrite
from actors.night import dream_stages as night
from actors.night.dream_stages import Night, conclude
from daemon.storage.store import OpenStore
from tests.actors.dreams.test_dreaming import disturbed_in, filled, open_dreaming
from tests.clock import VIRTUAL_TIME

pytestmark = VIRTUAL_TIME


@pytest.mark.parametrize("stage", range(4))
async def test_a_patient_dream_that_is_disturbed_stops_and_begins_anew(
    store: OpenStore, monkeypatch: pytest.MonkeyPatch, stage: int
) -> None:
    await filled(store)
    async with open_dreaming(store) as bench:
        disturbed_in(bench, monkeypatch, stage)
        with pytest.raises(Conflicting, match="begins anew when they have left"):
            await bench.dream(patient=True)
        (row,) = await store.reading.dreams(9)

        assert (row.stage, row.ended_at, len(bench.units)) == ("", None, 1)
        assert await bench.dream(patient=True, why="later") == 1


@pytest.mark.parametrize("disturbed", [True, False])
async def test_the_collector_leaves_a_dream_alone_only_while_it_lasts(
    store: OpenStore, monkeypatch: pytest.MonkeyPatch, disturbed: bool
) -> None:
    """Looking through what a dream holds would stop every thread for a tenth of a second."""
    await filled(store)
    async with open_dreaming(store) as bench:
        frozen: list[int] = []

        async def counting(dreamt: Night) -> list[StoreWrite]:
            frozen.append(gc.get_freeze_count())
            return await conclude(dreamt)

        monkeypatch.setattr(night, "STAGES", (*night.STAGES[:3], counting))
        if disturbed:
            disturbed_in(bench, monkeypatch, 3)
            with pytest.raises(Conflicting):
                await bench.dream(patient=True)
        else:
            await bench.dream()
        assert frozen[-1] > 0

        assert gc.get_freeze_count() == 0


async def test_an_ordered_dream_waits_until_they_have_passed_and_then_goes_on(
    store: OpenStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    await filled(store)
    async with open_dreaming(store) as bench:
        disturbed_in(bench, monkeypatch, 3)
        began = trio.current_time()
        report = await bench.dream()

        assert report == 1
        assert trio.current_time() - began >= night.QUIET


async def test_an_ordered_dream_goes_on_even_when_somebody_never_stops(store: OpenStore) -> None:
    """It waits five seconds at most before each piece."""
    await filled(store)
    async with open_dreaming(store) as bench, trio.open_nursery() as nursery:

        async def restless() -> None:
            while True:
                bench.somebody.happened()
                await trio.sleep(night.QUIET / 2)

        nursery.start_soon(restless)
        report = await bench.dream()
        nursery.cancel_scope.cancel()

        assert report == 1


async def test_an_order_takes_over_from_a_patient_dream(store: OpenStore) -> None:
    await filled(store)
    async with open_dreaming(store) as bench, trio.open_nursery() as nursery:
        stopped: list[Exception] = []

        async def patient() -> None:
            try:
                await bench.dream(patient=True)
            except Conflicting as error:
                stopped.append(error)

        nursery.start_soon(patient)
        await trio.sleep(0.05)
        report = await bench.dream(why="an order")

        assert report == 1
        assert len(stopped) == 1


async def test_a_second_order_is_told_that_a_dream_is_under_way(store: OpenStore) -> None:
    await filled(store)
    async with open_dreaming(store) as bench, trio.open_nursery() as nursery:
        nursery.start_soon(bench.dream)
        await trio.sleep(0.05)
        with pytest.raises(Conflicting, match="under way"):
            await bench.dream()


@pytest.mark.parametrize("patient", [True, False])
async def test_a_dream_stops_when_whoever_asked_has_left_and_begins_anew_the_next_time(
    store: OpenStore, patient: bool
) -> None:
    """A person who left, or a daemon that stops: the schedule leaves before the dream does."""
    await filled(store)
    async with open_dreaming(store) as bench:
        with trio.move_on_after(0.05):
            await bench.dream(patient=patient)
        await trio.sleep(1)
        row = await store.reading.unfinished_dream()

        assert row is not None
        assert await bench.dream() == row.id
