"""The graph of memories, told piece by piece; ways through it, as clients see them."""

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import Any, Final

import msgspec
import trio

from actors.gate.messages import NoSuchMemory
from actors.memory.rows import Memory, Scope
from actors.policy.dreams.connection_graph import ConnectionKind
from actors.policy.graph import exploring
from actors.policy.graph.causal import Relation
from actors.policy.graph.exploring import Trail
from actors.policy.graph.graph_channel import Link
from actors.recall.messages import Answer, Search
from daemon.context import Parts, Progress, check_limit, check_seen, project_meant, sliced, table
from daemon.requests.graph import (
    MOST,
    Alike,
    AlikeFound,
    BridgeView,
    Edge,
    Explore,
    Explored,
    ExportGraph,
    GraphTold,
    Node,
    PairView,
    StepView,
    WayView,
)
from daemon.requests.shapes import BadRequest
from daemon.states import state_of
from daemon.storage import graph as graph_stored
from daemon.views import memory_number, memory_view, short_id

EDGES_EACH: Final = 10  # edges told for each memory that is told
NODES_ONCE: Final = 50  # nodes and edges made before others have a turn
EDGES_ONCE: Final = 500
WITHIN: Final = 60.0  # seconds for the look through the store
TITLE: Final = 200  # characters
ONE_WAY: Final = {relation.value for relation in Relation} | {ConnectionKind.CAUSAL_CHAIN.value}


async def graph(parts: Parts, request: ExportGraph, progress: Progress) -> GraphTold:
    """Graph of memories, those that are joined most strongly first."""
    check_limit(request.limit, MOST)
    scope = Scope(project_meant(parts, request.project), request.everywhere)
    with trio.fail_after(WITHIN):
        ids, connected = await parts.reader.read(graph_stored.joined, scope, request.limit)
        rows, known = await parts.reader.read(
            graph_stored.edges_among, ids, EDGES_EACH * request.limit
        )
    for some in sliced(tuple(ids), NODES_ONCE):
        memories = await parts.reader.memories(some)
        nodes = [_node(parts, memories[one]) for one in some if one in memories]
        await progress({"nodes": msgspec.to_builtins(nodes)})
    for piece in sliced(tuple(rows), EDGES_ONCE):
        await progress({"edges": [_edge(row) for row in piece]})
    return GraphTold(
        connected=connected, nodes=len(ids), edges=len(rows), edges_left_out=known - len(rows)
    )


def _node(parts: Parts, memory: Memory) -> Node:
    return memory_view(
        Node,
        memory,
        title=(memory.title or memory.kind)[:TITLE],
        state=state_of(memory, parts.clock.now(), parts.settings.fading),
        created=memory.created_at,
    )


def _edge(row: Sequence[Any]) -> dict[str, Any]:
    one, other, kind, strength, evidence, found_by = row
    edge = Edge(
        one=short_id(one), other=short_id(other), kind=kind, strength=round(strength, 3),
        evidence=evidence, found_by=found_by, directed=kind in ONE_WAY,
    )  # fmt: skip
    return dict(msgspec.to_builtins(edge))


LIMIT: Final = 100
EACH: Final = 20  # strongest links read of one memory
READ: Final = 600  # memories whose links are read for one question
SEARCH_DEADLINE: Final = 30.0  # seconds
_ID: Final = re.compile(r"m[0-9a-z]{1,8}")


@dataclass(frozen=True, slots=True)
class Around:
    """The links around some memories, and who may be shown."""

    links: list[Link]
    memories: dict[int, Memory]
    cut: bool


async def alike(parts: Parts, request: Alike) -> AlikeFound:
    """Find pairs of memories that may say the same, by the vectors that were compared."""
    check_limit(request.limit)
    scope = Scope(project_meant(parts, request.project), request.everywhere)
    rows, total = await parts.reader.read(graph_stored.alike, scope, request.least, request.limit)
    known = await parts.reader.memories(sorted({end for row in rows for end in row[:2]}))
    return AlikeFound(
        pairs=[
            PairView(
                one=short_id(one),
                other=short_id(other),
                one_title=known[one].title,
                other_title=known[other].title,
                likeness=round(likeness, 4),
            )
            for one, other, likeness in rows
            if one in known and other in known
        ],
        total=total,
    )


async def explore(parts: Parts, request: Explore) -> Explored:
    """Neighbourhood of a memory, or the way between two."""
    if not 1 <= request.depth <= exploring.DEPTH:
        raise BadRequest(f"a depth of {request.depth}: it must be between 1 and {exploring.DEPTH}")
    check_limit(request.limit, LIMIT)
    if (request.action == "associations") == (request.to is not None):
        raise BadRequest("chains and bridges lead to another memory; associations do not")
    start = await _meant(parts, request, request.start)
    end = None if request.to is None else await _meant(parts, request, request.to)
    if end is not None and end.id == start.id:
        raise BadRequest(f"{short_id(start.id)} is meant both times: there is no way to itself")
    projects = {None, start.project, project_meant(parts, request.project)}
    projects |= {end.project} if end is not None else set()
    known = await _around(
        parts, start, end, request.depth, None if request.everywhere else projects
    )
    ways = await ways_of(known.links, start.id, end.id if end else None, request.depth)
    bridges = exploring.bridges(ways) if request.action == "bridges" else ()
    shown = () if request.action == "bridges" else ways[: request.limit]
    over = bridges[: request.limit]
    named = {start.id} | ({end.id} if end is not None else set[int]())
    named |= {one for way in (*shown, *(bridge.best for bridge in over)) for one in way.memories}
    return Explored(
        start=short_id(start.id),
        end=short_id(end.id) if end is not None else None,
        titles={short_id(one): known.memories[one].title for one in sorted(named)},
        ways=[way_view(way) for way in shown],
        bridges=[
            BridgeView(memory=short_id(one.memory), ways=one.ways, best=way_view(one.best))
            for one in over
        ],
        total=len(bridges) if request.action == "bridges" else len(ways),
        cut=known.cut,
    )


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


def way_view(way: Trail) -> WayView:
    """A way by the ids that people type."""
    return WayView(
        memories=[short_id(one) for one in way.memories],
        steps=[
            _step(link, one, other)
            for link, one, other in zip(way.links, way.memories, way.memories[1:], strict=False)
        ],
        sure=round(way.sure, 6),
    )


def _step(link: Link, one: int, other: int) -> StepView:
    return StepView(
        source=short_id(one),
        target=short_id(other),
        kind=link.kind,
        directed=link.kind in ONE_WAY,
        forward=link.one == one,
        strength=round(exploring.strength(link), 6),
    )


async def _meant(parts: Parts, request: Explore, said: str) -> Memory:
    """A memory by its id, or the best one about this. Raises ``NoSuchMemory``."""
    if _ID.fullmatch(said.strip()):
        number = memory_number(said)
        found = await parts.reader.memories([number])
        if number in found:
            check_seen(parts, request, [found[number]])
            return found[number]
        if any(letter.isdigit() for letter in said):
            raise NoSuchMemory  # "mail" may be a word, "m4k" is none
    scope = Scope(project_meant(parts, request.project), everywhere=request.everywhere)
    answer: Answer = await parts.mailboxes.recall.ask(
        lambda reply: Search(said, 1, scope, False, SEARCH_DEADLINE, reply),
        within=SEARCH_DEADLINE,
    )
    if not answer.notes:
        raise BadRequest(f"nothing is known about {said[:60]!r}: give the id of a memory")
    return answer.notes[0].memory


async def _around(
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


ANSWERS = table(alike, explore, telling=(graph,))
