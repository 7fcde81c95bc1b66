"""A part of a dream that comes to no end is left out, and the rest goes on."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from actors.core.mailbox import Crashed
from actors.dreams.messages import DreamReport
from actors.dreams.writes import STAGES, ConnectionsFaded, DreamAttempted, DreamBegun, Part, Stage
from actors.memory.ports import Conflicting, Unwritable
from daemon.storage.store import OpenStore
from tests.actors.dreams.test_dreaming import NOW, Bench, filled, open_dreaming
from tests.writing import written

pytestmark = pytest.mark.trio


def faulty(bench: Bench, part: Part) -> None:
    """This part raises in its arithmetic; where a stage has none, what writes it does."""
    begun = (DreamAttempted(1, part, "begun"),)

    def fault() -> None:
        if bench.units[-1] == begun:
            raise ZeroDivisionError

    bench.thread.before = fault
    if part == "prune":
        bench.refuses = lambda unit: (
            Crashed("long_term") if isinstance(unit[0], ConnectionsFaded) else None
        )


async def run_with(store: OpenStore, prepare: Callable[[Bench], object]) -> DreamReport | None:
    """One dream by an actor of its own; nothing when it was cut off."""
    report: DreamReport | None = None
    try:
        async with open_dreaming(store) as bench:
            prepare(bench)
            with trio.CancelScope(shield=True), suppress(Crashed):
                report = await bench.dream()
    except* ZeroDivisionError:
        assert report is None
    return report


async def attempts(store: OpenStore) -> dict[str, Any]:
    """What is known of the attempts of the last dream."""
    (row,) = await store.reading.dreams(1)
    known = ("tried", "faults", "fault", "left_out")
    return {what: dict(row.figures[what]) for what in known if what in row.figures}


@pytest.mark.parametrize("stage", STAGES)
async def test_a_stage_that_fails_twice_is_left_out_and_the_others_are_done(
    store: OpenStore, autojump_clock: MockClock, stage: Stage
) -> None:
    await filled(store)
    cut_off = [await run_with(store, partial(faulty, part=stage)) for _ in range(2)]
    report = await run_with(store, partial(faulty, part=stage))
    (row,) = await store.reading.dreams(9)

    assert cut_off == [None, None]
    assert report == DreamReport(1, "finished", "a test")
    fault = "Crashed" if stage == "prune" else "ZeroDivisionError"
    assert await attempts(store) == {
        "tried": {stage: 2}, "faults": {stage: 2}, "fault": {stage: fault}, "left_out": {stage: 1},
    }  # fmt: skip
    assert set(STAGES) - row.figures.keys() == {stage}


async def test_a_stage_that_failed_once_is_tried_again_and_nothing_is_told_of_it(
    store: OpenStore, autojump_clock: MockClock
) -> None:
    await filled(store)
    await run_with(store, partial(faulty, part="cross_reference"))
    before = await attempts(store)
    report = await run_with(store, lambda _: None)
    (row,) = await store.reading.dreams(9)

    assert before["faults"] == {"cross_reference": 1}
    assert report == DreamReport(1, "finished", "a test")
    assert set(row.figures) == set(STAGES)


async def test_memories_that_cannot_be_gone_through_end_the_dream_at_the_third_attempt(
    store: OpenStore, autojump_clock: MockClock
) -> None:
    """Without them no stage has anything to do; the next dream goes over others."""
    await filled(store)
    cut_off = [await run_with(store, partial(faulty, part="gather")) for _ in range(2)]
    report = await run_with(store, partial(faulty, part="gather"))
    later = await run_with(store, lambda _: None)

    assert cut_off == [None, None]
    assert report == DreamReport(1, "failed", "a test")
    assert later == DreamReport(2, "finished", "a test")


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize(("deaths", "done"), [(3, True), (4, False)])
async def test_four_processes_that_ended_in_a_stage_are_no_chance_and_three_may_be(
    store: OpenStore, autojump_clock: MockClock, stage: Stage, deaths: int, done: bool
) -> None:
    """An attempt that nobody closed: the process was killed, or the battery ran out."""
    ids = await filled(store)
    begun = DreamAttempted(1, stage, "begun")
    await written(store, DreamBegun("a test", tuple(ids), NOW), *[begun] * deaths)
    report = await run_with(store, lambda _: None)
    (row,) = await store.reading.dreams(9)

    assert report == DreamReport(1, "finished", "a test")
    assert (stage in row.figures) is done
    assert await attempts(store) == ({} if done else {"tried": {stage: 4}, "left_out": {stage: 1}})


async def test_whoever_comes_ever_again_makes_no_stage_hopeless(
    store: OpenStore, autojump_clock: MockClock
) -> None:
    await filled(store)
    async with open_dreaming(store) as bench:
        for _ in range(9):
            bench.thread.before = bench.somebody.happens
            with pytest.raises(Conflicting):
                await bench.dream(patient=True)
        bench.thread.before = lambda: None
        disturbed = await attempts(store)
        report = await bench.dream(patient=True)

        assert disturbed == {}
        assert report == DreamReport(1, "finished", "a test")


async def test_a_disk_that_is_full_makes_no_stage_hopeless(
    store: OpenStore, autojump_clock: MockClock
) -> None:
    await filled(store)
    async with open_dreaming(store) as bench:
        full = Unwritable("the disk is full")
        bench.refuses = lambda unit: full if isinstance(unit[0], ConnectionsFaded) else None
        for _ in range(9):
            with pytest.raises(Unwritable):
                await bench.dream()
        refused = await attempts(store)
        bench.refuses = lambda _: None
        report = await bench.dream()

        assert refused == {}
        assert report == DreamReport(1, "finished", "a test")


async def test_a_daemon_that_stops_in_the_midst_of_a_stage_takes_its_attempt_back(
    store: OpenStore, autojump_clock: MockClock
) -> None:
    """The mailbox is closed and drained, and the store's owner still writes."""
    await filled(store)
    seen: list[dict[str, Any]] = []

    async def look(bench: Bench) -> None:
        await trio.sleep(0.5)
        seen.append(await attempts(store))
        bench.box.close()

    async with open_dreaming(store) as bench, trio.open_nursery() as nursery:
        bench.thread.before = lambda: nursery.start_soon(look, bench) if not seen else None
        bench.thread.seconds = 60.0
        with pytest.raises(Crashed):
            await bench.dream()

    assert seen[0] == {"tried": {"gather": 1}}
    assert await attempts(store) == {}


async def test_what_is_too_slow_counts_as_an_attempt(
    store: OpenStore, autojump_clock: MockClock
) -> None:
    """A write that takes half a minute every time would be tried for ever."""
    await filled(store)
    async with open_dreaming(store) as bench:
        slow = trio.TooSlowError()
        bench.refuses = lambda unit: slow if isinstance(unit[0], ConnectionsFaded) else None
        for _ in range(4):
            with pytest.raises(trio.TooSlowError):
                await bench.dream()
        report = await bench.dream()

        assert report == DreamReport(1, "finished", "a test")
        assert await attempts(store) == {"tried": {"prune": 4}, "left_out": {"prune": 1}}
