"""Passages: the archive behind the memories, of documents and talk.

Part of extraction, which sees the events; learning a project's past keeps it by the same functions.
Documents, compaction summaries, and prompts with the answer to them, are cut and written as they
come; they are found by words at once, and by vectors once an idle moment made some
(``actors.passages.idle``). Nothing here is a memory: it is not judged, dreamt of or counted, and
leaves when nobody found it for the user's time.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

import trio

from actors.core.equipment import Latest, Worker
from actors.core.failures import Unreadable
from actors.core.mailbox import Lane, Mailbox
from actors.intake.messages import Happened, JournalRow, event_of
from actors.memory.commit import LongTermMessage, Write, commit
from actors.passages.idle import Settings
from actors.passages.writes import Kind, PassagesKept
from actors.policy.documents.sections import sections
from actors.policy.documents.versions import Version
from actors.policy.events.events import EventKind
from actors.policy.passages import cutting
from actors.policy.passages.turns import NOTHING_SAID, Exchange, after
from daemon.storage.reader import ReadingSide

SESSIONS: Final = 200  # turns remembered
EVENTS: Final = 50  # of a session met again, among which its turn is found
TURN_WITHIN: Final = 2.0  # seconds for them
LONG: Final = 4 * 1024  # characters; what is longer is cut on a thread
BY_PERSON: Final = 60.0  # seconds for what a person waits for


@dataclass(slots=True)
class Passages:
    """Cuts and writes passages, and holds each session's question until it is answered."""

    settings: Settings
    reader: ReadingSide
    thread: Worker
    long_term: Mailbox[LongTermMessage]
    turns: Latest[str, Exchange] = field(default_factory=lambda: Latest(SESSIONS))

    async def hear(self, happened: Happened) -> None:
        """Keep the result of an event: an answered turn, or a summary."""
        event = happened.event
        if not (self.settings.days and event.session):
            return
        if event.kind is EventKind.POST_COMPACT and event.summary:
            await self._tell(await self._of_summary(happened))
        before = await self._turn(happened)
        turn, settled = after(before, event, happened.seq)
        self.turns[event.session] = turn
        if settled is not None:
            await self._tell(await self._of_turn(happened, settled))

    async def read(self, happened: Happened, place: str, version: Version) -> None:
        """Keep a document looked at when this turn was over."""
        if self.settings.days:
            await self._tell(await self._of_document(happened, place, version))

    async def keep_document(self, happened: Happened, place: str, version: Version) -> None:
        """Keep a document while a person waits; a passage already there stays its first session's.

        Raises the errors of ``commit``.
        """
        if self.settings.days:
            kept = await self._of_document(happened, place, version)
            await self._commit([kept])

    async def keep_turns(self, settled: Sequence[tuple[Happened, Exchange | None]]) -> None:
        """Keep the settled turns of an earlier session, in one write, as ``keep_document``.

        A summary settles nothing, and is kept itself.
        """
        if self.settings.days:
            await self._commit(
                [
                    await (self._of_summary(one) if turn is None else self._of_turn(one, turn))
                    for one, turn in settled
                ]
            )

    async def _of_summary(self, happened: Happened) -> PassagesKept:
        text = happened.event.summary
        pieces = await self._cut(partial(cutting.summary, text), text)
        return _kept(happened, "summary", pieces, happened.seq)

    async def _of_turn(self, happened: Happened, settled: Exchange) -> PassagesKept:
        answer = happened.event.message
        work = partial(cutting.turn, settled.said, answer)
        pieces = await self._cut(work, "".join((*settled.said, answer)))
        return _kept(happened, "turn", pieces, settled.first_seq)

    async def _of_document(self, happened: Happened, place: str, version: Version) -> PassagesKept:
        pieces = await self._cut(partial(_document, place, version.text), version.text)
        return PassagesKept(
            "document", happened.project, place, pieces, happened.event.session,
            happened.seq, happened.seq, happened.at, version.is_whole,
        )  # fmt: skip

    async def _turn(self, happened: Happened) -> Exchange:
        """Talk since the last answer; for a session met again it is read from the journal."""
        session = happened.event.session
        known = self.turns.get(session)
        if known is not None:
            return known
        try:
            with trio.fail_after(TURN_WITHIN):
                rows = await self.reader.events_of(session, 0.0, happened.seq, EVENTS)
        except (Unreadable, trio.TooSlowError):
            return NOTHING_SAID
        return await self.thread.run(partial(_turn_of, rows)) if rows else NOTHING_SAID

    async def _cut(
        self, work: Callable[[], tuple[cutting.Piece, ...]], text: str
    ) -> tuple[cutting.Piece, ...]:
        return await self.thread.run(work) if len(text) > LONG else work()

    async def _tell(self, kept: PassagesKept) -> None:
        await self.long_term.tell(Write((kept,)), lane=Lane.BACKGROUND)

    async def _commit(self, kept: Sequence[PassagesKept]) -> None:
        unit = tuple(replace(one, keeps_origin=True) for one in kept)
        await commit(self.long_term, unit, within=BY_PERSON)


def _kept(
    happened: Happened, kind: Kind, pieces: tuple[cutting.Piece, ...], first_seq: int
) -> PassagesKept:
    """Write of a session's words, in the place of its first event."""
    session = happened.event.session
    return PassagesKept(
        kind, happened.project, f"{session}/{first_seq}", pieces, session, first_seq,
        happened.seq, happened.at,
    )  # fmt: skip


def _turn_of(rows: Sequence[JournalRow]) -> Exchange:
    """Follow the events of the journal, in their order."""
    turn = NOTHING_SAID
    for row in rows:
        event = event_of(row)
        if event is not None:
            turn, _ = after(turn, event, row.seq)
    return turn


def _document(place: str, text: str) -> tuple[cutting.Piece, ...]:
    return cutting.document(sections(place, text))
