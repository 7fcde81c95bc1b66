"""Background jobs by the wall clock, with due times that survive a restart.

A job that was due while the laptop slept runs once, not once for every time it missed.
"""

from __future__ import annotations

import logging
from contextlib import suppress

import trio

from actors.mailbox import Lane, MailboxClosed
from actors.messages import Tidy, Write
from actors.writes import DueAt
from daemon.answers.parts import Parts

log = logging.getLogger(__name__)

LOOK = 30.0  # seconds between two looks at the wall clock: it jumps when a laptop wakes
TIDY = "tidy"


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

    async def run(self) -> None:
        """Forever; cancelled when the daemon stops."""
        parts = self._parts
        every = parts.settings.daemon.tidy_every
        known = await parts.reader.due()
        now = parts.clock.now()
        due, _ran = known.get(TIDY, (now + every, None))
        if TIDY not in known:
            await self._note(due, None)  # a daemon that lives for minutes gets there as well
        while True:
            now = parts.clock.now()
            if due <= now:
                due = next_due(due, every, now)
                await self._send(now, due)
            await trio.sleep(min(LOOK, max(due - now, 0.1)))

    async def _send(self, now: float, due: float) -> None:
        store = self._parts.mailboxes.long_term
        try:
            await store.tell(Tidy(now), lane=Lane.BACKGROUND)
        except MailboxClosed:
            log.debug("tidy_skipped")
        await self._note(due, now)

    async def _note(self, due: float, ran: float | None) -> None:
        store = self._parts.mailboxes.long_term
        with suppress(MailboxClosed):
            await store.tell(Write((DueAt(TIDY, due, ran),)), lane=Lane.BACKGROUND)
