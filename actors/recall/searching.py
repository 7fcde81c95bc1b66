"""A person's search: the best memories with the reason, also memories true at another time.

Constitutional memories lead. Replaced memories have left the indexes, so a question about the past
looks at the newest of them directly.
"""

from collections.abc import Awaitable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import trio

from actors.core.equipment import Clock
from actors.memory.rows import Memory
from actors.memory.use import Exposed
from actors.policy.graph.activation import Breadth
from actors.policy.recall import ranking
from actors.policy.recall.candidate import Candidate, Term
from actors.policy.recall.ways import WIDTHS
from actors.policy.text.chunking import SEARCH
from actors.policy.text.words import coverage, stem
from actors.policy.times.stated_times import is_valid
from actors.recall.channels import Channels
from actors.recall.inquiry import AWAY, Inquiry
from actors.recall.messages import Search
from actors.recall.ordering import Ordering, Settings, answer_of, evidence_of, placed, true_now
from actors.recall.widening import WITHIN, Widening
from daemon.storage.reader import ReadingSide

A = TypeVar("A")

SAID_ENOUGH = 0.5  # share of a query's telling words that a replaced memory has to have. Choice
LINE = 8  # steps along a line of successors, each a look at the store
LEADS = "constitutional"
ALONE = (Term("constitutional", plus=1.0),)  # the score of one that nothing else found
LED = 3  # results a leading constitutional memory: the answer itself is to be seen as well


@dataclass(slots=True)
class Searching:
    """Answers searches."""

    settings: Settings
    reader: ReadingSide
    clock: Clock
    channels: Channels
    ordering: Ordering
    widening: Widening

    async def search(self, question: Search) -> Exposed | None:
        """Answer; returns the memories shown, if they are to be recorded."""
        began = trio.current_time()
        inquiry = self._inquiry(question)
        await self.channels.look(inquiry)
        await self.widening.widen(inquiry, precise=question.mode is Breadth.PRECISE)
        await self.channels.meet(inquiry)
        await self._take_in(inquiry.memories[one] for one in inquiry.best())
        trace = self.ordering.ranked(inquiry, question.k)
        ranked = placed(trace, inquiry.memories)
        # A place for each channel makes the answer longer.
        room = max(question.k, len(ranked) if inquiry.does("representation") else 0)
        if question.as_of is not None:
            with inquiry.timed("then"):
                past = self._replaced(ranked, inquiry, question.as_of)
                ranked += await self._or_none(inquiry, "replaced_memories", past, question.within)
            ranked.sort(key=lambda note: (-note.score, note.memory.id))
        now = self.clock.now()
        at = now if question.as_of is None else question.as_of
        ranked.sort(key=lambda note: not is_valid(note.memory.validity, at))  # those last
        reading = self.reader.constitutional(question.scope, question.k)
        rules = await self._or_none(inquiry, "constitutional", reading, WITHIN)
        chosen = led_by(true_now(rules, at)[: leading(question.k)], ranked)[:room]
        inquiry.timings["all"] = 1000 * (trio.current_time() - began)
        answer = answer_of(chosen, inquiry, trace)
        question.reply(replace(answer, evidence=evidence_of(inquiry, trace)))
        if not question.track or not chosen:
            return None
        ids = tuple(note.memory.id for note in chosen)
        return Exposed(ids, None, "recall", now, question.scope.project)

    def _inquiry(self, question: Search) -> Inquiry:
        """Tell how the question is looked for."""
        settings = self.settings
        wide = WIDTHS[question.mode] / WIDTHS[Breadth.BALANCED]
        return Inquiry(
            question.query,
            scope=question.scope,
            settings=ranking.asked_with(settings.ranking, question.also, question.without),
            wanted=max(question.k, round(settings.search_candidates * wide)),
            read=max(1, round(settings.search_read * wide)),
            tokens=SEARCH,
            concepts=question.concepts,
            embedding_wait=settings.search_wait,
            bound=settings.search_wait + WITHIN,
            neighbour_wait=WITHIN,
        )

    async def _or_none(
        self, inquiry: Inquiry, part: str, reading: Awaitable[list[A]], within: float
    ) -> list[A]:
        """Return the part read; [] where it is late or unreadable, so the rest is told without it."""
        began = trio.current_time()
        try:
            with trio.fail_after(within):
                return await reading
        except AWAY as error:
            inquiry.failed(part, error, began)
            return []

    async def _take_in(self, memories: Iterable[Memory]) -> None:
        """Read their words, one text in a turn of the loop, so prompts come in between."""
        for memory in memories:
            if not self.ordering.knows(memory):
                self.ordering.words_of(memory)
                await trio.lowlevel.checkpoint()

    async def _replaced(
        self, ranked: Sequence[Candidate[Memory]], inquiry: Inquiry, then: float
    ) -> list[Candidate[Memory]]:
        """Memories true then and replaced since.

        They have left the indexes, so the newest of their kind are looked at one by one: a memory
        counts by the score of its successor, else by its own words.
        """
        memories = await self.reader.superseded(then, inquiry.scope)
        heirs = await self._heirs(memories)
        scores = {note.memory.id: note.score for note in ranked}
        terms = dict.fromkeys(map(stem, inquiry.terms), 1.0)
        if terms:
            await self._take_in(memories)
        notes: list[Candidate[Memory]] = []
        for memory in memories:
            inherited = scores.get(heirs.get(memory.id, 0), 0.0)
            said = coverage(terms, self.ordering.words_of(memory)) if terms else 0.0
            score = max(inherited, said if said >= SAID_ENOUGH else 0.0)
            if score:
                parts = {"inherited": inherited, "found": said}
                whole = (Term("replaced", plus=score),)
                notes.append(Candidate(memory, score, "true then, replaced since", parts, whole))
        return notes

    async def _heirs(self, memories: Sequence[Memory]) -> dict[int, int]:
        """The last successor of each of these memories."""
        next_ = {memory.id: memory.superseded_by for memory in memories}
        for _ in range(LINE):
            unknown = {heir for heir in next_.values() if heir is not None and heir not in next_}
            if not unknown:
                break
            found = await self.reader.memories(sorted(unknown))
            next_.update(dict.fromkeys(unknown))
            next_.update({memory.id: memory.superseded_by for memory in found.values()})
        return {memory.id: _last(memory.id, next_) for memory in memories}


def _last(identity: int, next_: Mapping[int, int | None]) -> int:
    """The end of a line of successors, as far as it was read; a circular line ends somewhere."""
    for _ in range(len(next_)):
        following = next_.get(identity)
        if following is None:
            break
        identity = following
    return identity


def leading(k: int) -> int:
    """Number of constitutional memories ahead of k results: at least one, never the only one."""
    return max(k // LED, 1 if k > 1 else 0)


def led_by(
    standing: Sequence[Memory], ranked: Sequence[Candidate[Memory]]
) -> list[Candidate[Memory]]:
    """Constitutional memories lead every tool and command result."""
    first = {memory.id for memory in standing}
    found = {note.memory.id: note for note in ranked}
    lead = [found.get(memory.id, Candidate(memory, 1.0, LEADS, {}, ALONE)) for memory in standing]
    return [*lead, *(note for note in ranked if note.memory.id not in first)]
