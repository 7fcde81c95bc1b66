"""Recall's channels: asked all at once, each by itself; whoever is late is left out.

Words and vectors are read from the store, phrases are in memory, and the attention of a session is
asked of its actor. All findings come back as one value.
"""

from collections import Counter
from collections.abc import Collection, Coroutine, Sequence
from typing import Any

import numpy as np
import trio
from msgspec import Struct

from actors.core.failures import Unreadable
from actors.memory.use import Opinion
from actors.policy.decay import reinforcement
from actors.policy.index.sign_bits import Asked
from actors.policy.recall import candidates, evidence, ranking
from actors.policy.recall.candidates import rarity
from actors.policy.text.chunking import SEARCH, condensed
from actors.policy.text.concrete import Literal, concrete, expression, is_command
from actors.policy.text.words import informative, query_terms
from actors.recall.inquiry import AWAY, READING, Inquiry, VectorLate
from actors.recall.session_questions import Pacing
from actors.recall.shapes import Weighed
from actors.recall.triggers import Triggers
from daemon.storage.reader import ReadingSide

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
            raise Unreadable(inquiry.degraded.line if inquiry.degraded else "")
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
        bound: float | None = None,
    ) -> None:
        """Collect from one channel by itself; its findings, or its failure, stand in the inquiry.

        ``bound``: a bound of its own in place of the common one.
        """
        try:
            with trio.fail_after(inquiry.bound if bound is None else bound):
                await search
        except AWAY as error:
            inquiry.failed(name, error)
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
            {i: reinforcement.remaining(o.suppressions, o.confidence) for i, o in opinions.items()}
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
