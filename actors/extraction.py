"""Extraction: what of an event is worth keeping.

Owns the trail of each session (what failed and was not yet mended). The rules are in
``actors.policy.extraction``; what they find is proposed to the gate, which ends the
event in the journal together with what becomes of it.
"""

from __future__ import annotations

from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from actors.mailbox import Inbox, Lane, Mailbox, SwitchedOff
from actors.messages import (
    ExtractionMessage,
    GateMessage,
    ImportanceRaised,
    LongTermMessage,
    Proposed,
    TaggingMessage,
    Write,
)
from actors.policy.extraction import extracted
from actors.policy.fence import is_machine_made
from actors.policy.moments import moment
from actors.policy.trail import SessionTrail
from actors.writes import Derived, Raised

SESSIONS = 200  # trails remembered


@dataclass(slots=True)
class Extraction:
    """Turns events into candidates."""

    gate: Mailbox[GateMessage]
    long_term: Mailbox[LongTermMessage]
    tagging: Mailbox[TaggingMessage]
    trails: OrderedDict[str, SessionTrail] = field(default_factory=OrderedDict[str, SessionTrail])
    events: int = 0
    by_rule: dict[str, int] = field(default_factory=dict[str, int])
    moments: dict[str, int] = field(default_factory=dict[str, int])

    def statistics(self) -> dict[str, Any]:
        """Events seen and what each rule found in them."""
        return {
            "events": self.events,
            "found": dict(self.by_rule),
            "moments": dict(self.moments),
        }

    async def run(self, inbox: Inbox[ExtractionMessage]) -> None:
        """Handle messages until the mailbox is closed and drained."""
        async for message in inbox:
            await self.handle(message)

    async def handle(self, happened: ExtractionMessage) -> None:
        """One event."""
        self.events += 1
        session = happened.event.session
        trail = self.trails.get(session, SessionTrail())
        found = extracted(happened.event, trail, is_machine_made)
        candidates = found.candidates
        self._remember(session, found.trail)
        await self._raise(happened, trail)
        for candidate in candidates:
            self.by_rule[candidate.rule] = self.by_rule.get(candidate.rule, 0) + 1
        if not candidates:
            await self.long_term.tell(Write((Derived(happened.seq),)), lane=Lane.BACKGROUND)
            return
        proposed = Proposed(happened.seq, happened.at, session, happened.project, candidates)
        # With the gate switched off the event stays undone, and is derived at the next start.
        with suppress(SwitchedOff):
            await self.gate.tell(proposed, lane=Lane.BACKGROUND)

    async def _raise(self, happened: ExtractionMessage, before: SessionTrail) -> None:
        """An important moment is in the store before the event that tells of it is done."""
        event = happened.event
        found = None if is_machine_made(event.prompt) else moment(before, event)
        if found is None:
            return
        kind = found.kind.value
        self.moments[kind] = self.moments.get(kind, 0) + 1
        raised = Raised(
            f"{happened.seq}-{kind}",
            kind,
            found.strength,
            happened.at,
            event.session or None,
            happened.project,
            found.reason,
            happened.seq,
        )
        await self.long_term.tell(Write((raised,)), lane=Lane.BACKGROUND)
        with suppress(SwitchedOff):  # at its next start it finds the moment in the store
            await self.tagging.tell(ImportanceRaised(raised), lane=Lane.BACKGROUND)

    def _remember(self, session: str, trail: SessionTrail) -> None:
        self.trails[session] = trail
        self.trails.move_to_end(session)
        while len(self.trails) > SESSIONS:
            self.trails.popitem(last=False)
