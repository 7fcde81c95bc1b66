"""Tagging: an important moment makes the hours around it memorable.

Every memory is tagged in the transaction that makes it. An event captures tagged memories of its
project, and of none, in the hours before it, and those encoded in the hours after it: those that have to do with it, because its text says a phrase, file or symbol of theirs or
because they were made in the same turn. What one event captured is an episode and fades slower. Tags, events and
captures live in the store, so a restart forgets none; what was missed between two
messages is caught up with at the start and every hour. The rules are in
``actors.policy.capture.capture``.
"""

import logging
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Final, assert_never

import trio

from actors.capture.messages import (
    Backfill,
    Fade,
    TaggingMessage,
)
from actors.capture.rows import TagRow
from actors.capture.writes import Backfilled, Captured, Faded, Raised
from actors.core.mailbox import Inbox, Mailbox
from actors.intake.rows import event_of as event_of_row
from actors.memory.commit import answered, attempted, commit
from actors.memory.messages import LongTermMessage, MemoriesChanged
from actors.memory.ports import Reader
from actors.memory.rows import Memory, Scope
from actors.memory.unit import Unit
from actors.policy.capture import backfill, capture
from actors.policy.capture.backfill import Cause, Failure
from actors.policy.capture.capture import HOUR, Capture, Event, EventKind, Settings, Tag
from actors.policy.decay.fsrs import FSRS6_DECAY, STABILITY_MAX, effective_stability
from actors.policy.events.signals import Signal, signals
from actors.recall.triggers import Triggers
from actors.strength.curve import strength_of

log = logging.getLogger(__name__)

TRIGGER_DEADLINE = 5.0  # seconds: nobody waits for what a moment calls
CALLED = 50  # phrases of a moment that are looked at
READ = 8_000  # characters of it
RADIUS: Final = max(profile.radius for profile in capture.PROFILES.values())


@dataclass(slots=True)
class Tagging:
    """Captures memories, one message at a time."""

    settings: Settings
    reader: Reader
    long_term: Mailbox[LongTermMessage]
    triggers: Triggers
    decay: float = FSRS6_DECAY  # exponent of the forgetting curve
    expired: int = 0
    faded_at: float | None = None

    def statistics(self) -> dict[str, Any]:
        """Tags that faded, and when it was last looked; what is stored, the store counts."""
        return {"expired": self.expired, "faded_at": self.faded_at}

    async def run(self, inbox: Inbox[TaggingMessage]) -> None:
        """Catch up with what was missed, then handle messages until the mailbox is drained."""
        await self._try(self._take_late(None))
        async for message in inbox:
            await self.handle(message)

    async def handle(self, message: TaggingMessage) -> None:
        """One message."""
        match message:
            case Raised():
                await self._try(self._raise(message))
            case MemoriesChanged(memory_ids):
                await self._try(self._take_late(memory_ids))
            case Fade(at):
                await self._try(self._take_late(None))
                await self._try(self._fade(at))
            case Backfill(failure, scope, at, reply):
                await answered(reply, self._backfill(failure, scope, at))
            case _:
                assert_never(message)

    async def _try(self, work: Awaitable[object]) -> None:
        """What passes is caught up with at the next hour."""
        await attempted(work, log, "capture_waits")

    async def _raise(self, raised: Raised) -> None:
        """Note an event and sweep the tags that have to do with it, in one unit."""
        happened = event_of(raised)
        found: list[Capture] = []
        held: dict[str, Tag] = {}
        if self.settings.enabled and capture.releases(happened, self.settings):
            rows = await self.reader.tags(sorted(await self._akin(raised)))
            held = {row.tag.memory_id: row.tag for row in rows if is_reached(row, raised)}
            found = capture.sweep(held.values(), happened, self.settings)
        await commit(self.long_term, (raised, *await self._captured(found, held, [happened])))

    async def _akin(self, raised: Raised) -> frozenset[int]:
        """The memories made in a moment's turn, and those whose phrases it says.

        Of a correction the first alone: what it corrects shall not gain by it.
        """
        turn = await self.reader.tagged_in_turn(raised.session, raised.seq)
        text = await self._said(raised)
        if raised.kind == EventKind.CORRECTION.value or Signal.CORRECTION in signals(text):
            return frozenset(turn)
        with trio.fail_after(TRIGGER_DEADLINE):
            called = await self.triggers.called(text, Scope(raised.project), CALLED, whole=True)
        return frozenset(one.match.owner for one in called).union(turn)

    async def _said(self, raised: Raised) -> str:
        """What was said and run at a moment, and the memory that it is about."""
        row = await self.reader.journaled(raised.seq) if raised.seq is not None else None
        event = event_of_row(row) if row else None
        texts = [event.prompt, event.message] if event else []
        if event and event.tool:
            texts += [value for value in event.tool.input.values() if isinstance(value, str)]
        about = await self.reader.memories([] if raised.memory_id is None else [raised.memory_id])
        return "\n".join((*texts, *(memory.text for memory in about.values())))[:READ]

    async def _captured(
        self, found: Sequence[Capture], held: Mapping[str, Tag], events: Sequence[Event]
    ) -> Unit:
        """The writes of captures; each happens when both the memory and the event are there."""
        memories = await self.reader.memories([int(one.memory_id) for one in found])
        at = {event.id: event.at for event in events}
        return tuple(
            Captured(
                int(one.memory_id), one.event_id, one.score, one.hours, one.importance,
                self._lasting(memories[int(one.memory_id)]),
                max(held[one.memory_id].at, at[one.event_id]),
            )
            for one in found
            if int(one.memory_id) in memories
        )  # fmt: skip

    def _lasting(self, memory: Memory) -> float:
        """Days of stability that a memory has once it is captured."""
        usual = effective_stability(strength_of(memory), memory.memory_type, self.decay)
        return min(STABILITY_MAX, usual * capture.LASTING)

    async def _take_late(self, memory_ids: Sequence[int] | None) -> None:
        """Capture memories whose event was there before them; ``None``: all tagged ones.

        With capture switched off none is.

        The event is an earlier one whose forward window is open, or a later one that swept
        before the memory was durable.
        """
        if not self.settings.enabled:
            return
        rows = [one for one in await self.reader.tags(memory_ids) if one.tag.captured_at is None]
        if rows:
            times = [row.tag.at for row in rows]
            reach = max(self.settings.backward, self.settings.forward) * RADIUS * HOUR
            events = await self.reader.importance_events(min(times) - reach, max(times) + reach)
            akin = {raised.id: await self._akin(raised) for raised in events}
            found = [one for row in rows if (one := self._late(row, events, akin)) is not None]
            held = {row.tag.memory_id: row.tag for row in rows}
            unit = await self._captured(found, held, [event_of(raised) for raised in events])
            if unit:
                await commit(self.long_term, unit)

    def _late(
        self, row: TagRow, events: Sequence[Raised], akin: Mapping[str, frozenset[int]]
    ) -> Capture | None:
        reached = [
            event_of(raised)
            for raised in events
            if is_reached(row, raised) and int(row.tag.memory_id) in akin[raised.id]
        ]
        return capture.captured_late(row.tag, reached, self.settings)

    async def _fade(self, at: float) -> None:
        """Let go of what has served."""
        rows = await self.reader.tags(None)
        served = tuple(
            int(row.tag.memory_id) for row in rows if capture.is_expired(row.tag, at, self.settings)
        )
        hours = max(
            self.settings.captured_for,
            self.settings.lifetime,
            max(self.settings.backward, self.settings.forward) * RADIUS,
        )
        await commit(self.long_term, (Faded(served, at - hours * HOUR),))
        self.expired += len(served)
        self.faded_at = at

    async def _causes(self, failure: Failure, scope: Scope) -> tuple[Cause, ...]:
        """Find what may explain a failure, without what was strengthened for it already."""
        names = sorted(backfill.entities(failure.text))
        if not names:
            return ()
        name = failure_name(failure)
        known = await self.reader.earlier(names, scope, failure.at, backfill.REACH, name)
        return backfill.causes(failure, known)

    async def _backfill(
        self, failure: Failure, scope: Scope, at: float | None
    ) -> tuple[Cause, ...]:
        """Strengthen them, each once a failure and only if it did not change meanwhile."""
        found = await self._causes(failure, scope)
        if at is None:
            return found
        name = failure_name(failure)
        unit = tuple(
            Backfilled(int(cause.memory_id), name, cause.stability, cause.proposed, at)
            for cause in found
        )
        outcome = await commit(self.long_term, unit) if unit else []
        return tuple(cause for cause, done in zip(found, outcome, strict=True) if done)


def failure_name(failure: Failure) -> str:
    """Name of a failure: its memory, or a hash of its text, which may be secret."""
    if failure.memory_id:
        return failure.memory_id
    return blake2b(failure.text.encode("utf-8", "replace"), digest_size=16).hexdigest()


def is_reached(row: TagRow, raised: Raised) -> bool:
    """Return whether an event is in the memory's scope, as in recall: its project, or anywhere."""
    return row.project is None or row.project == raised.project


def is_in_scope(row: TagRow, scope: Scope) -> bool:
    """Return whether a tagged memory is of the scope that is asked about."""
    return scope.everywhere or row.project in (None, scope.project)


def event_of(raised: Raised) -> Event:
    """The event as the policy sees it."""
    about = None if raised.memory_id is None else str(raised.memory_id)
    return Event(raised.id, EventKind(raised.kind), raised.at, raised.strength, about)
