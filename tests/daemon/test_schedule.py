"""Background jobs: once after a long sleep, at their times over restarts, and not in anybody's way.

A daily or a 90-day job survives restarts and runs once.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, cast

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st
from trio.testing import MockClock

from actors.consolidation.messages import Consolidate, CycleReport
from actors.core.mailbox import Crashed
from actors.dreams.messages import Dream, DreamReport, WouldDream
from actors.memory.messages import Tidy, Write
from actors.memory.ports import Unreadable
from actors.memory.writes import DueAt
from actors.policy.dreams.dreaming import Occasion
from actors.policy.times.scheduling import Conditions, Wait, next_due
from daemon.activity import Activity
from daemon.conditions import SteadyMachine
from daemon.context import Parts
from daemon.schedule import AT_START, DREAM, FADE, TIDY, Job, Schedule
from daemon.settings import Settings
from daemon.storage.store import OpenStore
from tests.actors.post import mail, queue
from tests.clock import BEGINNING, FollowingClock
from tests.writing import written

HOUR = 3600.0
DAY = 86_400.0
SPREAD = 60 / HOUR  # hours: what is due at a start is spread over a minute


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
        self.activity = Activity()
        self.machine = SteadyMachine()
        self.box = queue("long_term", room=500)
        self.tags = queue("tagging", room=500)
        self.dimming = queue("importance", room=500)
        self.intending = queue("prospective", room=5_000)
        self.consolidating = queue("consolidation", room=500)
        self.archiving = queue("archivist", room=500)
        self.dreams = queue("dreaming", room=5_000)
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

    @property
    def consolidation(self) -> Any:
        return self.consolidating.mailbox

    @property
    def dreaming(self) -> Any:
        return self.dreams.mailbox

    @property
    def archivist(self) -> Any:
        return self.archiving.mailbox


def scheduled(few: Few, seed: int = 1) -> Schedule:
    return Schedule(cast("Parts", few), random.Random(seed))


async def hours(few: Few, count: float) -> list[Any]:
    """What the schedule sends in so many hours."""
    with trio.move_on_after(count * HOUR):
        await scheduled(few).run()
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
    """The fading of tags is due every hour, whenever tidying is."""
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
        nursery.start_soon(scheduled(few).run)
        await trio.sleep(60)
        clock._begins += 10 * HOUR  # pyright: ignore[reportPrivateUsage]  # the laptop slept
        await trio.sleep(60)
        nursery.cancel_scope.cancel()

    assert len(tidied(mail(few.box))) == 1


@pytest.mark.trio
async def test_a_wall_clock_that_is_set_back_a_year_stops_no_job(
    store: OpenStore, autojump_clock: MockClock
) -> None:
    clock = FollowingClock()
    few = Few(store, clock)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(scheduled(few).run)
        await trio.sleep(60)
        clock._begins -= 365 * DAY  # pyright: ignore[reportPrivateUsage]
        await trio.sleep(2.5 * HOUR)
        nursery.cancel_scope.cancel()

    assert len(tidied(mail(few.box))) == 2


# ---- at a start


@pytest.mark.trio
async def test_what_is_due_at_one_start_is_spread_over_a_minute(
    store: OpenStore, autojump_clock: MockClock
) -> None:
    """No herd: each at a time of its own, drawn from the source of chance that was given."""
    late = [TIDY, FADE, "dim", "intentions"]
    await written(store, *(DueAt(job, BEGINNING - 100 * HOUR, None) for job in late))
    runs: list[list[float]] = []
    for seed in (1, 1, 2):
        few = Few(store, FollowingClock())
        with trio.move_on_after(120):
            await scheduled(few, seed).run()
        boxes = (few.box, few.tags, few.dimming, few.intending)
        # The wall clock of a test goes on from one start to the next; at the earliest 0.
        began = BEGINNING + trio.current_time() - 120
        runs.append(
            sorted(
                message.at - began
                for box in boxes
                for message in mail(box)
                if not isinstance(message, Write)
            )[:4]
        )

    assert all(-1e-6 <= at <= 60 for at in runs[0])
    assert min(b - a for a, b in zip(runs[0], runs[0][1:], strict=False)) > 0.5
    assert runs[0] == pytest.approx(runs[1])
    assert runs[0] != pytest.approx(runs[2])


@pytest.mark.trio
async def test_the_first_start_runs_nothing_at_once(
    store: OpenStore, autojump_clock: MockClock
) -> None:
    few = Few(store, FollowingClock())
    sent = await hours(few, 0.05)

    assert tidied(sent) == []
    assert all(isinstance(message, Write) for message in sent)
    assert mail(few.consolidating) == []


@pytest.mark.trio
async def test_a_damaged_store_stops_no_schedule(
    store: OpenStore, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def unreadable() -> Any:
        raise Unreadable("the file is damaged")

    few = Few(store, FollowingClock())
    monkeypatch.setattr(store.reading, "due", unreadable)

    assert tidied(await hours(few, 1.5)) == pytest.approx([1], abs=0.02)


# ---- heavy jobs, one at a time and out of the way


@dataclass
class Bench:
    """A schedule of jobs that a test makes, with a note of what ran when."""

    few: Few
    ran: list[tuple[str, float]] = field(default_factory=list[tuple[str, float]])
    steps: list[str] = field(default_factory=list[str])

    def job(self, name: str, every: float, *, takes: float = 0.0, **other: Any) -> Job:
        async def send(now: float) -> None:
            self.ran.append((name, (now - BEGINNING) / HOUR))
            self.steps.append(f"{name} begins")
            await trio.sleep(takes)
            self.steps.append(f"{name} ends")

        return replace(Job(name, every, send, heavy=True), **other)

    def of(self, name: str) -> list[float]:
        return [at for job, at in self.ran if job == name]


def with_jobs(monkeypatch: pytest.MonkeyPatch, *made: Job) -> None:
    """These are the daemon's jobs, and no others."""

    def jobs(_: Parts) -> tuple[Job, ...]:
        return made

    monkeypatch.setattr("daemon.schedule.jobs", jobs)


async def lived(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, count: float, *made: Job
) -> Schedule:
    with_jobs(monkeypatch, *made)
    schedule = scheduled(bench.few)
    with trio.move_on_after(count * HOUR):
        await schedule.run()
    return schedule


Making = Callable[[], Bench]


@pytest.fixture
def bench(store: OpenStore) -> Making:
    return lambda: Bench(Few(store, FollowingClock()))


@pytest.mark.trio
async def test_no_heavy_job_runs_in_the_first_minutes(
    store: OpenStore, bench: Making, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    await written(store, DueAt("decay", BEGINNING - DAY, None))
    made = bench()
    await lived(made, monkeypatch, 1, made.job("decay", DAY))

    assert made.of("decay") == pytest.approx([300 / HOUR], abs=0.01)


@pytest.mark.trio
async def test_a_heavy_job_waits_until_nobody_has_been_there_for_half_an_hour(
    store: OpenStore, bench: Making, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    await written(store, DueAt("decay", BEGINNING - 60, None))
    made = bench()
    made.few.activity.happened()
    with_jobs(monkeypatch, made.job("decay", DAY))
    schedule = scheduled(made.few)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(schedule.run)
        await trio.sleep(20 * 60)
        said = schedule.entries()["decay"]
        made.few.activity.happened()
        await trio.sleep(HOUR)
        nursery.cancel_scope.cancel()

    assert said["waits_for"] == "somebody is working"
    assert said["last_ran"] is None
    assert made.of("decay") == pytest.approx([50 / 60], abs=0.02)


@pytest.mark.trio
async def test_a_job_that_waits_since_a_day_takes_a_pause_of_two_minutes(
    store: OpenStore, bench: Making, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A laptop that sleeps whenever nobody is there has no idle half hour at all."""
    await written(store, DueAt("decay", BEGINNING - DAY, None))
    made = bench()
    with_jobs(monkeypatch, made.job("decay", DAY))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(scheduled(made.few).run)
        for _ in range(20):
            made.few.activity.happened()
            await trio.sleep(60)
        before = list(made.ran)
        await trio.sleep(180)
        nursery.cancel_scope.cancel()

    assert before == []
    assert len(made.ran) == 1


@pytest.mark.trio
async def test_a_job_that_was_not_worth_it_for_days_is_not_late_by_them(
    store: OpenStore, bench: Making, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A dream that becomes due while somebody works waits for half an hour without anybody."""
    made, worth = bench(), BEGINNING + 3 * DAY

    async def own(now: float) -> Wait | None:
        await trio.lowlevel.checkpoint()
        return None if now >= worth else Wait("too little is new", 1_800.0)

    with_jobs(monkeypatch, made.job("dream", 1_800.0, own=own))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(scheduled(made.few).run)
        await trio.sleep(3 * DAY - HOUR)
        for _ in range(20):  # somebody works with pauses of ten minutes
            made.few.activity.happened()
            await trio.sleep(600)
        during = list(made.ran)
        await trio.sleep(HOUR)
        nursery.cancel_scope.cancel()

    assert during == []
    assert made.of("dream")[0] == pytest.approx(71 + 190 / 60 + 0.5, abs=0.02)


@pytest.mark.trio
@pytest.mark.parametrize(
    ("conditions", "why"),
    [
        (Conditions(on_battery=True), "on battery"),
        (Conditions(on_battery=False, load=4.0), "the machine is busy"),
    ],
)
async def test_a_heavy_job_waits_for_mains_and_for_a_machine_that_is_not_busy(
    store: OpenStore, bench: Making, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch,
    conditions: Conditions, why: str,
) -> None:  # fmt: skip
    await written(store, DueAt("decay", BEGINNING - 60, None))
    made = bench()
    made.few.machine = SteadyMachine(conditions)
    with_jobs(monkeypatch, made.job("decay", DAY))
    schedule = scheduled(made.few)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(schedule.run)
        await trio.sleep(HOUR)
        said, before = schedule.entries()["decay"]["waits_for"], list(made.ran)
        made.few.machine = SteadyMachine(Conditions(on_battery=False, load=0.1))
        await trio.sleep(60)
        nursery.cancel_scope.cancel()

    assert said == why
    assert before == []
    assert len(made.ran) == 1
    assert schedule.entries()["decay"]["waits_for"] is None


@pytest.mark.trio
async def test_on_battery_for_a_week_a_job_runs_after_all(
    store: OpenStore, bench: Making, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    await written(store, DueAt("decay", BEGINNING, None))
    made = bench()
    made.few.machine = SteadyMachine(Conditions(on_battery=True, load=9.0))
    await lived(made, monkeypatch, 8 * 24, made.job("decay", DAY))

    assert made.of("decay") == pytest.approx([7 * 24], abs=0.02)


@pytest.mark.trio
async def test_heavy_jobs_run_one_after_the_other(
    store: OpenStore, bench: Making, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ("decay", "associations", "dream")
    await written(store, *(DueAt(name, BEGINNING - HOUR, None) for name in names))
    made = bench()
    await lived(made, monkeypatch, 2, *(made.job(name, DAY, takes=600.0) for name in names))

    assert sorted(name for name, _ in made.ran) == sorted(names)
    assert made.steps == [
        step for name, _ in made.ran for step in (f"{name} begins", f"{name} ends")
    ]


@pytest.mark.trio
async def test_a_job_that_was_cut_off_is_due_again_after_the_restart(
    store: OpenStore, bench: Making, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is stored says that it ran only when it had come to its end."""
    await written(store, DueAt("decay", BEGINNING - 60, None))
    made = bench()
    await lived(made, monkeypatch, 0.5, made.job("decay", DAY, takes=HOUR))
    noted = [m for m in mail(made.few.box) if isinstance(m, Write)]

    assert len(made.ran) == 1
    assert made.steps == ["decay begins"]
    assert noted == []


@pytest.mark.trio
async def test_a_job_that_failed_is_tried_again_within_the_hour(
    store: OpenStore, bench: Making, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    await written(store, DueAt("decay", BEGINNING - 60, None))
    made = bench()
    tried: list[float] = []

    async def send(now: float) -> None:
        tried.append((now - BEGINNING) / HOUR)
        if len(tried) == 1:
            raise Crashed("consolidation")
        await trio.lowlevel.checkpoint()

    schedule = await lived(made, monkeypatch, 5, Job("decay", DAY, send, heavy=True))

    assert tried == pytest.approx([300 / HOUR, 300 / HOUR + 1], abs=0.02)
    assert schedule.entries()["decay"]["last_ran"] == pytest.approx(BEGINNING + 3900, abs=60)


@pytest.mark.trio
async def test_a_job_with_a_condition_of_its_own_waits_for_it_and_keeps_the_daemon(
    store: OpenStore, bench: Making, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A dream is due every six hours at most, and only when there is something to dream of."""
    await written(store, DueAt("dream", BEGINNING - 60, None))
    made = bench()
    obstacle: list[Wait | None] = [Wait("nothing new to dream of", 300.0)]

    async def own(_: float) -> Wait | None:
        await trio.lowlevel.checkpoint()
        return obstacle[0]

    job = made.job("dream", 6 * HOUR, own=own, keeps=True)
    with_jobs(monkeypatch, job)
    schedule = scheduled(made.few)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(schedule.run)
        await trio.sleep(HOUR)
        waited = schedule.entries()["dream"]["waits_for"], schedule.holding(), list(made.ran)
        obstacle[0] = None
        made.few.activity.happened()
        await trio.sleep(600)
        wanted = schedule.entries()["dream"]["waits_for"], schedule.holding(), list(made.ran)
        await trio.sleep(HOUR)
        nursery.cancel_scope.cancel()

    assert waited == ("nothing new to dream of", "", [])
    assert wanted == ("somebody is working", "dream", [])
    assert len(made.ran) == 1
    assert schedule.holding() == ""


@pytest.mark.trio
async def test_the_cycles_of_consolidation_are_asked_and_waited_for(
    store: OpenStore, autojump_clock: MockClock
) -> None:
    """Forgetting is not among them until a person wants it."""
    late = [DueAt(name, BEGINNING - 60, None) for name in ("decay", "associations", "forgetting")]
    await written(store, *late)
    for forget, wanted in (
        (False, {"decay", "associations"}),
        (True, {"decay", "associations", "forgetting"}),
    ):
        few = Few(store, FollowingClock())
        few.settings = replace(
            few.settings, consolidation=replace(few.settings.consolidation, forget=forget)
        )
        asked: list[str] = []

        async def answer(few: Few = few, asked: list[str] = asked) -> None:
            async for message in few.consolidating.inbox:
                assert isinstance(message, Consolidate)
                asked.extend(message.cycles)
                message.reply(tuple(CycleReport(one, 0, 0) for one in message.cycles))

        async with trio.open_nursery() as nursery:
            nursery.start_soon(answer)
            nursery.start_soon(scheduled(few).run)
            await trio.sleep(HOUR)
            nursery.cancel_scope.cancel()

        assert set(asked) == wanted
        assert len(asked) == len(wanted)


# ---- at the start of a session


class Asking:
    """Dreaming's owner: says what is missing, and notes what it is asked."""

    def __init__(self, few: Few, missing: str = "") -> None:
        self.few, self.missing = few, missing
        self.asked: list[Occasion] = []
        self.dreams: list[tuple[str, bool, float]] = []

    async def answer(self) -> None:
        async for message in self.few.dreams.inbox:
            if isinstance(message, WouldDream):
                self.asked.append(message.occasion)
                message.reply(self.missing)
            elif isinstance(message, Dream):
                self.dreams.append((message.why, message.patient, trio.current_time()))
                message.reply(DreamReport(1, "finished", message.why))


async def begun(few: Few, owner: Asking, sessions: int = 1, within: float = 30) -> float:
    """So many sessions begin a second apart; the moment at which the first did."""
    schedule = scheduled(few)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(owner.answer)
        await nursery.start(schedule.run)
        await trio.sleep(1)
        began = trio.current_time()
        for _ in range(sessions):
            few.activity.happened()
            schedule.session_began()
            await trio.sleep(1)
        await trio.sleep(within)
        nursery.cancel_scope.cancel()
    return began


@pytest.mark.trio
async def test_a_sessions_start_begins_a_dream_some_seconds_later_that_lets_others_pass(
    store: OpenStore, autojump_clock: MockClock
) -> None:
    """Although somebody is there, and the daemon has only just started."""
    few = Few(store, FollowingClock())
    owner = Asking(few)
    began = await begun(few, owner, sessions=3)

    assert owner.asked == [Occasion.SESSION_START]
    ((why, patient, at),) = owner.dreams
    assert (why, patient) == ("a session's start", False)
    assert at - began == pytest.approx(AT_START, abs=0.1)


@pytest.mark.trio
async def test_a_sessions_start_begins_no_dream_that_is_not_due(
    store: OpenStore, autojump_clock: MockClock
) -> None:
    few = Few(store, FollowingClock())
    owner = Asking(few, "too little is new")
    await begun(few, owner)

    assert owner.asked == [Occasion.SESSION_START]
    assert owner.dreams == []


@pytest.mark.trio
@pytest.mark.parametrize(
    "conditions", [Conditions(on_battery=True), Conditions(on_battery=False, load=4.0)]
)
async def test_a_sessions_start_begins_no_dream_on_battery_or_beside_much_else(
    store: OpenStore, autojump_clock: MockClock, conditions: Conditions
) -> None:
    few = Few(store, FollowingClock())
    few.machine = SteadyMachine(conditions)
    owner = Asking(few)
    await begun(few, owner)

    assert owner.dreams == []


@pytest.mark.trio
@pytest.mark.parametrize("name", ["at_session_start", "enabled"])
async def test_dreams_at_a_sessions_start_can_be_switched_off(
    store: OpenStore, autojump_clock: MockClock, name: str
) -> None:
    few, off = Few(store, FollowingClock()), cast("dict[str, Any]", {name: False})
    few.settings = replace(few.settings, dreaming=replace(few.settings.dreaming, **off))
    owner = Asking(few)
    await begun(few, owner)

    assert (owner.asked, owner.dreams) == ([], [])


@pytest.mark.trio
async def test_a_dream_of_a_sessions_start_is_seen_and_begins_the_rhythm_anew(
    store: OpenStore, autojump_clock: MockClock
) -> None:
    few = Few(store, FollowingClock())
    owner = Asking(few)
    began = await begun(few, owner)
    noted = [
        write
        for message in mail(few.box)
        if isinstance(message, Write)
        for write in message.unit
        if isinstance(write, DueAt) and write.job == DREAM
    ]

    assert noted[-1].ran_at == pytest.approx(
        few.clock.now() - trio.current_time() + began + AT_START, abs=1
    )
    assert noted[-1].due_at == pytest.approx((noted[-1].ran_at or 0.0) + 1_790, abs=15)


# ---- a quarter of a year


QUARTER = 90


@pytest.mark.trio
async def test_a_quarter_of_a_year_of_work_nights_a_sleep_and_restarts(
    store: OpenStore, bench: Making, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ticks are counted; eight hours of work a day, idle the rest, a week asleep, a start each Monday.

    Virtual time does not pass while the laptop sleeps: only the wall clock goes on.
    """
    due: dict[str, tuple[float, float | None]] = {}
    clock = FollowingClock()
    made = bench()
    made.few.clock = clock
    made_jobs = (
        made.job("tidy", HOUR, heavy=False),
        made.job("decay", DAY, takes=20.0),
        made.job("associations", 7 * DAY, takes=5.0),
        made.job("forgetting", 90 * DAY, takes=5.0),
    )
    with_jobs(monkeypatch, *made_jobs)
    monkeypatch.setattr("daemon.schedule.LOOK", 300.0)  # a quarter has many looks

    async def known() -> dict[str, tuple[float, float | None]]:
        await trio.lowlevel.checkpoint()
        return dict(due)

    monkeypatch.setattr(store.reading, "due", known)

    async def keep_in_store() -> None:
        async for message in made.few.box.inbox:
            if isinstance(message, Write):
                for write in message.unit:
                    if isinstance(write, DueAt):
                        due[write.job] = (write.due_at, write.ran_at)

    async def workday() -> None:
        for _ in range(8 * 4):
            made.few.activity.happened()
            await trio.sleep(15 * 60)
        await trio.sleep(16 * HOUR)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(keep_in_store)
        day = 0
        while day < QUARTER:
            async with trio.open_nursery() as week:
                week.start_soon(scheduled(made.few, day).run)
                if day == 0:
                    await trio.sleep(20 * HOUR + 7 * 60)  # work begins; no restart on a tick
                for _ in range(7):
                    if day == 40:  # asleep for a week
                        clock._begins += 7 * DAY  # pyright: ignore[reportPrivateUsage]
                        day += 7
                    await workday()
                    day += 1
                    if day >= QUARTER:
                        break
                week.cancel_scope.cancel()
        nursery.cancel_scope.cancel()
    counts = {name: len(made.of(name)) for name in ("tidy", "decay", "associations", "forgetting")}
    worked = [at % 24 for at in made.of("decay")]

    # 83 days and 20 hours awake: one tick a rhythm, and one for all that was slept through. The
    # quarter ends before forgetting is due for the first time.
    assert counts["tidy"] == pytest.approx(83 * 24 + 20, abs=1)
    assert counts["decay"] == pytest.approx(84, abs=1)
    assert counts["associations"] == pytest.approx(12, abs=1)
    assert counts["forgetting"] <= 1
    # Decay is due at midnight, when somebody works (20:07 to 4:07): it waits for them. After the
    # week asleep it is so late that a pause of two minutes does.
    assert sum(not 4.3 < at < 20.1 for at in worked) <= 1
