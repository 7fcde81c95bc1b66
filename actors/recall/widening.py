"""Widening of a search, once words and vectors have answered: one table of further sources.

The query in other words, its answer, several concepts at once, links and neighbours in time. Each has
its own time and its own failure: an unreadable source is left out and reported. Only a person's
search is widened; a prompt gets only notes with a direct bearing on it.
"""

from collections.abc import Callable, Coroutine
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from actors.policy.graph import graph_channel
from actors.policy.graph.graph_channel import Link
from actors.policy.recall import fusion, ranking, rewording
from actors.policy.recall.query_facts import among
from actors.policy.text.concrete import all_of, concepts
from actors.recall.channels import Channels
from actors.recall.inquiry import Inquiry

WITHIN: Final = 1.0  # seconds for each
LINKS: Final = frozenset({"graph", "degree"})
EACH: Final = 20  # strongest links read of one memory
SECOND: Final = 40  # memories whose links are read for the second hop


@dataclass(slots=True)
class Widening:
    """Looks for more; holds nothing."""

    channels: Channels

    async def widen(self, inquiry: Inquiry, *, precise: bool) -> None:
        """Look at every source switched on; ``precise``: only at the query's own words."""
        for step in STEPS:
            on = not step.way or inquiry.does(step.way)
            if on and (step.if_precise or not precise):
                await self.channels.beside(inquiry, step.name, step.look(self, inquiry), WITHIN)

    # ---- what a query means

    async def route(self, inquiry: Inquiry) -> None:
        """Follow no links for a simple question."""
        judged, away = rewording.tier(inquiry.query), LINKS & inquiry.settings.on
        if judged != "complex" and away:
            inquiry.settings = replace(inquiry.settings, on=inquiry.settings.on - away)
            inquiry.said.append(f"a {judged} question: {', '.join(sorted(away))} not asked")

    async def weigh(self, inquiry: Inquiry) -> None:
        """Weigh words and vectors by the kind of question, and say so."""
        meant, by = rewording.weighed(inquiry.query, inquiry.settings.fusing)
        inquiry.settings = replace(inquiry.settings, fusing=by)
        weights = f"words weigh {by.words:.3f}, vectors {by.vectors:.3f}"
        inquiry.said.append(f"taken for {meant}: {weights}")

    async def expanded(self, inquiry: Inquiry) -> int | None:
        """Search also for other words of the same meaning."""
        others = rewording.synonyms(inquiry.terms)
        if not others:
            return None
        hits = await self.channels.reader.words(others, inquiry.scope, inquiry.wanted)
        await self.channels.add(inquiry, hits)
        inquiry.words = rewording.joined(inquiry.words, among(hits, inquiry.memories))
        inquiry.said.append(f"searched also for {', '.join(others)}")
        return len(hits)

    async def answered(self, inquiry: Inquiry) -> int | None:
        """Search also half way to the beginning of an answer."""
        begun = rewording.beginning(inquiry.terms)
        if inquiry.vector is None or not begun:
            return None
        (answer,) = await self.channels.vectors_of((begun,), "document", WITHIN)
        between = rewording.between(inquiry.vector, answer)
        near = await self.channels.reader.nearest(between, inquiry.scope, inquiry.wanted)
        await self.channels.add(inquiry, near)
        for one, cosine in among(near, inquiry.memories).items():
            inquiry.cosines[one] = max(cosine, inquiry.cosines.get(one, cosine))
        inquiry.said.append(f"searched also by the beginning of an answer: “{begun} ...”")
        return len(near)

    async def together(self, inquiry: Inquiry) -> int | None:
        """Look for memories with all of several concepts."""
        wanted = inquiry.concepts or concepts(inquiry.query)
        if not wanted:
            return None
        holding = await self.channels.reader.literally(
            all_of(wanted), inquiry.scope, inquiry.wanted
        )
        await self.channels.add(inquiry, holding)
        inquiry.together = {one for one in holding if one in inquiry.memories}
        count = len(inquiry.together)
        names = " and ".join(f"“{one.text}”" for one in wanted)
        told = f"{count} with all of" if count else "nothing holds all of"
        inquiry.said.append(f"{told} {names}")
        return count

    # ---- links and neighbours of what was found

    async def linked(self, inquiry: Inquiry) -> int:
        """Add linked memories to the findings."""
        first = ranking.first_order(inquiry, inquiry.settings)
        started = graph_channel.seeds({one.memory: one.score for one in first})
        links = await self._links(sorted(started))
        inquiry.degrees = graph_channel.degree_boosts(links)
        inquiry.connected = len({end for link in links for end in (link.one, link.other)})
        if not links:
            return 0
        read = set(started)
        for _ in range(1, graph_channel.HOPS):
            further = graph_channel.frontier(read, links, SECOND)
            links += await self._links(further)
            read.update(further)
        reached = graph_channel.reached(started, links)
        # Each memory on a way was reached by a better one, and is among these.
        await self.channels.add(inquiry, reached)
        inquiry.graph = {
            one: way
            for one, way in reached.items()
            if all(inquiry.sees(inquiry.memories.get(between)) for between in way.path)
        }
        return len(inquiry.graph)

    async def _links(self, ids: list[int]) -> list[Link]:
        return await self.channels.reader.links_of(ids, EACH, False) if ids else []

    async def around(self, inquiry: Inquiry) -> int:
        """Memories kept just before and after the best: each lends and gets some of their score."""
        first = ranking.first_order(inquiry, inquiry.settings)[: inquiry.read]
        reach = inquiry.settings.fusing.reach
        runs = await self.channels.reader.around([one.memory for one in first], reach)
        await self.channels.add(inquiry, {i for run in runs for i in run})
        inquiry.places = fusion.placed(
            [i for i in run if inquiry.sees(inquiry.memories.get(i))] for run in runs
        )
        return len(inquiry.places)


class Step(NamedTuple):
    """A further source, and the way of recall it belongs to."""

    name: str  # in reports and timings
    way: str  # "": always
    look: Callable[[Widening, Inquiry], Coroutine[Any, Any, int | None]]  # None: nothing to ask
    if_precise: bool = False  # also for a question that is to be answered quickly


STEPS: Final = (
    Step("routing", "routing", Widening.route),
    Step("expansion", "expansion", Widening.expanded),
    Step("hyde", "hyde", Widening.answered),
    Step("by_intent", "by_intent", Widening.weigh),
    Step("concepts", "", Widening.together, if_precise=True),
    Step("graph", "graph", Widening.linked),
    Step("neighbours", "neighbours", Widening.around),
)
