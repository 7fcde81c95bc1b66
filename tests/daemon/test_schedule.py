"""Background jobs: once after a long sleep, at their times over restarts, and not in anybody's way."""

from __future__ import annotations

from typing import Any, cast

import pytest
import trio

from actors.core.failures import Unreadable
from actors.memory.commit import Tidy, Write
from actors.memory.writes import DueAt
from actors.night.shapes import Dream, Faded
from actors.policy.decay.capture import LIFETIME
from actors.policy.times.recurrence import Conditions
from daemon.conditions import Activity, Machine, unknown_machine
from daemon.durability.backups import Backups
from daemon.schedule import AT_START, DREAM, TIDY, Schedule
from daemon.settings import Settings
from daemon.storage.store import OpenStore
from daemon.supervisor import Mailboxes
from tests.actors.post import mail, queue
from tests.clock import BEGINNING, VIRTUAL_TIME, FollowingClock
from tests.writing import new, written

HOUR = 3600.0
DAY = 86_400.0


def steady(conditions: Conditions) -> Machine:
    """A machine that is always the same."""

    async def told() -> Conditions:
        return conditions

    return told


class Few:
    """The mailboxes and parts that the schedule needs."""

    def __init__(self, store: OpenStore, clock: FollowingClock) -> None:
        self.settings = Settings()
        self.store = store
        self.reader = store.reading
        self.clock = clock
        self.activity = Activity()
        self.machine: Machine = unknown_machine
        self.backups: Backups | None = None
        self.box = queue("long_term", room=500)
        self.dreams = queue("dreaming", room=5_000)
        self.long_term, self.dreaming = self.box.mailbox, self.dreams.mailbox
        self.archivist = queue("archivist", room=500).mailbox


def scheduled(few: Few) -> Schedule:
    return Schedule(
        few.settings, few.clock, few.reader, cast("Mailboxes", few), few.activity, few.machine,
        few.backups,
    )  # fmt: skip


async def hours(few: Few, count: float) -> list[Any]:
    """What the schedule sends in so many hours."""
    with trio.move_on_after(count * HOUR):
        await scheduled(few).run()
    return mail(few.box)


def faded(sent: list[Any]) -> list[float]:
    writes = (one for message in sent if isinstance(message, Write) for one in message.unit)
    return [(one.before - BEGINNING) / HOUR + LIFETIME for one in writes if isinstance(one, Faded)]


def noted(sent: list[Any], job: str) -> list[DueAt]:
    """Stored times of a job."""
    writes = (one for message in sent if isinstance(message, Write) for one in message.unit)
    return [one for one in writes if isinstance(one, DueAt) and one.job == job]


def tidied(sent: list[Any]) -> list[float]:
    return [(message.at - BEGINNING) / HOUR for message in sent if isinstance(message, Tidy)]


@VIRTUAL_TIME
async def test_a_job_runs_every_hour_and_its_next_time_is_stored(store: OpenStore) -> None:
    sent = await hours(Few(store, FollowingClock()), 3.5)
    stored = noted(sent, TIDY)

    assert tidied(sent) == pytest.approx([1, 2, 3], abs=0.02)
    assert stored[0] == DueAt(TIDY, BEGINNING + HOUR, None)
    assert [write.due_at for write in stored] == [BEGINNING + n * HOUR for n in (1, 2, 3, 4)]


@VIRTUAL_TIME
async def test_a_job_that_was_missed_a_hundred_times_runs_once(store: OpenStore) -> None:
    await written(store, DueAt(TIDY, BEGINNING - 100.5 * HOUR, None))

    assert tidied(await hours(Few(store, FollowingClock()), 1)) == pytest.approx([0, 0.5], abs=0.02)


@VIRTUAL_TIME
async def test_a_wall_clock_that_is_set_back_a_year_stops_no_job(store: OpenStore) -> None:
    clock = FollowingClock()
    few = Few(store, clock)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(scheduled(few).run)
        await trio.sleep(60)
        clock._begins -= 365 * DAY  # pyright: ignore[reportPrivateUsage]
        await trio.sleep(2.5 * HOUR)
        nursery.cancel_scope.cancel()

    assert len(tidied(mail(few.box))) == 2


@VIRTUAL_TIME
async def test_a_damaged_store_stops_no_schedule(
    store: OpenStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def unreadable() -> Any:
        raise Unreadable("the file is damaged")

    few = Few(store, FollowingClock())
    monkeypatch.setattr(store.reading, "due", unreadable)

    assert tidied(await hours(few, 1.5)) == pytest.approx([1], abs=0.02)


# ---- at the start of a session


class Asking:
    """Dreaming's owner: notes what it is asked."""

    def __init__(self, few: Few) -> None:
        self.few = few
        self.dreams: list[tuple[str, bool, float]] = []

    async def answer(self) -> None:
        async for message in self.few.dreams.inbox:
            if isinstance(message, Dream):
                self.dreams.append((message.why, message.patient, trio.current_time()))
                message.reply(1)


async def begun(few: Few, owner: Asking, sessions: int = 1, within: float = 30) -> float:
    """So many sessions begin a second apart, something was saved; the moment at which the first did."""
    await written(few.store, new("a"))
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


@VIRTUAL_TIME
async def test_a_sessions_start_begins_a_dream_some_seconds_later_that_lets_others_pass(
    store: OpenStore,
) -> None:
    """Although somebody is there, and the daemon has only just started."""
    few = Few(store, FollowingClock())
    owner = Asking(few)
    began = await begun(few, owner, sessions=3)

    ((why, patient, at),) = owner.dreams
    assert (why, patient) == ("a session's start", False)
    assert at - began == pytest.approx(AT_START, abs=0.1)


@VIRTUAL_TIME
async def test_a_dream_of_a_sessions_start_is_seen_and_begins_the_rhythm_anew(
    store: OpenStore,
) -> None:
    few = Few(store, FollowingClock())
    owner = Asking(few)
    began = await begun(few, owner)
    last = noted(mail(few.box), DREAM)[-1]

    assert last.ran_at == pytest.approx(
        few.clock.now() - trio.current_time() + began + AT_START, abs=1
    )
    assert last.due_at == pytest.approx((last.ran_at or 0.0) + 1_790, abs=15)
