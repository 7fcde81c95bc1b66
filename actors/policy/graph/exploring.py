"""Ways through all that connects memories: what is around one, and what lies between two (Q10).

Best first: a way is as sure as the product of its links' strengths. At most ten links, links of .2
or more, 1,000 ways looked at; no memory twice on a way. Equal ways are told the shorter first, then
by their memories, so that an answer does not depend on the order in which links came. ``chains``
does the same over causal links alone, with their directions.
"""

import heapq
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from actors.policy.graph import chains
from actors.policy.graph.graph_channel import Link


@dataclass(frozen=True, slots=True)
class Way:
    """A way over links, with the memories from its beginning to its end."""

    memories: tuple[int, ...]
    links: tuple[Link, ...]
    sure: float  # 0..1: product of the strengths


@dataclass(frozen=True, slots=True)
class Bridge:
    """A memory that stands between two others, with the surest way over it."""

    memory: int
    ways: int  # over it, of those that were found
    best: Way


def around(links: Iterable[Link], start: int, depth: int = chains.DEPTH) -> tuple[Way, ...]:
    """The surest way from ``start`` to each memory that it leads to, the surest first (Q10)."""
    neighbours = _around(links, chains.LEAST)
    found: dict[int, Way] = {}
    left: set[tuple[int, int]] = set()
    waiting = [_entry(Way((start,), (), 1.0))]
    looked_at = 0
    while waiting and looked_at < chains.PATHS:
        looked_at += 1
        way = heapq.heappop(waiting)[-1]
        here, length = way.memories[-1], len(way.links)
        if length:
            found.setdefault(here, way)
        if length >= min(depth, chains.DEPTH) or (here, length) in left:
            continue
        left.add((here, length))
        for further in _onward(way, neighbours):
            heapq.heappush(waiting, _entry(further))
    return tuple(found.values())


def between(
    links: Iterable[Link], start: int, end: int, depth: int = chains.DEPTH
) -> tuple[Way, ...]:
    """The ways from one memory to another, the surest first; none from one to itself (Q10)."""
    neighbours = _around(links, chains.LEAST)
    found: list[Way] = []
    waiting = [_entry(Way((start,), (), 1.0))] if start != end else []
    looked_at = 0
    while waiting and looked_at < chains.PATHS:
        looked_at += 1
        way = heapq.heappop(waiting)[-1]
        if way.memories[-1] == end:
            found.append(way)
        elif len(way.links) < min(depth, chains.DEPTH):
            for further in _onward(way, neighbours):
                heapq.heappush(waiting, _entry(further))
    return tuple(found)


def bridges(ways: Sequence[Way]) -> tuple[Bridge, ...]:
    """The memories that ``between``'s ways lead over, those of the surest ways first (Q10)."""
    over: dict[int, list[Way]] = {}
    for way in ways:
        for memory in way.memories[1:-1]:
            over.setdefault(memory, []).append(way)
    made = [Bridge(memory, len(each), each[0]) for memory, each in over.items()]
    return tuple(sorted(made, key=lambda one: (-one.best.sure, -one.ways, one.memory)))


def strength(link: Link) -> float:
    """How sure a link is, 0..1: a connection found again and again is not surer than a link."""
    return min(1.0, max(0.0, link.strength))


def _entry(way: Way) -> tuple[float, int, tuple[int, ...], tuple[str, ...], Way]:
    return (-way.sure, len(way.links), way.memories, tuple(one.kind for one in way.links), way)


def _onward(way: Way, neighbours: dict[int, list[Link]]) -> list[Way]:
    here = way.memories[-1]
    return [
        Way((*way.memories, there), (*way.links, link), way.sure * strength(link))
        for link in neighbours.get(here, ())
        for there in (link.other if link.one == here else link.one,)
        if there not in way.memories
    ]


def _around(links: Iterable[Link], least: float) -> dict[int, list[Link]]:
    """Each memory's links, one of a pair: the strongest; a claim before an observation."""
    best: dict[tuple[int, int], Link] = {}
    for link in links:
        if strength(link) < least or link.one == link.other:
            continue
        pair = (min(link.one, link.other), max(link.one, link.other))
        known = best.get(pair)
        if known is None or _order(link) < _order(known):
            best[pair] = link
    neighbours: dict[int, list[Link]] = {}
    for (one, other), link in sorted(best.items(), key=lambda item: item[0]):
        neighbours.setdefault(one, []).append(link)
        neighbours.setdefault(other, []).append(link)
    return neighbours


def _order(link: Link) -> tuple[float, str, float, int]:
    return (-strength(link), link.kind, -link.strength, link.one)
