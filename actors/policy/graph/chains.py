"""Chains: the ways from one memory to another over what is known of causes (Q10)."""

import heapq
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, TypeAlias

from actors.policy.graph.causal import Direction, Edge, leaving

# How far chains of reasoning are looked for (Q10).
DEPTH: Final = 10  # edges
PATHS: Final = 1000  # looked at
LEAST: Final = 0.2  # strength of each edge


@dataclass(frozen=True, slots=True)
class Chain:
    """A way from one memory to another (Q10)."""

    edges: tuple[Edge, ...]
    memories: tuple[str, ...]
    confidence: float  # 0..1: product of the strengths


# A way looked at: what the heap orders by, the surest first, then the shortest.
_Way: TypeAlias = tuple[float, int, tuple[str, ...], tuple[str, ...]]


def chains(
    edges: Iterable[Edge], start: str, end: str, direction: Direction = Direction.BOTH
) -> tuple[Chain, ...]:
    """The ways from one memory to another, the surest first (Q10).

    Over at most 10 edges of strength .2 or more, no memory twice; the search ends after it has
    looked at 1,000 ways, the surest ones. From a memory to itself there is none.
    """
    strong = {one.id: one for one in edges if one.strength >= LEAST}
    around = leaving(strong.values(), direction)
    found: list[Chain] = []
    waiting: list[_Way] = [(-1.0, 0, (start,), ())] if start != end else []
    looked_at = 0
    while waiting and looked_at < PATHS:
        looked_at += 1
        negative, length, path, ids = heapq.heappop(waiting)
        if path[-1] == end:
            found.append(Chain(tuple(strong[one] for one in ids), path, -negative))
            continue
        for one in around.get(path[-1], ()) if length < DEPTH else ():
            there = one.other(path[-1])
            if there not in path:
                way = (negative * one.strength, length + 1, (*path, there), (*ids, one.id))
                heapq.heappush(waiting, way)
    return tuple(found)
