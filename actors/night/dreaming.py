"""Dreaming: goes over the memories while nobody is looking, and finds connections among them.

Owns the dream under way. Its five stages (``actors.night.dream_stages``) are worked out first and written
in one transaction, so a dream interrupted by a person or a crash has done nothing and begins anew
the next time; one whose asker has left as well. A failure ends it. Nothing here changes a memory's text.
"""

import gc
import logging
from contextlib import suppress
from typing import Any, Final, assert_never

import trio
from msgspec import Struct, field

from actors.core.equipment import Clock, Foreground, Worker
from actors.core.failures import Conflicting, Unreadable, Unwritable
from actors.core.mailbox import Crashed, Inbox, Mailbox, MailboxClosed, SwitchedOff
from actors.memory.commit import PASSING, LongTermMessage, StoreWrite, commit
from actors.night import dream_stages
from actors.night.dream_stages import Disturbed, Night, Pace, Reading, unread
from actors.night.shapes import (
    ConnectionsDrawn,
    Dream,
    DreamBegun,
    DreamEnded,
    DreamingMessage,
    DreamRow,
    Figures,
)
from actors.policy.night import replay
from actors.policy.night.replay import Occasion
from daemon.storage.reader import ReadingSide

log = logging.getLogger(__name__)

FEW: Final = 3  # memories of which nothing can be dreamt
# Of one dream, the newest: 9.4 to 12.4 s of CPU (docs/measured/dreaming.md).
MEMORIES: Final = 10_000
ENDED_WITHIN: Final = 2.0  # seconds for noting a failure: the writer may have failed, too
# What is no fault of the dream: it begins anew the next time.
_CUT_OFF: Final = (
    Disturbed, trio.TooSlowError, Unwritable, Unreadable, SwitchedOff, MailboxClosed,
)  # fmt: skip


class Dreaming(Struct):
    """Dreams one dream at a time, beside its mailbox."""

    reader: ReadingSide
    clock: Clock
    foreground: Foreground
    thread: Worker
    long_term: Mailbox[LongTermMessage]
    reads: Reading = unread  # without it dreams go by rules alone
    _under_way: Dream | None = None  # the last one that was taken on
    _turn: trio.Lock = field(default_factory=trio.Lock)  # one dreams at a time

    def statistics(self) -> dict[str, Any]:
        """Tell whether a dream is under way."""
        return {"dreaming": self._under_way is not None}

    async def run(self, inbox: Inbox[DreamingMessage]) -> None:
        """Handle messages until the mailbox is drained; a dream goes on beside them."""
        async with trio.open_nursery() as nursery:
            async for message in inbox:
                await self.handle(message, nursery)
            nursery.cancel_scope.cancel()  # what is not done begins anew at the next start

    async def handle(self, message: DreamingMessage, nursery: trio.Nursery) -> None:
        """Take on an order; a person's takes over from a patient dream."""
        match message:
            case Dream(patient=patient):
                if self._under_way is None or (self._under_way.patient and not patient):
                    self._under_way = message
                    nursery.start_soon(self._answered, message)
                else:
                    message.reply.fail(Conflicting("a dream is under way: it takes seconds"))
            case _:  # judged here, where the message is still in hand
                assert_never(message)

    async def _answered(self, order: Dream) -> None:
        try:
            async with self._turn:
                order.reply(await self._dream(order))
        except Disturbed:
            order.reply.fail(
                Conflicting("somebody came: the dream begins anew when they have left")
            )
        except PASSING as error:
            log.warning("dream_cut_short why=%s", type(error).__name__)
            order.reply.fail(error)
        finally:
            # Whoever asked hears of it, whatever it was; an answer that is out stays.
            order.reply.fail(Crashed("the dream was cut off: the log names the fault"))
            if self._under_way is order:
                self._under_way = None

    async def _dream(self, order: Dream) -> int:
        ids = await self.reader.dreamable(MEMORIES)
        row = await self._row(order, len(ids))
        if row is None:
            return 0

        def halts() -> bool:
            """Nobody waits for it, or another order has taken over."""
            return self._under_way is not order or order.reply.abandoned

        pace = Pace(self.foreground, self.thread, order.patient, halts)
        night = Night(row.id, self.clock.now(), self.reader, pace, self.reads)
        try:
            await self._through(night, ids)
        except _CUT_OFF:
            raise
        except Exception:
            with trio.move_on_after(ENDED_WITHIN, shield=True), suppress(*PASSING, MailboxClosed):
                await self._failed(row)
            raise
        finally:
            gc.unfreeze()  # see ``Pace.think``
        return row.id

    async def _row(self, order: Dream, memories: int) -> DreamRow | None:
        """The interrupted dream, which begins anew, or a new one; None when there is nothing to dream of."""
        row = await self.reader.unfinished_dream()
        if row is not None and order.at - row.began_at <= replay.OVER * replay.HOUR:
            return row
        if row is not None:
            await self._failed(row)
        if memories < FEW:
            return None
        (number,) = await commit(self.long_term, (DreamBegun(order.why, memories, order.at),))
        return DreamRow(number, order.why, order.at, None, None, "", memories)

    async def _through(self, night: Night, ids: list[int]) -> None:
        """All stages, one after the other; then they are written together."""
        await night.gather(ids)
        writes: list[StoreWrite] = []
        for worked_out in dream_stages.STAGES:
            writes += await worked_out(night)
        await night.pace.breathe()  # the last moment to leave everything as it is
        drawn = sum(len(one.connections) for one in writes if isinstance(one, ConnectionsDrawn))
        figures: dict[str, Figures] = {"cross_reference": {"connections": drawn}, "transfer": {}}
        ended = DreamEnded(night.dream_id, "finished", self.clock.now(), figures, night.at)
        await commit(self.long_term, (*writes, ended))

    async def _failed(self, row: DreamRow) -> None:
        await commit(self.long_term, (DreamEnded(row.id, "failed", self.clock.now()),))


async def why_not_due(reader: ReadingSide, at: float, occasion: Occasion = Occasion.TICK) -> str:
    """Reason for a dream to wait; the idleness of the machine is the schedule's affair.

    An interrupted one begins anew in the next pause, not when somebody begins to work. Raises
    ``Unreadable``.
    """
    if occasion is Occasion.TICK and await reader.unfinished_dream() is not None:
        return ""
    last = await reader.dreams(1)
    hours = replay.hours_since(last[0].began_at if last else None, at)
    saves = await reader.saved_since(at - hours * replay.HOUR)
    return replay.missing(hours, saves, occasion)
