"""The reading side of the store: two connections, and the indexes in memory in front of them.

Every query runs under its caller's deadline, on whichever connection is less busy; vectors are
searched on the first one, words on the last, because each belongs to one thread. Errors of a
damaged file or its disk become ``Unreadable``.
"""

import logging
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from typing import Concatenate, ParamSpec, TypeVar

import apsw
import trio

from actors.core.failures import Unreadable
from actors.memory.rows import Memory, Scope
from actors.policy.index.sign_bits import Asked
from actors.recall.shapes import Choosing, Counted, Weighed
from daemon.soundness import DAMAGE, Soundness
from daemon.storage import corpora, erasing
from daemon.storage import dreams as dream_rows
from daemon.storage import memories as memories_stored
from daemon.storage import opinions as opinions_stored
from daemon.storage import plans as plan_rows
from daemon.storage.corpora import PASSAGES
from daemon.storage.database.connection import Connection, give_back, rest
from daemon.storage.database.sql import Sql
from daemon.storage.index.vectors import VectorIndex
from daemon.storage.index.words import WordIndex
from daemon.storage.questions import Questions

P = ParamSpec("P")
T = TypeVar("T")

log = logging.getLogger(__name__)

FOLLOWED = 0.5  # seconds after a write in which more of them may come
QUIET_WITHIN = 12.0  # seconds that it waits for their end: 70,000 rows of an import
WORTH_KEEPING = 1_000  # changes, or vectors, that a start would have to take up
SPARED = 50.0  # times as long as writing a snapshot took, until the next one


class ReadingSide(Questions):
    """The store as everybody reads it, on whichever connection is less busy.

    Every call keeps the caller's deadline, and raises ``Unreadable`` when the file cannot be read.
    """

    def __init__(
        self,
        connections: Sequence[Connection],
        soundness: Soundness,
        beside: Sequence[Connection] = (),
    ) -> None:
        """``beside``: connections reading for nobody here, but resting when these do."""
        folder = soundness.home.indexes
        self._connections = connections
        self._resting = (*connections, *beside)
        self._soundness = soundness
        # Used on the first connection's thread only, and on the last one's only.
        self._vectors = VectorIndex(folder)
        self._words = WordIndex(folder)
        self._passage_vectors = VectorIndex(folder, corpus=PASSAGES)
        self._passage_words = WordIndex(folder, corpus=PASSAGES)
        self._kept_until = float("-inf")  # before this no snapshot is written again
        self._written = trio.Event()
        self.writes = 0  # transactions since the daemon began

    @property
    def damage(self) -> str | None:
        """Damage of the file and the remedy, once it was found damaged."""
        return self._soundness.damage

    @property
    def loss(self) -> str:
        """Loss found when the store was opened, or lately, and the remedy."""
        return self._soundness.loss

    async def read(
        self, query: Callable[Concatenate[Sql, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run one query of ``daemon.storage``, with these arguments, under the caller's deadline."""
        connection = min(self._connections, key=lambda c: c.in_flight)
        return await self._on(connection, lambda sql: query(sql, *args, **kwargs))

    async def _near(self, query: Callable[[Sql], T]) -> T:
        return await self._on(self._connections[0], query)

    async def _by_words(self, query: Callable[[Sql], T]) -> T:
        return await self._on(self._connections[-1], query)

    async def rest(self) -> None:
        """Let the connections empty their caches, and give the memory back to the system."""
        for connection in self._resting:
            await self._on(connection, rest)
        await trio.to_thread.run_sync(give_back)

    async def _on(self, connection: Connection, query: Callable[[Sql], T]) -> T:
        try:
            return await connection.run(query)
        except (apsw.IOError, apsw.CantOpenError, *DAMAGE) as error:
            raise Unreadable(self._soundness.judge(error)) from error

    @property
    def in_flight(self) -> int:
        """Queries under way."""
        return sum(connection.in_flight for connection in self._connections)

    async def words(self, terms: Sequence[str], scope: Scope, limit: int) -> dict[int, float]:
        """The best memories with any of these words and their scores, best first."""
        return await self._by_words(lambda sql: self._words.words(sql, terms, scope, limit))

    async def counted(
        self, telling: Sequence[str], terms: Sequence[str], scope: Scope, limit: int
    ) -> Counted:
        """Frequencies of some words, and the results of these terms, in one look."""
        return await self._by_words(
            lambda sql: self._words.counted(sql, telling, terms, scope, limit)
        )

    async def respelled(self, terms: Sequence[str]) -> dict[str, str]:
        """Known terms meant by the unknown ones of these, if they are misspelt."""
        return await self._by_words(lambda sql: self._words.respelled(sql, terms))

    async def nearest(self, vector: bytes, scope: Scope, limit: int) -> dict[int, float]:
        """The nearest memories and their cosines, best first."""
        return await self._near(lambda sql: self._vectors.nearest(sql, vector, scope, limit))

    async def cosines(self, vector: bytes, ids: Sequence[int]) -> dict[int, float]:
        """The best cosine of each of these memories with vectors."""
        if not ids:
            return {}
        return await self._near(lambda sql: self._vectors.cosines(sql, vector, ids))

    async def passage_words(
        self, terms: Sequence[str], scope: Scope, limit: int
    ) -> dict[int, float]:
        """The best passages with any of these words and their scores, best first."""
        return await self._by_words(lambda sql: self._passage_words.words(sql, terms, scope, limit))

    async def passage_nearest(self, vector: bytes, scope: Scope, limit: int) -> dict[int, float]:
        """The nearest passages and their cosines, best first."""
        return await self._near(
            lambda sql: self._passage_vectors.nearest(sql, vector, scope, limit)
        )

    async def passage_cosines(self, vector: bytes, ids: Sequence[int]) -> dict[int, float]:
        """The cosine of each of these passages with vectors."""
        if not ids:
            return {}
        return await self._near(lambda sql: self._passage_vectors.cosines(sql, vector, ids))

    async def chosen(
        self,
        ids: Sequence[int],
        scope: Scope,
        vector: bytes | None,
        known: Collection[int],
        choose: Choosing,
    ) -> dict[int, Memory]:
        """The chosen ones of these memories, once the visible ones are known, in one look."""
        if not ids:
            return {}

        def look(sql: Sql) -> dict[int, Memory]:
            weighed = self._weighed(sql, ids, scope, vector, known)
            return memories_stored.memories(sql, sorted(choose(weighed)))

        return await self._near(look)

    def _weighed(
        self,
        sql: Sql,
        ids: Sequence[int],
        scope: Scope,
        vector: bytes | None,
        known: Collection[int],
    ) -> Weighed:
        seen, opinions = opinions_stored.seen(sql, ids, scope)
        missing = [] if vector is None else sorted(seen.difference(known))
        cosines = self._vectors.cosines(sql, vector or b"", missing) if missing else {}
        return Weighed(seen, opinions, cosines)

    async def warm(self) -> None:
        """Take up all vectors, words and spellings, in turns: searches before are slower."""
        await self._index()

    async def _index(self) -> None:
        for vectors in (self._vectors, self._passage_vectors):
            while await self._near(vectors.take_up):
                await trio.lowlevel.checkpoint()
        for words in (self._words, self._passage_words):
            began = trio.current_time()
            while await self._by_words(words.take_up):
                await trio.sleep(trio.current_time() - began)  # half of the time is for others
                began = trio.current_time()

    async def follow(self) -> None:
        """Take up everything there, and then new writes, until cancelled.

        Unreadable rows are left: whoever asks for them says so.
        """
        while True:
            newer = self._written
            rest = float("inf")
            with suppress(Unreadable):
                await self._index()
                rest = await self.keep()
            with trio.move_on_after(rest):
                await newer.wait()
            await self._quiet()

    async def _quiet(self) -> None:
        """Until nothing was written for a moment.

        An import goes on at once: an index taken up meanwhile is behind all the same, so FTS5
        answers, and it would be in the import's way.
        """
        with trio.move_on_after(QUIET_WITHIN):
            still = False
            while not still:
                with trio.move_on_after(FOLLOWED) as moment:
                    await self._written.wait()
                still = moment.cancelled_caught

    async def keep(self, least: int = WORTH_KEEPING) -> float:
        """Write the indexes down, once so much is new; returns the seconds until the next time.

        The next start goes on from there. It takes at most a fiftieth of the time.
        """
        held = (self._words, self._vectors, self._passage_words, self._passage_vectors)
        due = [one for one in held if one.unwritten >= least]
        began = trio.current_time()
        if not due or began < self._kept_until:
            return self._kept_until - began if due else float("inf")
        try:
            for index in due:
                await self._keep(index)
            await self.rest()  # so much was written: as much was read
        except OSError as error:
            log.warning("index_not_kept error=%s", type(error).__name__)
        spent = trio.current_time() - began
        self._kept_until = began + SPARED * spent
        return float("inf")

    async def _keep(self, index: WordIndex | VectorIndex) -> None:
        on = self._connections[-1 if isinstance(index, WordIndex) else 0]
        snapshot = await self._on(on, lambda _: index.snapshot())
        if snapshot is not None:
            await trio.to_thread.run_sync(snapshot.write)
            await self._on(on, lambda sql: index.was_written(sql, snapshot))

    def was_written(self) -> None:
        """Note a write to take up."""
        self.writes += 1
        self._written.set()
        self._written = trio.Event()

    @property
    def taken_up(self) -> tuple[int, int]:
        """Numbers of memories with words in memory, and of vectors in memory."""
        return len(self._words), len(self._vectors)

    async def in_memory(self) -> dict[str, int]:
        """Memories and passages with words in memory, and the bytes of words and sign bits.

        ``mapped``: bytes of the words in a file, and so in the page cache; ``vectors_mapped`` is
        the file of the vectors, which lies there too.
        """
        worded = (self._words, self._passage_words)
        nearby = (self._vectors, self._passage_vectors)
        words, mapped = await self._by_words(
            lambda _: (sum(one.nbytes for one in worded), sum(one.mapped for one in worded))
        )
        bits, rows = await self._near(
            lambda _: (sum(one.nbytes for one in nearby), sum(one.mapped for one in nearby))
        )
        return {
            "memories": len(self._words),
            "passages": len(self._passage_words),
            "words": words,
            "mapped": mapped,
            "vectors": bits,
            "vectors_mapped": rows,
        }

    async def document_frequencies(self, terms: Sequence[str]) -> tuple[int, dict[str, int]]:
        """Count the memories, and the ones with each index term."""
        return await self._by_words(lambda sql: self._words.document_frequencies(sql, terms))

    async def token_similarities(
        self, asked: Asked, rarity: dict[str, float], vector: bytes, ids: Sequence[int]
    ) -> dict[int, float]:
        """MaxSim of the query with each of these with tokens, 0..1; on this thread."""

        def cosines(sql: Sql, chunks: Sequence[int]) -> dict[int, float]:
            return self._vectors.of_chunks(sql, vector, chunks)

        return await self._near(
            lambda sql: corpora.token_similarities(sql, asked, rarity, cosines, ids)
        )

    async def bound_with(self, ids: Sequence[int]) -> list[int]:
        """Memories with the same text; the summaries of these, their other originals; insights."""

        def bound(sql: Sql) -> list[int]:
            named = erasing.with_copies(sql, ids)
            copies = set(named).difference(ids)
            return [
                *sorted(copies),
                *plan_rows.bound_with(sql, named),
                *dream_rows.made_of(sql, named),
            ]

        return await self.read(bound)
