"""The embedder: every living memory has its vectors, sooner or later.

Owns the work list, which is simply what the store has no vectors for. Background work
goes to the worker in short lists; a person's query overtakes it there. Long texts are
split, never cut (``actors.policy.chunking``), and a chunk embedded before is not
embedded again. Without a worker everything goes on by words.
"""

from __future__ import annotations

import logging
import math
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, assert_never

import trio

from actors.mailbox import Crashed, Inbox, Lane, Mailbox, MailboxClosed, MailboxFull, SwitchedOff
from actors.messages import (
    ActivationMessage,
    Commit,
    Embed,
    EmbedderMessage,
    GateMessage,
    LongTermMessage,
    MemoriesChanged,
    VectorsArrived,
)
from actors.policy.chunking import chunks
from actors.ports import (
    Clock,
    Embedding,
    EmbeddingUnavailable,
    Reader,
    Unreadable,
    Unwritable,
    Waiting,
)
from actors.writes import Chunk, ModelChosen, Vectored

log = logging.getLogger(__name__)

LIST = 8  # chunks a background request: the next query waits for at most this (limits.md)
PAGE = 64  # memories looked up at a time
WRITE_DEADLINE = 30.0  # seconds
LOOK_AGAIN = 1.0  # seconds between two looks at the worker's state
LOOK_ANYWAY = 60.0  # seconds between two looks into the store when nothing was heard
AFTER_FAILURE = 5.0  # seconds until what failed is tried again
TRIES = 3  # failures after which a memory's vectors are given up until the next start
QUESTIONS = 16  # questions under way at once


@dataclass(slots=True)
class Embedder:
    """Answers questions for vectors and makes those that are missing."""

    embedding: Embedding
    reader: Reader
    clock: Clock
    gate: Mailbox[GateMessage]
    activation: Mailbox[ActivationMessage]
    long_term: Mailbox[LongTermMessage]
    failures: dict[int, int] = field(default_factory=dict[int, int])
    made: int = 0
    cached: int = 0
    _news: trio.Event = field(default_factory=trio.Event)
    _places: trio.Semaphore = field(default_factory=lambda: trio.Semaphore(QUESTIONS))
    _chosen: str = ""

    def statistics(self) -> dict[str, Any]:
        """The model's state, and how many vectors were made or found again."""
        state = self.embedding.state
        return {
            "model": state.model,
            "embedding": state.state,
            "reason": state.reason,
            "made": self.made,
            "cached": self.cached,
            "given_up": sum(count >= TRIES for count in self.failures.values()),
        }

    async def run(self, inbox: Inbox[EmbedderMessage]) -> None:
        """Handle messages until the mailbox is closed and drained."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._make_missing)
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
            why = "the vectors are being made anew for another model"
            question.reply.fail(EmbeddingUnavailable(why))
            self._places.release()
            return
        try:
            question.reply(
                await self.embedding.embed(
                    question.texts, role=question.role, interactive=question.interactive
                )
            )
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
                worked = await self._make_some()
            except (EmbeddingUnavailable, Unwritable, Unreadable, trio.TooSlowError) as error:
                log.info("vectors_wait reason=%s", type(error).__name__)
                looked_at = now - LOOK_ANYWAY + AFTER_FAILURE
            except (Crashed, SwitchedOff):
                looked_at = now - LOOK_ANYWAY + AFTER_FAILURE  # the supervisor has said so
            if worked:
                self._news.set()  # there may be more

    async def _make_some(self) -> bool:
        """Make vectors for a page of memories; whether there was anything to do."""
        state = self.embedding.state
        if state.state != "ready":
            return False
        if self._chosen != state.model:
            await self._write(ModelChosen(state.model, state.dimensions))
            self._chosen = state.model
        waiting = [
            memory
            for memory in await self.reader.unvectored(state.model, PAGE)
            if self.failures.get(memory.memory_id, 0) < TRIES
        ]
        arrived: list[int] = []
        for memory in waiting:
            if await self._make(memory, state.model):
                arrived.append(memory.memory_id)
        if arrived:
            try:
                self.gate.offer(VectorsArrived(tuple(arrived)))
            except (MailboxFull, MailboxClosed, SwitchedOff):
                log.info("gate_busy unjudged=%d", len(arrived))
            try:
                self.activation.offer(VectorsArrived(tuple(arrived)))
            except (MailboxFull, MailboxClosed, SwitchedOff):
                log.info("activation_busy uncompared=%d", len(arrived))  # it looks by itself
        return bool(waiting)

    async def _make(self, memory: Waiting, model: str) -> bool:
        pieces = chunks(embedded_text(memory.title, memory.text)) or [memory.title or "-"]
        hashes = [
            blake2b(piece.encode("utf-8", "replace"), digest_size=16).digest() for piece in pieces
        ]
        known = dict(await self.reader.cached_vectors(model, hashes))
        self.cached += len(known)
        missing = [
            (key, piece) for key, piece in zip(hashes, pieces, strict=True) if key not in known
        ]
        try:
            for start in range(0, len(missing), LIST):
                part = missing[start : start + LIST]
                vectors = await self.embedding.embed(
                    [piece for _, piece in part], role="document", interactive=False
                )
                known.update(zip((key for key, _ in part), vectors, strict=True))
                self.made += len(part)
        except EmbeddingUnavailable:
            self.failures[memory.memory_id] = self.failures.get(memory.memory_id, 0) + 1
            raise
        made = tuple(Chunk(ordinal, known[key], key) for ordinal, key in enumerate(hashes))
        await self._write(
            Vectored(memory.memory_id, memory.content_hash, model, made, self.clock.now())
        )
        return True

    async def _write(self, write: ModelChosen | Vectored) -> list[int]:
        return await self.long_term.ask(
            lambda reply: Commit((write,), reply), within=WRITE_DEADLINE, lane=Lane.BACKGROUND
        )


def embedded_text(title: str, text: str) -> str:
    """What stands for a memory in vector space: its title, unless the text begins with it."""
    return text if not title or text.startswith(title.rstrip("…")) else f"{title}. {text}"
