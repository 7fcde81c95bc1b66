"""Strength: what use makes of a memory's stability.

Only use strengthens; that a memory was shown is recorded and nothing more (resolution
C06 of features.md). The rules are in ``actors.policy.reinforcement``.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, assert_never

import trio

from actors.mailbox import Inbox, Lane, Mailbox, MailboxClosed, MailboxFull, SwitchedOff
from actors.messages import (
    Commit,
    LongTermMessage,
    NoSuchMemory,
    Review,
    StrengthMessage,
    TaggingMessage,
    Used,
    WereAccessed,
    WereShown,
    Write,
)
from actors.policy.fsrs import Phase, Strength
from actors.policy.reinforcement import IMPLICIT, Settings, Use, grade, reviewed
from actors.ports import Memory, Reader, Unreadable, Unwritable
from actors.writes import Exposed, Reviewed

log = logging.getLogger(__name__)

WRITE_DEADLINE = 5.0  # seconds
ASKED = "recall"  # where a memory is shown because somebody asked: an access (H06)

# What passes: the store cannot be read or written now.
_PASSING = (Unwritable, Unreadable, trio.TooSlowError)


@dataclass(slots=True)
class StrengthKeeper:
    """Reviews memories, one message at a time."""

    settings: Settings
    reader: Reader
    long_term: Mailbox[LongTermMessage]
    tagging: Mailbox[TaggingMessage]
    reviews: dict[str, int] = field(default_factory=dict[str, int])
    exposures: int = 0

    def statistics(self) -> dict[str, Any]:
        """Reviews by cause, and how often memories were shown."""
        return {"reviews": dict(self.reviews), "exposures": self.exposures}

    async def run(self, inbox: Inbox[StrengthMessage]) -> None:
        """Handle messages until the mailbox is closed and drained."""
        async for message in inbox:
            await self.handle(message)

    async def handle(self, message: StrengthMessage) -> None:
        """One message."""
        match message:
            case Used(memory_id, use, at):
                try:
                    await self._review(memory_id, use, at)
                except _PASSING as error:
                    log.warning("use_unrecorded why=%s", type(error).__name__)
            case Review(memory_id, use, at, reply):
                try:
                    changed = await self._review(memory_id, use, at)
                except _PASSING as error:
                    reply.fail(error)
                else:
                    reply.fail(NoSuchMemory()) if changed is None else reply(changed)
            case WereShown(memory_ids, session, where, at):
                self.exposures += len(memory_ids)
                await self.long_term.tell(Write((Exposed(memory_ids, session, where, at),)))
                if where == ASKED:
                    self._tell_of_access(WereAccessed(memory_ids, session, at))
            case _:
                assert_never(message)

    def _tell_of_access(self, accessed: WereAccessed) -> None:
        with suppress(MailboxFull, MailboxClosed, SwitchedOff):  # one access less is counted
            self.tagging.offer(accessed, lane=Lane.BACKGROUND)

    async def _review(self, memory_id: int, use: Use, at: float) -> bool | None:
        """Whether the strength changed; ``None`` when there is no such memory."""
        memory = (await self.reader.memories([memory_id])).get(memory_id)
        if memory is None:
            return None
        after = reviewed(strength_of(memory), use, at, self.settings)
        given = grade(use)
        if after is None or given is None:
            return False
        change = Reviewed(
            memory_id,
            after.stability,
            after.difficulty,
            after.lapses,
            after.phase.value,
            int(given),
            use.value,
            use in IMPLICIT,
            at,
        )
        _: list[int] = await self.long_term.ask(
            lambda reply: Commit((change,), reply), within=WRITE_DEADLINE
        )
        self.reviews[use.value] = self.reviews.get(use.value, 0) + 1
        return True


def strength_of(memory: Memory) -> Strength:
    """The memory's strength as the policy sees it."""
    return Strength(
        memory.stability,
        memory.difficulty,
        memory.last_review,
        memory.reviews,
        memory.lapses,
        Phase(memory.phase),
        memory.last_implicit,
    )
