"""Passages: the archive behind the memories, of what was written and said.

Owns the turn of each session (what was asked and not yet answered). Documents, compaction
summaries, and prompts with the answer that settled them, are cut and written as they come; they are found by
words at once, and by vectors once an idle moment made some. Nothing here is a memory: it is not
judged, dreamt of or counted, and leaves when nobody found it for as long as the user says.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final, assert_never

import trio

from actors.core.latest import Latest
from actors.core.mailbox import Inbox, Lane, Mailbox
from actors.core.ports import Worker
from actors.intake.messages import Happened
from actors.intake.rows import JournalRow, event_of
from actors.memory.commit import answered, commit
from actors.memory.messages import LongTermMessage, Write
from actors.memory.ports import Unreadable
from actors.passages.finding import Finding
from actors.passages.idle import Idle, Settings
from actors.passages.messages import (
    DocumentRead,
    KeepDocument,
    KeepTurns,
    PassagesMessage,
    SearchPassages,
)
from actors.passages.rows import PassageReader
from actors.passages.writes import Kind, PassagesKept
from actors.policy.documents.sections import sections
from actors.policy.events.events import EventKind
from actors.policy.passages import cutting
from actors.policy.passages.turns import NOTHING_SAID, Turn, after

SESSIONS: Final = 200  # turns remembered
EVENTS: Final = 50  # of a session met again, among which its turn is found
READ_WITHIN: Final = 2.0  # seconds for them
LONG: Final = 4 * 1024  # characters; what is longer is cut on a thread
QUESTIONS: Final = 4  # searches side by side


@dataclass(slots=True)
class Passages:
    """Cuts and writes passages; beside that they are embedded and found."""

    settings: Settings
    reader: PassageReader
    thread: Worker
    long_term: Mailbox[LongTermMessage]
    finding: Finding
    idle: Idle
    learns: bool = True  # features.extraction: whether anything is kept of what happens
    turns: Latest[str, Turn] = field(default_factory=lambda: Latest(SESSIONS))
    kept: int = 0
    _places: trio.Semaphore = field(default_factory=lambda: trio.Semaphore(QUESTIONS))

    def statistics(self) -> dict[str, Any]:
        """Passages cut and embedded since the start."""
        return {"kept": self.kept, "embedded": self.idle.embedded}

    async def run(self, inbox: Inbox[PassagesMessage]) -> None:
        """Handle messages until the mailbox is closed and drained."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self.idle.run)
            async for message in inbox:
                match message:
                    case Happened():
                        await self._hear(message)
                    case DocumentRead():
                        await self._take(message)
                    case KeepDocument(read, reply):
                        await answered(reply, self._take(read, by_person=True))
                    case KeepTurns(settled, reply):
                        await answered(reply, self._take_turns(settled))
                    case SearchPassages():
                        await self._places.acquire()
                        nursery.start_soon(self._answer, message)
                    case _:
                        assert_never(message)
            nursery.cancel_scope.cancel()

    async def _answer(self, question: SearchPassages) -> None:
        try:
            await answered(question.reply, self.finding.find(question))
        finally:
            self._places.release()

    async def _hear(self, happened: Happened) -> None:
        event = happened.event
        if not (self.learns and self.settings.days and event.session):
            return
        if event.kind is EventKind.POST_COMPACT and event.summary:
            await self._keep(await self._of_summary(happened))
        before = await self._turn(happened)
        turn, settled = after(before, event, happened.seq)
        self.turns[event.session] = turn
        if settled is not None:
            await self._keep(await self._of_turn(happened, settled))

    async def _of_summary(self, happened: Happened) -> PassagesKept:
        text = happened.event.summary
        pieces = await self._cut(partial(cutting.summary, text), text)
        return _kept(happened, "summary", pieces, happened.seq)

    async def _of_turn(self, happened: Happened, settled: Turn) -> PassagesKept:
        answer = happened.event.message
        work = partial(cutting.turn, settled.said, answer)
        pieces = await self._cut(work, "".join((*settled.said, answer)))
        return _kept(happened, "turn", pieces, settled.first_seq)

    async def _take_turns(self, settled: Sequence[tuple[Happened, Turn | None]]) -> None:
        """Keep these in one write."""
        if not self.settings.days:
            return
        made = [
            await (self._of_summary(one) if turn is None else self._of_turn(one, turn))
            for one, turn in settled
        ]
        await self._keep(*(replace(one, keeps_origin=True) for one in made), by_person=True)

    async def _take(self, read: DocumentRead, *, by_person: bool = False) -> None:
        if not self.settings.days:
            return
        pieces = await self._cut(partial(_document, read.place, read.text), read.text)
        happened = read.happened
        kept = PassagesKept(
            "document", happened.project, read.place, pieces, happened.event.session,
            happened.seq, happened.seq, happened.at, read.is_whole, keeps_origin=by_person,
        )  # fmt: skip
        await self._keep(kept, by_person=by_person)

    async def _turn(self, happened: Happened) -> Turn:
        """Recall what was said since the last answer; of a session met again the journal knows."""
        session = happened.event.session
        known = self.turns.get(session)
        if known is not None:
            return known
        try:
            with trio.fail_after(READ_WITHIN):
                rows = await self.reader.events_of(session, 0.0, happened.seq, EVENTS)
        except (Unreadable, trio.TooSlowError):
            return NOTHING_SAID
        return await self.thread.run(partial(_turn_of, rows)) if rows else NOTHING_SAID

    async def _cut(
        self, work: "partial[tuple[cutting.Piece, ...]]", text: str
    ) -> tuple[cutting.Piece, ...]:
        return await self.thread.run(work) if len(text) > LONG else work()

    async def _keep(self, *kept: PassagesKept, by_person: bool = False) -> None:
        if by_person:
            await commit(self.long_term, kept)
        else:
            await self.long_term.tell(Write(kept), lane=Lane.BACKGROUND)
        self.kept += sum(len(one.pieces) for one in kept)
        self.idle.news.set()


def _kept(
    happened: Happened, kind: Kind, pieces: tuple[cutting.Piece, ...], first_seq: int
) -> PassagesKept:
    """Write of what a session said, in the place of its first event."""
    session = happened.event.session
    return PassagesKept(
        kind, happened.project, f"{session}/{first_seq}", pieces, session, first_seq,
        happened.seq, happened.at,
    )  # fmt: skip


def _turn_of(rows: Sequence[JournalRow]) -> Turn:
    """Follow the events of the journal, in their order."""
    turn = NOTHING_SAID
    for row in rows:
        event = event_of(row)
        if event is not None:
            turn, _ = after(turn, event, row.seq)
    return turn


def _document(place: str, text: str) -> tuple[cutting.Piece, ...]:
    return cutting.document(sections(place, text))
