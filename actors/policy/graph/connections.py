"""Connectedness of memories: the density of the graph, and the parts it falls into."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Final

MODERATE: Final = 0.5  # edges a node
DENSE: Final = 1.0  # edges a node


class Band(Enum):
    """Band of a graph's density."""

    DENSE = "dense"
    MODERATE = "moderate"
    SPARSE = "sparse"
    EMPTY = "empty"


@dataclass(frozen=True, slots=True)
class Density:
    """Density of the graph, and its figures."""

    edges: int
    nodes: int  # memories that have an edge
    density: float  # edges a node
    per_memory: float  # edges a memory of the whole store
    coverage: float  # share of the store's memories that have an edge
    band: Band
    needed: int  # edges missing to the moderate band, which is recommended

    @property
    def to_dense(self) -> int:
        """Number of edges missing to the dense band: one for each node."""
        return max(0, math.ceil(DENSE * self.nodes) - self.edges)

    @property
    def mean_degree(self) -> float:
        """Edges at a node, of the nodes with any: each edge has two ends."""
        return 2 * self.density


# What is reported when the edges could not be counted.
UNCOUNTED: Final = Density(0, 0, 0.0, 0.0, 0.0, Band.SPARSE, 0)


def density_of(edges: int, nodes: int, memories: int = 0) -> Density:
    """Density of so many edges and nodes: 3 edges among 10 nodes are sparse and need 2 more.

    The band goes by the linked nodes; edges a memory of the store are told beside it.
    """
    each = edges / nodes if nodes else 0.0
    return Density(
        edges=edges,
        nodes=nodes,
        density=each,
        per_memory=edges / memories if memories else 0.0,
        coverage=min(1.0, nodes / memories) if memories else 0.0,
        band=_band(edges, each),
        needed=max(0, math.ceil(MODERATE * nodes) - edges),
    )


def _band(edges: int, each: float) -> Band:
    if not edges:
        return Band.EMPTY
    if each >= DENSE:
        return Band.DENSE
    return Band.MODERATE if each >= MODERATE else Band.SPARSE


def regions(pairs: Iterable[tuple[int, int]]) -> dict[int, int]:
    """The part of a graph around each linked memory, named by its smallest id."""
    root: dict[int, int] = {}

    def of(one: int) -> int:
        while (up := root.setdefault(one, one)) != one:
            root[one] = root[up]  # halves the way for the next
            one = root[one]
        return one

    for one, other in pairs:
        low, high = sorted((of(one), of(other)))
        root[high] = low
    return {one: of(one) for one in sorted(root)}
