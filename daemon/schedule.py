"""Background jobs by the wall clock, with due times that survive a restart.

A job that was due while the laptop slept runs once, not once for every time it missed.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass

import trio

from actors.mailbox import Lane, MailboxClosed, SwitchedOff
from actors.messages import Dim, Fade, LookAtIntentions, Tidy, Write
from actors.writes import DueAt
from daemon.answers.parts import Parts

log = logging.getLogger(__name__)

LOOK = 30.0  # seconds between two looks at the wall clock: it jumps when a laptop wakes
TIDY = "tidy"
FADE = "fade"
INTENTIONS = "intentions"
INTENTIONS_EVERY = 300.0  # seconds: what came due is noted; a prompt asks for itself (Q03)
FADE_EVERY = 3_600.0  # seconds, H10
DIM = "dim"
DIM_EVERY = 86_400.0  # seconds, Q09


@dataclass(frozen=True, slots=True)
class Job:
    """A background job: how often it runs, and the order it is sent."""

    name: str
    every: float  # seconds
    send: Callable[[float], Awaitable[None]]  # with the time it runs at


def jobs(parts: Parts) -> tuple[Job, ...]:
    """Everything that runs by the clock."""
    boxes = parts.mailboxes
    return (
        Job(
            TIDY,
            parts.settings.daemon.tidy_every,
            lambda now: boxes.long_term.tell(Tidy(now), lane=Lane.BACKGROUND),
        ),
        Job(
            INTENTIONS,
            INTENTIONS_EVERY,
            lambda now: boxes.prospective.tell(LookAtIntentions(now), lane=Lane.BACKGROUND),
        ),
        Job(FADE, FADE_EVERY, lambda now: boxes.tagging.tell(Fade(now), lane=Lane.BACKGROUND)),
        Job(DIM, DIM_EVERY, lambda now: boxes.importance.tell(Dim(now), lane=Lane.BACKGROUND)),
    )


def next_due(due: float, every: float, now: float) -> float:
    """The first moment of the job's rhythm that lies after ``now``."""
    if due > now:
        return due
    missed = int((now - due) // every)
    return due + (missed + 1) * every


class Schedule:
    """Looks at the clock and sends what is due."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self.due: dict[str, tuple[float, float]] = {}  # when each job runs next, and how often

    async def run(self) -> None:
        """Forever; cancelled when the daemon stops."""
        known = await self._parts.reader.due()
        async with trio.open_nursery() as nursery:
            for job in jobs(self._parts):
                nursery.start_soon(self._keep, job, known.get(job.name))

    async def _keep(self, job: Job, known: tuple[float, float | None] | None) -> None:
        """One job's rhythm."""
        clock = self._parts.clock
        due = clock.now() + job.every
        if known is not None:
            due, _ran = known
        else:
            await self._note(job, due, None)  # a daemon that lives for minutes gets there as well
        while True:
            now = clock.now()
            self.due[job.name] = due, job.every
            if due <= now:
                due = next_due(due, job.every, now)
                self.due[job.name] = due, job.every
                await self._send(job, now, due)
            await trio.sleep(min(LOOK, max(due - now, 0.1)))

    async def _send(self, job: Job, now: float, due: float) -> None:
        try:
            await job.send(now)
        except (MailboxClosed, SwitchedOff):
            log.debug("job_skipped name=%s", job.name)
        await self._note(job, due, now)

    async def _note(self, job: Job, due: float, ran: float | None) -> None:
        store = self._parts.mailboxes.long_term
        with suppress(MailboxClosed):
            await store.tell(Write((DueAt(job.name, due, ran),)), lane=Lane.BACKGROUND)
