"""What is linked with what recall found: the graph and degree channels, and causes (K05, K06, K17).

Looked at after words and vectors have answered, because links are followed from what these found.
Each of the three has its time and its failure of its own: what cannot be read is left out and
said. Only a person's search follows links; a prompt is told what bears on it by itself.
"""

from dataclasses import dataclass
from typing import Final

import trio

from actors.memory.ports import Reader
from actors.memory.rows import Scope
from actors.policy.graph import connections, graph_channel
from actors.policy.graph.graph_channel import Link
from actors.policy.recall import ranking
from actors.recall.channels import Channels, Looked, is_in

EACH: Final = 20  # strongest links read of one memory
SECOND: Final = 40  # memories whose links are read for the second hop
WITHIN: Final = 1.0  # seconds for each of the three
WEIGHTS: Final = {relation.value: weight for relation, weight in connections.DEGREE_WEIGHTS.items()}


@dataclass(slots=True)
class Following:
    """Follows links from what was found; holds nothing."""

    reader: Reader
    channels: Channels

    async def follow(self, looked: Looked, scope: Scope) -> None:
        """Whatever of the three is on."""
        beside, on = self.channels.beside, looked.settings.channels
        if on.graph:
            await beside(looked, "graph", self._reach(looked, scope), WITHIN)
        async with trio.open_nursery() as nursery:
            if on.degree:
                nursery.start_soon(beside, looked, "degree", self._degrees(looked), WITHIN)
            if on.causes:
                nursery.start_soon(beside, looked, "causes", self._causes(looked, scope), WITHIN)

    async def _reach(self, looked: Looked, scope: Scope) -> int:
        """Memories that links lead to join what was found (K05)."""
        first = ranking.first_order(looked, looked.settings)
        started = graph_channel.seeds({one.identity: one.score for one in first})
        links = await self._links(sorted(started))
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
        await self.channels.add(looked, scope, sorted(reached))
        looked.graph = {
            one: way
            for one, way in reached.items()
            if all(is_in(scope, looked.memories.get(between)) for between in way.path)
        }
        return len(looked.graph)

    async def _links(self, ids: list[int]) -> list[Link]:
        return await self.reader.links_of(ids, EACH, False) if ids else []

    async def _degrees(self, looked: Looked) -> int:
        """How well each is connected by causes (K06, L05)."""
        best = await self.reader.typed_degrees(WEIGHTS, None)
        degrees = await self.reader.typed_degrees(WEIGHTS, sorted(looked.memories))
        highest = max(best.values(), default=0.0)
        looked.degrees = {
            one: connections.degree_boost(degree, highest) for one, degree in degrees.items()
        }
        return len(degrees)

    async def _causes(self, looked: Looked, scope: Scope) -> int:
        """The causal edges among what was found (K17)."""
        rows = await self.reader.edges_within(sorted(looked.memories), scope)
        looked.edges = [row.to_edge() for row in rows]
        return len(rows)
