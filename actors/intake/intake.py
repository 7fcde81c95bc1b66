"""Intake: every event first lands here and is durable before anybody hears of it.

The number of the journal's row is the hook's acknowledgement. The journal itself is the queue to the listeners, so
a slow one never delays a hook. Events spooled by hooks while the daemon was away come in the same way, once; so
does an event reported by two installations of the hooks, each under an id of its own.

Events from where or while a person switched recording off (``actors/policy/events/switch.py``) are acknowledged,
and neither kept nor passed on.
"""

import json
import logging
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from os import urandom
from typing import Any, assert_never, cast

import msgspec
import trio
from msgspec import Struct, field

from actors.core.equipment import Latest, Worker
from actors.core.failures import Unreadable, Unwritable
from actors.core.mailbox import Crashed, Inbox, Lane, Mailbox, MailboxClosed, SwitchedOff
from actors.intake.messages import (
    Accepted,
    DrainSpool,
    ExtractionMessage,
    Happened,
    IntakeMessage,
    Journaled,
    JournalRow,
    Receive,
    ReceiveOversized,
    SpooledEvent,
    event_of,
)
from actors.intake.reading import Reading, read, read_object
from actors.memory.commit import Commit, LongTermMessage
from actors.memory.use import StrengthMessage
from actors.policy.events.agents import bare_name
from actors.policy.events.cutting import Redact
from actors.policy.events.events import (
    TOGETHER,
    TOOL_REFUSED,
    Event,
    EventKind,
    Unknown,
    Upcoming,
    alike,
    named,
)
from actors.policy.events.switch import TELLING, TOLD_OF, Off
from actors.policy.events.transcripts import refusals
from actors.policy.secrets.redaction import redacted
from actors.session.shapes import PressureMessage, WorkingMemoryMessage
from actors.staleness.messages import StalenessMessage
from daemon.files import DiskFiles, SpoolFolder
from daemon.storage.reader import ReadingSide

log = logging.getLogger(__name__)

GROUP = 64  # events journaled in one transaction
SPOOLED = 8  # spooled files taken in one turn
WRITE_DEADLINE = 5.0  # seconds; a hook has long given up and spooled by then
FRESH = 256  # events kept in memory between the journal and the listeners
UNREADABLE_AGAIN = 5.0  # seconds until a journal that cannot be read is tried again
PAGE = 100  # journal rows read at a time when the listeners fell behind
TAIL = 256 * 1024  # bytes of a transcript's end: several turns
READ_WITHIN = 2.0  # seconds for them
REFUSALS = 256  # ids taken from transcripts, not taken again
ENDS = frozenset({EventKind.TURN_END, EventKind.SESSION_END})
CALLS = frozenset({EventKind.TOOL, EventKind.TOOL_ERROR})
COPIES = 256  # events whose copies are known again by what they say
UNREADABLE = "unreadable"
OVERSIZE = "oversize"
# Bytes: an ordinary event of 16 KB takes 1.3 ms to read, a command line of nothing but commands 35;
# neither more than this in one event nor in several is read without a turn for the others.
LARGE = 16 * 1024


Row = tuple[Journaled, Event | None]
"""A row of the journal, and the event to tell on."""

SwitchedBy = Callable[[Sequence[str], str, float, float], Off | None]
"""Cause that switches recording off at these paths, or in this session, between two moments."""


class Listeners(Struct):
    """Mailboxes for news of events."""

    extraction: Mailbox[ExtractionMessage]
    working_memory: Mailbox[WorkingMemoryMessage]
    pressure: Mailbox[PressureMessage]
    strength: Mailbox[StrengthMessage]
    staleness: Mailbox[StalenessMessage]


class Intake(Struct):
    """Journals events and tells them on."""

    reader: ReadingSide
    spool: SpoolFolder
    long_term: Mailbox[LongTermMessage]
    listeners: Listeners
    own: Mailbox[IntakeMessage]  # for the rest of the spool
    project_of: Callable[[str], str | None]  # of a working directory
    off: SwitchedBy
    thread: Worker  # reads events that are large
    # Told of spooled events, to which no hook got an answer: the event, its project, when it happened.
    unanswered: Callable[[Event, str | None, float], None]
    redact: Redact = redacted  # with the user's patterns
    files: DiskFiles | None = None  # agents' transcripts: without it refusals are not looked for
    received: int = 0
    duplicates: int = 0
    redactions: int = 0
    unreadable: int = 0
    switched_off: int = 0
    fresh: deque[Happened] = field(default_factory=deque[Happened])
    told: int = 0  # the last sequence number told on
    behind: bool = True  # the journal holds events that are not in ``fresh``: as at the start
    refusals: Latest[tuple[str, str], None] = field(default_factory=lambda: Latest(REFUSALS))
    copies: Latest[bytes, tuple[bytes, float]] = field(default_factory=lambda: Latest(COPIES))
    _overflows: int = 0
    _in_doubt: bool = False  # a commit was given up that may have happened
    _more: trio.Event = field(default_factory=trio.Event)

    def statistics(self) -> dict[str, Any]:
        """Events received, and their defects."""
        return {
            "received": self.received,
            "duplicates": self.duplicates,
            "redactions": self.redactions,
            "unreadable": self.unreadable,
            "switched_off": self.switched_off,
            "waiting_to_be_told": len(self.fresh),
            "behind": self.behind,
        }

    async def run(self, inbox: Inbox[IntakeMessage]) -> None:
        """Handle batches until the mailbox is closed and drained."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._tell_on)
            while (batch := await inbox.batch(GROUP)) is not None:
                await self.handle(batch)
            nursery.cancel_scope.cancel()  # the rest is in the journal and is told at the start

    async def handle(self, batch: Sequence[IntakeMessage]) -> None:
        """Journal the events of a batch together."""
        events: list[Receive | ReceiveOversized] = []
        for message in batch:
            match message:
                case Receive() | ReceiveOversized():
                    events.append(message)
                case DrainSpool():
                    await self._drain_spool()
                case _:
                    assert_never(message)
        if events:
            await self._receive(events)

    async def _receive(self, messages: Sequence[Receive | ReceiveOversized]) -> None:
        kept = await self._rows(messages)
        try:
            seqs = await self._journal([row for _, row, _ in kept])
        except (Unwritable, trio.TooSlowError, Crashed, SwitchedOff, MailboxClosed) as error:
            # The commit may come through after all, and nobody would tell of it.
            self._in_doubt = self._in_doubt or isinstance(error, trio.TooSlowError)
            for message, _, _ in kept:
                message.reply.fail(Unwritable(str(error) or "the store did not answer in time"))
            return
        if self._in_doubt:
            self._in_doubt, self.behind = False, True
            self._overflows += 1
        for (message, row, event), seq in zip(kept, seqs, strict=True):
            message.reply(Accepted(seq, event, row.project, duplicate=seq == 0))
            self._note(seq, row, event)

    async def _rows(
        self, messages: Sequence[Receive | ReceiveOversized]
    ) -> list[tuple[Receive | ReceiveOversized, Journaled, Event | None]]:
        """The messages to keep, each with its row and event; the others are answered."""
        kept: list[tuple[Receive | ReceiveOversized, Journaled, Event | None]] = []
        unbroken = 0  # bytes read since others had their turn
        for message in messages:
            size = len(message.raw) if isinstance(message, Receive) else 0
            if unbroken and unbroken + size > LARGE:
                await trio.lowlevel.checkpoint()
                unbroken = 0
            unbroken += size
            row = await self._row(message)
            if isinstance(row, Accepted):
                message.reply(row)
            else:
                kept.append((message, *row))
        return kept

    async def _journal(self, rows: Sequence[Journaled]) -> list[int]:
        if not rows:
            return []
        return await self.long_term.ask(Commit(tuple(rows)), within=WRITE_DEADLINE)

    def _note(self, seq: int, row: Journaled, event: Event | None) -> None:
        self.received += 1
        if seq == 0:
            self.duplicates += 1
        elif event is not None:
            if len(self.fresh) < FRESH:
                self.fresh.append(Happened(seq, row.received_at, event, row.project))
            else:
                self.behind = True
                self._overflows += 1
            self._more.set()

    async def _row(self, message: Receive | ReceiveOversized) -> Row | Accepted:
        """The row of an event, or the answer to one left out."""
        match message:
            case ReceiveOversized(agent, event_id, at, size):
                if self.off((), "", at, at) is not None:
                    self.switched_off += 1
                    return Accepted(0, None, None, duplicate=False)
                return _bare(agent, event_id, at, OVERSIZE, {"size": size}), None
            case Receive(agent, event_id, at, raw):
                work = partial(read, agent, raw, self.redact)
                found = await self.thread.run(work) if len(raw) > LARGE else work()
                if (off := self._switched_by(found, at)) is not None:
                    told = off if _starts(found) else None
                    return Accepted(0, None, None, duplicate=False, off=told)
                if isinstance(found.event, Upcoming):
                    project = self.project_of(found.event.cwd) if found.event.cwd else None
                    first = self._first_of(event_id, at, named(found.body))
                    return Accepted(0, None, project, first != event_id, upcoming=found.event)
                self.redactions += found.redactions
                if found.event is None:
                    self.unreadable += 1
                    why = found.body["why"]
                    log.warning("event_unreadable agent=%.40r size=%d why=%s", agent, len(raw), why)
                    return _bare(agent, event_id, at, UNREADABLE, found.body), None
                return self._event_row(event_id, at, found.body, found.event)

    def _switched_by(self, found: Reading, at: float) -> Off | None:
        """Switch by which recording is off where an event happened; it is counted."""
        session = found.body.get("session_id")
        begin = at - TOLD_OF if found.body.get("hook_event_name") in TELLING else at
        off = self.off(found.places, session if isinstance(session, str) else "", begin, at)
        self.switched_off += off is not None
        return off

    def _event_row(
        self, event_id: bytes, at: float, body: Mapping[str, object], event: Event | Unknown
    ) -> Row:
        known = None if isinstance(event, Unknown) else event
        kind = event.name if isinstance(event, Unknown) else event.kind.value
        content = msgspec.msgpack.encode(body)
        row = Journaled(
            named(body) or self._first_of(event_id, at, alike(body, content)),
            event.agent,
            at,
            kind[:100],
            event.session,
            self.project_of(event.cwd) if event.cwd else None,
            content,
            done=known is None,
        )
        return row, known

    def _first_of(self, event_id: bytes, at: float, key: bytes | None) -> bytes:
        """The id under which a copy of this event came a moment ago, else its own."""
        if key is None:
            return event_id
        first, when = self.copies.get(key, (event_id, at))
        if abs(at - when) > TOGETHER:
            first, when = event_id, at
        self.copies[key] = (first, when)
        return first

    async def _drain_spool(self) -> None:
        """Take in some spooled events of hooks, in order, and come back for more.

        A file leaves once its event is durable. Live events go first: a hook waits for each.
        """
        names = await self.spool.waiting(SPOOLED)
        if names:
            spooled = [(name, await self.spool.read(name)) for name in names]
            read_in = [await self._spooled_row(event) for _, event in spooled if event is not None]
            rows = [row for row in read_in if row is not None]
            try:
                seqs = await self._journal([row for row, _ in rows])
            except (Unwritable, trio.TooSlowError, Crashed, SwitchedOff, MailboxClosed) as error:
                log.warning("spool_waits error=%s", error)
                return
            for (row, event), seq in zip(rows, seqs, strict=True):
                self._note(seq, row, event)
                if event is not None:
                    self.unanswered(event, row.project, row.received_at)
            for name, found in spooled:
                if found is None:
                    log.warning("spool_unreadable name=%.100r", name)
                    await self.spool.set_aside(name)  # so that it is looked at once
                else:
                    await self.spool.drop(name)
            self.own.hint(DrainSpool())

    async def _spooled_row(self, spooled: SpooledEvent) -> Row | None:
        """The row of an event for which no hook waits: however small, it is read on the thread."""
        found = await self.thread.run(
            partial(read_object, spooled.agent, spooled.event, self.redact)
        )
        off = self._switched_by(found, spooled.at)
        if off is not None or isinstance(found.event, Upcoming):
            return None
        self.redactions += found.redactions
        assert found.event is not None  # it is an object
        return self._event_row(spooled.event_id, spooled.at, found.body, found.event)

    async def _tell_on(self) -> None:
        while True:
            if self.behind:
                try:
                    await self._tell_from_journal()
                except Unreadable as error:  # a damaged page: hooks are answered all the same
                    log.warning("journal_unreadable error=%s", error)
                    await trio.sleep(UNREADABLE_AGAIN)
            elif self.fresh:
                await self._tell(self.fresh.popleft())
            else:
                self._more = trio.Event()
                await self._more.wait()

    async def _tell_from_journal(self) -> None:
        overflows = self._overflows
        rows = await self.reader.undone(self.told, PAGE)
        for row in rows:
            happened = recalled(row)
            if happened is not None:
                await self._tell(happened)
            self.told = max(self.told, row.seq)
        if not rows and overflows == self._overflows:
            self.behind = False

    async def _tell(self, happened: Happened) -> None:
        if happened.seq <= self.told:
            return
        self.told = happened.seq
        urgent = happened.event.kind not in CALLS
        for listener in (
            self.listeners.working_memory,
            self.listeners.pressure,
            self.listeners.strength,
            self.listeners.staleness,
            self.listeners.extraction,
        ):
            # The next prompt asks it about the session: a switch or a start comes first.
            ahead = urgent and listener is self.listeners.working_memory
            lane = Lane.INTERACTIVE if ahead else Lane.BACKGROUND
            try:
                await cast("Mailbox[Happened]", listener).tell(happened, lane=lane)
            except (SwitchedOff, MailboxClosed):
                continue  # the supervisor has said so; the others go on
        await self._look_for_refusals(happened)

    async def _look_for_refusals(self, happened: Happened) -> None:
        """Take a person's words at the refusal of a tool's call from the transcript, as events of their own.

        The client reports no event for it. A refusal counts once by the id of its call, however
        often it is found.
        """
        event = happened.event
        if self.files is None or event.kind not in ENDS or not (event.session and event.transcript):
            return
        lines: list[str] = []
        with trio.move_on_after(READ_WITHIN):
            lines = await self.files.last_lines(event.transcript, TAIL)
        for one in refusals(lines):
            if (event.session, one.use_id) in self.refusals:
                continue
            said = {
                "hook_event_name": TOOL_REFUSED, "session_id": event.session, "cwd": event.cwd,
                "tool_use_id": one.use_id, "user_feedback": one.words,
            }  # fmt: skip
            raw = json.dumps(said).encode()
            at = happened.at if one.at is None else one.at
            if self.own.hint(Receive(event.agent, urandom(16), at, raw)):  # nobody waits for it
                self.refusals[event.session, one.use_id] = None


def _starts(found: Reading) -> bool:
    event = found.event
    return isinstance(event, Event) and event.kind is EventKind.SESSION_START and not event.agent_id


def _bare(
    agent: str, event_id: bytes, at: float, kind: str, body: Mapping[str, object]
) -> Journaled:
    return Journaled(
        event_id, bare_name(agent)[:40], at, kind, "", None, msgspec.msgpack.encode(body), done=True
    )


def recalled(row: JournalRow) -> Happened | None:
    """Event of a journal row; ``None`` when it was erased or says nothing."""
    event = event_of(row)
    return None if event is None else Happened(row.seq, row.received_at, event, row.project)
