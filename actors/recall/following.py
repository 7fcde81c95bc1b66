"""Links of what recall found: the graph, degrees, and the causes of the boosts.

Looked at after words and vectors have answered, because links are followed from what these found.
Each of the three has its time and its failure of its own: what cannot be read is left out and
said. Only a person's search follows links; a prompt is told what bears on it by itself.
"""

from typing import Final

import trio

from actors.links import looking
from actors.memory.rows import Scope
from actors.policy.graph import graph_channel
from actors.policy.graph.graph_channel import Link
from actors.policy.recall import ranking
from actors.recall.channels import Channels, Looked, is_in

EACH: Final = 20  # strongest links read of one memory
SECOND: Final = 40  # memories whose links are read for the second hop
WITHIN: Final = 1.0  # seconds for each of the three


async def follow(channels: Channels, looked: Looked, scope: Scope) -> None:
    """Follow whatever of the three is on."""
    beside = channels.beside
    if looked.does("graph"):
        await beside(looked, "graph", _reach(channels, looked, scope), WITHIN)
    async with trio.open_nursery() as nursery:
        if looked.does("degree"):
            nursery.start_soon(beside, looked, "degree", _degrees(channels, looked), WITHIN)
        if looked.does("boosts"):
            nursery.start_soon(beside, looked, "causes", _causes(channels, looked, scope), WITHIN)


async def _reach(channels: Channels, looked: Looked, scope: Scope) -> int:
    """Memories that links lead to join what was found."""
    first = ranking.first_order(looked, looked.settings)
    started = graph_channel.seeds({one.identity: one.score for one in first})
    links = await _links(channels, sorted(started))
    looked.connected = len({end for link in links for end in (link.one, link.other)})
    if not links:
        return 0
    read = set(started)
    for _ in range(1, graph_channel.HOPS):
        further = graph_channel.frontier(read, links, SECOND)
        links += await _links(channels, further)
        read.update(further)
    reached = graph_channel.reached(started, links)
    # Each memory on a way was reached by a better one, and is among these.
    await channels.add(looked, scope, sorted(reached))
    looked.graph = {
        one: way
        for one, way in reached.items()
        if all(is_in(scope, looked.memories.get(between)) for between in way.path)
    }
    return len(looked.graph)


async def _links(channels: Channels, ids: list[int]) -> list[Link]:
    return await channels.reader.links_of(ids, EACH, False) if ids else []


async def _degrees(channels: Channels, looked: Looked) -> int:
    """How well each is connected by causes."""
    looked.degrees = await looking.boosts(channels.reader, sorted(looked.memories))
    return len(looked.degrees)


async def _causes(channels: Channels, looked: Looked, scope: Scope) -> int:
    """The causal edges among what was found."""
    rows = await channels.reader.edges_within(sorted(looked.memories), scope)
    looked.edges = [row.to_edge() for row in rows]
    return len(rows)
