"""Recall's channels: asked all at once, each by itself; whoever is late is left out.

Words and vectors are read from the store, phrases are in memory, and what a session attends to is
asked of its actor. What they find comes back as one value, with the time that each took.
"""

import math
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Coroutine, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

import trio

from actors.core.mailbox import Crashed, Mailbox, MailboxClosed, SwitchedOff
from actors.core.posted import Posted, posted
from actors.embedding.messages import Embed, EmbedderMessage
from actors.embedding.rows import Embedded, EmbeddingOff, EmbeddingUnavailable, Role, TokenReader
from actors.memory.ports import Reader, Unreadable
from actors.memory.rows import Memory, Scope
from actors.passages.rows import RankedPassage
from actors.policy.decay import suppression
from actors.policy.index.late_interaction import Asked
from actors.policy.recall import experience, fusion, ranking
from actors.policy.recall.degradation import (
    ANSWERING,
    Degradation,
    Failure,
    FailureMode,
    Report,
    degradation,
)
from actors.policy.recall.known import Known, copied, rarity, taken_over
from actors.policy.session.attention import Attended
from actors.policy.text.chunking import QUERY, condensed
from actors.policy.text.concrete import Literal, concrete, expression
from actors.policy.text.words import informative, query_terms
from actors.policy.times.time_phrases import Interval
from actors.recall.last_answers import Answer, Key, LastAnswers
from actors.recall.pacing import Pacing
from actors.recall.rows import Called, Weighed
from actors.recall.triggers import Triggers
from actors.session.messages import WhatIsHeld, WorkingMemoryMessage
from actors.strength.rows import Opinion

A = TypeVar("A")

TRIGGERED = 20_000  # characters of a query that are matched against phrases
READ = frozenset({"words", "vectors", "literal"})  # channels that read the store


@dataclass(slots=True)
class Looked(Known):
    """All that is known for one query, with the memories themselves and how each channel did."""

    by_likeness: bool = True  # the store is searched too, and not only phrases
    wanted: int = 0  # memories from each channel
    tokens: int = QUERY  # that the query is condensed to before it is embedded
    settings: ranking.Settings = field(default_factory=ranking.Settings)  # of this question
    memories: dict[int, Memory] = field(default_factory=dict[int, Memory])
    embedded: Embedded | None = None  # the query's vector, with its tokens
    first: list[fusion.Ranked] | None = None  # the order by the channels alone, once it is known
    reports: dict[str, Report] = field(default_factory=dict[str, Report])
    opinions: dict[int, Opinion] = field(default_factory=dict[int, Opinion])
    bound: float = math.inf  # seconds that any one channel may take
    connected: int | None = None  # memories linked with what the query matches
    unread: int = 0  # channels whose part of the store could not be read
    timings: dict[str, float] = field(default_factory=dict[str, float])
    said: list[str] = field(default_factory=list[str])  # how the query was understood
    when: Interval | None = None  # around an event that the query names
    passages: tuple[RankedPassage, ...] = ()  # best first

    def does(self, way: str) -> bool:
        """Return whether a way is on for this question."""
        return way in self.settings.on

    @property
    def vector(self) -> bytes | None:
        """The query's vector."""
        return self.embedded.vector if self.embedded is not None else None

    @property
    def mode(self) -> str:
        """Mode of the search."""
        if not self.by_likeness:
            return "phrases"
        return "both" if self.with_vector else "words"

    @property
    def degraded(self) -> Degradation | None:
        """Account of what is missing."""
        failures = [one.failure for one in self.reports.values() if one.failure is not None]
        if not failures:
            return None
        answered = [name for name in ANSWERING if name in self.reports]
        return degradation(failures, answered)

    def failed(self, channel: str, error: Exception, began: float) -> None:
        """Note that a channel has no answer, and why."""
        spent = 1000 * (trio.current_time() - began)
        self.reports[channel] = Report(channel, spent, 0, failure_of(channel, error))


class VectorLate(Exception):
    """The query's vector was not ready in time."""


# What costs one channel and leaves the answer to the others.
AWAY = (
    Unreadable, trio.TooSlowError, EmbeddingUnavailable, VectorLate, Crashed, SwitchedOff,
    MailboxClosed,
)  # fmt: skip


def failure_of(channel: str, error: Exception) -> Failure:
    """Mode of a channel's failure, by the error that it ended with."""
    match error:
        case VectorLate():
            detail = "the query's vector was not ready in time"
            return Failure(channel, FailureMode.LATE, detail)
        case trio.TooSlowError():
            return Failure(channel, FailureMode.LATE, "there was no answer in time")
        case EmbeddingUnavailable():
            lasting = isinstance(error, EmbeddingOff)
            return Failure(channel, FailureMode.UNAVAILABLE, str(error), lasting)
        case Unreadable():
            return Failure(channel, FailureMode.UNREADABLE, str(error))
        case Crashed():
            return Failure(channel, FailureMode.CRASHED)
        case _:
            return Failure(channel, FailureMode.OFF)


@dataclass(slots=True)
class Channels:
    """Channels in which recall looks."""

    settings: ranking.Settings
    reader: Reader
    embedder: Mailbox[EmbedderMessage]
    triggers: Triggers
    working_memory: Mailbox[WorkingMemoryMessage]
    last: LastAnswers
    off: frozenset[str] = frozenset()  # channels that a person switched off: no failure
    tokens: TokenReader | None = None  # None: no late interaction
    pacing: Pacing = field(default_factory=Pacing)

    async def look(
        self,
        query: str,
        scope: Scope,
        embedding_wait: float,
        wanted: int,
        *,
        session: str = "",
        settings: ranking.Settings | None = None,
        bound: float = math.inf,
        neighbour_wait: float = math.inf,
        read: int | None = None,
        tokens: int = QUERY,
        by_likeness: bool = True,
        folders: tuple[str, ...] | None = None,
    ) -> Looked:
        """Ask every channel at once, then fetch what they found.

        ``by_likeness``: the indexes are asked as well, else what is called by a phrase is all;
        ``folders``: where paths of the query begin, for what a person kept and it names;
        ``settings``: others than set; ``bound``: seconds that any one channel may take, of which
        the wait for the vector is excused; ``neighbour_wait``: those that a neighbour may, who
        answers from memory or is left out;
        ``read``: only so many of the best are fetched, by the order that the channels give;
        ``tokens`` are those that the query is condensed to before it is embedded.
        """
        looked = Looked(
            query, informative(query), by_likeness=by_likeness, wanted=wanted, tokens=tokens,
            bound=bound, settings=settings or self.settings,
        )  # fmt: skip
        within = min(neighbour_wait, bound)
        held: Posted[dict[int, Attended]] | None = None
        if session and looked.does("boosts"):
            held = posted(
                self.working_memory, lambda reply: WhatIsHeld(session, reply), within=within
            )
        called: list[Called] = []
        async with trio.open_nursery() as nursery:
            if looked.does("phrases"):
                calling = self._by_phrases(scope, looked, folders, called)
                nursery.start_soon(self._channel, looked, "triggers", calling, within)
            if by_likeness:
                await self._by_likeness(scope, embedding_wait, looked, neighbour_wait)
        _take_called(looked, called)
        if held is not None:
            await self._neighbour(looked, "working_memory", held, _attended)
        if looked.unread and not (looked.words or looked.cosines):
            # Nothing known is not the same as nothing read.
            raise Unreadable(looked.degraded.line if looked.degraded else "")
        await self._complete(scope, looked, read)
        return looked

    async def _by_likeness(self, scope: Scope, wait: float, looked: Looked, after: float) -> None:
        """Ask the indexes on disk, unless they answered this before and nothing has changed."""
        key = Key(looked.query, scope, looked.wanted, looked.tokens, looked.settings.on)
        last = self.last.answer(key)
        if last is not None:
            with timed(looked, "last_answer"):
                taken_over(looked, last.known)
                looked.said = [*last.said]
                looked.reports |= {name: Report(name, 0.0, n) for name, n in last.counts.items()}
                looked.embedded = last.embedded
            return
        began = self.last.current()
        await self._search(scope, wait, looked, after)
        # A word that stands in no memory is spelt right once the table of words is read.
        spelt = not looked.respelled and all(map(looked.frequencies.get, looked.terms))
        if looked.degraded is None and spelt:
            kept = (one for one in looked.reports.values() if one.channel != "triggers")
            counts = {report.channel: report.found for report in kept}
            answer = Answer(copied(looked), looked.embedded, counts, tuple(looked.said))
            self.last.keep(key, answer, began)

    async def _search(self, scope: Scope, wait: float, looked: Looked, after: float) -> None:
        """Ask the indexes, side by side.

        ``after`` is what the search by the vector may take once it is there.
        """
        query = looked.query
        named = concrete(query)
        async with trio.open_nursery() as nursery:
            words = self._by_words(query, scope, looked)
            nursery.start_soon(self._channel, looked, "words", words)
            if named is not None:
                literal = self._literally(named, scope, looked)
                nursery.start_soon(self._channel, looked, "literal", literal)
            vectors = self._by_vectors(query, scope, wait, looked)
            bound = max(looked.bound, wait + after)
            await self._channel(looked, "vectors", vectors, bound)

    async def _neighbour(
        self, looked: Looked, name: str, reply: Posted[A], take: Callable[[Looked, A], int]
    ) -> None:
        """The answer of a neighbour that was asked before; the same report as of a channel."""
        try:
            found = take(looked, await reply.answer())
        except AWAY as error:
            looked.reports[name] = Report(name, reply.spent, 0, failure_of(name, error))
        else:
            looked.reports[name] = Report(name, reply.spent, found)
        looked.timings[name] = reply.spent

    async def beside(
        self, looked: Looked, name: str, search: Coroutine[Any, Any, int | None], within: float
    ) -> None:
        """One more channel, after the others: its time, what it found or how it failed."""

        async def timely() -> int | None:
            with timed(looked, name), trio.fail_after(within):
                return await search

        await self._channel(looked, name, timely())

    async def _channel(
        self,
        looked: Looked,
        name: str,
        search: Coroutine[Any, Any, int | None],
        bound: float | None = None,
    ) -> None:
        """One channel by itself; it reports its time, what it found or how it failed.

        ``None``: there was nothing to ask it. ``bound``: another one than all have.
        """
        began = trio.current_time()
        try:
            with trio.fail_after(looked.bound if bound is None else bound):
                found = await search
        except AWAY as error:
            looked.failed(name, error, began)
            looked.unread += isinstance(error, Unreadable) and name in READ
            return
        if found is not None:
            looked.reports[name] = Report(name, 1000 * (trio.current_time() - began), found)

    async def _by_phrases(
        self, scope: Scope, looked: Looked, folders: tuple[str, ...] | None, called: list[Called]
    ) -> int:
        """Into ``called``: what is kept of an answer by likeness has nothing of it."""
        text = looked.query[:TRIGGERED]
        with timed(looked, "triggers"):
            called += await self.triggers.called(text, scope, looked.wanted, folders=folders)
        return len({one.match.owner for one in called})

    async def _by_words(self, query: str, scope: Scope, looked: Looked) -> int:
        terms = query_terms(query)
        with timed(looked, "words"):
            counted = await self.reader.counted(looked.terms, terms, scope, looked.wanted)
            looked.total, looked.frequencies, hits = counted
        if looked.does("spelling"):
            await self._respell(looked)
        if looked.respelled:
            with timed(looked, "respelled"):
                meant = [*terms, *looked.respelled.values()]
                hits = await self.reader.words(meant, scope, looked.wanted)
        if not looked.does("words"):
            return 0
        looked.words = hits
        return len(hits)

    async def _respell(self, looked: Looked) -> None:
        """Words that stand in no memory are looked for as the known ones they resemble."""
        unknown = [term for term in looked.terms if not looked.frequencies.get(term)]
        if not unknown:
            return
        with timed(looked, "spelling"):
            meant = await self.reader.respelled(unknown)
            if not meant:
                return
            # The table of words may know one whose memory is gone.
            _, frequencies = await self.reader.document_frequencies(list(meant.values()))
            meant = {word: other for word, other in meant.items() if frequencies.get(other)}
            looked.respelled = meant
            looked.frequencies.update(frequencies)
            looked.terms = list(dict.fromkeys(meant.get(term, term) for term in looked.terms))
            looked.said += [
                f"searched also for {other} (for {word})" for word, other in meant.items()
            ]

    async def _literally(self, named: Literal, scope: Scope, looked: Looked) -> int:
        """What a concrete query names, as it is written or by its parts."""
        with timed(looked, "literal"):
            wanted = expression((named,))
            looked.literal = set(await self.reader.literally(wanted, scope, looked.wanted))
        return len(looked.literal)

    async def _by_vectors(
        self, query: str, scope: Scope, wait: float, looked: Looked
    ) -> int | None:
        away = "vectors" in self.off or not looked.does("vectors")
        if away or not query.strip():
            return None
        with timed(looked, "embedding"):
            try:
                embedded = await self._embedded(condensed(query, limit=looked.tokens), wait)
            except trio.TooSlowError as error:
                raise VectorLate from error
        looked.embedded, looked.with_vector = embedded, True
        with timed(looked, "vectors"):
            looked.cosines = await self.reader.nearest(embedded.vector, scope, looked.wanted)
        return len(looked.cosines)

    async def _embedded(self, text: str, wait: float) -> Embedded:
        """The vector of a query; one that comes too late is there when it is asked again."""
        known = self.last.vector(text)
        if known is not None:
            return known
        keep = partial(self.last.keep_vector, text, began=self.last.current())
        return await self.pacing.embedded(self.embedder, text, wait, keep)

    async def vectors_of(self, texts: tuple[str, ...], role: Role, within: float) -> list[bytes]:
        """Vectors of what the query is put into other words by; a person waits for them."""
        made: list[Embedded] = await self.embedder.ask(
            lambda reply: Embed(texts, role, True, reply), within=within
        )
        return [one.vector for one in made]

    async def _complete(self, scope: Scope, looked: Looked, read: int | None = None) -> None:
        """Fetch the memories, and the cosines of those that only words or triggers found.

        ``read``: only so many of the best, in their order by the channels; ``None``: all.
        """
        with timed(looked, "memories"):
            by = looked
            ids = sorted({*by.words, *by.cosines, *by.phrases, *by.literal})

            def choose(told: Weighed) -> Collection[int]:
                by.keep(told.seen)
                by.cosines.update(told.cosines)
                self._heed(looked, told.opinions)
                if read is None:
                    return told.seen
                looked.first = ranking.first_order(by, looked.settings)[:read]
                return [one.identity for one in looked.first]

            known = frozenset(by.cosines)
            found = await self.reader.chosen(ids, scope, looked.vector, known, choose)
            # One may have ended since.
            looked.memories = {
                memory.id: memory for memory in found.values() if is_in(scope, memory)
            }
            if looked.first is None:
                by.keep(looked.memories)
            else:
                looked.first = [one for one in looked.first if one.identity in looked.memories]

    def _heed(self, looked: Looked, opinions: dict[int, Opinion]) -> None:
        """Note who wants one of them less, and how it fared in prompts."""
        looked.opinions.update(opinions)
        looked.experience.update(
            {i: experience.shift(o.useful, o.useless, o.unused) for i, o in opinions.items()}
        )
        looked.remaining.update(
            {
                i: suppression.remaining(o.suppressions, o.edges, o.confidence)
                for i, o in opinions.items()
            }
        )

    async def add(self, looked: Looked, scope: Scope, ids: list[int]) -> None:
        """Fetch memories that were come upon in another way, as those that the channels found."""
        new = [i for i in ids if i not in looked.memories]
        found = await self.reader.memories(new)
        seen = {memory.id: memory for memory in found.values() if is_in(scope, memory)}
        looked.memories.update(seen)
        self._heed(looked, await self.reader.opinions([*seen], scope.project))
        if looked.vector is not None and seen:
            looked.cosines.update(await self.reader.cosines(looked.vector, sorted(seen)))

    async def meet(self, looked: Looked, read: int, within: float) -> None:
        """MaxSim of the best of what was found with the query, token by token.

        What has no tokens yet neither gains nor loses by it; nobody does when it fails.
        """
        if looked.first is None:
            looked.first = ranking.first_order(looked, looked.settings)
        asked = looked.embedded
        if self.tokens is None or not looked.does("tokens") or asked is None or not asked.words:
            return
        ids = [one.identity for one in looked.first[:read]]
        if len(ids) > 1:
            met = self._met(self.tokens, looked, asked, ids)
            await self.beside(looked, "late_interaction", met, within)

    async def _met(
        self, tokens: TokenReader, looked: Looked, query: Embedded, ids: list[int]
    ) -> int:
        asked = Asked(query.tokens, query.words)
        looked.met = await tokens.met(asked, rarity(looked), query.vector, ids)
        return len(looked.met)

    async def neighbours(self, looked: Looked, scope: Scope, read: int, within: float) -> None:
        """Memories kept just before and after the best: each lends and gets some of their score.

        Nothing when the store cannot tell, which costs as little as any channel.
        """
        if looked.does("neighbours"):
            await self.beside(looked, "neighbours", self._around(looked, scope, read), within)

    async def _around(self, looked: Looked, scope: Scope, read: int) -> int:
        first = ranking.first_order(looked, looked.settings)[:read]
        reach = looked.settings.fusing.reach
        runs = await self.reader.around([one.identity for one in first], reach)
        await self.add(looked, scope, sorted({i for run in runs for i in run}))
        looked.places = fusion.placed(
            [i for i in run if is_in(scope, looked.memories.get(i))] for run in runs
        )
        return len(looked.places)


def _take_called(looked: Looked, called: list[Called]) -> None:
    """Note what phrases call."""
    phrases = {(one.match.owner, one.match.phrase, one.given) for one in called}
    looked.phrases = dict(Counter(owner for owner, _, _ in phrases))
    looked.named = {one.match.owner for one in called if one.named}
    looked.given = {owner for owner, _, given in phrases if given} | looked.named


def _attended(looked: Looked, held: dict[int, Attended]) -> int:
    """Note what the session attends to."""
    looked.held = {memory_id: one.attention for memory_id, one in held.items()}
    return len(held)


async def aside(question: Awaitable[A]) -> A | None:
    """The answer of a neighbour, or nothing when it has failed: recall goes on."""
    try:
        return await question
    except AWAY:
        return None


def is_in(scope: Scope, memory: Memory | None) -> bool:
    """Return whether the memory lives and may be seen from there."""
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
