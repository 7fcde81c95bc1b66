"""The reading side of the store: two connections, and the indexes in memory in front of them.

Every query runs under its caller's deadline, on whichever connection is less busy; vectors are
searched on the first one, words on the last, because each belongs to one thread. Errors of a
damaged file or its disk become ``Unreadable``.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import suppress
from typing import Concatenate, ParamSpec, TypeVar

import apsw
import trio

from actors.core.failures import Unreadable
from actors.memory.rows import Memory, Scope
from actors.recall.shapes import Choosing, Weighed
from daemon.soundness import DAMAGE, Soundness
from daemon.storage import (
    corpora,
    edit,
    episodes,
    files,
    gate,
    graph,
    homes,
    journal,
    lifecycle,
    read_notes,
    readings,
    recall,
    sessions,
    stats,
    strength,
    why,
)
from daemon.storage import dreams as dream_rows
from daemon.storage import intentions as intentions_stored
from daemon.storage import memories as memories_stored
from daemon.storage import passages as passages_stored
from daemon.storage import plans as plan_rows
from daemon.storage.corpora import MEMORIES, PASSAGES, Corpus
from daemon.storage.database.connection import Connection, give_back, rest
from daemon.storage.database.sql import Sql
from daemon.storage.index.vectors import VectorIndex
from daemon.storage.index.words import WordIndex

P = ParamSpec("P")
T = TypeVar("T")

log = logging.getLogger(__name__)

CORPORA = (MEMORIES, PASSAGES)
FOLLOWED = 0.5  # seconds after a write in which more of them may come
QUIET_WITHIN = 12.0  # seconds that it waits for their end: 70,000 rows of an import
WORTH_KEEPING = 1_000  # changes, or vectors, that a start would have to take up
SPARED = 50.0  # times as long as writing a snapshot took, until the next one


def asks(
    query: Callable[Concatenate[Sql, P], T],
) -> Callable[Concatenate[ReadingSide, P], Awaitable[T]]:
    """A question to the database alone, on whichever connection is less busy."""

    async def asked(side: ReadingSide, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await side.read(query, *args, **kwargs)

    return asked


def by_words(
    search: Callable[Concatenate[WordIndex, Sql, P], T], of: Corpus = MEMORIES
) -> Callable[Concatenate[ReadingSide, P], Awaitable[T]]:
    """A search by the words of these texts."""

    async def asked(side: ReadingSide, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await side.look_up(of, lambda index, sql: search(index, sql, *args, **kwargs))

    return asked


def near(
    search: Callable[Concatenate[VectorIndex, Sql, P], T], of: Corpus = MEMORIES
) -> Callable[Concatenate[ReadingSide, P], Awaitable[T]]:
    """A search by the vectors of these texts."""

    async def asked(side: ReadingSide, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await side.look_near(of, lambda index, sql: search(index, sql, *args, **kwargs))

    return asked


class ReadingSide:
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
        self.soundness = soundness
        # Used on the first connection's thread only, and on the last one's only.
        self._vectors = {one: VectorIndex(folder, corpus=one) for one in CORPORA}
        self._words = {one: WordIndex(folder, corpus=one) for one in CORPORA}
        self._kept_until = float("-inf")  # before this no snapshot is written again
        self._written = trio.Event()
        self.writes = 0  # transactions since the daemon began

    async def read(
        self, query: Callable[Concatenate[Sql, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run one query of ``daemon.storage``, with these arguments, under the caller's deadline."""
        connection = min(self._connections, key=lambda c: c.in_flight)
        return await self._on(connection, lambda sql: query(sql, *args, **kwargs))

    async def look_near(self, of: Corpus, query: Callable[[VectorIndex, Sql], T]) -> T:
        """Run one query of the vectors of these texts, on their thread."""
        return await self._on(self._connections[0], lambda sql: query(self._vectors[of], sql))

    async def look_up(self, of: Corpus, query: Callable[[WordIndex, Sql], T]) -> T:
        """Run one query of the words of these texts, on their thread."""
        return await self._on(self._connections[-1], lambda sql: query(self._words[of], sql))

    async def rest(self) -> None:
        """Let the connections empty their caches, and give the memory back to the system."""
        for connection in self._resting:
            await self._on(connection, rest)
        await trio.to_thread.run_sync(give_back)

    async def _on(self, connection: Connection, query: Callable[[Sql], T]) -> T:
        try:
            return await connection.run(query)
        except (apsw.IOError, apsw.CantOpenError, *DAMAGE) as error:
            raise Unreadable(self.soundness.judge(error)) from error

    @property
    def in_flight(self) -> int:
        """Queries under way."""
        return sum(connection.in_flight for connection in self._connections)

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

        def look(vectors: VectorIndex, sql: Sql) -> dict[int, Memory]:
            seen, opinions = strength.seen(sql, ids, scope)
            missing = [] if vector is None else sorted(seen.difference(known))
            cosines = vectors.cosines(sql, vector or b"", missing)
            chosen = choose(Weighed(seen, opinions, cosines))
            return memories_stored.memories(sql, sorted(chosen))

        return await self.look_near(MEMORIES, look)

    async def warm(self) -> None:
        """Take up all vectors and words, in turns: searches before are slower."""
        for of in CORPORA:
            while await self.look_near(of, VectorIndex.take_up):
                await trio.lowlevel.checkpoint()
        for of in CORPORA:
            began = trio.current_time()
            while await self.look_up(of, WordIndex.take_up):
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
                await self.warm()
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
        held: list[WordIndex | VectorIndex] = [*self._words.values(), *self._vectors.values()]
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

    async def in_memory(self) -> dict[str, int]:
        """Memories and passages with words in memory, and the bytes of words and sign bits.

        ``mapped``: bytes of the words in a file, and so in the page cache; ``vectors_mapped`` is
        the file of the vectors, which lies there too.
        """
        words, mapped = await self._on(self._connections[-1], lambda _: _sizes(self._words))
        bits, rows = await self._on(self._connections[0], lambda _: _sizes(self._vectors))
        return {
            "memories": len(self._words[MEMORIES]),
            "passages": len(self._words[PASSAGES]),
            "words": words,
            "mapped": mapped,
            "vectors": bits,
            "vectors_mapped": rows,
        }

    # ---- indexes in memory

    words = by_words(WordIndex.words)
    counted = by_words(WordIndex.counted)
    nearest = near(VectorIndex.nearest)
    cosines = near(VectorIndex.cosines)
    token_similarities = near(VectorIndex.token_similarities)
    passage_words = by_words(WordIndex.words, PASSAGES)
    passage_nearest = near(VectorIndex.nearest, PASSAGES)
    passage_cosines = near(VectorIndex.cosines, PASSAGES)

    # ---- the database alone, by subject: each is described where it stands

    left_alone = asks(lifecycle.left_alone)
    kept_by_hand = asks(lifecycle.kept_by_hand)
    ignored = asks(lifecycle.ignored)
    followed = asks(lifecycle.followed)
    outlived = asks(lifecycle.outlived)
    unneeded = asks(lifecycle.unneeded)
    archived_lately = asks(lifecycle.archived_lately)
    of_subject = asks(edit.of_subject)
    refuted_before = asks(edit.refuted_before)
    expired = asks(edit.expired)
    connections_of = asks(graph.connections_of)
    uncompared = asks(graph.uncompared)
    unlooked = asks(graph.unlooked)
    own_vectors = asks(graph.own_vectors)
    alike = asks(graph.like)
    associations = asks(graph.associations)
    dreamable = asks(dream_rows.dreamable)
    dreamt_memories = asks(dream_rows.dreamt_memories)
    first_vectors = asks(dream_rows.first_vectors)
    said = asks(dream_rows.archived_prompts)
    prompts = asks(dream_rows.prompts)
    unfinished_dream = asks(dream_rows.unfinished)
    dreams = asks(dream_rows.dreams)
    insights = asks(dream_rows.insights)
    saved_since = asks(dream_rows.saved_since)
    turn_tags = asks(episodes.turn_tags)
    moments = asks(episodes.moments)
    captured_without_vectors = asks(episodes.captured_without_vectors)
    keyed = asks(gate.keyed)
    under_key = asks(gate.under_key)
    same_content = asks(gate.same_content)
    unjudged = asks(gate.unjudged)
    decided = asks(gate.decided)
    model_in_use = asks(gate.model_in_use)
    sampled_vectors = asks(gate.sampled_vectors)
    edges_around = asks(graph.edges_around)
    links_of = asks(graph.links_of)
    edges_within = asks(graph.edges_within)
    intentions = asks(intentions_stored.intentions)
    ended_failure = asks(files.ended_failure)
    undone = asks(journal.undone)
    events_of = asks(journal.events_of)
    calls_in = asks(journal.calls_in)
    memories = asks(memories_stored.memories)
    living = asks(memories_stored.living)
    constitutional = asks(memories_stored.constitutional)
    standing = asks(memories_stored.standing_orders)
    of_sources = asks(memories_stored.of_sources)
    ended_since = asks(memories_stored.ended_since)
    stated_in = asks(memories_stored.stated_in)
    demands = asks(memories_stored.demands)
    about_files = asks(memories_stored.about_files)
    passages = asks(passages_stored.passages)
    handoff = asks(passages_stored.handoff)
    passages_without_vectors = asks(passages_stored.passages_without_vectors)
    passage_counts = asks(passages_stored.passage_counts)
    phrases_after = asks(recall.phrases_after)
    phrases_of = asks(recall.phrases_of)
    plans = asks(plan_rows.listed)
    plan = asks(plan_rows.plan)
    untold_plans = asks(plan_rows.untold)
    referring = asks(files.referring)
    references_of = asks(files.references_of)
    unread = asks(files.unread)
    given_by = asks(read_notes.given_by)
    unwanted = asks(homes.unwanted)
    prompts_elsewhere = asks(read_notes.prompts_elsewhere)
    marks = asks(read_notes.marks)
    cue_vectors = asks(read_notes.cue_vectors)
    cued_by_files = asks(read_notes.cued_by_files)
    cued_by = asks(read_notes.cued_by)
    cues_to_embed = asks(read_notes.cues_to_embed)
    stopped_at = asks(read_notes.stopped_at)
    unread_sessions = asks(readings.unread_sessions)
    events_of_session = asks(readings.events_of_session)
    captured_turns = asks(readings.captured_turns)
    readings_since = asks(readings.readings_since)
    much_noted = asks(readings.much_noted)
    last_readings = asks(readings.last_readings)
    reading_totals = asks(readings.reading_totals)
    consent_to = asks(readings.consent_to)
    literally = asks(recall.literally)
    around = asks(recall.around)
    delivered = asks(sessions.delivered)
    session = asks(sessions.session_row)
    session_before = asks(sessions.session_before)
    last_task = asks(sessions.last_task)
    is_scripted = asks(sessions.is_scripted)
    last_start = asks(sessions.last_start)
    answered_at = asks(sessions.answered_at)
    prompts_of = asks(sessions.prompts_of)
    saying = asks(sessions.saying)
    made_and_used_in = asks(sessions.made_and_used_in)
    counts = asks(stats.counts)
    due = asks(stats.due)
    shown_in = asks(strength.shown_in)
    credits_in = asks(strength.credits_in)
    opinions = asks(strength.opinions)
    listings = asks(why.listings)
    unvectored = asks(corpora.unvectored)
    cached_vectors = asks(corpora.cached_vectors)


def _sizes(held: Mapping[Corpus, WordIndex | VectorIndex]) -> tuple[int, int]:
    return sum(one.nbytes for one in held.values()), sum(one.mapped for one in held.values())
