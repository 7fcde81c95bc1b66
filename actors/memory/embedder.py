"""The embedder: every living memory has its vectors, sooner or later.

The work list is everything in the store without vectors. Background work goes to the worker in short
lists; a person's query overtakes it there. Long texts are split, never cut. Once no memory waits
comes likeness (``actors.memory.links``), and while nobody is there the archive's passages.
"""

import logging
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, assert_never

import trio
from msgspec import Struct, field

from actors.core.equipment import Clock
from actors.core.mailbox import Crashed, Inbox, Mailbox
from actors.gate.messages import GateMessage
from actors.memory.commit import PASSING, LongTermMessage, commit
from actors.memory.links import Links
from actors.memory.rows import (
    Embed,
    Embedded,
    EmbedderMessage,
    Embedding,
    EmbeddingUnavailable,
    MemoriesChanged,
    Memory,
    VectorsArrived,
)
from actors.memory.writes import Chunk, ModelChosen, Vectored
from actors.passages.passages import Idle
from actors.policy.text.chunking import chunks, embedded_text, vector_key
from daemon.storage.reader import ReadingSide

log = logging.getLogger(__name__)

PAGE = 64  # memories looked up at a time
LOOK_AGAIN = 1.0  # seconds between two looks at the worker's state
LOOK_ANYWAY = 60.0  # seconds between two looks into the store when nothing was heard
AFTER_FAILURE = 5.0  # seconds until what failed is tried again
TRIES = 3  # failures after which a memory's vectors are given up until the next start
QUESTIONS = 16  # questions under way at once
TOGETHER = 8  # pieces that are embedded at once: one by one a short text costs the worker half as much again


class Embedder(Struct):
    """Answers questions for vectors and makes the missing ones."""

    embedding: Embedding
    reader: ReadingSide
    clock: Clock
    gate: Mailbox[GateMessage]
    links: Links
    passages: Idle
    long_term: Mailbox[LongTermMessage]
    failures: dict[int, int] = field(default_factory=dict[int, int])
    _news: trio.Event = field(default_factory=trio.Event)
    _places: trio.Semaphore = field(default_factory=lambda: trio.Semaphore(QUESTIONS))
    _chosen: str = ""

    def statistics(self) -> dict[str, Any]:
        """The memories given up."""
        return {"given_up": sum(count >= TRIES for count in self.failures.values())}

    async def run(self, inbox: Inbox[EmbedderMessage]) -> None:
        """Handle messages until the mailbox is closed and drained."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._make_missing)
            nursery.start_soon(self.passages.run)
            async for message in inbox:
                match message:
                    case Embed():
                        await self._places.acquire()
                        nursery.start_soon(self._answer, message)
                    case MemoriesChanged():
                        self._news.set()
                    case _:
                        assert_never(message)
            nursery.cancel_scope.cancel()

    async def _answer(self, question: Embed) -> None:
        state = self.embedding.state
        if state.state == "ready" and self._chosen != state.model:
            # Vectors of two models have nothing to say to each other.
            anew = "the vectors are being made anew for another model"
            why = anew if self._chosen else "the model is being loaded"
            question.reply.fail(EmbeddingUnavailable(why))
            self._places.release()
            return
        try:
            made = await self.embedding.embed(
                question.texts,
                role=question.role,
                interactive=question.interactive,
                tokens=question.tokens,
            )
            question.reply(made)
        except EmbeddingUnavailable as error:
            question.reply.fail(error)
        except BaseException:
            question.reply.fail(Crashed("embedder"))
            raise
        finally:
            self._places.release()

    async def _make_missing(self) -> None:
        looked_at, state = -math.inf, ""
        while True:
            now, before = trio.current_time(), state
            state = self.embedding.state.model + self.embedding.state.state
            heard, self._news = self._news.is_set(), trio.Event()
            if not heard and state == before and now - looked_at < LOOK_ANYWAY:
                with trio.move_on_after(LOOK_AGAIN):
                    await self._news.wait()
                    self._news.set()
                continue
            looked_at = now
            worked = False
            try:
                worked = await self._make_some() or await self.links.compare_some()
            except (EmbeddingUnavailable, *PASSING) as error:
                log.info("vectors_wait reason=%s", type(error).__name__)
                looked_at = now - LOOK_ANYWAY + AFTER_FAILURE
            if worked:
                self._news.set()  # there may be more

    async def _make_some(self) -> bool:
        """Make vectors for a page of memories; whether there was anything to do."""
        state = self.embedding.state
        if state.state != "ready":
            return False
        if self._chosen != state.model:
            await commit(self.long_term, (ModelChosen(state.model, state.dimensions),))
            self._chosen = state.model
        lacking = await self.reader.unvectored(state.model, PAGE)
        waiting = [one for one in lacking if self.failures.get(one, 0) < TRIES]
        memories = await self.reader.memories(waiting)
        arrived: list[int] = []
        for group in self._groups([memories[one] for one in waiting if one in memories]):
            await self._make(group, state.model)
            arrived += [one.id for one in group]
        if arrived:
            news = VectorsArrived(tuple(arrived))
            if not self.gate.hint(news):
                log.info("gate_busy unjudged=%d", len(arrived))
            self.links.compare(arrived)
        return bool(waiting)

    def _groups(self, memories: Sequence[Memory]) -> Iterator[list[Memory]]:
        """Groups of memories embedded at once; a memory suspected of stopping the worker is alone."""
        group: list[Memory] = []
        room = TOGETHER
        for memory in memories:
            pieces = len(pieces_of(memory.title, memory.text))
            if memory.id in self.failures:
                yield [memory]
                continue
            if group and pieces > room:
                yield group
                group, room = [], TOGETHER
            group.append(memory)
            room -= pieces
        if group:
            yield group

    async def _make(self, memories: Sequence[Memory], model: str) -> None:
        pieces = {
            vector_key(piece): piece
            for memory in memories
            for piece in pieces_of(memory.title, memory.text)
        }
        try:
            found = await self.embedding.embed(
                [*pieces.values()], role="document", interactive=False, tokens=True
            )
        except EmbeddingUnavailable:
            for one in memories:
                self.failures[one.id] = self.failures.get(one.id, 0) + 1
            raise
        for one in memories:
            self.failures.pop(one.id, None)
        made = dict(zip(pieces, found, strict=True))
        vectored = tuple(self._vectored(one, model, made) for one in memories)
        await commit(self.long_term, vectored)

    def _vectored(self, memory: Memory, model: str, made: Mapping[bytes, Embedded]) -> Vectored:
        keys = [vector_key(piece) for piece in pieces_of(memory.title, memory.text)]
        chunks_ = tuple(
            Chunk(place, made[key].vector, key, made[key].tokens) for place, key in enumerate(keys)
        )
        return Vectored(memory.id, memory.content_hash, model, chunks_, self.clock.now())


def pieces_of(title: str, text: str) -> list[str]:
    """The pieces of a memory, each with a vector of its own."""
    return chunks(embedded_text(title, text)) or [title or "-"]
