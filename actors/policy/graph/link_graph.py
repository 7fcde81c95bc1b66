"""Links of every kind as one graph: memories linked with the ones found, ways over links, its density.

A question about two facts names the first one. The second is reached from it over a causal edge, an
association drawn by a person, or a connection seen by dreaming: the graph channel. Each memory found
lends by the square of its score, so only good answers have a say, times the strengths on the way. The
beginnings of the walk are found by words and vectors together.

Likeness in vector space lends nothing: the vectors have told it already, and on five development
sets it cost more than it brought (docs/measured/recall-ablation.md).
"""

import heapq
import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from actors.policy.graph.causal import MULTIPLIERS
from actors.policy.text.wording import short_id

# Kinds of links that only repeat what the vectors say.
LIKENESS: Final = frozenset({"similar", "semantic"})
UNDER: Final = 0.98  # share of the score of what a link was followed from that it lifts to
# What a link lets pass by its kind: what somebody said or a text declares is a claim and counts
# most (the relations' multipliers, but for a successor: what it replaced has left the indexes), then what
# dreaming took for a cause. A connection that was merely observed gets OBSERVED,
# with which shared concepts raised recall@5 of questions of several facts by 3 points.
OBSERVED: Final = 0.4
SHARES: Final[Mapping[str, float]] = {
    relation.value: min(1.0, multiplier) for relation, multiplier in MULTIPLIERS.items()
} | {"causal_chain": 0.75}


# How far links are followed and how much what they reach gains.
SEEDS: Final = 10  # best ones found, from which links are followed
HOPS: Final = 2
DECAY: Final = 0.7  # of what is left after each further hop
LEAST: Final = 0.2  # strength of a link that is followed, as of a chain's
BOOST: Final = 0.05  # of a score, by the logarithm of a degree
REACHED: Final = 40  # memories that the channel brings at most


@dataclass(frozen=True, slots=True)
class Link:
    """Two related memories; the direction does not matter here."""

    one: int
    other: int
    kind: str  # a relation, a kind of connection or of association
    strength: float  # 0..1; a connection's may be up to 2


@dataclass(frozen=True, slots=True)
class Reached:
    """A memory reached over links."""

    score: float  # 0..1: square of the seed's score, times what the links on the way let pass
    path: tuple[int, ...]  # from the seed to it, both named
    kinds: tuple[str, ...]  # of the links on that way

    @property
    def last_step(self) -> str:
        """The last step in words: "linked with m4 (caused)"."""
        return f"linked with {short_id(self.path[-2])} ({self.kinds[-1].replace('_', ' ')})"


def passing(link: Link) -> float:
    """Share passing over a link, 0..1: its strength, times its relation's multiplier if any."""
    strength = min(1.0, max(0.0, link.strength))
    if strength < LEAST or link.kind in LIKENESS:
        return 0.0
    return min(1.0, strength * SHARES.get(link.kind, OBSERVED))


def degree_boosts(links: Iterable[Link]) -> dict[int, float]:
    """Share of its score gained by each linked memory: .05 * log(1 + the sum of its links' shares)."""
    degrees: dict[int, float] = {}
    for link in set(links):
        for end in (link.one, link.other):
            degrees[end] = degrees.get(end, 0.0) + passing(link)
    return {one: BOOST * math.log1p(degree) for one, degree in degrees.items() if degree}


def seeds(scores: Mapping[int, float]) -> dict[int, float]:
    """The best ones found, by their share of the best score; equal ones by identity."""
    best = max(scores.values(), default=0.0)
    if best <= 0:
        return {}
    chosen = sorted(scores, key=lambda one: (-scores[one], one))[:SEEDS]
    return {one: scores[one] / best for one in chosen if scores[one] > 0}


def reached(started: Mapping[int, float], links: Iterable[Link]) -> dict[int, Reached]:
    """Memories reached over links from the ones found (``seeds``), the best way to each.

    A seed is reached from other seeds only. Best first and bounded: at most ``hops`` links a way,
    ``reached`` memories; the order of the links does not matter.
    """
    around = _around(links)
    waiting: list[tuple[float, tuple[int, ...], tuple[str, ...]]] = [
        (-(min(1.0, score) ** 2), (one,), ()) for one, score in started.items()
    ]
    heapq.heapify(waiting)
    found: dict[int, Reached] = {}
    left: set[tuple[int, int]] = set()  # who was left at which hop, by the best way first
    while waiting and len(found) < REACHED:
        negative, path, kinds = heapq.heappop(waiting)
        here, hops = path[-1], len(kinds)
        if hops and here not in found and -negative > 0:
            found[here] = Reached(-negative, path, kinds)
        if hops >= HOPS or (here, hops) in left:
            continue
        left.add((here, hops))
        for there, share, kind in around.get(here, ()):
            if there not in path:
                score = negative * share * (DECAY if hops else 1.0)
                heapq.heappush(waiting, (score, (*path, there), (*kinds, kind)))
    return found


def frontier(started: Collection[int], links: Iterable[Link], most: int) -> list[int]:
    """Memories with their links to be read next: met and not read yet, strongest first."""
    met: dict[int, float] = {}
    for link in links:
        share = passing(link)
        for end in (link.one, link.other):
            if share and end not in started:
                met[end] = max(share, met.get(end, 0.0))
    return sorted(met, key=lambda one: (-met[one], one))[:most]


def lifted(
    order: Sequence[tuple[int, float]], found: Mapping[int, Reached], weight: float
) -> dict[int, float]:
    """The scores with the links' additions: ``weight`` of the best score for a full link."""
    best = max((score for _, score in order), default=0.0)
    scores = dict(order)
    for one, way in found.items():
        scores[one] = scores.get(one, 0.0) + weight * best * way.score
    return scores


def _around(links: Iterable[Link]) -> dict[int, list[tuple[int, float, str]]]:
    """Each memory's neighbours with their shares, the strongest link of a pair alone."""
    best: dict[tuple[int, int], tuple[float, str]] = {}
    for link in links:
        share = passing(link)
        pair = (min(link.one, link.other), max(link.one, link.other))
        known = best.get(pair)
        if share and pair[0] != pair[1] and (known is None or (share, link.kind) > known):
            best[pair] = (share, link.kind)
    around: dict[int, list[tuple[int, float, str]]] = {}
    for (one, other), (share, kind) in sorted(best.items()):
        around.setdefault(one, []).append((other, share, kind))
        around.setdefault(other, []).append((one, share, kind))
    return around


# ---- ways along connections: memories around one, and memories between two
#
# Best first: the certainty of a way is the product of its links' strengths. At most ten links, links
# of .2 or more, 1,000 ways looked at; no memory twice on a way. Equal ways are told the shorter
# first, then by their memories, so an answer does not depend on the order of the links.


# How far ways are looked for.
DEPTH: Final = 10  # links
PATHS: Final = 1000  # looked at


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


# ---- connectedness of memories: the density of the graph, and the parts it falls into


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
