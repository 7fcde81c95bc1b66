"""The graph as it is read: associations of a memory, the causes around one, and all of it in numbers.

Reading goes to the store, not to an actor. Activation spreads over likeness and causes. Edges come from
people, from the gate for superseded memories, from dreams, and from texts with declared links.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from actors.links.rows import GraphTotals
from actors.links.writes import Connected
from actors.memory.rows import Scope
from actors.policy.graph import activation, causal, connections
from actors.policy.graph.activation import Activation, Adjacency, Link, Neighbour
from actors.policy.graph.causal import Direction, Lineage
from actors.policy.graph.connections import Density
from daemon.storage.reader import ReadingSide

FRONTIER: Final = 256  # memories whose neighbours are read in one hop: the most active ones
EDGES: Final = 5_000  # read for one question


# ---- what comes to mind


async def associations(
    reader: ReadingSide, seed: int, scope: Scope, limit: int
) -> tuple[Activation, ...]:
    """Memories in scope associated with this one, the strongest first."""
    seeds = {seed: 1.0}
    return activation.spread(seeds, await _around(reader, seeds, scope))[:limit]


async def _around(reader: ReadingSide, seeds: dict[int, float], scope: Scope) -> Adjacency:
    """The part of the graph in reach of activation, hop by hop."""
    graph: Adjacency = {}
    active = seeds
    for _ in range(activation.DEFAULT.hops):
        frontier = [one for one in active if one not in graph][:FRONTIER]
        if not frontier:
            break
        rows = await reader.associations(frontier, scope, activation.DEFAULT.related)
        edges = await reader.edges_within(frontier, scope)
        alike: dict[int, tuple[Neighbour, ...]] = dict.fromkeys(frontier, ())
        for row in rows:
            near = Neighbour(row.other, row.strength, link_of(row.kind))
            alike[row.one] += (near,)
        graph = {**graph, **activation.merged(alike, caused(edges, frozenset(frontier)))}
        # The strongest first: where there are too many, the faint ones are not read.
        active = {one.memory_id: one.score for one in _reached(seeds, graph)}
    return graph


def _reached(seeds: dict[int, float], graph: Adjacency) -> Iterable[Activation]:
    unbounded = replace(activation.DEFAULT, results=FRONTIER * 8)
    return activation.spread(seeds, graph, unbounded)


def link_of(kind: str) -> Link:
    """Link of an association of this kind in the spreading: only likeness may be too faint."""
    return Link.SEMANTIC if kind == "similar" else Link.USER_DEFINED


def caused(edges: Iterable[Connected], here: frozenset[int]) -> Adjacency:
    """The causal neighbours of these memories, in both directions."""
    rows: dict[int, tuple[Neighbour, ...]] = {}
    for edge in edges:
        for one, other in ((edge.source_id, edge.target_id), (edge.target_id, edge.source_id)):
            if one in here:
                near = Neighbour(other, edge.strength, Link.CAUSAL)
                rows[one] = (*rows.get(one, ()), near)
    return rows


# ---- causes


async def lineage(reader: ReadingSide, memory_id: int, depth: int, direction: Direction) -> Lineage:
    """The edges around a memory, within ``depth`` hops. Raises ``InvalidLink``."""
    # One hop further than is asked: so it is known whether there is more.
    hops = min(depth, causal.DEPTH_LIMIT) + 1
    rows = await reader.edges_around([memory_id], hops, EDGES)
    edges = (row.to_edge() for row in rows)
    found = causal.lineage(edges, str(memory_id), depth, direction)
    return replace(found, cut=True) if len(rows) >= EDGES else found


async def density(reader: ReadingSide) -> tuple[Density, GraphTotals]:
    """Density of the links between memories."""
    totals = await reader.graph_totals()
    edges = sum(totals.relations.values())
    found = connections.density_of(edges, totals.nodes, totals.memories)
    # Ended memories take part in the graph, but a store is covered by those that live.
    covered = totals.living_nodes / totals.memories if totals.memories else 0.0
    return replace(found, coverage=covered), totals
