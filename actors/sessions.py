"""Sessions: what each one was doing, and what it has in its context already.

Owns the ledger of deliveries (row F09), which survives a restart because every entry
is stored, and the state of each session (row F10). The rule is in
``actors.policy.ledger``.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any, assert_never

from actors.mailbox import Inbox, Lane, Mailbox
from actors.messages import (
    Happened,
    LongTermMessage,
    SessionsMessage,
    WereDelivered,
    WhatWasDoing,
    WhichAreNew,
    Write,
)
from actors.policy.budget import shortened
from actors.policy.events import EventKind
from actors.policy.fence import is_machine_made
from actors.policy.ledger import Settings, entered, undelivered
from actors.ports import Reader
from actors.writes import Delivered, SessionSeen

LEDGERS = 200  # sessions whose ledger is held in memory
TASK_LIMIT = 200  # characters of the last prompt that are kept as the task
SUMMARY_LIMIT = 2_000  # characters of a compaction's summary that are kept

# Events after which the context no longer holds what was delivered.
_EMPTIED = frozenset({"clear", "compact"})


@dataclass(slots=True)
class Sessions:
    """Keeps ledgers and session rows."""

    settings: Settings
    reader: Reader
    long_term: Mailbox[LongTermMessage]
    ledgers: OrderedDict[str, dict[bytes, float]] = field(
        default_factory=OrderedDict[str, "dict[bytes, float]"]
    )
    delivered: int = 0
    withheld: int = 0

    def statistics(self) -> dict[str, Any]:
        """Notes delivered, and notes withheld because the session had them."""
        return {
            "sessions": len(self.ledgers),
            "delivered": self.delivered,
            "withheld": self.withheld,
        }

    async def run(self, inbox: Inbox[SessionsMessage]) -> None:
        """Handle messages until the mailbox is closed and drained."""
        async for message in inbox:
            await self.handle(message)

    async def handle(self, message: SessionsMessage) -> None:
        """One message."""
        match message:
            case Happened():
                await self._see(message)
            case WhichAreNew(session, hashes, at, reply):
                new = undelivered(await self._ledger(session, at), hashes, at, self.settings)
                self.withheld += len(set(hashes)) - len(new)
                reply(frozenset(new))
            case WereDelivered(session, hashes, at):
                await self._deliver(session, hashes, at)
            case WhatWasDoing(session, reply):
                reply(await self.reader.session(session))
            case _:
                assert_never(message)

    async def _ledger(self, session: str, at: float) -> dict[bytes, float]:
        if session not in self.ledgers:
            stored = await self.reader.delivered(session, at - self.settings.ttl)
            self.ledgers[session] = dict(stored)
            while len(self.ledgers) > LEDGERS:
                self.ledgers.popitem(last=False)
        self.ledgers.move_to_end(session)
        return self.ledgers[session]

    async def _deliver(self, session: str, hashes: tuple[bytes, ...], at: float) -> None:
        self.delivered += len(hashes)
        ledger = await self._ledger(session, at)
        self.ledgers[session] = entered(ledger, hashes, at, self.settings)
        await self.long_term.tell(Write((Delivered(session, hashes, at),)))

    async def _see(self, happened: Happened) -> None:
        event = happened.event
        if not event.session:
            return
        told = event.kind is EventKind.PROMPT and not is_machine_made(event.prompt)
        seen = SessionSeen(
            event.session,
            event.agent,
            happened.project,
            happened.at,
            "ended" if event.kind is EventKind.SESSION_END else "open",
            shortened(event.prompt, TASK_LIMIT) if told else None,
            shortened(event.summary, SUMMARY_LIMIT) if event.summary else None,
            event.transcript or None,
        )
        if event.kind is EventKind.SESSION_START and event.source in _EMPTIED:
            await self._empty_ledger(event.session, happened.at)
        await self.long_term.tell(Write((seen,)), lane=Lane.BACKGROUND)

    async def _empty_ledger(self, session: str, at: float) -> None:
        """The context is new: deliveries made before it began do not count."""
        ledger = await self._ledger(session, at)
        before = [content for content, delivered_at in ledger.items() if delivered_at < at]
        for content in before:
            del ledger[content]
        if before:
            # Stored as delivered long ago, so that a restart does not bring them back.
            await self.long_term.tell(Write((Delivered(session, tuple(before), 0.0),)))
