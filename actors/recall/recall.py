"""Recall: the right few memories, with the reason, or silence.

Questions are answered side by side: a person's search (``searching``), and notes for a prompt or a
starting session (``briefing``). Both look through the same ``channels`` and order the findings alike.
"""

import logging
from contextlib import nullcontext
from typing import Any, assert_never

import trio
from msgspec import Struct, field
from msgspec.structs import replace

from actors.core.equipment import Clock, Latest, Receipt
from actors.core.failures import Unreadable
from actors.core.mailbox import Crashed, Inbox, Mailbox, MailboxClosed, MailboxFull, SwitchedOff
from actors.memory.commit import LongTermMessage
from actors.memory.observatory import Observation, ObservationKind, Observatory
from actors.memory.use import Answered, StrengthMessage
from actors.recall.archive import Archive
from actors.recall.briefing import Briefing
from actors.recall.channels import Channels
from actors.recall.contexts import Delegating, SessionQuestions
from actors.recall.opening import Opening
from actors.recall.ordering import Ordering, Settings
from actors.recall.searching import Searching
from actors.recall.shapes import After, Bring, RecallMessage, Search, Tell, TextErased
from actors.session.shapes import PressureMessage, WorkingMemoryMessage
from daemon.sources import ProjectSources
from daemon.storage.reader import ReadingSide

log = logging.getLogger(__name__)

AT_ONCE = 16  # questions under way at once
SEARCHES = 12  # searches among them: they may wait for a vector, and prompts may not for them
ROOM = 256  # questions taken at once: the others wait in the mailbox, in its lanes
FOLLOWING = 64  # sessions whose last answer is followed
TELL_WITHIN = 2.0  # seconds until such a one is given up


class Recall(Struct):
    """Answers questions; holds nothing but figures."""

    searching: Searching
    briefing: Briefing
    strength: Mailbox[StrengthMessage]
    observatory: Observatory
    searches: int = 0
    # What follows the last answer of each session: set once that is done, or the answer was lost.
    _followed: Latest[str, trio.Event] = field(default_factory=lambda: Latest(FOLLOWING))
    _places: trio.Semaphore = field(default_factory=lambda: trio.Semaphore(AT_ONCE))
    _searches: trio.Semaphore = field(default_factory=lambda: trio.Semaphore(SEARCHES))
    _room: trio.Semaphore = field(default_factory=lambda: trio.Semaphore(ROOM))

    def statistics(self) -> dict[str, Any]:
        """Prompts that got no vector in time."""
        return {"by_words_alone": self.briefing.by_words_alone}

    async def run(self, inbox: Inbox[RecallMessage]) -> None:
        """Handle messages until the mailbox is closed and drained."""
        async with trio.open_nursery() as beside:
            beside.start_soon(self.briefing.channels.triggers.run)
            async with trio.open_nursery() as nursery:
                async for message in inbox:
                    match message:
                        case Search() | Bring():
                            await self._room.acquire()
                            nursery.start_soon(self._in_turn, message, nursery)
                        case TextErased():  # questions and words with its text
                            self.briefing.channels.pacing.forget()
                            self.searching.ordering.forget()
                        case _:
                            assert_never(message)
            beside.cancel_scope.cancel()

    async def _in_turn(self, message: Search | Bring, telling: trio.Nursery) -> None:
        searching = self._searches if isinstance(message, Search) else nullcontext()
        try:
            async with searching, self._places:
                if message.reply.abandoned:
                    message.reply.fail(trio.TooSlowError())
                else:
                    await self._answer(message, telling)
        finally:
            self._room.release()

    async def _answer(self, message: Search | Bring, telling: trio.Nursery) -> None:
        began = trio.current_time()
        try:
            # Whoever waits gives up then: the reading connection is for others.
            with trio.fail_after(max(0.0, message.within)):
                if isinstance(message, Search):
                    self.searches += 1
                    after = After(await self.searching.search(message))
                else:
                    await self._last_is_followed(message.event.session)
                    after = await self.briefing.bring(message)
            if isinstance(message, Bring) and message.rehearsed:
                return
            took = 1000 * (trio.current_time() - began)
            self._show(message, took)
            if (
                isinstance(message, Search)
                or message.receipt.is_known
                or not (after.shown or after.tells)
            ):
                self._follow(after, took, telling)
            else:
                followed = self._followed[message.event.session] = trio.Event()
                telling.start_soon(self._follow_if_taken, message.receipt, after, took, followed)
        except (trio.TooSlowError, Unreadable) as error:
            message.reply.fail(error)
        except BaseException:
            message.reply.fail(Crashed("recall"))
            raise

    async def _last_is_followed(self, session: str) -> None:
        """Wait for the ledger to record the session's last notes, as long as for a neighbour."""
        followed = self._followed.get(session)
        if followed is not None:
            with trio.move_on_after(self.briefing.settings.neighbour_wait):
                await followed.wait()

    async def _follow_if_taken(
        self, receipt: Receipt, after: After, took: float, followed: trio.Event
    ) -> None:
        if await receipt.wait():
            async with trio.open_nursery() as telling:
                self._follow(after, took, telling)
        followed.set()

    def _follow(self, after: After, took: float, telling: trio.Nursery) -> None:
        """Record the notes shown, with the reasons for a prompt's; and send the messages, apart from each other."""
        record: StrengthMessage | None = after.shown
        if after.injected is not None:
            record = Answered(replace(after.injected, milliseconds=took), after.shown)
        if record is not None:
            try:
                self.strength.offer(record)
            except (MailboxFull, SwitchedOff):
                log.debug("exposure_unrecorded")
        for tell in after.tells:
            telling.start_soon(self._told, tell)

    async def _told(self, tell: Tell) -> None:
        try:
            with trio.fail_after(TELL_WITHIN):
                await tell()
        except (trio.TooSlowError, SwitchedOff, MailboxClosed) as error:
            log.warning("untold why=%s", type(error).__name__)

    def _show(self, asked: Search | Bring, took: float) -> None:
        """Show followers the fact of a question, never its words. ``took``: milliseconds."""
        found = asked.reply.given
        if found is None:
            return
        data = {
            "by": "search" if isinstance(asked, Search) else "agent",
            "found": len(found.notes),
            "known_in_session": found.known or None,  # and so not told
            "id": found.notes[0].memory.id if found.notes else None,  # the best
            "milliseconds": round(took, 1),
        }
        if isinstance(asked, Bring):
            data |= {"session": asked.event.session or None, "place": asked.event.kind.value}
        kind = ObservationKind.SEARCH_PERFORMED
        self.observatory.keep(Observation(kind, self.searching.clock.now(), data))


def assembled(
    settings: Settings,
    reader: ReadingSide,
    clock: Clock,
    channels: Channels,
    working_memory: Mailbox[WorkingMemoryMessage],
    pressure: Mailbox[PressureMessage],
    strength: Mailbox[StrengthMessage],
    long_term: Mailbox[LongTermMessage],
    archive: Archive,
    observatory: Observatory,
    sources: ProjectSources | None = None,
) -> Recall:
    """Recall with its two kinds of answers, which share their channels and the words they read."""
    ordering = Ordering(clock, settings)
    return Recall(
        Searching(settings, clock, channels, ordering),
        Briefing(
            settings, clock, channels, ordering,
            SessionQuestions(settings, working_memory, pressure), long_term,
            archive, Opening(settings, reader, clock, sources),
            Delegating(settings, reader, clock),
        ),
        strength,
        observatory,
    )  # fmt: skip
