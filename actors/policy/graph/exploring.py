"""Ways along connections: memories around one, and memories between two.

Best first: the certainty of a way is the product of its links' strengths. At most ten links, links
of .2 or more, 1,000 ways looked at; no memory twice on a way. Equal ways are told the shorter
first, then by their memories, so an answer does not depend on the order of the links.
"""

import heapq
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from actors.policy.graph.graph_channel import Link

# How far ways are looked for.
DEPTH: Final = 10  # links
PATHS: Final = 1000  # looked at
LEAST: Final = 0.2  # strength of each link


@dataclass(frozen=True, slots=True)
class Trail:
    """A way over links, with the memories from its beginning to its end."""

    memories: tuple[int, ...]
    links: tuple[Link, ...]
    sure: float  # 0..1: product of the strengths


@dataclass(frozen=True, slots=True)
class Bridge:
    """A memory between two others, with the surest way over it."""

    memory: int
    ways: int  # over it, of those that were found
    best: Trail


def around(links: Iterable[Link], start: int, depth: int = DEPTH) -> tuple[Trail, ...]:
    """The surest way from ``start`` to each memory in reach, the surest first."""
    found: dict[int, Trail] = {}
    for way in _walked(_strongest_links(links), start, depth, end=None):
        if way.links:
            found.setdefault(way.memories[-1], way)
    return tuple(found.values())


def between(links: Iterable[Link], start: int, end: int, depth: int = DEPTH) -> tuple[Trail, ...]:
    """The ways from one memory to another, the surest first; none from one to itself."""
    ways = _walked(_strongest_links(links), start, depth, end=end) if start != end else ()
    return tuple(way for way in ways if way.memories[-1] == end)


def bridges(ways: Sequence[Trail]) -> tuple[Bridge, ...]:
    """The memories on the ways of ``between``, the ones of the surest ways first."""
    over: dict[int, list[Trail]] = {}
    for way in ways:
        for memory in way.memories[1:-1]:
            over.setdefault(memory, []).append(way)
    made = [Bridge(memory, len(each), each[0]) for memory, each in over.items()]
    return tuple(sorted(made, key=lambda one: (-one.best.sure, -one.ways, one.memory)))


def strength(link: Link) -> float:
    """Strength of a link, 0..1: a connection found again and again is not surer than a link."""
    return min(1.0, max(0.0, link.strength))


def _walked(
    neighbours: Mapping[int, list[Link]], start: int, depth: int, *, end: int | None
) -> Iterator[Trail]:
    """The ways from ``start``, the surest first; none goes on from ``end``.

    Without an ``end`` a memory is left only once with each number of links behind it.
    """
    first = Trail((start,), (), 1.0)
    waiting: list[tuple[float, int, tuple[int, ...], tuple[str, ...], Trail]]
    waiting = [(-1.0, 0, first.memories, (), first)]
    left: set[tuple[int, int]] = set()
    for _ in range(PATHS):
        if not waiting:
            return
        _, length, memories, kinds, way = heapq.heappop(waiting)
        yield way
        here = memories[-1]
        if length >= min(depth, DEPTH) or here == end or (end is None and (here, length) in left):
            continue
        left.add((here, length))
        for link in neighbours.get(here, ()):
            there = link.other if link.one == here else link.one
            if there not in memories:
                on = Trail((*memories, there), (*way.links, link), way.sure * strength(link))
                heapq.heappush(
                    waiting, (-on.sure, length + 1, on.memories, (*kinds, link.kind), on)
                )


def _strongest_links(links: Iterable[Link]) -> dict[int, list[Link]]:
    """Each memory's links, one of a pair: the strongest; a claim before an observation."""
    best: dict[tuple[int, int], Link] = {}
    for link in links:
        if strength(link) < LEAST or link.one == link.other:
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
