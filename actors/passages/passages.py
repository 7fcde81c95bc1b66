"""Passages: the archive behind the memories, of documents and talk.

Documents, compaction summaries, and prompts with the answer to them, are cut and written as they
come, by extraction, which sees the events; learning a project's past keeps it by the same functions. They
are found by words at once, and by vectors once an idle moment of the embedder made some. Nothing here is
a memory: it is not judged, dreamt of or counted, and leaves when nobody found it for the user's time.
"""

import logging
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

import trio
from msgspec import Struct, field
from msgspec.structs import replace

from actors.core.equipment import Clock, Foreground, Latest, Worker
from actors.core.failures import Unreadable
from actors.core.mailbox import Lane, Mailbox
from actors.intake.messages import Happened, JournalRow, event_of
from actors.memory.commit import PASSING, LongTermMessage, Write, commit
from actors.memory.rows import Embedding, EmbeddingUnavailable
from actors.memory.writes import Chunk, Vectored
from actors.passages.shapes import Kind, Passage, PassagesKept, PassagesPruned
from actors.policy import passages
from actors.policy.documents.sections import sections
from actors.policy.documents.versions import Version
from actors.policy.events.events import EventKind
from actors.policy.passages import NOTHING_SAID, Exchange, after
from actors.policy.text.chunking import embedded_text, vector_key
from daemon.storage.reader import ReadingSide

# ---- work for passages while nobody is there: their vectors, and letting go of old ones
#
# Part of the embedder. Somebody who comes during a batch waits only for the worker's current list: a
# query overtakes the rest there.


log = logging.getLogger(__name__)

BATCH: Final = 8  # passages embedded between two looks whether somebody came
READ_WITHIN: Final = 5.0  # seconds for a look at the store
# Seconds without anybody from which vectors are made: one between two prompts is longer.
PAUSE: Final = 20.0
LOOK: Final = 5.0  # seconds between two looks whether somebody is there
LOOK_ANYWAY: Final = 60.0  # seconds between two looks into the store where nothing was to do
ROUND: Final = 3_600.0  # seconds after which what is old leaves, and what failed is tried again
TRIES: Final = 3  # failures after which a batch is left until the next round
DAY: Final = 86_400.0  # seconds


class Idle(Struct):
    """Makes vectors and prunes, in pauses."""

    days: float  # without being written or found, after which a passage leaves; 0: all leave
    most: int  # passages; the longest unused leave first
    reader: ReadingSide
    clock: Clock
    foreground: Foreground
    embedding: Embedding
    long_term: Mailbox[LongTermMessage]
    _done: int = 0  # the highest passage that was embedded, or given up, in this round
    _failures: int = 0  # of the next batch
    _passed: set[int] = field(default_factory=set[int])  # the same of captured turns

    async def run(self) -> None:
        """Go a round every hour; between them, embed new passages as soon as nobody is there."""
        while True:
            self._done = 0
            self._passed.clear()
            try:
                await self._prune()
            except PASSING as error:
                log.info("passages_not_pruned error=%s", type(error).__name__)
            with trio.move_on_after(ROUND):
                await self._embed_as_it_comes()

    async def _prune(self) -> None:
        before = self.clock.now() - self.days * DAY if self.days else float("inf")
        order = PassagesPruned(before, self.most)
        while (await commit(self.long_term, (order,)))[0]:
            await trio.lowlevel.checkpoint()  # some went; others write in between

    async def _embed_as_it_comes(self) -> None:
        while True:
            if self.foreground.idle_for() < PAUSE:
                await trio.sleep(LOOK)
                continue
            try:
                if not await self._embed_some():
                    await trio.sleep(LOOK_ANYWAY)
            except (EmbeddingUnavailable, *PASSING) as error:
                log.info("passages_wait reason=%s", type(error).__name__)
                await trio.sleep(LOOK)

    async def _embed_some(self) -> bool:
        """Make the vectors of a batch; whether there was anything to do."""
        state = self.embedding.state
        if state.state != "ready":
            raise EmbeddingUnavailable(state.reason)
        with trio.fail_after(READ_WITHIN):
            # What an important moment captured comes first.
            captured = await self.reader.captured_without_vectors(sorted(self._passed), BATCH)
            ids = captured or await self.reader.passages_without_vectors(self._done, BATCH)
            passages = await self.reader.passages(ids)
        if not ids:
            return False
        found = [passages[one] for one in ids if one in passages]
        try:
            unit = await self._vectored(found, state.model)
        except EmbeddingUnavailable:
            self._failures += 1
            if self._failures >= TRIES:  # a text that ends the worker is not tried for ever
                self._leave(ids, captured)
            raise
        if unit and not any(await commit(self.long_term, unit)):
            return False  # the store has vectors of another model, or other texts by now
        self._leave(ids, captured)
        return True

    def _leave(self, ids: list[int], captured: list[int]) -> None:
        """Go on behind these, which were embedded or given up."""
        self._failures = 0
        self._passed.update(captured)
        self._done = self._done if captured else ids[-1]

    async def _vectored(self, passages: list[Passage], model: str) -> tuple[Vectored, ...]:
        texts = [embedded_text(one.title, one.text) for one in passages]
        hashes = [vector_key(one) for one in texts]
        with trio.fail_after(READ_WITHIN):
            known = dict(await self.reader.cached_vectors(model, hashes))
        missing = {key: text for key, text in zip(hashes, texts, strict=True) if key not in known}
        if missing:
            wanted = [*missing.values()]
            made = await self.embedding.embed(wanted, role="document", interactive=False)
            known |= {key: one.vector for key, one in zip(missing, made, strict=True)}
        at = self.clock.now()
        return tuple(
            Vectored(
                one.id, one.content_hash, model, (Chunk(0, known[key], key),), at, of_passage=True
            )
            for one, key in zip(passages, hashes, strict=True)
        )


SESSIONS: Final = 200  # turns remembered
EVENTS: Final = 50  # of a session met again, among which its turn is found
TURN_WITHIN: Final = 2.0  # seconds for them
LONG: Final = 4 * 1024  # characters; what is longer is cut on a thread
BY_PERSON: Final = 60.0  # seconds for what a person waits for


class Passages(Struct):
    """Cuts and writes passages, and holds each session's question until it is answered."""

    days: float  # that passages stay unused; 0: none is kept
    reader: ReadingSide
    thread: Worker
    long_term: Mailbox[LongTermMessage]
    turns: Latest[str, Exchange] = field(default_factory=lambda: Latest(SESSIONS))

    async def hear(self, happened: Happened) -> None:
        """Keep the result of an event: an answered turn, or a summary."""
        event = happened.event
        if not (self.days and event.session):
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
        if self.days:
            await self._tell(await self._of_document(happened, place, version))

    async def keep_document(self, happened: Happened, place: str, version: Version) -> None:
        """Keep a document while a person waits; a passage already there stays its first session's.

        Raises the errors of ``commit``.
        """
        if self.days:
            kept = await self._of_document(happened, place, version)
            await self._commit([kept])

    async def keep_turns(self, settled: Sequence[tuple[Happened, Exchange | None]]) -> None:
        """Keep the settled turns of an earlier session, in one write, as ``keep_document``.

        A summary settles nothing, and is kept itself.
        """
        if self.days:
            await self._commit(
                [
                    await (self._of_summary(one) if turn is None else self._of_turn(one, turn))
                    for one, turn in settled
                ]
            )

    async def _of_summary(self, happened: Happened) -> PassagesKept:
        text = happened.event.summary
        pieces = await self._cut(partial(passages.summary, text), text)
        return _kept(happened, "summary", pieces, happened.seq)

    async def _of_turn(self, happened: Happened, settled: Exchange) -> PassagesKept:
        answer = happened.event.message
        work = partial(passages.turn, settled.said, answer)
        pieces = await self._cut(work, "".join((*settled.said, answer)))
        return _kept(happened, "turn", pieces, settled.first_seq)

    async def _of_document(self, happened: Happened, place: str, version: Version) -> PassagesKept:
        pieces = await self._cut(partial(_document, version.text), version.text)
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
        self, work: Callable[[], tuple[passages.Piece, ...]], text: str
    ) -> tuple[passages.Piece, ...]:
        return await self.thread.run(work) if len(text) > LONG else work()

    async def _tell(self, kept: PassagesKept) -> None:
        await self.long_term.tell(Write((kept,)), lane=Lane.BACKGROUND)

    async def _commit(self, kept: Sequence[PassagesKept]) -> None:
        unit = tuple(replace(one, keeps_origin=True) for one in kept)
        await commit(self.long_term, unit, within=BY_PERSON)


def _kept(
    happened: Happened, kind: Kind, pieces: tuple[passages.Piece, ...], first_seq: int
) -> PassagesKept:
    """Write of a session's words, in the place of its first event."""
    session = happened.event.session
    return PassagesKept(
        kind, happened.project, f"{session}/{first_seq}", pieces, session, first_seq,
        happened.seq, happened.at,
    )  # fmt: skip


def _turn_of(rows: Sequence[JournalRow]) -> Exchange:
    turn = NOTHING_SAID
    for row in rows:
        event = event_of(row)
        if event is not None:
            turn, _ = after(turn, event, row.seq)
    return turn


def _document(text: str) -> tuple[passages.Piece, ...]:
    return passages.document(sections(text))
