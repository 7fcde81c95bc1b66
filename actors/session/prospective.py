"""Prospective memory: a person's intentions for later, brought back in time.

The intentions are in the store and are read there for each question; the surroundings of a session
(files touched, words said, commands run) are held here. Recall reports the intentions delivered, so
nobody is reminded twice in half an hour, nor after a restart.
"""

import math
from collections import deque
from datetime import tzinfo
from itertools import islice
from typing import Final

from msgspec import Struct, field

from actors.core.equipment import Latest
from actors.core.mailbox import Lane, Mailbox
from actors.intake.messages import Happened
from actors.memory.commit import LongTermMessage, Write
from actors.policy.events.edits import files_named, files_touched
from actors.policy.events.events import EventKind
from actors.policy.night import intentions
from actors.policy.night.intentions import Happening, Intention, Surroundings
from actors.policy.text.turn import with_quotations
from actors.session.shapes import (
    IntentionChanged,
    IntentionMade,
    IntentionWrite,
    WereReminded,
    WhatIsDue,
)
from daemon.storage.reader import ReadingSide

SESSIONS: Final = 200  # with surroundings in memory
NOTED: Final = 50  # files, and events, of one session
SAID: Final = 2_000  # characters of a prompt or a command that are looked at
TOLD: Final = 200  # intentions of which somebody was reminded lately


class Around(Struct):
    """Surroundings of one session."""

    files: deque[Happening] = field(default_factory=lambda: deque(maxlen=NOTED))
    said: deque[Happening] = field(default_factory=lambda: deque(maxlen=NOTED))


class Prospective(Struct):
    """Surroundings of sessions, and which intentions are due there."""

    reader: ReadingSide
    zone: tzinfo  # of the person: the machine's
    long_term: Mailbox[LongTermMessage]
    around: Latest[str, Around] = field(default_factory=lambda: Latest(SESSIONS))
    told: Latest[str, float] = field(default_factory=lambda: Latest(TOLD))  # ids, and when

    def forget(self) -> None:
        """Let go of the words and acts of sessions, and of reminders given."""
        self.around.clear()
        self.told.clear()

    async def judged(self, at: float) -> tuple[tuple[Intention, bool], ...]:
        """Each as it is now, and whether its moment came or it was told, and it is not done."""
        known = [intentions.aged(one, at) for one in await self.reader.intentions()]
        return tuple(
            (one, one.status == "triggered" or intentions.due(one, at, Surroundings()))
            for one in known
        )

    async def due(self, question: WhatIsDue) -> tuple[Intention, ...]:
        """Reminders for a prompt or a starting session: the oldest few."""
        waiting = [
            one
            for one in await self.reader.intentions()
            if intentions.is_open(one)
            and one.project in (None, question.project)
            # A reminder may be on its way into the store.
            and question.at - self.told.get(one.intention_id, -math.inf) >= intentions.GAP
        ]
        here = self._here(question)
        due = (
            one
            for one in waiting
            if intentions.due(one, question.at, here) and not _says(question, one)
        )
        return tuple(islice(due, intentions.AT_ONCE))

    def _here(self, question: WhatIsDue) -> Surroundings:
        """Surroundings of a session as its prompt arrives; the journal may not have reported it yet."""
        around = self.around.get(question.session) or Around()
        files, said, prompt = [*around.files], [*around.said], question.turn.text[:SAID]
        if prompt:
            said.append(Happening(prompt))
            files += map(Happening, files_named(prompt))
        return Surroundings(tuple(files), tuple(said))

    async def remind(self, told: WereReminded) -> None:
        """Count a reminder; an intention erased meanwhile has nothing to count."""
        unit = [
            IntentionChanged(
                intentions.reminded(intentions.aged(one, told.at), told.at), "reminded", told.at,
                told.session or None,
            )
            for one in await self.reader.intentions()
            if one.intention_id in told.intention_ids
        ]  # fmt: skip
        self.told.update({one.intention.intention_id: told.at for one in unit})
        await self._write(*unit)

    async def see(self, happened: Happened) -> None:
        """Note a session's files and words; a prompt may state an intention."""
        event, session = happened.event, happened.event.session
        if event.kind is EventKind.SESSION_END:
            self.around.pop(session, None)
            return
        if not session:
            return
        self.around[session] = around = self.around.get(session) or Around()
        around.files.extend(Happening(path, happened.at) for path in files_touched(event))
        if event.tool is not None and event.tool.command:
            around.said.append(Happening(event.tool.command[:SAID], happened.at))
        if event.is_typed_prompt:
            around.said.append(Happening(event.prompt[:SAID], happened.at))
            await self._hear(happened)

    async def _hear(self, happened: Happened) -> None:
        """Keep a person's request for a reminder from a prompt."""
        said = intentions.stated(happened.event.turn, happened.at, self.zone)
        if said is None:
            return
        wanted = Intention(
            "", said.text, said.trigger, happened.at, project=happened.project,
            session=happened.event.session,
        )  # fmt: skip
        await self._write(IntentionMade(wanted, happened.seq))

    async def _write(self, *unit: IntentionWrite) -> None:
        """Have it written; nobody waits for it."""
        if unit:
            await self.long_term.tell(Write(unit), lane=Lane.BACKGROUND)


def _says(question: WhatIsDue, one: Intention) -> bool:
    """Return whether the prompt itself states it: nobody needs a reminder of their own last words."""
    turn = question.turn.beginning
    said = with_quotations(" ".join(turn.sentences), turn.own.quotations)
    return one.session == question.session and one.text in said
