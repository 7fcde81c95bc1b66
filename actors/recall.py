"""Recall: the right few memories, with the reason, or silence.

Questions are answered side by side: a person's search (``searching``) and what a prompt or a
session that starts is told (``briefing``). Both look through the same ``channels`` and order
what these found alike (``ordering``). What was shown is recorded after the answer is out.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from typing import Any, assert_never

import trio

from actors.briefing import Briefing
from actors.channels import Channels
from actors.mailbox import Crashed, Inbox, Mailbox, MailboxFull, SwitchedOff
from actors.messages import (
    Bring,
    PressureMessage,
    ProspectiveMessage,
    RecallMessage,
    Search,
    SessionsMessage,
    StrengthMessage,
    TaggingMessage,
    WereShown,
    WorkingMemoryMessage,
)
from actors.ordering import Ordering, Settings
from actors.ports import Clock, Reader, Unreadable
from actors.searching import Searching

log = logging.getLogger(__name__)

AT_ONCE = 16  # questions under way at once


@dataclass(slots=True)
class Recall:
    """Answers questions; what it holds are figures."""

    searching: Searching
    briefing: Briefing
    strength: Mailbox[StrengthMessage]
    searches: int = 0
    prompts: int = 0
    _places: trio.Semaphore = field(default_factory=lambda: trio.Semaphore(AT_ONCE))

    def statistics(self) -> dict[str, Any]:
        """Questions answered, and how many prompts got nothing."""
        return {
            "searches": self.searches,
            "prompts": self.prompts,
            "silent": self.briefing.silent,
            "by_words_alone": self.briefing.by_words_alone,
        }

    async def run(self, inbox: Inbox[RecallMessage]) -> None:
        """Handle messages until the mailbox is closed and drained."""
        async with trio.open_nursery() as nursery:
            async for message in inbox:
                await self._places.acquire()
                nursery.start_soon(self._answer, message)

    async def _answer(self, message: RecallMessage) -> None:
        try:
            # Whoever waits gives up then: the reading connection is for others.
            with trio.fail_after(message.within):
                match message:
                    case Search():
                        self.searches += 1
                        shown = await self.searching.search(message)
                    case Bring():
                        self.prompts += 1
                        shown = await self.briefing.bring(message)
                    case _:
                        assert_never(message)
            if shown is not None:
                self._record(shown)
        except (trio.TooSlowError, Unreadable) as error:
            message.reply.fail(error)
        except BaseException:
            message.reply.fail(Crashed("recall"))
            raise
        finally:
            self._places.release()

    def _record(self, shown: WereShown) -> None:
        try:
            self.strength.offer(shown)
        except (MailboxFull, SwitchedOff):
            log.debug("exposure_unrecorded count=%d", len(shown.memory_ids))


def assembled(
    settings: Settings,
    reader: Reader,
    clock: Clock,
    channels: Channels,
    sessions: Mailbox[SessionsMessage],
    working_memory: Mailbox[WorkingMemoryMessage],
    pressure: Mailbox[PressureMessage],
    prospective: Mailbox[ProspectiveMessage],
    strength: Mailbox[StrengthMessage],
    tagging: Mailbox[TaggingMessage],
) -> Recall:
    """Recall with its two kinds of answers, which share their channels and the words they read."""
    ordering = Ordering(settings, clock)
    return Recall(
        Searching(settings, reader, clock, channels, ordering),
        Briefing(
            settings, reader, clock, channels, ordering, sessions, working_memory, pressure,
            prospective, tagging,
        ),
        strength,
    )  # fmt: skip
