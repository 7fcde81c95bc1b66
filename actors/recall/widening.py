"""Widening of a search, once words and vectors have answered: one table of what is looked at besides.

The query in other words, its answer, several concepts at once, links and neighbours in time. Each has its time and its failure of its own: what cannot be read is left out and
said. Only a person's search is widened; a prompt is told what bears on it by itself.
"""

from collections.abc import Callable, Coroutine
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from actors.policy.graph import graph_channel
from actors.policy.graph.graph_channel import Link
from actors.policy.recall import fusion, ranking, rewording
from actors.policy.recall.query_facts import among
from actors.policy.text.concrete import all_of, concepts
from actors.recall.channels import Channels, Looked

WITHIN: Final = 1.0  # seconds for each
LINKS: Final = frozenset({"graph", "degree"})
EACH: Final = 20  # strongest links read of one memory
SECOND: Final = 40  # memories whose links are read for the second hop


@dataclass(slots=True)
class Widening:
    """Looks for more; holds nothing."""

    channels: Channels

    async def widen(self, looked: Looked, *, precise: bool) -> None:
        """Look at whatever is on; ``precise``: only at what the query says itself."""
        for step in STEPS:
            on = not step.way or looked.does(step.way)
            if on and (step.if_precise or not precise):
                await self.channels.beside(looked, step.name, step.look(self, looked), WITHIN)

    # ---- what a query means

    async def route(self, looked: Looked) -> None:
        """Follow no links for a question that asks little."""
        judged, away = rewording.tier(looked.query), LINKS & looked.settings.on
        if judged != "complex" and away:
            looked.settings = replace(looked.settings, on=looked.settings.on - away)
            looked.said.append(f"a {judged} question: {', '.join(sorted(away))} not asked")

    async def weigh(self, looked: Looked) -> None:
        """Weigh words and vectors by what is asked for, and say so."""
        meant, by = rewording.weighed(looked.query, looked.settings.fusing)
        looked.settings = replace(looked.settings, fusing=by)
        weights = f"words weigh {by.words:.3f}, vectors {by.vectors:.3f}"
        looked.said.append(f"taken for {meant}: {weights}")

    async def expanded(self, looked: Looked) -> int | None:
        """Search also for other words of the same meaning."""
        others = rewording.synonyms(looked.terms)
        if not others:
            return None
        hits = await self.channels.reader.words(others, looked.scope, looked.wanted)
        await self.channels.add(looked, hits)
        looked.words = rewording.joined(looked.words, among(hits, looked.memories))
        looked.said.append(f"searched also for {', '.join(others)}")
        return len(hits)

    async def answered(self, looked: Looked) -> int | None:
        """Search also half way to the beginning of an answer."""
        begun = rewording.beginning(looked.terms)
        if looked.vector is None or not begun:
            return None
        (answer,) = await self.channels.vectors_of((begun,), "document", WITHIN)
        between = rewording.between(looked.vector, answer)
        near = await self.channels.reader.nearest(between, looked.scope, looked.wanted)
        await self.channels.add(looked, near)
        for one, cosine in among(near, looked.memories).items():
            looked.cosines[one] = max(cosine, looked.cosines.get(one, cosine))
        looked.said.append(f"searched also by the beginning of an answer: “{begun} ...”")
        return len(near)

    async def together(self, looked: Looked) -> int | None:
        """Look for memories that hold all of several concepts."""
        wanted = looked.concepts or concepts(looked.query)
        if not wanted:
            return None
        holding = await self.channels.reader.literally(all_of(wanted), looked.scope, looked.wanted)
        await self.channels.add(looked, holding)
        looked.together = {one for one in holding if one in looked.memories}
        count = len(looked.together)
        names = " and ".join(f"“{one.text}”" for one in wanted)
        told = f"{count} with all of" if count else "nothing holds all of"
        looked.said.append(f"{told} {names}")
        return count

    # ---- links and neighbours of what was found

    async def linked(self, looked: Looked) -> int:
        """Memories that links lead to join what was found."""
        first = ranking.first_order(looked, looked.settings)
        started = graph_channel.seeds({one.memory: one.score for one in first})
        links = await self._links(sorted(started))
        looked.degrees = graph_channel.degree_boosts(links)
        looked.connected = len({end for link in links for end in (link.one, link.other)})
        if not links:
            return 0
        read = set(started)
        for _ in range(1, graph_channel.HOPS):
            further = graph_channel.frontier(read, links, SECOND)
            links += await self._links(further)
            read.update(further)
        reached = graph_channel.reached(started, links)
        # Each memory on a way was reached by a better one, and is among these.
        await self.channels.add(looked, reached)
        looked.graph = {
            one: way
            for one, way in reached.items()
            if all(looked.sees(looked.memories.get(between)) for between in way.path)
        }
        return len(looked.graph)

    async def _links(self, ids: list[int]) -> list[Link]:
        return await self.channels.reader.links_of(ids, EACH, False) if ids else []

    async def around(self, looked: Looked) -> int:
        """Memories kept just before and after the best: each lends and gets some of their score."""
        first = ranking.first_order(looked, looked.settings)[: looked.read]
        reach = looked.settings.fusing.reach
        runs = await self.channels.reader.around([one.memory for one in first], reach)
        await self.channels.add(looked, {i for run in runs for i in run})
        looked.places = fusion.placed(
            [i for i in run if looked.sees(looked.memories.get(i))] for run in runs
        )
        return len(looked.places)


class Step(NamedTuple):
    """Source that is looked at besides, and the way that has to be on for it."""

    name: str  # in reports and timings
    way: str  # "": always
    look: Callable[[Widening, Looked], Coroutine[Any, Any, int | None]]  # None: nothing to ask
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
