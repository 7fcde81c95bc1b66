"""Background jobs by the wall clock, with due times kept over a restart.

A job due while the laptop slept runs once, not once for every time it missed. Heavy jobs run one after the other, and
wait for a pause of the people, for mains and for an idle machine (``actors.policy.times.recurrence``).
"""

from __future__ import annotations

import logging
import math
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Any, Final

import trio
from msgspec import Struct, field

from actors.core.equipment import Clock
from actors.core.failures import Conflicting, Unreadable, Unwritable
from actors.core.mailbox import Crashed, Lane, Mailbox, MailboxClosed, SwitchedOff
from actors.memory.commit import Tidy, Write
from actors.memory.writes import DueAt
from actors.night.dreaming import why_not_due
from actors.night.shapes import Dream, Scan
from actors.night.tagging import faded
from actors.policy.night.replay import Occasion
from actors.policy.times.recurrence import (
    Conditions,
    Moment,
    Settings,
    Wait,
    kept_near,
    next_due,
    wait,
)
from daemon.conditions import Activity, Machine
from daemon.durability.backups import BackupFailed, Backups
from daemon.settings import Settings as Chosen
from daemon.storage.reader import ReadingSide
from daemon.supervisor import Mailboxes

log = logging.getLogger(__name__)

LOOK: Final = 30.0  # seconds between two looks at the wall clock: it jumps when a laptop wakes
TIDY: Final = "tidy"
TIDY_EVERY: Final = 3_600.0  # seconds: what leaves has been there for days
FADE: Final = "fade"
FADE_EVERY: Final = 3_600.0  # seconds
ARCHIVE: Final = "archive"
ARCHIVE_EVERY: Final = 7_200.0  # seconds: what is put away was unused for a month
DREAM: Final = "dream"
BACKUP: Final = "backup"
BACKUP_EVERY: Final = 600.0  # seconds between two looks whether the day has its backup
BACKUP_PAUSE: Final = 120.0  # seconds without anybody that do for a backup: it takes a second
DREAM_WITHIN: Final = 3_600.0  # seconds that a dream may take
AGAIN: Final = 3_600.0  # seconds until a job that failed is tried again
AT_START: Final = 5.0  # seconds after a session began, when it has been told what it should know

# What passes: the store, or the job's owner, cannot do it now.
PASSING = (
    Unwritable, Unreadable, Conflicting, trio.TooSlowError, SwitchedOff, Crashed, BackupFailed,
)  # fmt: skip

Own = Callable[[float], Awaitable[Wait | None]]


class Job(Struct, frozen=True):
    """A background job: how often it runs, and the order it is sent.

    ``send`` of a heavy job returns when the work is done, so one goes after the other and an
    interrupted job is due again.
    """

    name: str
    every: float  # seconds
    send: Callable[[float], Awaitable[object]]  # with the time it runs at
    heavy: bool = False
    own: Own | None = None  # asked when it is due: what of its own it waits for
    keeps: bool = False  # while it wants to run, the daemon does not leave by itself
    waits: Settings | None = None  # what it waits for, if not for what heavy jobs do


class JobState(Struct):
    """Place of a job in its rhythm."""

    job: Job
    due: float  # seconds UTC
    ran: float | None
    waits_for: str = ""
    wanted: bool = False  # it is due, and nothing of its own is in the way
    since: float | None = None  # seconds UTC: when that began
    next_look: float = 0.0  # seconds UTC: when something may change


def jobs(schedule: Schedule) -> tuple[Job, ...]:
    """All jobs by the clock."""
    boxes = schedule.mailboxes
    return (
        _light(TIDY, TIDY_EVERY, boxes.long_term, Tidy),
        _light(FADE, FADE_EVERY, boxes.long_term, lambda now: Write((faded(now),))),
        _light(ARCHIVE, ARCHIVE_EVERY, boxes.archivist, Scan),
        *_dreams(schedule),
        *(_backups(schedule, schedule.backups) if schedule.backups is not None else ()),
    )


def _light(name: str, every: float, owner: Mailbox[Any], order: Callable[[float], object]) -> Job:
    """A job done once its owner has its order."""
    return Job(name, every, lambda now: owner.tell(order(now), lane=Lane.BACKGROUND))


def _dreams(schedule: Schedule) -> tuple[Job, ...]:
    """Dreams by themselves: looked for in a rhythm of their own, due when enough is new."""
    chosen = schedule.settings.dreaming

    async def missing(now: float) -> Wait | None:
        why = await _missing(schedule, now, Occasion.TICK)
        return Wait(why, chosen.every) if why else None

    if not chosen.enabled:
        return ()
    send = partial(_dream, schedule, "the schedule", patient=True)
    return (Job(DREAM, chosen.every, send, heavy=True, own=missing, keeps=True),)


def _backups(schedule: Schedule, backups: Backups) -> tuple[Job, ...]:
    """A backup on each day of use, and after an erasure, which takes the others with it.

    A copy of some megabytes waits neither for mains nor for half an hour, but for a pause.
    """
    chosen = schedule.settings.daemon

    async def missing(now: float) -> Wait | None:
        why = await backups.missing(now)
        return Wait(why, BACKUP_EVERY) if why else None

    async def send(_: float) -> None:
        came = schedule.activity.came
        await backups.make(lambda: schedule.activity.came != came)

    if not schedule.settings.backups.enabled:
        return ()
    waits = Settings(
        idle=min(chosen.idle, BACKUP_PAUSE), settle=chosen.settle, load=math.inf, on_battery=True
    )
    return (Job(BACKUP, BACKUP_EVERY, send, heavy=True, own=missing, waits=waits),)


async def _missing(schedule: Schedule, now: float, occasion: Occasion) -> str:
    """A dream's own reason to wait; empty when it is due."""
    try:
        return await why_not_due(schedule.reader, now, occasion)
    except Unreadable as error:
        return f"dreams cannot be read: {type(error).__name__}"


async def _dream(schedule: Schedule, why: str, now: float, *, patient: bool) -> None:
    """One dream, to its end. A patient one stops when somebody comes, another lets them pass.

    One that is not done when the schedule stops waiting begins anew.
    """
    await schedule.mailboxes.dreaming.ask(
        Dream(why, now, patient),
        within=DREAM_WITHIN,
        lane=Lane.BACKGROUND,
    )


class Schedule(Struct):
    """Looks at the clock and sends due orders."""

    settings: Chosen
    clock: Clock
    reader: ReadingSide
    mailboxes: Mailboxes
    activity: Activity
    machine: Machine
    backups: Backups | None
    _began: float = field(default_factory=trio.current_time)
    _running: str = ""  # the heavy job that is under way
    _standings: dict[str, JobState] = field(default_factory=dict[str, JobState])
    _session: trio.Event = field(default_factory=trio.Event)  # an agent's session has begun

    @property
    def _waits(self) -> Settings:
        """Conditions of every heavy job."""
        chosen = self.settings.daemon
        return Settings(
            idle=chosen.idle, settle=chosen.settle, load=chosen.load, on_battery=chosen.on_battery
        )

    @property
    def due(self) -> dict[str, tuple[float, float]]:
        """Time to look at each job next, and how often it runs."""
        return {
            name: (max(one.due, one.next_look), one.job.every)
            for name, one in self._standings.items()
        }

    def entries(self) -> dict[str, dict[str, Any]]:
        """Last runs, due times and why something waits, by job."""
        return {
            name: {
                "job": name,
                "last_ran": one.ran,
                "due": one.due,
                "waits_for": one.waits_for or None,
                "running": self._running == name,
            }
            for name, one in self._standings.items()
        }

    def holding(self) -> str:
        """The job for which the daemon stays although nobody is there; empty when there is none."""
        kept = (one.job.name for one in self._standings.values() if one.job.keeps and one.wanted)
        return next(kept, "")

    async def was_run(self, job: str) -> None:
        """A person has just run this job: its rhythm begins anew."""
        standing = self._standings.get(job)
        if standing is not None:
            now = self.clock.now()
            standing.due, standing.ran, standing.wanted = now + standing.job.every, now, False
            standing.waits_for, standing.next_look = "", standing.due
            await self._note(standing)

    def session_began(self) -> None:
        """An agent's session has just begun: a dream may be due by it. Returns at once."""
        self._session.set()

    async def run(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Forever; cancelled when the daemon stops."""
        known: dict[str, tuple[float, float | None]] = {}
        with suppress(Unreadable):  # said elsewhere; the jobs keep their rhythm from now
            known = await self.reader.due()
        async with trio.open_nursery() as nursery:
            for job in jobs(self):
                due, ran = known.get(job.name, (self.clock.now() + job.every, None))
                standing = self._standings[job.name] = JobState(job, due, ran)
                if job.name not in known:
                    await self._note(standing)  # a daemon that lives for minutes gets there as well
                nursery.start_soon(self._keep, standing)
            nursery.start_soon(self._at_session_starts)
            task_status.started()

    async def _keep(self, standing: JobState) -> None:
        job = standing.job
        while True:
            now = self.clock.now()
            kept = kept_near(standing.due, job.every, now)
            if kept != standing.due:
                log.info("clock_set_back job=%s", job.name)
                standing.due = kept
                await self._note(standing)
            pause = await self._pause(standing, now)
            await trio.sleep(min(LOOK, max(pause, 0.1)))

    async def _at_session_starts(self) -> None:
        """A dream due by a session's start, once the session has its page.

        It lets others pass; the machine's conditions count as for every heavy job.
        """
        while self.settings.dreaming.at_session_start:
            await self._session.wait()
            await trio.sleep(AT_START)
            self._session = trio.Event()
            standing = self._standings.get(DREAM)
            if standing is not None and await self._dreams_at_start():
                dream = partial(_dream, self, "a session's start", patient=False)
                await self._run(standing, self.clock.now(), dream)

    async def _dreams_at_start(self) -> bool:
        """Tell whether a dream is due by a session's start, and only somebody's work is in its way."""
        if await _missing(self, self.clock.now(), Occasion.SESSION_START):
            return False
        conditions = await self.machine()
        alone = Moment(0.0, math.inf, math.inf, conditions, self._running)
        return wait(alone, self._waits) is None

    async def _pause(self, standing: JobState, now: float) -> float:
        """Run the job if it may, and the seconds until there may be something to do."""
        obstacle: Wait | None = None
        if standing.due <= now:
            obstacle = await self._obstacle(standing, now)
            if obstacle is None:
                await self._run(standing, now, standing.job.send)
        else:
            standing.wanted = False
        standing.waits_for = obstacle.why if obstacle is not None else ""
        now = self.clock.now()
        standing.next_look = now + obstacle.seconds if obstacle is not None else standing.due
        return standing.next_look - now

    async def _obstacle(self, standing: JobState, now: float) -> Wait | None:
        """Reason of a due job to wait."""
        job = standing.job
        if not job.heavy:
            return None
        own = await job.own(now) if job.own is not None else None
        standing.wanted = own is None
        if own is not None:
            standing.since = None
            return own
        if standing.since is None:  # a dream that was not worth it for days is not late by them
            standing.since = standing.due if job.own is None else now
        overdue = now - standing.since

        def moment(conditions: Conditions) -> Moment:
            up = trio.current_time() - self._began
            return Moment(overdue, up, self.activity.idle_for(), conditions, self._running)

        # The machine is looked at last: nothing else was in the way, and it costs a little.
        waits = job.waits or self._waits
        found = wait(moment(Conditions()), waits)
        if found is None:
            found = wait(moment(await self.machine()), waits)
        return found

    async def _run(
        self, standing: JobState, now: float, send: Callable[[float], Awaitable[object]]
    ) -> None:
        job, retry = standing.job, 0.0
        standing.waits_for = ""
        if job.heavy:
            self._running = job.name
        try:
            await send(now)
        except MailboxClosed:
            log.debug("job_skipped name=%s", job.name)
        except PASSING as error:
            log.warning("job_failed name=%s why=%s", job.name, type(error).__name__)
            retry = min(AGAIN, job.every)
        finally:
            if job.heavy:
                self._running = ""
        standing.wanted, standing.since = False, None
        if retry:
            standing.due = now + retry
        else:
            standing.due, standing.ran = next_due(standing.due, job.every, now), now
        await self._note(standing)

    async def _note(self, standing: JobState) -> None:
        write = Write((DueAt(standing.job.name, standing.due, standing.ran),))
        with suppress(MailboxClosed, SwitchedOff):
            await self.mailboxes.long_term.tell(write, lane=Lane.BACKGROUND)
