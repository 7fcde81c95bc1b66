"""The causal graph as it is read: around a memory, and on the whole.

Whoever only looks asks the store. Edges come from people, from the gate, which says what a newer
memory supersedes, from dreams, and from texts that declare their links.
"""

from dataclasses import replace
from typing import Final

from actors.links.rows import GraphTotals
from actors.policy.graph import causal, connections
from actors.policy.graph.causal import Direction, Lineage
from actors.policy.graph.connections import Density
from daemon.storage.reader import ReadingSide

EDGES: Final = 5_000  # read for one question


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
