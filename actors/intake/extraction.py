"""Extraction: candidates for memories in an event, proposed to the gate, which ends the event in the journal.

Owns the trail of each session (failures not yet mended) and an index made of it: failures with their fixes.
"""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import TypeAlias, TypeVar, assert_never

import trio
from msgspec import Struct, field

from actors.core.equipment import Latest, Worker
from actors.core.failures import Unreadable
from actors.core.mailbox import Inbox, Lane, Mailbox, SwitchedOff
from actors.gate.messages import GateMessage, Proposed
from actors.intake import messages
from actors.intake.documents import Documents, Looked
from actors.memory.commit import LongTermMessage, Write, answered
from actors.night.shapes import Place as InTurn
from actors.night.shapes import TaggingMessage, Touched
from actors.passages.passages import Passages
from actors.policy.decay.capture import STRENGTHS, Raised, touched
from actors.policy.events.edits import files_touched
from actors.policy.events.events import Event, EventKind
from actors.policy.events.trail import (
    Fix,
    Moment,
    SessionTrail,
    failed_with,
    fixes,
    followed,
    has_failed,
    moment,
)
from actors.policy.gate.correcting_sentence import CorrectingSentence
from actors.policy.secrets.secret_words import is_all_secret
from actors.policy.statements.extraction import LEFT_TO_THE_READER, extracted
from actors.policy.statements.statement_rules import Candidate
from actors.policy.statements.trust import STATED
from daemon.storage.reader import ReadingSide

SESSIONS = 200  # trails remembered
EVENTS = 50  # of a session that is met again, from which its trail is found again
READ_WITHIN = 2.0  # seconds for them
EMPTIED = frozenset({"clear", "compact"})  # starts after which a session has lost what it was told
LONG = 2 * 1024  # characters; a hostile text above it would hold the loop for more than 10 ms


T = TypeVar("T")

WillRead: TypeAlias = Callable[[Event, str | None], Awaitable[bool]]
"""Answer whether a reader will read the session of this event of this project."""


class Understood(Struct, frozen=True):
    """Yield of an event: candidates, the session's trail afterwards, fixes of a failure."""

    candidates: tuple[Candidate, ...]
    trail: SessionTrail
    said: tuple[CorrectingSentence, ...]
    moment: Moment | None
    fixes: tuple[Fix, ...]
    touched: frozenset[bytes]  # digests of files, symbols and phrases


class Extraction(Struct):
    """Turns events into candidates."""

    gate: Mailbox[GateMessage]
    long_term: Mailbox[LongTermMessage]
    tagging: Mailbox[TaggingMessage]
    thread: Worker  # reads events that are long
    reader: ReadingSide | None = None  # the journal: without it a restart forgets what had failed
    learns: bool = True  # features.extraction: whether candidates are made of what happens
    place: messages.Place | None = None  # of a file in its checkout: without it nothing is indexed
    documents: Documents | None = None  # without it nothing is learnt from documents
    passages: Passages | None = None  # without it nothing can be searched
    will_read: WillRead | None = None  # without it nobody reads sessions
    trails: Latest[str, SessionTrail] = field(default_factory=lambda: Latest(SESSIONS))
    told: Latest[str, frozenset[str]] = field(default_factory=lambda: Latest(SESSIONS))

    async def run(self, inbox: Inbox[messages.ExtractionMessage]) -> None:
        """Handle messages until the mailbox is closed and drained."""
        async for message in inbox:
            await self.handle(message)

    async def handle(self, message: messages.ExtractionMessage) -> None:
        """One event, or one question."""
        match message:
            case messages.Happened():
                await self._derive(message)
            case messages.WhatEndedIt(event, project):
                await answered(message, self._ended(event, project))
            case _:
                assert_never(message)

    async def _derive(self, happened: messages.Happened) -> None:
        event, session = happened.event, happened.event.session
        trail = await self._trail(session, happened.seq)
        found = await self._read(event, partial(understood, event, trail))
        candidates, said = (found.candidates, found.said) if self.learns else ((), ())
        candidates = await self._without_reader(candidates, happened)
        self.trails[session] = found.trail
        await self._index(happened, found.fixes)
        await self._touch(happened, found)
        looked: tuple[Looked, ...] = ()
        if self.learns and self.documents is not None:
            looked = await self.documents.documents_read(happened)
        await self._archive(happened, looked)
        documents = tuple(one.told for one in looked if one.told is not None)
        if not (candidates or said or documents):
            await self.long_term.tell(
                Write((messages.Derived(happened.seq),)), lane=Lane.BACKGROUND
            )
            return
        proposed = Proposed(
            happened.seq, happened.at, session, happened.project, candidates, said, documents,
        )  # fmt: skip
        # With the gate switched off the event stays undone, and is derived at the next start.
        with suppress(SwitchedOff):
            await self.gate.tell(proposed, lane=Lane.BACKGROUND)

    async def _read(self, event: Event, work: Callable[[], T]) -> T:
        """The work's value; an event that is long is read on the thread."""
        return await self.thread.run(work) if is_long(event) else work()

    async def _without_reader(
        self, candidates: tuple[Candidate, ...], happened: messages.Happened
    ) -> tuple[Candidate, ...]:
        """Leave to a reader of this session the candidates it understands better."""
        kept = tuple(one for one in candidates if one.rule not in LEFT_TO_THE_READER)
        if self.will_read is None or len(kept) == len(candidates):
            return candidates
        is_read = await self.will_read(happened.event, happened.project)
        return kept if is_read else candidates

    async def _archive(self, happened: messages.Happened, looked: Sequence[Looked]) -> None:
        """Keep words and documents for search, whether or not they become memories."""
        if self.passages is None or not self.learns:
            return
        await self.passages.hear(happened)
        for one in looked:
            await self.passages.read(happened, one.place, one.version)

    async def _index(self, happened: messages.Happened, fixes: Sequence[Fix]) -> None:
        """Write fixes before the event is done; repeated, they are one."""
        project, session = happened.project, happened.event.session
        if happened.event.source in EMPTIED:
            self.told.pop(session, None)
        if not self.learns or self.place is None or project is None or not session:
            return
        writes: list[messages.FailureEnded] = []
        for fix in fixes:
            found = (self.place(project, path) for path in fix.paths)
            paths = tuple(dict.fromkeys(path for path in found if path is not None))
            if paths and not is_all_secret(fix.signature):
                writes.append(
                    messages.FailureEnded(
                        project, fix.signature, fix.family, paths,
                        session, happened.seq, happened.at,
                    )
                )  # fmt: skip
        if writes:
            await self.long_term.tell(Write(tuple(writes)), lane=Lane.BACKGROUND)

    async def _ended(self, event: Event, project: str) -> messages.FailureEnded | None:
        """Look up the last fix of this failure in another session: its own session knows its own fixes."""
        signature = await self._read(event, partial(failed_with, event))
        told = self.told.get(event.session) or frozenset()
        if self.reader is None or not signature or signature in told:
            return None
        with trio.fail_after(READ_WITHIN):
            found = await self.reader.ended_failure(project, signature)
        if found is None or found.session == event.session:
            return None
        self.told[event.session] = told | {signature}
        return found

    async def _touch(self, happened: messages.Happened, found: Understood) -> None:
        """Report the things touched by an event, and its important moment."""
        event, place = happened.event, in_turn(happened.event)
        if not event.session or event.agent_id:
            return  # of a subagent's work the turn's answer tells
        raised = None if found.moment is None else await self._raised(happened, found.moment)
        if raised is None and not found.touched and place is not InTurn.ENDED:
            return
        told = Touched(
            happened.seq, happened.at, event.session, happened.project, found.touched, place, raised
        )
        with suppress(SwitchedOff):
            await self.tagging.tell(told, lane=Lane.BACKGROUND)

    async def _raised(self, happened: messages.Happened, found: Moment) -> Raised:
        """Store an important moment before its event is done."""
        kind = found.kind.value
        raised = Raised(
            f"{happened.seq}-{kind}", kind, STRENGTHS[found.kind], happened.at,
            happened.event.session, happened.project, found.reason, happened.seq,
        )  # fmt: skip
        await self.long_term.tell(Write((raised,)), lane=Lane.BACKGROUND)
        return raised

    async def _trail(self, session: str, before: int) -> SessionTrail:
        """The session's failures not yet mended, before this event.

        For an unknown session the journal is read: a failure from before a restart may be mended
        after it.
        """
        known = self.trails.get(session)
        if known is not None or self.reader is None or not session:
            return known or SessionTrail()
        try:
            with trio.fail_after(READ_WITHIN):
                rows = await self.reader.events_of(session, 0.0, before, EVENTS)
        except (Unreadable, trio.TooSlowError):
            return SessionTrail()
        return await self.thread.run(partial(_trail_of, rows)) if rows else SessionTrail()


def understood(event: Event, trail: SessionTrail) -> Understood:
    """Yield of an event after ``trail``. Pure: a long one is read on a thread."""
    candidates, said = extracted(event)
    # What is left of a secret is nothing to remember.
    worth = tuple(one for one in candidates if not is_all_secret(one.text))
    machine_made = event.turn.is_machine_made
    decides = any(one.rule in STATED for one in worth)
    return Understood(
        worth,
        followed(trail, event),
        said,
        None if machine_made else moment(trail, event, decides=decides),
        fixes(trail, event),
        frozenset() if machine_made else touched(event.turn.text, files_touched(event)),
    )


def in_turn(event: Event) -> InTurn:
    """Place of an event in its turn."""
    if event.kind in (EventKind.TURN_END, EventKind.SESSION_END):
        return InTurn.ENDED
    return InTurn.ASKED if event.kind is EventKind.PROMPT else InTurn.WITHIN


def is_long(event: Event) -> bool:
    """Return whether there is much to read: a command, its error, and a red test's output."""
    length = len(event.prompt) + len(event.message) + len(event.summary) + len(event.refusal)
    if event.tool is not None:
        length += len(event.tool.command) + len(event.tool.error)
        length += len(event.tool.output) if length <= LONG and has_failed(event) else 0
    return length > LONG


def _trail_of(rows: Sequence[messages.JournalRow]) -> SessionTrail:
    """The trail after events of the journal, in their order."""
    trail = SessionTrail()
    for row in rows:
        event = messages.event_of(row)
        if event is not None:
            trail = followed(trail, event)
    return trail
