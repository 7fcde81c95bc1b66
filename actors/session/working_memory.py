"""Working memory: notes each session was told, opened and made, its attention, and its task.

A restart loses no delivery, no prompt and no compaction of a ledger, because each is stored, and no
instructions: the journal has their paths, and they are read again.
"""

import logging
from collections.abc import Mapping
from typing import assert_never

import trio
from msgspec import Struct, field
from msgspec.structs import replace

from actors.core.equipment import Clock, Latest
from actors.core.mailbox import Inbox, Lane, Mailbox
from actors.intake.messages import Happened, Place, event_of
from actors.memory.commit import LongTermMessage, Write, answered, attempted
from actors.policy.documents.sections import own_note, purpose
from actors.policy.documents.versions import whole
from actors.policy.events.cutting import Redact
from actors.policy.events.events import Event, EventKind
from actors.policy.events.fence import stripped
from actors.policy.events.switch import switched
from actors.policy.session import ledger
from actors.policy.session.ledger import Attended, Saying, Settings
from actors.policy.session.sitting import opened
from actors.policy.session.tasks import origin_answered_at, task_of
from actors.policy.text.wording import shortened
from actors.session.prospective import Prospective
from actors.session.shapes import (
    Delivered,
    IntentionsErased,
    IsSilent,
    SessionSeen,
    WereReminded,
    WhatIsDue,
    WhatIsIntended,
    WhatItHas,
    WorkingMemoryMessage,
)
from daemon.sources import ProjectSources
from daemon.storage.reader import ReadingSide

log = logging.getLogger(__name__)

LEDGERS = 200  # sessions whose ledger and silence are held in memory
WRITE_DEADLINE = 5.0  # seconds that a person waits for what is let go to be durable
TASK_LIMIT = 200  # characters of the last prompt that tells what the session is at
SUMMARY_LIMIT = 2_000  # characters of a compaction's summary that are kept
FILES = 256  # files of instructions whose sentences are held once for all sessions
READ_WITHIN = 1.0  # seconds for one of them

# Sources of a session's start after which the context no longer holds what came in before.
CLEARED = "clear"  # by a person, who begins something else
_EMPTIED = frozenset({CLEARED, "compact"})


class WorkingMemory(Struct):
    """Keeps ledgers and session rows; one message is handled at a time, so no locks."""

    settings: Settings
    reader: ReadingSide
    clock: Clock
    long_term: Mailbox[LongTermMessage]
    place: Place
    texts: ProjectSources
    redact: Redact
    prospective: Prospective
    ledgers: Latest[str, ledger.Ledger] = field(default_factory=lambda: Latest(LEDGERS))
    silent: Latest[str, bool] = field(default_factory=lambda: Latest(LEDGERS))
    usual: Latest[str, str] = field(default_factory=lambda: Latest(LEDGERS))  # session, by project
    sayings: Latest[str, frozenset[Saying]] = field(default_factory=lambda: Latest(FILES))

    async def run(self, inbox: Inbox[WorkingMemoryMessage]) -> None:
        """Handle messages until the mailbox is closed and drained."""
        async for message in inbox:
            await self.handle(message)

    async def handle(self, message: WorkingMemoryMessage) -> None:
        """One message."""
        match message:
            case Happened():
                await self._see(message)
                await self.prospective.see(message)
            case WhatItHas():
                await answered(message, self._has(message))
            case Delivered():
                await self._deliver(message)
            case IsSilent(session):
                await answered(message, self._is_silent(session))
            case WhatIsIntended(at):
                await answered(message, self.prospective.judged(at))
            case WhatIsDue():
                await answered(message, self.prospective.due(message))
            case WereReminded():
                await attempted(self.prospective.remind(message), log, "reminder_uncounted")
            case IntentionsErased():
                self.prospective.forget()
            case _:
                assert_never(message)

    async def _has(self, asked: WhatItHas) -> ledger.Context:
        session, project, at = asked.session, asked.project, asked.at
        own = await self._ledger(session, at)
        if not own.loaded and project is not None:
            own = replace(own, loaded=await self._usual(session, project, at))
        held = await self._held(session, own) if asked.attends else {}
        return replace(ledger.context(own, at), held=held)

    async def _ledger(self, session: str, at: float) -> ledger.Ledger:
        if session not in self.ledgers:
            row = await self.reader.session(session)
            since = at - ledger.LASTS
            stored = await self.reader.delivered(session, since)
            known = ledger.Ledger(
                cleared=row.cleared_at if row is not None else 0.0,
                told={content: ledger.Telling(came, anchor) for content, came, anchor in stored},
                prompts=tuple(await self.reader.prompts_of(session, since, ledger.PROMPTS)),
            )
            for one in await self.reader.events_of(session, since, kinds=("instructions",)):
                event = event_of(one)
                if event is not None:
                    known = await self._loaded(known, event, one.received_at)
            emptied = row.emptied_at if row is not None else 0.0
            self.ledgers[session] = ledger.compacted(known, emptied)
        return self.ledgers[session]

    async def _held(self, session: str, own: ledger.Ledger) -> dict[int, Attended]:
        """Notes told to it, made and used by it, as far as there is room for them."""
        told = ledger.attention_to_told(own)
        present = [content for content, much in told.items() if much >= ledger.FADED]
        saying = await self.reader.saying(present)
        notes = {memory_id: told[content] for content, memory_id in saying.items()}
        for memory_id, when in await self.reader.made_and_used_in(session, own.cleared):
            much = ledger.present(own, when, ledger.WHOLE)
            notes[memory_id] = max(much, notes.get(memory_id, 0.0))
        return ledger.attended(notes, self.settings)

    async def _usual(self, session: str, project: str, at: float) -> Mapping[str, ledger.Loaded]:
        """Instructions loaded by the project's last session as it began: a start is answered before its own
        are known."""
        if project not in self.usual:
            since = at - ledger.LASTS
            row = await self.reader.session_before(session, project, since, at)
            self.usual[project] = row.session if row is not None else ""
        last = self.usual[project]
        if not last:
            return {}
        before = await self._ledger(last, at)
        return {path: one for path, one in before.loaded.items() if one.is_lasting}

    async def _loaded(self, known: ledger.Ledger, event: Event, at: float) -> ledger.Ledger:
        """The ledger with a file of instructions as it is now; as it was where it cannot be read."""
        path, said = event.instructions, None
        with trio.move_on_after(READ_WITHIN):
            said = await self.texts.read(path, self._sayings)
        if said is None or event.agent_id:  # a subagent's context is its own
            return known
        if self.sayings.get(path) == said:
            said = self.sayings[path]  # one value for all sessions
        self.sayings[path] = said
        file = ledger.Loaded(at, event.reason in ledger.LASTING, said)
        return ledger.loaded(known, path, file)

    def _sayings(self, text: str) -> frozenset[Saying]:
        return ledger.sayings(self.redact(stripped(text[: ledger.READ]))[0])

    async def _is_silent(self, session: str) -> bool:
        if session not in self.silent:
            row = await self.reader.session(session)
            self.silent[session] = row is not None and row.silent
        return self.silent[session]

    async def _deliver(self, new: Delivered) -> None:
        before = await self._ledger(new.session, new.at)
        after = ledger.entered(before, new.content_hashes, new.at, new.anchor)
        self.ledgers[new.session] = after
        await self.long_term.tell(Write((new,)))

    async def _inherit(self, origin: str, fork: Happened) -> None:
        """Give a fork the context of its parent session."""
        session, at = fork.event.session, fork.at
        had = ledger.context(await self._ledger(origin, at), at)
        own = await self.reader.made_and_used_in(origin, had.since)
        memories = await self.reader.memories([memory_id for memory_id, _ in own])
        made = {one.content_hash for one in memories.values()}
        for contents, anchor in (
            (had.at_start - made, ledger.LISTED),
            (had.told - had.at_start | made, ledger.WHOLE),
        ):
            if contents:
                await self._deliver(Delivered(session, tuple(contents), at, anchor))
        before = await self._ledger(session, at)
        self.ledgers[session] = replace(before, read={**had.read, **before.read})

    async def _see(self, happened: Happened) -> None:
        event = happened.event
        if not event.session:
            return
        if event.kind is EventKind.INSTRUCTIONS:
            before = await self._ledger(event.session, happened.at)
            self.ledgers[event.session] = await self._loaded(before, event, happened.at)
            if happened.project is not None:
                self.usual[happened.project] = event.session
            return
        told = event.is_typed_prompt
        silent = switched(event.prompt) if told else None
        moment = origin_answered_at(event, happened.at)
        if moment is not None:
            origin = await self.reader.answered_at(happened.project, event.session, moment)
            if origin is not None:
                silent = await self._is_silent(origin) or None
                await self._inherit(origin, happened)
        task = task_of(event.prompt) if told else None
        emptied = event.kind is EventKind.SESSION_START and event.source in _EMPTIED
        seen = SessionSeen(
            event.session,
            event.agent,
            happened.project,
            happened.at,
            "ended" if event.kind is EventKind.SESSION_END else "open",
            shortened(task, TASK_LIMIT) if task else None,
            shortened(event.summary, SUMMARY_LIMIT) if event.summary else None,
            event.transcript or None,
            silent,
            emptied,
            emptied and event.source == CLEARED,
        )
        if silent is not None:
            self.silent[event.session] = silent
        if event.kind is EventKind.PROMPT and event.session in self.ledgers:
            before = self.ledgers[event.session]  # of one that is met later the journal tells
            self.ledgers[event.session] = ledger.prompted(before, happened.at)
        if emptied:
            before = await self._ledger(event.session, happened.at)
            begun_anew = ledger.cleared if event.source == CLEARED else ledger.compacted
            self.ledgers[event.session] = begun_anew(before, happened.at)
        await self._read(happened)
        await self._open(happened)
        await self.long_term.tell(Write((seen,)), lane=Lane.BACKGROUND)

    async def _open(self, happened: Happened) -> None:
        """Note memories opened by the session by their ids: it has read them whole."""
        event = happened.event
        ids = [] if event.agent_id else opened(event)  # a subagent's context is its own
        if ids:
            memories = await self.reader.memories(ids)
            contents = tuple(one.content_hash for one in memories.values())
            await self._deliver(Delivered(event.session, contents, happened.at))

    async def _read(self, happened: Happened) -> None:
        """Note a document read or written whole by the session; a restart forgets it."""
        event, project = happened.event, happened.project
        path = "" if event.agent_id else whole(event)  # a subagent's context is its own
        if project is None or purpose(path.rpartition("/")[2]) is None:
            return  # most files are code, and no file is looked at
        place = own_note(path) or self.place(project, path)
        if place:
            before = await self._ledger(event.session, happened.at)
            self.ledgers[event.session] = ledger.read(before, place, happened.at)
