"""Heavy jobs run one at a time, when nobody is there and the machine is free."""

from __future__ import annotations

from typing import Any

import pytest
import trio
from msgspec import Struct, field
from msgspec.structs import replace

from actors.core.mailbox import Crashed
from actors.memory.commit import Write
from actors.memory.writes import DueAt
from actors.policy.times.recurrence import Conditions, Wait
from daemon.schedule import Job, Schedule
from daemon.storage.store import OpenStore
from tests.actors.post import mail
from tests.clock import BEGINNING, VIRTUAL_TIME, FollowingClock
from tests.daemon.test_schedule import DAY, HOUR, Few, scheduled, steady
from tests.writing import written


class Bench(Struct):
    """A schedule of jobs that a test makes, with a note of what ran when."""

    few: Few
    ran: list[tuple[str, float]] = field(default_factory=list[tuple[str, float]])
    steps: list[str] = field(default_factory=list[str])
    jobs: tuple[Job, ...] = ()

    def job(self, name: str, every: float, *, takes: float = 0.0, **other: Any) -> Job:
        async def send(now: float) -> None:
            self.ran.append((name, (now - BEGINNING) / HOUR))
            self.steps.append(f"{name} begins")
            await trio.sleep(takes)
            self.steps.append(f"{name} ends")

        return replace(Job(name, every, send, heavy=True), **other)

    def of(self, name: str) -> list[float]:
        return [at for job, at in self.ran if job == name]


@pytest.fixture
async def bench(store: OpenStore, monkeypatch: pytest.MonkeyPatch) -> Bench:
    """A bench whose jobs are the daemon's, and no others."""
    made = Bench(Few(store, FollowingClock()))

    def jobs(_: Schedule) -> tuple[Job, ...]:
        return made.jobs

    monkeypatch.setattr("daemon.schedule.jobs", jobs)
    return made


async def lived(bench: Bench, count: float, *made: Job) -> Schedule:
    bench.jobs = made
    schedule = scheduled(bench.few)
    with trio.move_on_after(count * HOUR):
        await schedule.run()
    return schedule


@VIRTUAL_TIME
async def test_a_job_that_was_not_worth_it_for_days_is_not_late_by_them(bench: Bench) -> None:
    """A dream that becomes due while somebody works waits for half an hour without anybody."""
    worth = BEGINNING + 3 * DAY

    async def own(now: float) -> Wait | None:
        await trio.lowlevel.checkpoint()
        return None if now >= worth else Wait("too little is new", 1_800.0)

    bench.jobs = (bench.job("dream", 1_800.0, own=own),)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(scheduled(bench.few).run)
        await trio.sleep(3 * DAY - HOUR)
        for _ in range(20):  # somebody works with pauses of ten minutes
            bench.few.activity.happened()
            await trio.sleep(600)
        during = list(bench.ran)
        await trio.sleep(HOUR)
        nursery.cancel_scope.cancel()

    assert during == []
    assert bench.of("dream")[0] == pytest.approx(71 + 190 / 60 + 0.5, abs=0.02)


@VIRTUAL_TIME
@pytest.mark.parametrize(
    ("conditions", "why"),
    [
        (Conditions(on_battery=True), "on battery"),
        (Conditions(on_battery=False, load=4.0), "the machine is busy"),
    ],
)
async def test_a_heavy_job_waits_for_mains_and_for_a_machine_that_is_not_busy(
    store: OpenStore, bench: Bench,
    conditions: Conditions, why: str,
) -> None:  # fmt: skip
    await written(store, DueAt("decay", BEGINNING - 60, None))
    bench.few.machine = steady(conditions)
    bench.jobs = (bench.job("decay", DAY),)
    schedule = scheduled(bench.few)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(schedule.run)
        await trio.sleep(HOUR)
        said, before = schedule.entries()["decay"]["waits_for"], list(bench.ran)
        schedule.machine = steady(Conditions(on_battery=False, load=0.1))
        await trio.sleep(60)
        nursery.cancel_scope.cancel()

    assert said == why
    assert before == []
    assert len(bench.ran) == 1
    assert schedule.entries()["decay"]["waits_for"] is None


@VIRTUAL_TIME
async def test_heavy_jobs_run_one_after_the_other(store: OpenStore, bench: Bench) -> None:
    names = ("decay", "associations", "dream")
    await written(store, *(DueAt(name, BEGINNING - HOUR, None) for name in names))
    await lived(bench, 2, *(bench.job(name, DAY, takes=600.0) for name in names))

    assert sorted(name for name, _ in bench.ran) == sorted(names)
    assert bench.steps == [
        step for name, _ in bench.ran for step in (f"{name} begins", f"{name} ends")
    ]


@VIRTUAL_TIME
async def test_a_job_that_was_cut_off_is_due_again_after_the_restart(
    store: OpenStore, bench: Bench
) -> None:
    """What is stored says that it ran only when it had come to its end."""
    await written(store, DueAt("decay", BEGINNING - 60, None))
    await lived(bench, 0.5, bench.job("decay", DAY, takes=HOUR))
    noted = [m for m in mail(bench.few.box) if isinstance(m, Write)]

    assert len(bench.ran) == 1
    assert bench.steps == ["decay begins"]
    assert noted == []


@VIRTUAL_TIME
async def test_a_job_that_failed_is_tried_again_within_the_hour(
    store: OpenStore, bench: Bench
) -> None:
    await written(store, DueAt("decay", BEGINNING - 60, None))
    tried: list[float] = []

    async def send(now: float) -> None:
        tried.append((now - BEGINNING) / HOUR)
        if len(tried) == 1:
            raise Crashed("dreaming")
        await trio.lowlevel.checkpoint()

    schedule = await lived(bench, 5, Job("decay", DAY, send, heavy=True))

    assert tried == pytest.approx([300 / HOUR, 300 / HOUR + 1], abs=0.02)
    assert schedule.entries()["decay"]["last_ran"] == pytest.approx(BEGINNING + 3900, abs=60)


@VIRTUAL_TIME
async def test_a_job_with_a_condition_of_its_own_waits_for_it_and_keeps_the_daemon(
    store: OpenStore, bench: Bench
) -> None:
    """A dream is due every six hours at most, and only when there is something to dream of."""
    await written(store, DueAt("dream", BEGINNING - 60, None))
    obstacle: list[Wait | None] = [Wait("nothing new to dream of", 300.0)]

    async def own(_: float) -> Wait | None:
        await trio.lowlevel.checkpoint()
        return obstacle[0]

    job = bench.job("dream", 6 * HOUR, own=own, keeps=True)
    bench.jobs = (job,)
    schedule = scheduled(bench.few)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(schedule.run)
        await trio.sleep(HOUR)
        waited = schedule.entries()["dream"]["waits_for"], schedule.holding(), list(bench.ran)
        obstacle[0] = None
        bench.few.activity.happened()
        await trio.sleep(600)
        wanted = schedule.entries()["dream"]["waits_for"], schedule.holding(), list(bench.ran)
        await trio.sleep(HOUR)
        nursery.cancel_scope.cancel()

    assert waited == ("nothing new to dream of", "", [])
    assert wanted == ("somebody is working", "dream", [])
    assert len(bench.ran) == 1
    assert schedule.holding() == ""
