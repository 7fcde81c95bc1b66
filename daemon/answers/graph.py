"""The graph of memories, told piece by piece."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec
import trio

from actors.memory.rows import Memory, Scope
from actors.policy.dreams.connection_graph import DIRECTED
from actors.policy.graph.causal import Relation
from daemon.context import Parts, Progress, check_limit, project_meant, sliced, table
from daemon.ids import short_id
from daemon.requests.graph import MOST, Edge, ExportGraph, GraphTold, Node
from daemon.states import state_of
from daemon.storage import graph as graph_stored
from daemon.views import memory_view

EDGES_EACH: Final = 10  # edges told for each memory that is told
NODES_ONCE: Final = 50  # nodes and edges made before others have a turn
EDGES_ONCE: Final = 500
WITHIN: Final = 60.0  # seconds for the look through the store
TITLE: Final = 200  # characters
ONE_WAY: Final = {relation.value for relation in Relation} | {kind.value for kind in DIRECTED}


async def graph(parts: Parts, request: ExportGraph, progress: Progress) -> GraphTold:
    """What is joined with what, the memories that are joined most strongly first."""
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


ANSWERS = table(graph)
