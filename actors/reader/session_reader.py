"""The reader of sessions: decides the next session to read, and reads one at a time.

All its facts are in the store: unread events, costs, failures, the time of a person's agreement. So
nothing runs away over a restart, and nothing is read twice. An engine on this machine is stopped at
the first sign of a person; the notes of its finished chunks stay.
"""

import logging
from collections import Counter
from collections.abc import Awaitable, Callable
from datetime import tzinfo
from typing import Final, assert_never

import trio
from msgspec import Struct

from actors.core.equipment import Clock
from actors.core.mailbox import Inbox, Mailbox
from actors.memory.commit import LongTermMessage, answered, attempted, commit
from actors.policy.reader import next_session
from actors.policy.reader.exchange import BESIDE, Reason
from actors.policy.reader.next_session import DAY, Presence, Settings, Unread
from actors.reader import messages
from actors.reader.keeping import Outcome, together
from actors.reader.reading import Readership, SessionReading
from daemon.storage.reader import ReadingSide

log = logging.getLogger(__name__)

SESSIONS: Final = 200  # of one look, the newest
BACKLOG: Final = 1_000  # of a person's order
PAST: Final = 10  # requests that a person is shown
WATCHED: Final = 0.5  # seconds between two looks whether somebody came


class Prospect(Struct, frozen=True):
    """The sessions to be read, and the one that is next, or why none is."""

    since: float  # when a person agreed
    stopped: str  # why the engine is not asked any more; empty when it is
    chosen: Unread | None
    why: str
    ready: int  # sessions that are to be read
    unread: tuple[str, ...]  # sessions that are not read by themselves now, and why not


class SessionReader(Struct):
    """Reads sessions beside its mailbox."""

    settings: Settings
    reader: ReadingSide
    clock: Clock
    long_term: Mailbox[LongTermMessage]
    reading: SessionReading
    readership: Readership
    presence: Callable[[], Awaitable[Presence]]
    zone: tzinfo
    _session: str = ""  # the one that is being read
    _scope: trio.CancelScope | None = None

    async def run(self, inbox: Inbox[messages.SessionReaderMessage]) -> None:
        """Handle messages until the mailbox is drained; a reading goes on beside them."""
        async with trio.open_nursery() as nursery:
            async for message in inbox:
                await self.handle(message, nursery)
            nursery.cancel_scope.cancel()  # what is not read is read after the next start

    async def handle(self, message: messages.SessionReaderMessage, nursery: trio.Nursery) -> None:
        """One message."""
        match message:
            case messages.Look(at):
                if self.readership.engine is not None and not self.readership.turn.locked():
                    nursery.start_soon(self._look, self.readership.engine, at)
            case messages.ReadNow():
                nursery.start_soon(self._ordered, message)
            case messages.StopReading():
                message.reply(self._scope is not None)
                self._stop()
            case messages.HowItReads(at, by_person):
                await answered(message, self._state(at, by_person=by_person))
            case messages.Chosen(engine, at):
                await answered(message, self._choose(engine, at))
            case messages.WouldShow(session):
                await answered(message, self.reading.digest_of(session, unread=False))
            case _:
                assert_never(message)

    def _stop(self) -> None:
        if self._scope is not None:
            self._scope.cancel()

    async def _choose(self, engine: messages.ReadingEngine | None, at: float) -> None:
        """Take up another engine, at once; to choose one is to look at it."""
        if engine != self.readership.engine:
            self._stop()
        if engine is None:
            await commit(self.long_term, (messages.ConsentEnded(),))
        else:
            agreed = (messages.Consented(engine.name, at), messages.ReaderLookedAt(engine.name, at))
            await commit(self.long_term, agreed)
        self.readership.engine = engine

    # ---- by itself

    async def _look(self, engine: messages.ReadingEngine, at: float) -> None:
        async with self.readership.turn:
            await attempted(self._read_next(engine, at), log, "reading_waits")

    async def _read_next(self, engine: messages.ReadingEngine, at: float) -> None:
        prospect = await self._prospect(engine, at)
        if prospect.chosen is None:
            log.debug("nothing_read why=%s", prospect.why)
        else:
            await self._read(prospect.chosen, engine, prospect.why)

    async def _prospect(self, engine: messages.ReadingEngine, at: float) -> Prospect:
        spent = await self.reader.readings_since(at - DAY)
        agreed = await self.reader.consent_to(engine.name)
        if agreed is None:  # the engine was chosen in config.toml, by hand
            await commit(self.long_term, (messages.Consented(engine.name, at),))
            agreed = (at, at)
        since, looked = agreed
        unread = await self.reader.unread_sessions(since, SESSIONS)
        presence = await self.presence()
        ready, left = list[Unread](), list[str]()
        for one in unread:
            barred = await self._barred(one)
            if why := next_session.why_not(one, barred, at, since, self.settings):
                failure = f" ({one.failure})" if one.failure not in ("", why) else ""
                left.append(f"{one.session}: {why}{failure}")
            else:
                ready.append(one)
        own = [one for one in spent if one.engine == engine.name]
        stopped = next_session.stopped(own, looked)
        waits = (
            stopped
            or ("" if ready else "every session that is over was read")
            or next_session.limit(spent, at, self.settings)
            or self._waits_for_people(engine, presence)
        )
        chosen = None if waits else next_session.in_order(ready, at, self.zone)[0]
        why = waits if chosen is None else next_session.reason(chosen, at, self.zone)
        return Prospect(since, stopped, chosen, why, len(ready), tuple(left))

    def _waits_for_people(self, engine: messages.ReadingEngine, presence: Presence) -> str:
        if engine.is_local:
            return next_session.absence(presence)
        return "" if presence.event >= next_session.SETTLED else "something happens in a session"

    async def _barred(self, one: Unread) -> str:
        folders = [one.project] if one.project else []
        return await self.readership.barred(one.agent, one.session, folders)

    # ---- one session

    async def _read(
        self,
        one: Unread,
        engine: messages.ReadingEngine,
        why: str,
        ordered: Callable[[], bool] | None = None,
    ) -> Outcome:
        """Read a session. ``ordered``: whether the person who ordered it still waits."""
        outcome = Outcome(failure=Reason.INTERRUPTED.value)
        self._session = one.session
        try:
            async with trio.open_nursery() as nursery:
                self._scope = nursery.cancel_scope
                if ordered is not None:
                    nursery.start_soon(_until_left, ordered, nursery.cancel_scope)
                elif engine.is_local:
                    nursery.start_soon(self._until_somebody, nursery.cancel_scope)
                began = self.clock.now()
                outcome = await self.reading.read(one, engine, why, began)
                nursery.cancel_scope.cancel()
        finally:
            self._scope, self._session = None, ""
        if outcome.failure:
            log.info("reading_failed engine=%s why=%s", engine.name, outcome.failure)
        return outcome

    async def _until_somebody(self, scope: trio.CancelScope) -> None:
        began = trio.current_time()
        while True:
            await trio.sleep(WATCHED)
            presence = await self.presence()
            if presence.person < trio.current_time() - began:
                scope.cancel()

    # ---- by a person's order

    async def _ordered(self, wanted: messages.ReadNow) -> None:
        async with self.readership.turn:
            await answered(wanted, self._read_all(wanted))

    async def _read_all(self, wanted: messages.ReadNow) -> messages.ReadingReport:
        """Read the sessions named by a person, or all ended ones, the oldest first."""
        engine = self.readership.engine
        if engine is None:
            return messages.ReadingReport(
                0, 0, 0, None, ("no engine was agreed to: reverie reader use",)
            )
        chosen, failures = await self._wanted(wanted)
        if wanted.dry_run:
            return await self._priced(chosen, failures)
        total, read = Outcome(), 0
        for done, one in enumerate(chosen):
            wanted.progress(messages.ReadingStep(done, len(chosen), total.notes, total.tokens))
            outcome = await self._read(
                one, engine, "read because you ordered it", lambda: not wanted.reply.abandoned
            )
            total = together(total, outcome)
            if outcome.failure:
                failures.append(f"{one.session}: {outcome.failure}")
                if Counter(one.partition(": ")[2] for one in failures).most_common(1)[0][1] > 1:
                    break  # the same again: the engine is to be looked at
            else:
                read += 1
            if wanted.reply.abandoned:
                break
        return messages.ReadingReport(
            read, total.notes, total.tokens, total.dollars, tuple(failures), dict(total.dropped)
        )

    async def _wanted(self, wanted: messages.ReadNow) -> tuple[list[Unread], list[str]]:
        """Sessions of an order, the oldest first, and why others of it are not read."""
        at = self.clock.now()
        unread = wanted.past or await self.reader.unread_sessions(0.0, BACKLOG)
        named = None if wanted.sessions is None else frozenset(wanted.sessions)
        chosen, failures = list[Unread](), list[str]()
        for one in reversed(unread):
            if named is not None and one.session not in named:
                continue
            barred = await self._barred(one)
            ripe = named is not None or one.is_ripe(at, self.settings.still)
            if barred and named is not None:
                failures.append(f"{one.session}: {barred}")
            elif not barred and ripe and one.prompts:
                chosen.append(one)
        if named is not None:
            missing = named - {one.session for one in unread}
            failures += [f"{one}: nothing of it is left to read" for one in sorted(missing)]
        return chosen, failures

    async def _priced(self, chosen: list[Unread], failures: list[str]) -> messages.ReadingReport:
        """Price of a reading, by the size of the digests and the cost of earlier readings."""
        tokens = 0
        for one in chosen:  # of up to a thousand sessions no digest is held beside the next
            tokens += (await self.reading.digest_of(one.session, unread=True)).tokens + BESIDE
        _, _, spent, dollars = await self.reader.reading_totals()
        price = dollars / spent * tokens if dollars is not None and spent else None
        return messages.ReadingReport(len(chosen), 0, tokens, price, tuple(failures))

    # ---- what a person is shown

    async def _state(self, at: float, *, by_person: bool) -> messages.ReaderState:
        engine = self.readership.engine
        past = tuple(await self.reader.last_readings(PAST))
        sessions, notes, tokens, dollars = await self.reader.reading_totals()
        today = sum(one.tokens for one in await self.reader.readings_since(at - DAY))
        if engine is None:
            return messages.ReaderState(
                "", None, "", "", "", "no engine was agreed to: reverie reader use", 0, sessions,
                notes, tokens, today, dollars, (), past,
            )  # fmt: skip
        prospect = await self._prospect(engine, at)
        if by_person:
            await commit(self.long_term, (messages.ReaderLookedAt(engine.name, at),))
        return messages.ReaderState(
            engine.name, prospect.since, prospect.stopped, self._session,
            "" if prospect.chosen is None else prospect.chosen.session, prospect.why,
            prospect.ready, sessions, notes, tokens, today, dollars, prospect.unread, past,
        )  # fmt: skip


async def _until_left(waits: Callable[[], bool], scope: trio.CancelScope) -> None:
    while True:
        await trio.sleep(WATCHED)
        if not waits():
            scope.cancel()
