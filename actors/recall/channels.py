"""An inquiry, and recall's channels: asked all at once, each by itself; whoever is late is left out.

Words and vectors are read from the store, phrases are in memory. All findings come back as one value.
"""

import math
from collections import Counter
from collections.abc import Collection, Coroutine, Sequence
from typing import Any

import numpy as np
import trio
from msgspec import Struct, field

from actors.core.equipment import Latest, Posted, posted
from actors.core.failures import Unreadable
from actors.core.mailbox import Crashed, Mailbox, MailboxClosed, SwitchedOff
from actors.memory.rows import (
    Embed,
    Embedded,
    EmbedderMessage,
    EmbeddingOff,
    EmbeddingUnavailable,
    Memory,
    Scope,
)
from actors.memory.use import Opinion
from actors.passages.shapes import RankedPassage
from actors.policy.decay import curve
from actors.policy.index.sign_bits import Asked
from actors.policy.recall import candidates, evidence, ranking
from actors.policy.recall.answers import FRESH, Failure, FailureMode, Pace, line_of, paced, patience
from actors.policy.recall.candidates import Candidate, QueryFacts, rarity
from actors.policy.text.chunking import QUERY, SEARCH, condensed
from actors.policy.text.concrete import Literal, concrete, expression, is_command
from actors.policy.text.words import informative, query_terms
from actors.recall.shapes import Weighed
from actors.recall.triggers import Triggers
from daemon.storage.reader import ReadingSide

# ---- an inquiry: a question under way, how it is looked for, and what came of it


READING = frozenset({"words", "vectors", "literal"})  # channels that read the store


class Inquiry(QueryFacts):
    """A question, how it is looked for, the memories themselves and which channels failed."""

    scope: Scope = field(default_factory=Scope)
    settings: ranking.Settings = field(default_factory=ranking.Settings)  # of this question
    wanted: int = 0  # memories from each channel
    read: int = 0  # the best of them, which are read for their words
    whole: bool = True  # all are fetched, and not only those that are read
    tokens: int = QUERY  # of the condensed query for its vector
    by_likeness: bool = True  # the indexes are asked too, and not only phrases
    folders: tuple[str, ...] | None = None  # where paths of the query begin, for names in it
    embedding_wait: float = math.inf  # seconds for the query's vector
    bound: float = math.inf  # seconds that any one channel may take, the vector excused
    # seconds for who answers from memory, and for what comes after
    neighbour_wait: float = math.inf
    # ---- what came of it
    memories: dict[int, Memory] = field(default_factory=dict[int, Memory])
    embedded: Embedded | None = None  # the query's vector, with its tokens
    # the order by the channels alone
    first: list[Candidate[int]] = field(default_factory=list[Candidate[int]])
    failures: dict[str, Failure] = field(default_factory=dict[str, Failure])  # by channel
    lost: tuple[Failure, ...] = ()  # why nothing was found: the store or the time failed all
    opinions: dict[int, Opinion] = field(default_factory=dict[int, Opinion])
    unread: int = 0  # channels whose part of the store could not be read
    said: list[str] = field(default_factory=list[str])  # how the query was understood
    passages: tuple[RankedPassage, ...] = ()  # best first

    def does(self, way: str) -> bool:
        """Return whether a way is on for this question."""
        return way in self.settings.on

    def sees(self, memory: Memory | None) -> bool:
        """Return whether the memory lives and may be seen from there."""
        if memory is None or memory.ended is not None:
            return False
        return self.scope.everywhere or memory.project in (None, self.scope.project)

    def best(self) -> list[int]:
        """The first by the channels alone, as many as are read for their words."""
        return [one.memory for one in self.first[: self.read]]

    @property
    def vector(self) -> bytes | None:
        """The query's."""
        return self.embedded.vector if self.embedded is not None else None

    @property
    def mode(self) -> str:
        """Mode of the search."""
        if not self.by_likeness:
            return "phrases"
        return "both" if self.with_vector else "words"

    @property
    def missing(self) -> tuple[Failure, ...]:
        """Channels that failed."""
        return tuple(self.failures.values())


class VectorLate(Exception):
    """The query's vector was not ready in time."""


# What costs one channel and leaves the answer to the others.
AWAY = (
    Unreadable, trio.TooSlowError, EmbeddingUnavailable, VectorLate, Crashed, SwitchedOff,
    MailboxClosed,
)  # fmt: skip


def failure_of(channel: str, error: Exception) -> Failure:
    """Mode of a channel's failure, by its last error."""
    match error:
        case VectorLate():
            return Failure(channel, FailureMode.LATE, "the query's vector was not ready in time")
        case trio.TooSlowError():
            return Failure(channel, FailureMode.LATE, "there was no answer in time")
        case EmbeddingUnavailable():
            lasting = isinstance(error, EmbeddingOff)
            return Failure(channel, FailureMode.UNAVAILABLE, str(error), lasting)
        case Unreadable():
            return Failure(channel, FailureMode.UNREADABLE, str(error))
        case _:
            crashed = isinstance(error, Crashed)
            mode = FailureMode.CRASHED if crashed else FailureMode.OFF
            return Failure(channel, mode, lasting=not crashed)


def unsearched(error: Exception) -> tuple[Failure, ...]:
    """Failures of words and vectors when neither could be searched."""
    return tuple(failure_of(name, error) for name in ("words", "vectors"))


# ---- pacing: the vectors of queries, and the wait for the next by the time of the last ones
#
# The rule is in ``actors.policy.recall.answers``; its facts are kept here: the pace of vectors
# received, late ones too, and the questions still without an answer.


MOST = 64  # questions without an answer that are remembered
KEPT = 64  # vectors, of which a long question's with its tokens has some 100 KB
KEEPS = 120.0  # seconds for which one is kept: a prompt that missed it is asked again until then


class Pacing(Struct):
    """Present time for the vector of a query."""

    embedder: Mailbox[EmbedderMessage]
    pace: Pace = field(default_factory=Pace)
    _out: list[Posted[list[Embedded]]] = []
    _known: Latest[str, tuple[float, Embedded]] = field(default_factory=lambda: Latest(KEPT))
    _erasures: int = 0  # a vector that was asked for before the last one is not kept

    def wait(self, most: float, room: float) -> float:
        """Seconds of a prompt's wait for its vector; ``room``: seconds left by the rest of its work."""
        now = trio.current_time()
        # What waits longer will never be answered: the worker is given up after as long.
        self._out = [one for one in self._out if one.is_out and now - one.began < FRESH]
        oldest = now - self._out[0].began if self._out else 0.0
        return patience(self.pace, oldest, now, most, room)

    async def embedded(self, text: str, within: float) -> Embedded:
        """The vector of a query and its tokens; raises the errors of ``Mailbox.ask``.

        A late one is kept for the next time that the query is asked.
        """
        began, erasures = trio.current_time(), self._erasures
        made_at, known = self._known.get(text, (0.0, None))
        if known is not None and began - made_at < KEEPS:
            return known

        def heard(made: list[Embedded]) -> None:
            now = trio.current_time()
            self.pace = paced(self.pace, now - began, now)
            if erasures == self._erasures:
                self._known[text] = now, made[0]

        asked = Embed((text,), "query", True, tokens=True)
        question: Posted[list[Embedded]] = posted(self.embedder, asked, within=within, heard=heard)
        if len(self._out) < MOST:
            self._out.append(question)
        return (await question.answer())[0]

    def forget(self) -> None:
        """Let go of the questions kept, and of those under way: one may quote an erased text."""
        self._erasures += 1
        self._known.clear()


# ---- the channels


TRIGGERED = 20_000  # characters of a query that are matched against phrases


class Channels(Struct):
    """Channels in which recall looks."""

    reader: ReadingSide
    pacing: Pacing
    triggers: Triggers

    async def look(self, inquiry: Inquiry) -> None:
        """Ask every channel at once, then fetch the memories found."""
        inquiry.terms = informative(inquiry.query)
        within = min(inquiry.neighbour_wait, inquiry.bound)
        async with trio.open_nursery() as nursery:
            if inquiry.does("phrases"):
                calling = self._by_phrases(inquiry)
                nursery.start_soon(self.collect, inquiry, "triggers", calling, within)
            if inquiry.by_likeness:
                await self._by_likeness(inquiry)
        if inquiry.unread and not (inquiry.words or inquiry.cosines):
            # Nothing known is not the same as nothing read.
            raise Unreadable(line_of(inquiry.missing))
        await self._complete(inquiry)

    async def _by_likeness(self, inquiry: Inquiry) -> None:
        """Ask the indexes, side by side; the vector has its time, and then as long as a neighbour."""
        named = concrete(inquiry.query)
        if inquiry.by_cues and is_command(inquiry.query):
            named = None
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self.collect, inquiry, "words", self._by_words(inquiry))
            if named is not None:
                literal = self._literally(named, inquiry)
                nursery.start_soon(self.collect, inquiry, "literal", literal)
            bound = max(inquiry.bound, inquiry.embedding_wait + inquiry.neighbour_wait)
            await self.collect(inquiry, "vectors", self._by_vectors(inquiry), bound)

    async def collect(
        self,
        inquiry: Inquiry,
        name: str,
        search: Coroutine[Any, Any, None],
        bound: float | None = None,  # in place of the common one
    ) -> None:
        """Collect from one channel by itself; its findings, or its failure, stand in the inquiry."""
        try:
            with trio.fail_after(inquiry.bound if bound is None else bound):
                await search
        except AWAY as error:
            inquiry.failures[name] = failure_of(name, error)
            inquiry.unread += isinstance(error, Unreadable) and name in READING

    async def _by_phrases(self, inquiry: Inquiry) -> None:
        text = inquiry.query[:TRIGGERED]
        called = await self.triggers.called(
            text, inquiry.scope, inquiry.wanted, folders=inquiry.folders
        )
        phrases = {(one.match.owner, one.match.phrase, one.given) for one in called}
        inquiry.phrases = dict(Counter(owner for owner, _, _ in phrases))
        inquiry.named = {one.match.owner for one in called if one.named}
        inquiry.given = {owner for owner, _, given in phrases if given} | inquiry.named

    async def _by_words(self, inquiry: Inquiry) -> None:
        terms = query_terms(inquiry.query)
        inquiry.total, inquiry.frequencies, hits = await self.reader.counted(
            inquiry.terms, terms, inquiry.scope, inquiry.wanted
        )
        if inquiry.does("words"):
            inquiry.words = hits

    async def _literally(self, named: Literal, inquiry: Inquiry) -> None:
        """Memories with the names in a concrete query, as written or by their parts."""
        wanted = expression((named,))
        inquiry.literal = set(await self.reader.literally(wanted, inquiry.scope, inquiry.wanted))

    async def _by_vectors(self, inquiry: Inquiry) -> None:
        if not (inquiry.does("vectors") and inquiry.query.strip()):
            return
        cued = list[tuple[int, bytes | None]]()
        if inquiry.by_cues:
            cued = await self.reader.cue_vectors(inquiry.scope.project, candidates.CUES)
        # A cue is a sentence, and is compared with sentences rather than with their telling words.
        text = condensed(inquiry.query, limit=SEARCH if cued else inquiry.tokens)
        try:
            embedded = await self.pacing.embedded(text, inquiry.embedding_wait)
        except trio.TooSlowError as error:
            raise VectorLate from error
        inquiry.embedded, inquiry.with_vector = embedded, True
        inquiry.cosines = await self.reader.nearest(embedded.vector, inquiry.scope, inquiry.wanted)
        inquiry.cues = _nearest(embedded.vector, cued)

    async def _complete(self, inquiry: Inquiry) -> None:
        """Fetch the memories, and the cosines of memories from words or triggers alone."""
        cued = (i for i, cosine in inquiry.cues.items() if cosine >= candidates.CUED)
        ids = sorted({*inquiry.words, *inquiry.cosines, *cued, *inquiry.phrases, *inquiry.literal})

        def choose(told: Weighed) -> Collection[int]:
            inquiry.keep(told.seen)
            inquiry.cosines.update(told.cosines)
            self._heed(inquiry, told.opinions)
            if inquiry.whole:
                return told.seen
            inquiry.first = ranking.first_order(inquiry, inquiry.settings)[: inquiry.read]
            return [one.memory for one in inquiry.first]

        known = frozenset(inquiry.cosines)
        found = await self.reader.chosen(ids, inquiry.scope, inquiry.vector, known, choose)
        # One may have ended since.
        inquiry.memories = {i: one for i, one in found.items() if inquiry.sees(one)}
        if inquiry.whole:
            inquiry.keep(inquiry.memories)
        else:
            inquiry.first = [one for one in inquiry.first if one.memory in inquiry.memories]

    def _heed(self, inquiry: Inquiry, opinions: dict[int, Opinion]) -> None:
        """Note who wants one of them less, and how it fared in prompts."""
        inquiry.opinions.update(opinions)
        inquiry.experience.update(
            {
                i: evidence.experience_shift(o.useful, o.useless, o.unused)
                for i, o in opinions.items()
            }
        )
        inquiry.remaining.update(
            {i: curve.remaining(o.suppressions, o.confidence) for i, o in opinions.items()}
        )

    async def add(self, inquiry: Inquiry, ids: Collection[int]) -> None:
        """Fetch memories found in another way, as if a channel had found them."""
        found = await self.reader.memories([i for i in sorted(ids) if i not in inquiry.memories])
        seen = {i: one for i, one in found.items() if inquiry.sees(one)}
        inquiry.memories.update(seen)
        self._heed(inquiry, await self.reader.opinions([*seen], inquiry.scope.project))
        if inquiry.vector is not None and seen:
            inquiry.cosines.update(await self.reader.cosines(inquiry.vector, sorted(seen)))

    async def meet(self, inquiry: Inquiry) -> None:
        """MaxSim of the best memories found with the query, token by token.

        A memory without tokens neither gains nor loses by it; none does after a failure.
        """
        if inquiry.whole:
            inquiry.first = ranking.first_order(inquiry, inquiry.settings)
        if inquiry.does("tokens"):
            met = self._met(inquiry)
            await self.collect(inquiry, "late_interaction", met, inquiry.neighbour_wait)

    async def _met(self, inquiry: Inquiry) -> None:
        query, ids = inquiry.embedded, inquiry.best()
        if query is None or not query.words or len(ids) < 2:
            return
        asked = Asked(query.tokens, query.words)
        inquiry.met = await self.reader.token_similarities(
            asked, rarity(inquiry), query.vector, ids
        )


def _nearest(vector: bytes, cued: Sequence[tuple[int, bytes | None]]) -> dict[int, float]:
    """Cosine of the nearest cue of each note; of one without cues 0."""
    best = {note: 0.0 for note, _ in cued}
    # While the model changes there are vectors of both lengths.
    there = [(note, one) for note, one in cued if one is not None and len(one) == len(vector)]
    if there:
        rows = np.frombuffer(b"".join(one for _, one in there), np.float32)
        matrix = rows.reshape(len(there), -1)
        cosines = (matrix @ np.frombuffer(vector, np.float32)).tolist()  # all are of length 1
        for (note, _), cosine in zip(there, cosines, strict=True):
            best[note] = max(cosine, best[note])
    return best
