"""Strength: effects of use on a memory's stability.

Only use strengthens; exposure is recorded and nothing more, and no opinion moves the curve. Notes
shown to sessions and used by them are in the store, so a restart forgets neither. The rules are in
``actors.policy``: ``session.sitting``, ``session.citation`` and ``decay.curve``.
"""

import logging
from collections.abc import Iterable
from contextlib import suppress
from typing import assert_never

from msgspec import Struct, field
from msgspec.structs import replace

from actors.core.equipment import Latest
from actors.core.mailbox import Inbox, Lane, Mailbox
from actors.gate.messages import NoSuchMemory
from actors.intake.messages import Happened, event_of
from actors.memory.commit import LongTermMessage, Unit, Write, answered, attempted, commit
from actors.memory.rows import Memory
from actors.memory.use import (
    Answered,
    Credited,
    Exposed,
    Injected,
    Review,
    Reviewed,
    StrengthMessage,
    strength_of,
)
from actors.policy.decay.curve import GRADES, IMPLICIT, Settings, Use, reviewed
from actors.policy.events.events import Tool
from actors.policy.session import sitting
from actors.policy.session.sitting import Sitting
from daemon.storage.reader import ReadingSide

log = logging.getLogger(__name__)

WRITE_DEADLINE = 5.0  # seconds
SESSIONS = 16  # sittings held at once; the others are in the store
ASKING = 3600.0  # seconds after its last event in which a recall is put down to a session
NOBODY = ("", 0.0)
CAUSES = frozenset(use.value for use in Use)  # a store of earlier versions knows others


class StrengthKeeper(Struct):
    """Reviews memories, one message at a time."""

    settings: Settings
    reader: ReadingSide
    long_term: Mailbox[LongTermMessage]
    heard: Latest[str | None, tuple[str, float]] = field(default_factory=lambda: Latest(SESSIONS))
    sittings: Latest[str, Sitting] = field(default_factory=lambda: Latest(SESSIONS))

    async def run(self, inbox: Inbox[StrengthMessage]) -> None:
        """Handle messages until the mailbox is closed and drained."""
        async for message in inbox:
            await self.handle(message)

    async def handle(self, message: StrengthMessage) -> None:
        """One message."""
        match message:
            case Happened():
                await attempted(self._listen(message), log, "use_unrecorded")
            case Review(memory_id, use, at):
                await answered(message, self._review(memory_id, use, at), NoSuchMemory)
            case Exposed():
                await self._were_shown(self._put_down(message))
            case Answered(injected, shown, edit):
                if shown is None:
                    await self.long_term.tell(Write((injected,)))
                else:
                    await self._were_shown(shown, injected, edit=edit)
            case _:
                assert_never(message)

    # -- what happens in sessions

    async def _were_shown(
        self, shown: Exposed, *with_it: Injected, edit: Tool | None = None
    ) -> None:
        if shown.session:  # first: a sitting that is taken up from the store knows of no edit
            await attempted(self._look_out(shown, edit), log, "use_unrecorded")
        await self.long_term.tell(Write((shown, *with_it)))

    def _put_down(self, shown: Exposed) -> Exposed:
        """A recall by a command or a tool belongs to the session last heard in its project, or at all."""
        last = next(reversed(self.heard.values()), NOBODY)
        session, at = last if shown.project is None else self.heard.get(shown.project, NOBODY)
        if shown.session or shown.where != "recall" or shown.at - at > ASKING:
            return shown
        return replace(shown, session=session or None)

    async def _look_out(self, shown: Exposed, edit: Tool | None = None) -> None:
        """From now on look out for uses of these memories in their session."""
        session = shown.session or ""
        known = await self._sitting(session, shown.at, before=None)
        memories = await self.reader.memories(shown.memory_ids)
        texts = {i: _read(memories[i]) for i in shown.memory_ids if i in memories}
        self.sittings[session] = sitting.shown(known, texts, shown.at, edit=edit)

    async def _listen(self, happened: Happened) -> None:
        session = happened.event.session
        if not session:
            return
        self.heard[happened.project] = (session, happened.at)
        known = await self._sitting(session, happened.at, before=happened.seq)
        known, uses = sitting.happened(known, happened.event, happened.at)
        self.sittings[session] = known
        await self._credit(session, uses, happened.at)

    async def _credit(self, session: str, uses: Iterable[sitting.Used], at: float) -> None:
        for used in uses:
            credited = Credited(used.memory_id, session, used.use.value, at)
            # What was opened has been read whole.
            read = [Exposed((used.memory_id,), session, "opened", at)] * (used.use is Use.OPENED)
            with suppress(NoSuchMemory):  # gone since it was shown
                await self._review(used.memory_id, used.use, at, credited, *read)
                for shown in read:
                    await self._look_out(shown)

    async def _sitting(self, session: str, at: float, before: int | None) -> Sitting:
        """The sitting of a session, from memory or else from the store."""
        if session in self.sittings:
            return self.sittings[session]
        since = at - sitting.WITHIN
        shown = await self.reader.shown_in(session, since)
        credits_ = await self.reader.credits_in(session)
        rows = await self.reader.events_of(session, since, before, sitting.FOLLOWED)
        memories = await self.reader.memories([*shown])
        uses = ((one.memory_id, Use(one.cause)) for one in credits_ if one.cause in CAUSES)
        known = Sitting(credited=frozenset(uses))
        for memory_id, first in shown.items():
            if memory_id in memories:
                known = sitting.shown(known, {memory_id: _read(memories[memory_id])}, first)
        events = [(event, row.received_at) for row in rows if (event := event_of(row)) is not None]
        return sitting.resumed(known, events)

    # -- reviews

    async def _review(
        self, memory_id: int, use: Use, at: float, *with_it: Credited | Exposed
    ) -> bool:
        """Return whether the memory changed; raises ``NoSuchMemory``."""
        memory = (await self.reader.memories([memory_id])).get(memory_id)
        if memory is None:
            raise NoSuchMemory
        after = reviewed(strength_of(memory), use, at, self.settings.weights)
        unit: Unit = with_it
        if after is not None:
            review = Reviewed(
                memory_id, after.stability, after.difficulty, after.lapses, int(GRADES[use]),
                use.value, use in IMPLICIT, at,
            )  # fmt: skip
            unit = (*with_it, review)
        if unit:
            await commit(self.long_term, unit, within=WRITE_DEADLINE, lane=Lane.INTERACTIVE)
        return after is not None


def _read(memory: Memory) -> str:
    return memory.text if memory.text.startswith(memory.title) else f"{memory.title}\n{memory.text}"
