"""A night's reading: the living notes of one project, read together once many of them are new.

One request a dream, within the same limits as sessions. Dreaming asks; proposals and insights come
back (``actors.policy.reader.night``), and dreaming writes them with its others.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Final

import trio

from actors.core.equipment import Clock
from actors.core.mailbox import Mailbox
from actors.memory.commit import LongTermMessage, commit
from actors.policy.events.cutting import Redact
from actors.policy.night.replay import Replayed
from actors.policy.reader import order
from actors.policy.reader.exchange import Answer, Failed, LivingNote, Reason
from actors.policy.reader.instructions import night_request
from actors.policy.reader.night import NEW, Concluded, concluded
from actors.policy.text.wording import short_id
from actors.reader.readership import Readership
from actors.reader.reading import ANSWERED_WITHIN, LAST_WORD, tokens_of
from actors.reader.rows import spent_by
from actors.reader.writes import ReadingBegun, ReadingEnded
from daemon.storage.reader import ReadingSide

NOTHING: Final = Concluded((), (), {})


@dataclass(slots=True)
class NightReading:
    """Reads the notes of a project together."""

    settings: order.Settings
    reader: ReadingSide
    clock: Clock
    long_term: Mailbox[LongTermMessage]
    readership: Readership
    redact: Redact

    async def read(self, memories: Mapping[int, Replayed]) -> Concluded:
        """Read the project with the most new notes, if one has enough and the day's limits allow."""
        engine, at = self.readership.engine, self.clock.now()
        project = await self.reader.much_noted(NEW) if engine is not None else None
        if engine is None or project is None or await self._waits(at):
            return NOTHING
        shown = {one.id: one for one in memories.values() if one.project == project}
        asked = night_request(
            PurePath(project).name,
            [LivingNote(short_id(one.id), one.text) for one in shown.values()],
        )
        begun = ReadingBegun(
            "", project, engine.name, "read because many notes are new", at, at, 0, 0,
            tokens_of(asked),
        )  # fmt: skip
        async with self.readership.turn:
            (reading,) = await commit(self.long_term, (begun,))
            answer: Answer | Failed = Failed(Reason.INTERRUPTED, tokens=tokens_of(asked))
            try:
                with trio.move_on_after(ANSWERED_WITHIN):
                    answer = await engine.answer(asked)
            finally:
                found = None
                if isinstance(answer, Answer):
                    found = concluded(answer.document, shown, self.redact)
                    if found is None:
                        answer = Failed(Reason.FOREIGN, tokens=answer.tokens)
                with trio.move_on_after(LAST_WORD, shield=True):
                    await commit(
                        self.long_term, (_ending(reading, self.clock.now(), answer, found),)
                    )
        return found or NOTHING

    async def _waits(self, at: float) -> str:
        past = await self.reader.readings_since(at - order.DAY)
        return order.limit([spent_by(one) for one in past], at, self.settings)


def _ending(
    reading: int, at: float, answer: Answer | Failed, found: Concluded | None
) -> ReadingEnded:
    if isinstance(answer, Failed):
        return ReadingEnded(reading, at, answer.tokens, None, answer.reason.value)
    dropped = None if found is None else found.dropped
    return ReadingEnded(reading, at, answer.tokens, answer.dollars, "", 0, dropped)
