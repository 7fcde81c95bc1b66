"""Recall's channels: asked all at once, each by itself; whoever is late is left out.

Words and vectors are read from the store, phrases and what a session attends to are asked of
their actors. What they find comes back as one value, with the time that each took.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Coroutine, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

import trio

from actors.mailbox import Crashed, Mailbox, SwitchedOff
from actors.messages import (
    Called,
    Embed,
    EmbedderMessage,
    TriggersMessage,
    WhatIsHeld,
    WhatMatches,
    WorkingMemoryMessage,
)
from actors.policy import fusion, ranking, suppression
from actors.policy.chunking import condensed
from actors.policy.concrete import concrete, expression
from actors.policy.words import informative, query_terms
from actors.ports import EmbeddingUnavailable, Memory, Opinion, Reader, Scope, Unreadable

A = TypeVar("A")

TRIGGERED = 20_000  # characters of a query that are matched against phrases
ASIDE = 0.020  # seconds for a question to a neighbour: it answers from memory, or is left out


@dataclass(slots=True)
class Looked:
    """What the channels brought for one query."""

    query: str
    wanted: int  # memories from each channel
    found: ranking.Findings
    memories: dict[int, Memory] = field(default_factory=dict[int, Memory])
    vector: bytes | None = None
    late: str | None = None
    opinions: dict[int, Opinion] = field(default_factory=dict[int, Opinion])
    unread: int = 0  # channels whose part of the store could not be read
    timings: dict[str, float] = field(default_factory=dict[str, float])

    @property
    def mode(self) -> str:
        """What was searched."""
        return "both" if self.found.with_vector else "words"


@dataclass(slots=True)
class Channels:
    """Where recall looks."""

    settings: ranking.Settings
    reader: Reader
    embedder: Mailbox[EmbedderMessage]
    triggers: Mailbox[TriggersMessage]
    working_memory: Mailbox[WorkingMemoryMessage]

    async def look(
        self, query: str, scope: Scope, embedding_wait: float, wanted: int, *, session: str = ""
    ) -> Looked:
        """Ask every channel at once, then fetch what they found."""
        looked = Looked(query, wanted, ranking.Findings(terms=informative(query)))
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._channel, looked, self._by_words(query, scope, looked))
            nursery.start_soon(
                self._channel, looked, self._by_vectors(query, scope, embedding_wait, looked)
            )
            nursery.start_soon(self._by_triggers, query, scope, looked)
            nursery.start_soon(self._channel, looked, self._literally(query, scope, looked))
            nursery.start_soon(self._held, session, looked)
        if looked.unread and not (looked.found.words or looked.found.cosines):
            raise Unreadable(looked.late)  # nothing known is not the same as nothing read
        await self._complete(scope, looked)
        return looked

    async def _channel(self, looked: Looked, search: Coroutine[Any, Any, None]) -> None:
        """One channel; a store that cannot be read costs that channel and is said."""
        try:
            await search
        except (Unreadable, trio.TooSlowError) as error:
            looked.late = str(error) or "the store did not answer in time"
            looked.unread += 1

    async def _by_words(self, query: str, scope: Scope, looked: Looked) -> None:
        with timed(looked, "words"):
            hits = await self.reader.words(query_terms(query), scope, looked.wanted)
            looked.found.words = {hit.memory_id: hit.score for hit in hits}
        with timed(looked, "frequencies"):
            (
                looked.found.memories,
                looked.found.frequencies,
            ) = await self.reader.document_frequencies(looked.found.terms)

    async def _literally(self, query: str, scope: Scope, looked: Looked) -> None:
        """What a concrete query names, as it is written or by its parts (K34)."""
        named = concrete(query)
        if named is None:
            return
        with timed(looked, "literal"):
            wanted = expression((named,))
            looked.found.literal = set(await self.reader.literally(wanted, scope, looked.wanted))

    async def _by_vectors(self, query: str, scope: Scope, wait: float, looked: Looked) -> None:
        if not query.strip():
            looked.late = "an empty query has no vector"
            return
        with timed(looked, "embedding"):
            try:
                vectors: list[bytes] = await self.embedder.ask(
                    lambda reply: Embed((condensed(query),), "query", True, reply), within=wait
                )
            except EmbeddingUnavailable as error:
                looked.late = str(error)
                return
            except (trio.TooSlowError, Crashed, SwitchedOff):
                looked.late = "the query's vector was not ready in time"
                return
        looked.vector, looked.found.with_vector = vectors[0], True
        with timed(looked, "vectors"):
            hits = await self.reader.nearest(vectors[0], scope, looked.wanted)
            looked.found.cosines = {hit.memory_id: hit.cosine for hit in hits}

    async def _by_triggers(self, query: str, scope: Scope, looked: Looked) -> None:
        with timed(looked, "triggers"):
            called: Awaitable[list[Called]] = self.triggers.ask(
                lambda reply: WhatMatches(query[:TRIGGERED], scope, looked.wanted, reply),
                within=ASIDE,
            )
            phrases = {
                (one.match.owner, one.match.phrase, one.given) for one in await aside(called) or ()
            }
            looked.found.phrases = dict(Counter(owner for owner, _, _ in phrases))
            looked.found.given = {owner for owner, _, given in phrases if given}

    async def _held(self, session: str, looked: Looked) -> None:
        if not session:
            return
        held: Awaitable[dict[int, float]] = self.working_memory.ask(
            lambda reply: WhatIsHeld(session, reply), within=ASIDE
        )
        looked.found.held = await aside(held) or {}

    async def _complete(self, scope: Scope, looked: Looked) -> None:
        """Fetch the memories, and the cosines of those that only words or triggers found."""
        with timed(looked, "memories"):
            by = looked.found
            ids = {*by.words, *by.cosines, *by.phrases, *by.literal}
            found = await self.reader.memories(sorted(ids))
            looked.memories = {
                memory.id: memory for memory in found.values() if is_in(scope, memory)
            }
            looked.found.keep(looked.memories)
            await self._take_opinions(looked, list(looked.memories))
            if looked.vector is not None:
                missing = [i for i in looked.memories if i not in looked.found.cosines]
                looked.found.cosines.update(await self.reader.cosines(looked.vector, missing))

    async def _take_opinions(self, looked: Looked, ids: list[int]) -> None:
        """Who wants one of them less (Q12)."""
        found = await self.reader.opinions(ids)
        looked.opinions.update(found)
        looked.found.remaining.update(
            {i: suppression.remaining(one.suppressions, one.edges) for i, one in found.items()}
        )

    async def neighbours(self, looked: Looked, scope: Scope, read: int) -> dict[int, fusion.Place]:
        """What was kept just before and after the best: it lends and gets some of their score."""
        with timed(looked, "neighbours"):
            first = ranking.first_order(looked.found, self.settings)[:read]
            reach = self.settings.fusing.reach
            runs = await self.reader.around([one.identity for one in first], reach)
            new = {i for run in runs for i in run if i not in looked.memories}
            found = await self.reader.memories(sorted(new))
            looked.memories.update(found)
            await self._take_opinions(looked, list(found))
            if looked.vector is not None:
                looked.found.cosines.update(await self.reader.cosines(looked.vector, sorted(new)))
            return fusion.placed(
                [i for i in run if is_in(scope, looked.memories.get(i))] for run in runs
            )


async def aside(question: Awaitable[A]) -> A | None:
    """The answer of a neighbour, or nothing when it has failed: recall goes on."""
    try:
        return await question
    except (trio.TooSlowError, Crashed, SwitchedOff):
        return None


def is_in(scope: Scope, memory: Memory | None) -> bool:
    """Whether the memory lives and may be seen from there."""
    return (
        memory is not None
        and memory.ended is None
        and (scope.everywhere or memory.project in (None, scope.project))
    )


@contextmanager
def timed(looked: Looked, stage: str) -> Generator[None]:
    began = trio.current_time()
    try:
        yield
    finally:
        looked.timings[stage] = 1000 * (trio.current_time() - began)
