"""Links around memories, and the ways over them."""

from collections.abc import Set
from dataclasses import dataclass
from typing import Final

import trio

from actors.memory.rows import Memory
from actors.policy.graph import exploring
from actors.policy.graph.causal import Relation
from actors.policy.graph.exploring import Trail
from actors.policy.graph.graph_channel import Link
from actors.policy.night.connection_graph import ConnectionKind
from daemon.context import Parts

EACH: Final = 20  # strongest links read of one memory
READ: Final = 600  # memories whose links are read for one question
# Kinds of links that have a direction.
ONE_WAY: Final = {relation.value for relation in Relation} | {ConnectionKind.CAUSAL_CHAIN.value}


@dataclass(frozen=True, slots=True)
class Around:
    """The links around some memories, and who may be shown."""

    links: list[Link]
    memories: dict[int, Memory]
    cut: bool


async def ways_of(links: list[Link], start: int, end: int | None, depth: int) -> tuple[Trail, ...]:
    """Ways from one memory to all around it, or to another one.

    On a thread: a tenth of a second of a few thousand links.
    """
    return await trio.to_thread.run_sync(
        lambda: (
            exploring.around(links, start, depth)
            if end is None
            else exploring.between(links, start, end, depth)
        )
    )


async def around(
    parts: Parts, start: Memory, end: Memory | None, depth: int, projects: Set[str | None] | None
) -> Around:
    """Links read outwards, from both ends when there are two: a way lies within half of its length.

    Between memories of these projects; ``None``: of all.
    """
    ends = [start] if end is None else [start, end]
    hops = depth if end is None else (depth + 1) // 2
    memories = {one.id: one for one in ends}
    links: dict[tuple[int, int, str], Link] = {}
    read: set[int] = set()
    frontier, cut = [one.id for one in ends], False
    for _ in range(hops):
        cut = cut or len(read) + len(frontier) > READ
        frontier = frontier[: READ - len(read)]
        if not frontier:
            break
        found = await parts.reader.links_of(frontier, EACH, True)
        read.update(frontier)
        new = {e for link in found for e in (link.one, link.other)} - memories.keys()
        there = await parts.reader.memories(sorted(new))
        memories |= {i: memory for i, memory in there.items() if _may_see(projects, memory)}
        for link in found:
            if link.one in memories and link.other in memories:
                # The same link comes from either end; one with a direction keeps it.
                pair = (min(link.one, link.other), max(link.one, link.other))
                links.setdefault((*pair, link.kind), link)
        frontier = sorted(memories.keys() - read)
    return Around(list(links.values()), memories, cut)


def _may_see(projects: Set[str | None] | None, memory: Memory) -> bool:
    """Return whether it lives, and belongs to one of these projects; ``None``: to whichever."""
    return memory.ended is None and (projects is None or memory.project in projects)
