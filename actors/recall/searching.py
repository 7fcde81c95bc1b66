"""A person's search: widened by further sources, the best with the reason. Constitutional memories lead."""

from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from typing import Any, Final, TypeVar

import trio
from msgspec import Struct
from msgspec.structs import replace

from actors.core.equipment import Clock
from actors.memory.rows import Embed, Memory
from actors.memory.use import Exposed
from actors.policy.graph import link_graph
from actors.policy.graph.link_graph import Link
from actors.policy.recall import fusion, ranking
from actors.policy.recall.candidates import Candidate, Term, among
from actors.policy.recall.evidence import evidence_gap
from actors.policy.text.chunking import SEARCH
from actors.policy.times.stated_times import is_valid
from actors.recall.channels import AWAY, Channels, Inquiry, failure_of
from actors.recall.ordering import Ordering, Settings, answer_of, placed, true_now
from actors.recall.shapes import Search

A = TypeVar("A")

WITHIN: Final = 1.0  # seconds for each
LITTLE: Final = 8  # words of a question that asks little
EACH: Final = 20  # strongest links read of one memory
SECOND: Final = 40  # memories whose links are read for the second hop
LEADS = "constitutional"
ALONE = (Term("constitutional", plus=1.0),)  # the score of one that nothing else found
LED = 3  # results a leading constitutional memory: the answer itself is to be seen as well


class Searching(Struct):
    """Answers searches."""

    settings: Settings
    clock: Clock
    channels: Channels
    ordering: Ordering

    async def search(self, question: Search) -> Exposed | None:
        """Answer; returns the memories shown, if they are to be recorded."""
        inquiry = self._inquiry(question)
        await self.channels.look(inquiry)
        await self._widen(inquiry)
        await self.channels.meet(inquiry)
        await self._take_in(inquiry.memories[one] for one in inquiry.best())
        trace = self.ordering.ranked(inquiry, question.k)
        ranked = placed(trace, inquiry.memories)
        # A place for each channel makes the answer longer.
        room = max(question.k, len(ranked) if inquiry.does("representation") else 0)
        now = self.clock.now()
        ranked.sort(key=lambda note: not is_valid(note.memory.validity, now))  # those last
        rules = await self._rules(inquiry, question)
        chosen = led_by(true_now(rules, now), ranked, question.k)[:room]
        # It withholds nothing: it says how strongly the memories read for their words speak.
        read = trace.candidates[: len(trace.verdicts)]
        gap = evidence_gap(one.score for one in read)
        question.reply(replace(answer_of(chosen, inquiry, trace), evidence=gap))
        if not question.track or not chosen:
            return None
        ids = tuple(note.memory.id for note in chosen)
        return Exposed(ids, None, "recall", now, question.scope.project)

    def _inquiry(self, question: Search) -> Inquiry:
        settings = self.settings
        return Inquiry(
            question.query,
            scope=question.scope,
            settings=ranking.asked_with(settings.ranking, question.also, question.without),
            wanted=max(question.k, settings.search_candidates),
            read=settings.search_read,
            tokens=SEARCH,
            embedding_wait=settings.search_wait,
            bound=settings.search_wait + WITHIN,
            neighbour_wait=WITHIN,
        )

    async def _rules(self, inquiry: Inquiry, question: Search) -> list[Memory]:
        """Constitutional memories; none where they are late or unreadable, so the rest is told without them."""
        try:
            with trio.fail_after(WITHIN):
                return await self.channels.reader.constitutional(question.scope, question.k)
        except AWAY as error:
            inquiry.failures["constitutional"] = failure_of("constitutional", error)
            return []

    async def _take_in(self, memories: Iterable[Memory]) -> None:
        """Read their words, one text in a turn of the loop, so prompts come in between."""
        for memory in memories:
            if not self.ordering.knows(memory):
                self.ordering.words_of(memory)
                await trio.lowlevel.checkpoint()

    # ---- widening: the query in other words, its answer, links, neighbours in time
    #
    # Each has its own time and its own failure: an unreadable source is left out and reported. Only a
    # person's search is widened; a prompt gets only notes with a direct bearing on it.

    async def _widen(self, inquiry: Inquiry) -> None:
        for way, look in STEPS.items():
            if inquiry.does(way):
                await self.channels.collect(inquiry, way, look(self, inquiry), WITHIN)

    async def route(self, inquiry: Inquiry) -> None:
        """Follow no links for a simple question."""
        if 0 < len(inquiry.query.split()) <= LITTLE:
            inquiry.settings = replace(inquiry.settings, on=inquiry.settings.on - {"graph"})
            inquiry.said.append("a question of few words: no links are followed")

    async def weigh(self, inquiry: Inquiry) -> None:
        """Weigh words and vectors by the kind of question, and say so."""
        meant, by = fusion.weighed(inquiry.query)
        inquiry.settings = replace(inquiry.settings, weights=by)
        weights = f"words weigh {by.words:.3f}, vectors {by.vectors:.3f}"
        inquiry.said.append(f"taken for {meant}: {weights}")

    async def expanded(self, inquiry: Inquiry) -> None:
        """Search also for other words of the same meaning."""
        others = fusion.synonyms(inquiry.terms)
        if not others:
            return
        hits = await self.channels.reader.words(others, inquiry.scope, inquiry.wanted)
        await self.channels.add(inquiry, hits)
        inquiry.words = fusion.joined(inquiry.words, among(hits, inquiry.memories))
        inquiry.said.append(f"searched also for {', '.join(others)}")

    async def answered(self, inquiry: Inquiry) -> None:
        """Search also half way to the beginning of an answer."""
        begun = fusion.beginning(inquiry.terms)
        if inquiry.vector is None or not begun:
            return
        embedder = self.channels.pacing.embedder
        (answer,) = await embedder.ask(Embed((begun,), "document", True), within=WITHIN)
        between = fusion.between(inquiry.vector, answer.vector)
        near = await self.channels.reader.nearest(between, inquiry.scope, inquiry.wanted)
        await self.channels.add(inquiry, near)
        for one, cosine in among(near, inquiry.memories).items():
            inquiry.cosines[one] = max(cosine, inquiry.cosines.get(one, cosine))
        inquiry.said.append(f"searched also by the beginning of an answer: “{begun} ...”")

    # ---- links and neighbours of what was found

    async def linked(self, inquiry: Inquiry) -> None:
        """Add linked memories to the findings."""
        first = ranking.first_order(inquiry, inquiry.settings)
        started = link_graph.seeds({one.memory: one.score for one in first})
        links = await self._links(sorted(started))
        if not links:
            return
        read = set(started)
        for _ in range(1, link_graph.HOPS):
            further = link_graph.frontier(read, links, SECOND)
            links += await self._links(further)
            read.update(further)
        reached = link_graph.reached(started, links)
        # Each memory on a way was reached by a better one, and is among these.
        await self.channels.add(inquiry, reached)
        inquiry.graph = {
            one: way
            for one, way in reached.items()
            if all(inquiry.sees(inquiry.memories.get(between)) for between in way.memories)
        }

    async def _links(self, ids: list[int]) -> list[Link]:
        return await self.channels.reader.links_of(ids, EACH, False) if ids else []

    async def around(self, inquiry: Inquiry) -> None:
        """Memories kept just before and after the best: each lends and gets some of their score."""
        first = ranking.first_order(inquiry, inquiry.settings)[: inquiry.read]
        runs = await self.channels.reader.around([one.memory for one in first], fusion.REACH)
        await self.channels.add(inquiry, {i for run in runs for i in run})
        inquiry.places = fusion.placed(
            [i for i in run if inquiry.sees(inquiry.memories.get(i))] for run in runs
        )


STEPS: Final[Mapping[str, Callable[[Searching, Inquiry], Coroutine[Any, Any, None]]]] = {
    "routing": Searching.route,
    "expansion": Searching.expanded,
    "hyde": Searching.answered,
    "by_intent": Searching.weigh,
    "graph": Searching.linked,
    "neighbours": Searching.around,
}
"""The further sources in their order, by the way of recall that each belongs to."""


def led_by(
    rules: Sequence[Memory], ranked: Sequence[Candidate[Memory]], k: int
) -> list[Candidate[Memory]]:
    """Constitutional memories lead every result of ``k``: at least one, never the only one."""
    standing = rules[: max(k // LED, 1 if k > 1 else 0)]
    first = {memory.id for memory in standing}
    found = {note.memory.id: note for note in ranked}
    lead = [found.get(memory.id, Candidate(memory, 1.0, LEADS, {}, ALONE)) for memory in standing]
    return [*lead, *(note for note in ranked if note.memory.id not in first)]
