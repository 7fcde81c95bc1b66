"""Links and associations, as clients see them, and the ways over them."""

from collections.abc import Set
from typing import Final

import trio
from msgspec import Struct

from actors.core.failures import Unreadable
from actors.core.mailbox import Crashed, SwitchedOff
from actors.memory import links
from actors.memory.rows import Memory, Scope
from actors.memory.writes import Connected
from actors.policy.graph import link_graph
from actors.policy.graph.link_graph import Link, Relation, Way
from actors.policy.night.replay import ConnectionKind
from daemon.context import Parts
from daemon.shapes import memory as asked
from daemon.views import memory_view, short_id, view

ASIDE = 0.5  # seconds that a person's search waits for what its best result brings to mind
ASSOCIATIONS = 3  # of the best result
RELATED = 20  # memories that are shown beside one

# What takes an extra away, and no more than that.
_AWAY = (trio.TooSlowError, Crashed, SwitchedOff, Unreadable)


async def related_to(parts: Parts, memory: Memory) -> list[asked.Related]:
    """Relations of a memory to others: its links, then similar ones."""
    scope = Scope(memory.project, everywhere=memory.project is None)
    found = await links_to(parts, memory, RELATED)
    if memory.ended is None:
        near = await parts.reader.associations([memory.id], scope, RELATED)
        memories = await parts.reader.memories(sorted({pair.other for pair in near}))
        found += [
            _related(memories[pair.other], pair.kind, pair.strength)
            for pair in near
            if pair.other in memories
        ]
    return found[:RELATED]


async def links_to(
    parts: Parts, memory: Memory, limit: int, projects: Set[str | None] | None = None
) -> list[asked.Related]:
    """Links of a memory to others of these projects (``None``: of all), the surest first."""
    edges = await parts.reader.edges_around(memory.id, limit, projects)
    ends = {end for row in edges for end in (row.source_id, row.target_id)}
    memories = await parts.reader.memories(sorted(ends))
    found: list[asked.Related] = []
    for row in edges:
        incoming = row.target_id == memory.id
        other = memories.get(row.source_id if incoming else row.target_id)
        if other is not None:
            found.append(_related(other, row.relation, row.strength, row, incoming=incoming))
    return found


def _related(
    other: Memory,
    how: str,
    strength: float,
    edge: Connected | None = None,
    *,
    incoming: bool = False,
) -> asked.Related:
    return memory_view(
        asked.Related,
        other,
        how=how,
        incoming=incoming,
        strength=round(strength, 6),
        link=None if edge is None else link_view(edge).id,
        evidence="" if edge is None else edge.evidence,
    )


async def associations_of(parts: Parts, best: Memory, scope: Scope) -> list[asked.AssociationView]:
    """Associations of the best result of a search; nothing when they are late."""
    try:
        with trio.fail_after(ASIDE):
            found = await links.associations(parts.reader, best.id, scope, ASSOCIATIONS)
        memories = await parts.reader.memories([way.memories[-1] for way in found])
    except _AWAY:
        return []
    return [
        memory_view(
            asked.AssociationView,
            memory,
            score=round(way.sure, 3),
            hops=len(way.links),
            path=[short_id(number) for number in way.memories],
        )
        for way in found
        if (memory := memories.get(way.memories[-1])) is not None and memory.ended is None
    ]


def link_view(edge: Connected) -> asked.LinkView:
    """A link by the ids people type."""
    source, target = short_id(edge.source_id), short_id(edge.target_id)
    name = f"{source}:{edge.relation}:{target}"
    return view(asked.LinkView, edge, id=name, source=source, target=target)


# ---- the links around memories, and the ways over them


EACH: Final = 20  # strongest links read of one memory
READ: Final = 600  # memories whose links are read for one question
# Kinds of links that have a direction.
ONE_WAY: Final = {relation.value for relation in Relation} | {ConnectionKind.CAUSAL_CHAIN.value}


class Around(Struct, frozen=True):
    """The surest ways from a memory, and the memories on them."""

    ways: tuple[Way, ...]
    memories: dict[int, Memory]


async def around(
    parts: Parts, start: Memory, depth: int, projects: Set[str | None] | None
) -> Around:
    """Links read outwards, between memories of these projects; ``None``: of all."""
    memories = {start.id: start}
    links: dict[tuple[int, int, str], Link] = {}
    read: set[int] = set()
    frontier = [start.id]
    for _ in range(depth):
        frontier = frontier[: READ - len(read)]
        if not frontier:
            break
        found = await parts.reader.links_of(frontier, EACH, True)
        read.update(frontier)
        new = {e for link in found for e in (link.one, link.other)} - memories.keys()
        there = await parts.reader.memories(sorted(new))
        memories |= {
            i: one
            for i, one in there.items()
            if one.ended is None and (projects is None or one.project in projects)
        }
        for link in found:
            if link.one in memories and link.other in memories:
                # The same link comes from either end; one with a direction keeps it.
                pair = (min(link.one, link.other), max(link.one, link.other))
                links.setdefault((*pair, link.kind), link)
        frontier = sorted(memories.keys() - read)
    # On a thread: a tenth of a second of a few thousand links.
    ways = await trio.to_thread.run_sync(link_graph.around, [*links.values()], start.id, depth)
    return Around(ways, memories)
