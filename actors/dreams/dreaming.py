"""Dreaming: goes over what is there while nobody is looking, and finds what belongs together.

Owns the dream that is under way. A dream has five stages (``actors.dreams.stages``); each is worked
out in pieces (``actors.dreams.night``) and written down in one transaction with the mark that it is done.
So a dream that is cut off, by somebody who comes or by a crash, is gone on with at the stage that
it was in, and the store never shows half of one. Nothing here changes what a memory says.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, assert_never

import trio

from actors.core.mailbox import Crashed, Inbox, Mailbox
from actors.core.ports import Clock, Foreground
from actors.dreams.attempts import GATHER, attempt, is_hopeless
from actors.dreams.messages import (
    CancelDream,
    Dream,
    DreamingMessage,
    DreamReport,
    DreamStep,
    WouldDream,
)
from actors.dreams.night import Disturbed, GivenUp, Night, Pace, Thinking, gathered, undisturbed
from actors.dreams.rows import DreamReader, DreamRow
from actors.dreams.stages import DOING, Settings, Work
from actors.dreams.writes import (
    STAGES,
    DreamAdvanced,
    DreamAttempted,
    DreamBegun,
    DreamEnded,
    Outcome,
    Stage,
    StageLeftOut,
)
from actors.memory.commit import PASSING, answered, commit
from actors.memory.messages import LongTermMessage
from actors.memory.ports import Conflicting
from actors.policy.dreams import dreaming
from actors.policy.dreams.dreaming import Answer, Occasion, Situation

log = logging.getLogger(__name__)

HOUR: Final = 3_600.0  # seconds
FEW: Final = 3  # memories of which nothing can be dreamt
MEMORIES: Final = 10_000  # of one dream, the newest: 9.4 to 12.4 s of CPU (docs/dreaming.md)
WAITS: Final = {
    Answer.TOO_SOON: "the last dream was only just",
    Answer.TOO_LITTLE: "too little is new",
    Answer.DUE: "",
}


@dataclass(slots=True)
class Dreaming:
    """Dreams one dream at a time, beside its mailbox."""

    settings: Settings
    reader: DreamReader
    clock: Clock
    foreground: Foreground
    thread: Thinking
    long_term: Mailbox[LongTermMessage]
    dreamt: int = 0
    disturbed: int = 0
    _under_way: Dream | None = None
    _step: DreamStep | None = None
    _halt: Disturbed | GivenUp | None = None  # what the present dream is stopped with
    _over: trio.Event = field(default_factory=trio.Event)

    def statistics(self) -> dict[str, Any]:
        """Dreams finished and disturbed since the start, and how far the present one is."""
        step = self._step
        return {
            "dreams": self.dreamt,
            "disturbed": self.disturbed,
            "dreaming": step.stage if step is not None else "",
            "done": f"{step.done}/{step.total}" if step is not None else "",
        }

    async def run(self, inbox: Inbox[DreamingMessage]) -> None:
        """Handle messages until the mailbox is drained; a dream goes on beside them."""
        async with trio.open_nursery() as nursery:
            async for message in inbox:
                await self.handle(message, nursery)
            nursery.cancel_scope.cancel()  # what is not done is gone on with at the next start

    async def handle(self, message: DreamingMessage, nursery: trio.Nursery) -> None:
        """One message."""
        match message:
            case Dream():
                await self._take_turns(message)
                nursery.start_soon(self._answered, message)
            case CancelDream(reply):
                self._halt = GivenUp() if self._under_way is not None else None
                reply(self._under_way is not None)
            case WouldDream(at, reply, occasion):
                await answered(reply, self._missing(at, occasion))
            case _:
                assert_never(message)

    async def _take_turns(self, order: Dream) -> None:
        """Only one dream at a time: a person's order goes on with a patient one."""
        current = self._under_way
        if current is None:
            self._begin(order)
        elif current.patient and not order.patient:
            self._halt = self._halt or Disturbed()  # one that a person has stopped is over
            await self._over.wait()
            self._begin(order)
        else:
            order.reply.fail(Conflicting("a dream is under way: reverie dream --cancel stops it"))

    def _begin(self, order: Dream) -> None:
        self._under_way, self._halt, self._over = order, None, trio.Event()

    async def _missing(self, at: float, occasion: Occasion) -> str:
        """What a dream waits for; the idleness of the machine is the schedule's affair.

        One that was cut off is gone on with in the next pause, not when somebody begins to work.
        """
        if occasion is Occasion.TICK and await self.reader.unfinished_dream() is not None:
            return ""
        last = await self.reader.dreams(1)
        began = last[0].began_at if last else None
        if began is not None and began - at > dreaming.GAP * HOUR:
            began = None  # the clock was set back: nobody knows how long ago it was
        saves = await self.reader.saved_since(began if began is not None else 0.0)
        situation = Situation(at, began, saves)
        return WAITS[dreaming.due(situation, occasion)]

    async def _answered(self, order: Dream) -> None:
        if self._under_way is not order:
            return  # it was refused
        try:
            order.reply(await self._dream(order))
        except Disturbed:
            self.disturbed += 1
            order.reply.fail(Conflicting("somebody came: the dream goes on when they have left"))
        except PASSING as error:
            log.warning("dream_cut_short why=%s", type(error).__name__)
            order.reply.fail(error)
        finally:
            # Whoever asked hears of it, whatever it was; an answer that is out stays.
            order.reply.fail(Crashed("the dream was cut off: it is gone on with the next time"))
            self._under_way = self._step = None
            self._over.set()

    async def _dream(self, order: Dream) -> DreamReport:
        row = await self._row(order)
        if row is None:
            return DreamReport(0, "finished", order.why)
        if is_hopeless(row, GATHER):
            await self._end(row, "failed")
            return DreamReport(row.id, "failed", row.why)
        pace = Pace(self.foreground, self.thread, order.patient, partial(self._halted, order))
        try:
            with undisturbed():
                await self._through(row, pace, order.seen)
        except GivenUp:
            await self._end(row, "cancelled")
            return DreamReport(row.id, "cancelled", row.why)
        except Conflicting:  # what it found cannot be written: gone on with, it would be the same
            await self._end(row, "failed")
            raise
        await self._end(row, "finished")
        self.dreamt += 1
        return DreamReport(row.id, "finished", row.why)

    def _halted(self, order: Dream) -> Disturbed | GivenUp | None:
        if self._halt is None and order.reply.abandoned:
            return Disturbed() if order.outlasts() else GivenUp()
        return self._halt

    async def _row(self, order: Dream) -> DreamRow | None:
        """The dream that was cut off, or a new one; None when there is nothing to dream of."""
        unfinished = await self.reader.unfinished_dream()
        if unfinished is not None:
            return unfinished
        ids = tuple(await self.reader.dreamable(MEMORIES))
        if len(ids) < FEW:
            return None
        (number,) = await commit(self.long_term, (DreamBegun(order.why, ids, order.at),))
        return DreamRow(number, order.why, order.at, None, None, "", ids)

    async def _through(self, row: DreamRow, pace: Pace, seen: Callable[[DreamStep], None]) -> None:
        """The stages that are left, one after the other."""
        first = STAGES.index(row.stage) + 1 if row.stage in STAGES else 0
        self._show(seen, STAGES[min(first, len(STAGES) - 1)], first, len(row.memory_ids))
        write = partial(commit, self.long_term)
        async with attempt(row, GATHER, write):
            night = await gathered(self.reader, row, pace, frozenset(self.settings.focus))
        await commit(self.long_term, (DreamAttempted(row.id, GATHER, "done"),))
        for place, stage in enumerate(STAGES[first:], start=first):
            self._show(seen, stage, place, len(night.memories))
            if is_hopeless(row, stage):
                log.warning("dream_left_out dream=%d stage=%s", row.id, stage)
                await commit(self.long_term, (StageLeftOut(row.id, stage),))
                continue
            async with attempt(row, stage, write):
                await self._stage(stage, night, pace)

    async def _stage(self, stage: Stage, night: Night, pace: Pace) -> None:
        at = self.clock.now()
        found = await DOING[stage](Work(night, self.reader, pace, self.settings, at))
        await pace.breathe()  # the last moment to leave everything as it is
        await commit(
            self.long_term, (*found.writes, DreamAdvanced(night.row.id, stage, found.figures, at))
        )

    def _show(self, seen: Callable[[DreamStep], None], stage: Stage, done: int, of: int) -> None:
        self._step = DreamStep(stage, done, len(STAGES), of)
        seen(self._step)

    async def _end(self, row: DreamRow, outcome: Outcome) -> None:
        await commit(self.long_term, (DreamEnded(row.id, outcome, self.clock.now()),))
