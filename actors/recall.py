"""Recall: the right few memories, with the reason, or silence.

Channels (words, vectors, triggers) are asked at once; whoever is late is left out and
the answer says so. Fusion and the judgement whether anything is relevant are in
``actors.policy``. A person's search returns the best; a prompt gets only what is
relevant, what the session does not have yet, and what fits its context. What is shown
is recorded after the answer is out, never before.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Awaitable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, assert_never

import trio

from actors.channels import ASIDE, Channels, Looked, aside
from actors.mailbox import Crashed, Inbox, Lane, Mailbox, MailboxFull, SwitchedOff
from actors.messages import (
    Bring,
    Focused,
    Found,
    HowFull,
    IsSilent,
    Note,
    PressureMessage,
    RecallMessage,
    Search,
    SessionsMessage,
    StrengthMessage,
    WereDelivered,
    WereShown,
    WhatWasDoing,
    WhichAreNew,
    WorkingMemoryMessage,
)
from actors.policy import budget, evidence, notes, ranking
from actors.policy.events import EventKind
from actors.policy.fence import is_machine_made
from actors.policy.pressure import Pressure, retrieval
from actors.policy.silence import switched_silent
from actors.policy.words import stems
from actors.ports import Clock, Memory, Reader, Scope, SessionRow, Unreadable

log = logging.getLogger(__name__)

AT_ONCE = 16  # questions under way at once
SAID = 4_096  # memories whose words are kept between queries
READ_LIMIT = 4_000  # characters of a memory that are read for its words
STANDING = 20  # constitutional memories at a session's start
LED = 3  # results a leading constitutional memory: the answer itself is to be seen as well


@dataclass(frozen=True, slots=True)
class Settings:
    """How recall looks and what a prompt gets."""

    candidates: int = 40  # memories taken from each channel for a prompt
    read: int = 24  # of them all, those whose words are read
    search_candidates: int = 100  # the same for a person's search, which may take longer
    search_read: int = 60
    embedding_wait: float = 0.020  # seconds a prompt waits for its vector
    search_wait: float = 5.0  # seconds a person's search waits for it
    ranking: ranking.Settings = field(default_factory=ranking.Settings)
    budget: budget.Settings = field(default_factory=budget.Settings)
    at_start: bool = True  # constitutional memories when a session starts


@dataclass(slots=True)
class Recall:
    """Answers questions side by side; what it holds are figures and words it has read."""

    settings: Settings
    reader: Reader
    clock: Clock
    channels: Channels
    sessions: Mailbox[SessionsMessage]
    working_memory: Mailbox[WorkingMemoryMessage]
    pressure: Mailbox[PressureMessage]
    strength: Mailbox[StrengthMessage]
    searches: int = 0
    prompts: int = 0
    silent: int = 0
    by_words_alone: int = 0
    _said: OrderedDict[tuple[int, int], frozenset[str]] = field(
        default_factory=OrderedDict[tuple[int, int], "frozenset[str]"]
    )
    _places: trio.Semaphore = field(default_factory=lambda: trio.Semaphore(AT_ONCE))

    def statistics(self) -> dict[str, Any]:
        """Questions answered, and how many prompts got nothing."""
        return {
            "searches": self.searches,
            "prompts": self.prompts,
            "silent": self.silent,
            "by_words_alone": self.by_words_alone,
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
                        await self._search(message)
                    case Bring():
                        self.prompts += 1
                        await self._bring(message)
                    case _:
                        assert_never(message)
        except (trio.TooSlowError, Unreadable) as error:
            message.reply.fail(error)
        except BaseException:
            message.reply.fail(Crashed("recall"))
            raise
        finally:
            self._places.release()

    # -- a person's search

    async def _search(self, question: Search) -> None:
        began = trio.current_time()
        looked = await self.channels.look(
            question.query,
            question.scope,
            self.settings.search_wait,
            self.settings.search_candidates,
        )
        looked.found.places = await self.channels.neighbours(
            looked, question.scope, self.settings.search_read
        )
        ranked, judged = self._ranked(looked, self.settings.search_read, question.k)
        standing = await self.reader.constitutional(question.scope, question.k)
        chosen = led_by(standing[: question.k // LED], ranked)[: question.k]
        block = ""
        if question.as_prompt:
            relevant = [note for note in ranked if note.memory.id in set(judged.shown)]
            block, _ = self._block(relevant, self.settings.budget)
        looked.timings["all"] = 1000 * (trio.current_time() - began)
        question.reply(_found(chosen, looked, judged, block))
        if question.track:
            self._record([note.memory.id for note in chosen], None, "recall")

    # -- a prompt, or a session that starts

    async def _bring(self, question: Bring) -> None:
        event = question.event
        if await self._is_unwanted(question):
            self.silent += 1
            question.reply(_nothing())
        elif event.kind is EventKind.SESSION_START:
            await self._bring_standing(question)
        elif is_machine_made(event.prompt) or not event.prompt.strip():
            self.silent += 1
            question.reply(_nothing())
        else:
            await self._bring_relevant(question)

    async def _is_unwanted(self, question: Bring) -> bool:
        """Whether a person wants no notes in this session; so it is when nobody can tell."""
        session = question.event.session
        # The prompt that switches is not known to the session yet, and gets nothing either way.
        if switched_silent(question.event.prompt) is not None:
            return True
        if not session:
            return False
        silent: Awaitable[bool] = self.sessions.ask(
            lambda reply: IsSilent(session, reply), within=question.within
        )
        return await aside(silent) is not False

    async def _bring_standing(self, question: Bring) -> None:
        """Constitutional memories, once as a session starts and again after a compaction."""
        # A resumed transcript has them already.
        if not self.settings.at_start or question.event.source == "resume":
            question.reply(_nothing())
            return
        memories = await self.reader.constitutional(Scope(question.project), STANDING)
        chosen = [Note(memory, 1.0, "constitutional", {}) for memory in memories]
        block, ids = self._block(chosen, self.settings.budget, heading=notes.STANDING_HEADING)
        if question.event.source == "compact":
            block = "\n".join(part for part in (block, await self._task(question)) if part)
        shown = [note for note in chosen if note.memory.id in set(ids)]
        question.reply(replace(_nothing(), notes=tuple(shown), block=block))
        await self._were_shown(question, shown, "session_start")

    async def _task(self, question: Bring) -> str:
        """What the session was at before its context was compacted (row F10)."""
        answer: Awaitable[SessionRow | None] = self.sessions.ask(
            lambda reply: WhatWasDoing(question.event.session, reply), within=ASIDE
        )
        row = await aside(answer)
        return notes.task(row.task) if row is not None and row.task else ""

    async def _bring_relevant(self, question: Bring) -> None:
        session, scope = question.event.session, Scope(question.project)
        looked = await self.channels.look(
            question.event.prompt,
            scope,
            self.settings.embedding_wait,
            self.settings.candidates,
            session=session,
        )
        ranked, judged = self._ranked(looked, self.settings.read)
        relevant = [note for note in ranked if note.memory.id in set(judged.shown)]
        relevant = await self._new_ones(relevant, session, question.at)
        room = await self._budget(session) if relevant else self.settings.budget
        block, ids = self._block(relevant, room)
        shown = [note for note in relevant if note.memory.id in set(ids)]
        self.silent += not shown
        self.by_words_alone += looked.vector is None
        question.reply(_found(shown, looked, judged, block))
        await self._were_shown(question, shown, "prompt")

    async def _new_ones(self, relevant: list[Note], session: str, at: float) -> list[Note]:
        if not relevant or not session:
            return relevant
        hashes = tuple(note.memory.content_hash for note in relevant)
        question: Awaitable[frozenset[bytes]] = self.sessions.ask(
            lambda reply: WhichAreNew(session, hashes, at, reply), within=ASIDE
        )
        new = await aside(question)
        if new is None:
            return []  # twice is worse than not at all: the session may have them
        return [note for note in relevant if note.memory.content_hash in new]

    async def _budget(self, session: str) -> budget.Settings:
        """Less for a session whose context is nearly full (row F14)."""
        usual = self.settings.budget
        question: Awaitable[Pressure] = self.pressure.ask(
            lambda reply: HowFull(session, reply), within=ASIDE
        )
        full = await aside(question)
        if full is None:
            return usual
        how = retrieval(full.level)
        return replace(
            usual,
            characters=int(usual.characters * how.share),
            note=usual.note // 2 if how.summaries else usual.note,
        )

    def _block(
        self,
        chosen: Sequence[Note],
        room: budget.Settings,
        *,
        heading: str = notes.HEADING,
    ) -> tuple[str, tuple[int, ...]]:
        lines = [
            notes.Recalled(
                note.memory.id,
                note.memory.text,
                note.score,
                note.memory.created_at,
                notes.origin(note.memory.source),
                note.memory.kind,
                "user" if note.memory.project is None else "project",
            )
            for note in chosen
        ]
        return notes.block(lines, self.clock.now(), room, heading=heading)

    async def _were_shown(self, question: Bring, shown: Sequence[Note], where: str) -> None:
        """Write down what the session has now; after the answer is out."""
        session = question.event.session
        if not shown or question.reply.abandoned:
            return  # what came too late was never in the context
        self._record([note.memory.id for note in shown], session or None, where)
        if not session:
            return
        hashes = tuple(note.memory.content_hash for note in shown)
        held = tuple((note.memory.id, note.score) for note in shown)
        with suppress(SwitchedOff):
            await self.sessions.tell(WereDelivered(session, hashes, question.at))
        with suppress(SwitchedOff):
            await self.working_memory.tell(
                Focused(session, held, question.at), lane=Lane.BACKGROUND
            )

    def _record(self, ids: Sequence[int], session: str | None, where: str) -> None:
        if not ids:
            return
        try:
            self.strength.offer(WereShown(tuple(ids), session, where, self.clock.now()))
        except (MailboxFull, SwitchedOff):
            log.debug("exposure_unrecorded count=%d", len(ids))

    # -- the ranking

    def _ranked(
        self, looked: Looked, read: int, wanted: int = 0
    ) -> tuple[list[Note], evidence.Evidence]:
        """The best memories found, and the judgement of the first ones in that order.

        Reading a text for its words costs more than all else here, so only the first
        ``read`` by words and vectors are read.
        """
        settings, living = self.settings.ranking, looked.memories
        first = ranking.first_order(looked.found, settings)
        said = {one.identity: self._words_of(living[one.identity]) for one in first[:read]}
        placed, judged = ranking.judged_order(looked.found, said, settings)
        lowest = placed[-1].score if placed else 0.0
        placed += ranking.unread(first[read : max(read, wanted)], lowest)
        notes_ = [Note(living[one.identity], one.score, one.why, one.parts) for one in placed]
        return notes_, judged

    def _words_of(self, memory: Memory) -> frozenset[str]:
        """The stems of a memory's words, kept for the next query."""
        key = (memory.id, memory.versions)
        if key not in self._said:
            if len(self._said) >= SAID:
                self._said.popitem(last=False)
            text = f"{memory.title}\n{' '.join(memory.triggers)}\n{memory.text[:READ_LIMIT]}"
            self._said[key] = stems(text)
        self._said.move_to_end(key)
        return self._said[key]


def led_by(standing: Sequence[Memory], ranked: Sequence[Note]) -> list[Note]:
    """Constitutional memories lead every tool and command result (design section 9)."""
    leading = {memory.id for memory in standing}
    found = {note.memory.id: note for note in ranked}
    lead = [found.get(memory.id, Note(memory, 1.0, "constitutional", {})) for memory in standing]
    return [*lead, *(note for note in ranked if note.memory.id not in leading)]


def _nothing() -> Found:
    return Found((), 0.0, "none", None, {}, {})


def _found(chosen: Sequence[Note], looked: Looked, judged: evidence.Evidence, block: str) -> Found:
    gap = judged.gap
    return Found(
        tuple(chosen),
        judged.confidence,
        looked.mode,
        looked.late,
        {
            "relevant": judged.relevant,
            "reason": str(judged.reason),
            "gap": gap.margin,
            "z": gap.z,
            "connected": len(looked.found.phrases),
        },
        looked.timings,
        block,
    )
