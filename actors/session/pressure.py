"""Pressure: how full each session's context is.

Read from the agent's own transcript after each turn, never while a prompt waits. The rules are in ``actors.policy.session.pressure``.
"""

from typing import Any, assert_never

import trio
from msgspec import Struct, field

from actors.core.equipment import Latest
from actors.core.mailbox import Inbox
from actors.intake.messages import Happened
from actors.policy.events.events import EventKind
from actors.policy.session.pressure import Settings, pressure, tokens_in_use
from actors.session.shapes import HowFull, PressureMessage
from daemon.files import DiskFiles

SESSIONS = 200  # sessions remembered
TAIL = 262_144  # bytes of a transcript's end: several turns
READ_DEADLINE = 2.0  # seconds

_TELLING = frozenset({EventKind.TURN_END, EventKind.SESSION_START, EventKind.POST_COMPACT})


class PressureGauge(Struct):
    """Keeps the last reading of each session."""

    settings: Settings
    files: DiskFiles
    tokens: Latest[str, int] = field(default_factory=lambda: Latest(SESSIONS))
    readings: int = 0

    def statistics(self) -> dict[str, Any]:
        """Counts of known sessions and of readings of a transcript."""
        return {"sessions": len(self.tokens), "readings": self.readings}

    async def run(self, inbox: Inbox[PressureMessage]) -> None:
        """Handle messages until the mailbox is closed and drained."""
        async for message in inbox:
            await self.handle(message)

    async def handle(self, message: PressureMessage) -> None:
        """One message."""
        match message:
            case Happened():
                await self._read(message)
            case HowFull(session):
                message.reply(pressure(self.tokens.get(session), self.settings.window))
            case _:
                assert_never(message)

    async def _read(self, happened: Happened) -> None:
        event = happened.event
        if event.kind not in _TELLING or not event.session:
            return
        tokens = event.context_tokens
        if tokens is None and event.transcript:
            with trio.move_on_after(READ_DEADLINE):
                tokens = tokens_in_use(await self.files.last_lines(event.transcript, TAIL))
                self.readings += 1
        if tokens is not None:
            self.tokens[event.session] = tokens
