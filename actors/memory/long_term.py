"""Long-term memory: the one owner of all writes.

All waiting units are one durable transaction (group commit); then each asker is answered and
dependants are told of the changes. It decides when the write-ahead log is moved, never while
somebody waits for a write, and has the marker written after an erasure and at the end.
"""

import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, assert_never

import trio
from msgspec import Struct, field

from actors.core.equipment import Clock
from actors.core.failures import Conflicting, Unreadable, Unwritable
from actors.core.mailbox import Inbox, Mailbox
from actors.intake.messages import Derived
from actors.memory.commit import Commit, EraseNow, LongTermMessage, Tidy, Unit, Write
from actors.memory.observatory import Observatory, noticed
from actors.memory.rows import EmbedderMessage, MemoriesChanged
from actors.memory.writes import Ended, Pruned
from actors.recall.shapes import RecallMessage, TextErased
from actors.session.shapes import IntentionsLeft
from actors.staleness.messages import Referring, StalenessMessage
from daemon.storage.reader import ReadingSide
from daemon.storage.store import Committed, WritingSide

log = logging.getLogger(__name__)

PAGE = 1000  # memories read at a time
POSTPONED = 1000  # units that nobody waits for, kept while nothing can be written
AGAIN = 5.0  # seconds between two tries to write them
GROUP = 256  # messages in one transaction: what waits behind one that is slow is bounded
CHECKPOINT = 500  # units after which an idle moment moves the log: some MB, which is quick
FORCED = 20_000  # units after which it is moved in any case: a long import leaves no idle moment


class LongTerm(Struct):
    """Drains its mailbox into transactions."""

    journal_kept: float  # seconds that derived events stay
    store: WritingSide
    reader: ReadingSide
    clock: Clock
    phrases_changed: Callable[[Sequence[int]], None]  # the index of phrases reads these anew
    embedder: Mailbox[EmbedderMessage]
    announce: Callable[[], None]  # the store changed: editors may look again
    observatory: Observatory
    staleness: Mailbox[StalenessMessage]
    recall: Mailbox[RecallMessage]
    trouble: str | None = None
    lost: int = 0  # units nobody waited for that could not be written, and were too many to keep
    _postponed: list[Write] = field(default_factory=list[Write])  # in their order
    _again_at: float = 0.0  # monotonic: not before
    _since_checkpoint: int = 0

    def statistics(self) -> dict[str, Any]:
        """Units that wait for the disk or were lost, and the trouble with it."""
        waiting = len(self._postponed)
        return {"postponed": waiting, "lost": self.lost, "trouble": self.trouble}

    async def run(self, inbox: Inbox[LongTermMessage]) -> None:
        """Handle batches until the mailbox is closed and drained."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._write_again)
            while (batch := await inbox.batch(GROUP)) is not None:
                await self.handle(batch)
                await self._keep_house(idle=inbox.empty)
            nursery.cancel_scope.cancel()
        await self._write(())
        await self._mark()

    async def _write_again(self) -> None:
        """Write the postponed units once there is room again, also when nobody writes.

        With nothing to write a page is tried: the trouble with the disk may be over.
        """
        while True:
            await trio.sleep(AGAIN)
            await self._write(())
            if self.trouble is not None and not self._postponed:
                with suppress(Unwritable):
                    await self.store.probe()
                    self.trouble = None

    async def handle(self, batch: Sequence[LongTermMessage]) -> None:
        """Write runs of units together; any other message ends a run."""
        together: list[Commit | Write] = []
        for message in batch:
            match message:
                case Commit() | Write():
                    together.append(message)
                case EraseNow():
                    await self._write(together)
                    together = []
                    await self._erase(message)
                case Tidy(at):
                    await self._write(together)
                    together = []
                    with suppress(Unwritable, Unreadable):  # said already; the next time will do
                        kept_since = at - self.journal_kept
                        await self._commit([(Pruned(kept_since), IntentionsLeft(at))])
                        await self._expire(at)
                case _:
                    assert_never(message)
        await self._write(together)

    async def _expire(self, at: float) -> None:
        """End memories kept for a limited time; nobody else writes in between."""
        while ids := await self.reader.expired(at, PAGE):
            unit = tuple(Ended(memory_id, "expired", at) for memory_id in ids)
            self._tell([unit], await self._commit([unit]))

    async def _write(self, messages: Sequence[Commit | Write]) -> None:
        """Write postponed units, then these; on a failure units without a waiting asker are postponed."""
        together = [*self._postponed, *messages]
        if together and not (self._postponed and trio.current_time() < self._again_at):
            self._postponed = []
            with suppress(Unwritable):
                await self._written(together)
                return
            self._again_at = trio.current_time() + AGAIN
        writes = [one for one in together if isinstance(one, Write)]
        self._postponed = writes[:POSTPONED]
        self.lost += len(writes) - len(self._postponed)
        asked = [one for one in together if isinstance(one, Commit)]
        try:
            if asked:  # they may have room where the rest had none
                await self._written(asked)
        except Unwritable as error:
            for message in asked:
                message.reply.fail(error)

    async def _written(self, messages: Sequence[Commit | Write]) -> None:
        units = [message.unit for message in messages]
        done = await self._commit(units)
        for message, outcome in zip(messages, done.outcomes, strict=True):
            if isinstance(outcome, Exception):
                log.warning("unit_refused error=%s", type(outcome).__name__)
            if isinstance(message, Commit):
                if isinstance(outcome, Exception):
                    message.reply.fail(Conflicting("the memory it is about has changed meanwhile"))
                else:
                    message.reply(outcome)
        self._tell(units, done)

    async def _commit(self, units: Sequence[Unit]) -> Committed:
        done = Committed([], [], is_news=False)
        try:
            with trio.CancelScope(shield=True):  # whoever waits may give up; this is finished
                done = await self.store.commit(units)
        except Unwritable as error:
            if self.trouble is None:
                log.error("unwritable error=%s", error)
            self.trouble = str(error)
            raise
        self.trouble = None
        self._since_checkpoint += len(units)
        return done

    def _tell(self, units: Sequence[Unit], done: Committed) -> None:
        for unit, outcome in zip(units, done.outcomes, strict=True):
            if isinstance(outcome, Exception):
                continue
            self.observatory.keep(*noticed(unit, outcome, self.clock.now()))
            if any(
                isinstance(write, Referring) and number == 2
                for write, number in zip(unit, outcome, strict=True)
            ):
                self.announce()  # something is said beside a memory: only who shows it has to know
        if done.changed:
            self._tell_of(tuple(done.changed))

    def _tell_of(self, changed: tuple[int, ...]) -> None:
        fact = MemoriesChanged(changed)
        self.phrases_changed(changed)
        # Each finds by itself what it misses here: sooner or later, or at its next start.
        self.embedder.hint(fact)
        self.staleness.hint(fact)
        self.announce()

    async def _erase(self, order: EraseNow) -> None:
        # What could not be written before may hold what is erased.
        self._postponed = [one for one in self._postponed if _tells_nothing(one.unit)]
        try:
            done = await self._commit([order.unit])
            self.recall.hint(TextErased())
            self._tell([order.unit], done)
            with trio.CancelScope(shield=True):
                await self.store.scrub()
        except Unwritable as error:
            order.reply.fail(error)
            return
        (outcome,) = done.outcomes
        if isinstance(outcome, Exception):
            order.reply.fail(outcome)
            return
        await self._mark()
        order.reply(outcome[0])

    async def _keep_house(self, *, idle: bool) -> None:
        due = self._since_checkpoint >= CHECKPOINT
        if (idle and due) or self._since_checkpoint >= FORCED:
            self._since_checkpoint = 0
            try:
                await self.store.checkpoint(truncate=False)
            except Unwritable as error:
                log.warning("checkpoint_failed error=%s", error)

    async def _mark(self) -> None:
        try:
            await self.store.mark()
        except Unwritable as error:
            log.warning("marker_failed error=%s", error)


def _tells_nothing(unit: Unit) -> bool:
    """Return whether a unit only marks events as done."""
    return all(isinstance(write, Derived) for write in unit)
