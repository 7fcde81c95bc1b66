"""What a prompt, or a session as it starts, is told unasked; silence is the usual answer.

A prompt gets only what is relevant, what the session does not have yet, and what fits its
context. What is shown is recorded after the answer is out, never before.
"""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from actors.channels import ASIDE, Channels, aside
from actors.mailbox import Lane, Mailbox, SwitchedOff
from actors.messages import (
    Bring,
    Focused,
    Found,
    HowFull,
    IsSilent,
    Note,
    PressureMessage,
    ProspectiveMessage,
    SessionsMessage,
    TaggingMessage,
    WereDelivered,
    WereReminded,
    WereReported,
    WereShown,
    WhatIsDue,
    WhatWasCaptured,
    WhatWasDoing,
    WhichAreNew,
    WorkingMemoryMessage,
)
from actors.ordering import Ordering, Settings, block_of, found_of, true_now, wanted
from actors.policy import budget, notes, states
from actors.policy.capacity import within_capacity
from actors.policy.events import EventKind
from actors.policy.fence import fenced, is_machine_made
from actors.policy.intentions import Intention
from actors.policy.pressure import Pressure, retrieval
from actors.policy.reminding import reminders
from actors.policy.reporting import reported
from actors.policy.silence import switched_silent
from actors.ports import (
    Clock,
    Conflicting,
    Memory,
    Reader,
    Scope,
    SessionRow,
    Unreadable,
    UntoldRow,
    Unwritable,
)

STANDING = 20  # constitutional memories at a session's start


@dataclass(slots=True)
class Briefing:
    """Answers prompts and starts of sessions."""

    settings: Settings
    reader: Reader
    clock: Clock
    channels: Channels
    ordering: Ordering
    sessions: Mailbox[SessionsMessage]
    working_memory: Mailbox[WorkingMemoryMessage]
    pressure: Mailbox[PressureMessage]
    prospective: Mailbox[ProspectiveMessage]
    tagging: Mailbox[TaggingMessage]
    silent: int = 0
    by_words_alone: int = 0

    async def bring(self, question: Bring) -> WereShown | None:
        """Answer; what was shown by it."""
        event = question.event
        if await self._is_unwanted(question):
            self.silent += 1
            question.reply(_nothing())
        elif event.kind is EventKind.SESSION_START:
            return await self._bring_standing(question)
        elif is_machine_made(event.prompt) or not event.prompt.strip():
            self.silent += 1
            question.reply(_nothing())
        else:
            return await self._bring_relevant(question)
        return None

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

    async def _bring_standing(self, question: Bring) -> WereShown | None:
        """Constitutional memories, once as a session starts and again after a compaction."""
        # A resumed transcript has them already.
        if not self.settings.at_start or question.event.source == "resume":
            question.reply(_nothing())
            return None
        memories = await self.reader.constitutional(Scope(question.project), STANDING)
        memories = true_now(memories, self.clock.now())
        chosen = [Note(memory, 1.0, "constitutional", {}) for memory in memories]
        told, due = await self._reminders(question, self.settings.budget)
        room = less(self.settings.budget, told)
        block, ids = block_of(chosen, room, self.clock.now(), heading=notes.STANDING_HEADING)
        if question.event.source == "compact":
            block = "\n".join(part for part in (block, await self._task(question)) if part)
        shown = [note for note in chosen if note.memory.id in set(ids)]
        block = _joined(told, block)
        kept, captures = await self._kept(question, len(block))
        question.reply(replace(_nothing(), notes=tuple(shown), block=_joined(block, kept)))
        await self._were_reminded(question, due)
        await self._were_reported(question, captures)
        return await self._delivered(question, shown, "session_start")

    async def _kept(self, question: Bring, taken: int) -> tuple[str, list[UntoldRow]]:
        """What was captured since the last session, when there is room for the line (H07)."""
        if question.event.source == "compact":
            return "", []  # it is the same session still
        answer: Awaitable[list[UntoldRow]] = self.tagging.ask(
            lambda reply: WhatWasCaptured(question.project, question.at, reply), within=ASIDE
        )
        found = await aside(answer) or []
        line = reported((one.event_id, one.kind, one.reason) for one in found)
        block = fenced([line], notes.KEPT_HEADING) if line else ""
        fits = taken + 1 + len(block) <= min(self.settings.budget.characters, budget.HARD)
        return (block, found) if block and fits else ("", [])

    async def _were_reported(self, question: Bring, captures: Sequence[UntoldRow]) -> None:
        if captures and not question.reply.abandoned:
            told = tuple((one.memory_id, one.event_id) for one in captures)
            with suppress(SwitchedOff):
                await self.tagging.tell(WereReported(told, question.at), lane=Lane.BACKGROUND)

    async def _task(self, question: Bring) -> str:
        """What the session was at before its context was compacted (row F10)."""
        answer: Awaitable[SessionRow | None] = self.sessions.ask(
            lambda reply: WhatWasDoing(question.event.session, reply), within=ASIDE
        )
        row = await aside(answer)
        return notes.task(row.task) if row is not None and row.task else ""

    async def _bring_relevant(self, question: Bring) -> WereShown | None:
        session, scope = question.event.session, Scope(question.project)
        looked = await self.channels.look(
            question.event.prompt,
            scope,
            self.settings.embedding_wait,
            self.settings.candidates,
            session=session,
        )
        ranked = self.ordering.ranked(looked, self.settings.read)
        relevant = [note for note in ranked.notes if note.memory.id in set(ranked.judged.shown)]
        now = self.clock.now()
        relevant = wanted(relevant, looked, now)
        relevant = self._by_state(await self._new_ones(relevant, session, question.at))
        room = await self._budget(session) if relevant else self.settings.budget
        told, due = await self._reminders(question, self.settings.budget)
        block, ids = block_of(relevant, less(room, told), now)
        shown = [note for note in relevant if note.memory.id in set(ids)]
        self.silent += not shown and not due
        self.by_words_alone += looked.vector is None
        question.reply(found_of(shown, looked, ranked, _joined(told, block)))
        await self._were_reminded(question, due)
        return await self._delivered(question, shown, "prompt")

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

    def _by_state(self, relevant: list[Note]) -> list[Note]:
        """As many of each lifecycle state as a prompt gets, and as much of each (B02, B03)."""
        by = self.settings.capacity
        if by is None:
            return relevant
        now = self.clock.now()
        known = {note.memory.id: by.state_of(note.memory, now) for note in relevant}
        kept = set(within_capacity(((str(i), state) for i, state in known.items()), by.places))
        return [
            replace(note, memory=_shown_by(note.memory, known[note.memory.id]))
            for note in relevant
            if str(note.memory.id) in kept
        ]

    async def _budget(self, session: str) -> budget.Settings:
        """Less for a session whose context is nearly full (row F14)."""
        usual = self.settings.budget
        if not self.settings.trial.pressure:
            return usual
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

    async def _reminders(
        self, question: Bring, room: budget.Settings
    ) -> tuple[str, tuple[str, ...]]:
        """What the user means to do and is due here, and the ids of it (row Q03)."""
        event = question.event
        answer: Awaitable[tuple[Intention, ...]] = self.prospective.ask(
            lambda reply: WhatIsDue(
                event.session, question.project, event.prompt, question.at, reply
            ),
            within=ASIDE,
        )
        due = await _or_nothing(answer)
        return reminders(due, self.clock.now(), min(room.characters, budget.HARD))

    async def _were_reminded(self, question: Bring, due: tuple[str, ...]) -> None:
        """Counted once the answer is out; what came too late was never in the context."""
        if not due or question.reply.abandoned:
            return
        with suppress(SwitchedOff):
            await self.prospective.tell(WereReminded(due, question.event.session, question.at))

    async def _delivered(
        self, question: Bring, shown: Sequence[Note], where: str
    ) -> WereShown | None:
        """Tell the session what it has now; after the answer is out."""
        session = question.event.session
        if not shown or question.reply.abandoned:
            return None  # what came too late was never in the context
        if session:
            hashes = tuple(note.memory.content_hash for note in shown)
            held = tuple((note.memory.id, note.score) for note in shown)
            with suppress(SwitchedOff):
                await self.sessions.tell(WereDelivered(session, hashes, question.at))
            with suppress(SwitchedOff):
                focused = Focused(session, held, question.at)
                await self.working_memory.tell(focused, lane=Lane.BACKGROUND)
        ids = tuple(note.memory.id for note in shown)
        return WereShown(ids, session or None, where, self.clock.now())


def _shown_by(memory: Memory, state: states.Lifecycle) -> Memory:
    """The part of it that its state shows; of what shows none, its title."""
    return replace(memory, text=states.shown(memory.text, state) or memory.title)


def less(room: budget.Settings, told: str) -> budget.Settings:
    """The budget that is left beside these reminders."""
    taken = len(told) + 1 if told else 0
    return replace(room, characters=max(0, min(room.characters, budget.HARD) - taken))


def _joined(*blocks: str) -> str:
    return "\n".join(block for block in blocks if block)


async def _or_nothing(answer: Awaitable[tuple[Intention, ...]]) -> tuple[Intention, ...]:
    """Reminders that cannot be had now are left out."""
    try:
        return await aside(answer) or ()
    except (Unreadable, Unwritable, Conflicting):
        return ()


def _nothing() -> Found:
    return Found((), 0.0, "none", None, {}, {})
