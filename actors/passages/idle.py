"""Work for passages while nobody is there: their vectors, and letting go of old ones.

Part of the embedder. Somebody who comes during a batch waits only for the worker's current list: a
query overtakes the rest there.
"""

import logging
from dataclasses import dataclass, field
from typing import Final

import trio

from actors.core.equipment import Clock, Foreground
from actors.core.mailbox import Mailbox
from actors.memory.commit import PASSING, LongTermMessage, commit
from actors.memory.rows import Embedding, EmbeddingUnavailable
from actors.memory.writes import Chunk
from actors.passages.rows import Passage
from actors.passages.writes import PassagesPruned, PassageVectored
from actors.policy.text.chunking import embedded_text, vector_key
from daemon.storage.reader import ReadingSide

log = logging.getLogger(__name__)

BATCH: Final = 8  # passages embedded between two looks whether somebody came
READ_WITHIN: Final = 5.0  # seconds for a look at the store
PAUSE: Final = (
    20.0  # seconds without anybody from which vectors are made: one between two prompts is longer
)
LOOK: Final = 5.0  # seconds between two looks whether somebody is there
LOOK_ANYWAY: Final = 60.0  # seconds between two looks into the store where nothing was to do
ROUND: Final = 3_600.0  # seconds after which what is old leaves, and what failed is tried again
TRIES: Final = 3  # failures after which a batch is left until the next round
DAY: Final = 86_400.0  # seconds


@dataclass(frozen=True, slots=True)
class Settings:
    """Bounds of the passages kept."""

    days: float = 365.0  # without being written or found, after which a passage leaves; 0: none
    most: int = 100_000  # passages; the longest unused leave first


@dataclass(slots=True)
class Idle:
    """Makes vectors and prunes, in pauses."""

    settings: Settings
    reader: ReadingSide
    clock: Clock
    foreground: Foreground
    embedding: Embedding
    long_term: Mailbox[LongTermMessage]
    embedded: int = 0
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
        days = self.settings.days
        before = self.clock.now() - days * DAY if days else float("inf")
        order = PassagesPruned(before, self.settings.most)
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
        self.embedded += len(unit)
        return True

    def _leave(self, ids: list[int], captured: list[int]) -> None:
        """Go on behind these, which were embedded or given up."""
        self._failures = 0
        self._passed.update(captured)
        self._done = self._done if captured else ids[-1]

    async def _vectored(self, passages: list[Passage], model: str) -> tuple[PassageVectored, ...]:
        """Vectors of these passages: known ones, and newly made ones."""
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
            PassageVectored(one.id, one.content_hash, model, (Chunk(0, known[key], key),), at)
            for one, key in zip(passages, hashes, strict=True)
        )
