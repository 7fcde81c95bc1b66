"""Spreading activation: a memory's associations.

A recalled memory activates its neighbours, and these theirs, weaker with every hop (Collins &
Loftus 1975). The activation arriving at a neighbour over one edge is

    arriving = leaving * weight * decay        weight 0..1: similarity, or strength of a link

The strongest activation is followed first (a queue, not a stack), never back into its own
path, and each memory is reported once, with the path of its strongest activation. The order
in which seeds and neighbours are given changes nothing.
"""

import heapq
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final, TypeAlias

OVERFETCH: Final = 2  # a vector search is asked for this many times ``related``


class Link(Enum):
    """Kind of edge between two memories."""

    SEMANTIC = "semantic"
    CAUSAL = "causal"
    USER_DEFINED = "user_defined"


class Breadth(Enum):
    """Breadth of a search."""

    PRECISE = "precise"
    BALANCED = "balanced"
    EXHAUSTIVE = "exhaustive"


# Associations that an answer carries.
ASSOCIATIONS: Final[Mapping[Breadth, int]] = {
    Breadth.PRECISE: 0,
    Breadth.BALANCED: 3,
    Breadth.EXHAUSTIVE: 5,
}


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of how far and how strongly activation spreads."""

    hops: int = 2
    decay: float = 0.5  # per hop, 0..1
    related: int = 5  # neighbours of one memory that count: the strongest
    least_similarity: float = 0.70  # of a semantic edge; links of other kinds always count
    results: int = 20
    least: float = 0.01  # activation below which nothing arrives
    places: int = 3  # decimals of a reported activation


DEFAULT: Final = Settings()


@dataclass(frozen=True, slots=True)
class Neighbour:
    """The other end of an edge; its weight is a fraction or, above 1, a percentage."""

    memory_id: int
    weight: float
    link: Link = Link.SEMANTIC


@dataclass(frozen=True, slots=True)
class Activation:
    """A memory brought to mind: its activation, its hops and its path."""

    memory_id: int
    score: float  # 0..1
    hops: int
    path: tuple[int, ...]  # from the seed to the memory, both included


Adjacency: TypeAlias = Mapping[int, tuple[Neighbour, ...]]

# A step of the search: what the heap orders by, strongest first, then fewest hops, then the path.
_Step: TypeAlias = tuple[float, int, tuple[int, ...]]


def spread(
    seeds: Mapping[int, float], adjacency: Adjacency, settings: Settings = DEFAULT
) -> tuple[Activation, ...]:
    """Memories activated by the seeds, strongest first; the seeds themselves are left out.

    ``seeds`` maps memory ids to their first activation, 0..1. One hop over a similarity of 85 is
    .425, a second one .181. Ties are settled by the smaller id.
    """
    best: dict[int, _Step] = {}
    expanded: dict[int, int] = {}  # with how many hops a memory was
    waiting: list[_Step] = [(-fraction(score), 0, (seed,)) for seed, score in seeds.items()]
    heapq.heapify(waiting)
    while waiting:
        negative, hops, path = heapq.heappop(waiting)
        here = path[-1]
        # A weaker visit counts only when it came by fewer hops and so may go further.
        if hops >= expanded.get(here, settings.hops):
            continue
        expanded[here] = hops
        for neighbour in _strongest(adjacency.get(here, ()), settings):
            there, arriving = neighbour.memory_id, -negative * neighbour.weight * settings.decay
            if there in path or arriving < settings.least:
                continue
            step = (-arriving, hops + 1, (*path, there))
            best[there] = min(step, best.get(there, step))
            heapq.heappush(waiting, step)
    found = [_activation(step, settings) for memory, step in best.items() if memory not in seeds]
    found.sort(key=lambda activation: (-activation.score, activation.memory_id))
    return tuple(found[: settings.results])


def fetch_limit(settings: Settings = DEFAULT) -> int:
    """Number of nearest memories to search for when one is saved: 10."""
    return OVERFETCH * settings.related


def related(
    memory_id: int, nearest: Iterable[Neighbour], settings: Settings = DEFAULT
) -> tuple[Neighbour, ...]:
    """Related ones among the nearest memories: not itself, at least 70, 5 at most."""
    others = (neighbour for neighbour in nearest if neighbour.memory_id != memory_id)
    return _strongest(others, settings)


def merged(*adjacencies: Adjacency) -> Adjacency:
    """Similar and causal neighbours in one adjacency, each edge once.

    Where both kinds join two memories, ``spread`` takes the heavier one above the threshold.
    """
    rows: dict[int, list[Neighbour]] = {}
    for adjacency in adjacencies:
        for source, row in adjacency.items():
            rows.setdefault(source, []).extend(row)
    return {source: tuple(dict.fromkeys(_ranked(row))) for source, row in rows.items()}


def _strongest(row: Iterable[Neighbour], settings: Settings) -> tuple[Neighbour, ...]:
    """Each neighbour once, by its heaviest edge above the threshold, heaviest first, the first few."""
    once: dict[int, Neighbour] = {}
    for neighbour in _ranked(row):
        too_faint = neighbour.weight < settings.least_similarity
        if neighbour.link is not Link.SEMANTIC or not too_faint:
            once.setdefault(neighbour.memory_id, neighbour)
    return tuple(once.values())[: settings.related]


def fraction(similarity: float) -> float:
    """A similarity as 0..1: percentages are divided by 100, the rest clamped."""
    if not similarity > 0:
        return 0.0
    return min(1.0, similarity / 100 if similarity > 1 else similarity)


def _ranked(row: Iterable[Neighbour]) -> list[Neighbour]:
    as_fractions = (replace(neighbour, weight=fraction(neighbour.weight)) for neighbour in row)
    return sorted(as_fractions, key=lambda edge: (-edge.weight, edge.memory_id, edge.link.value))


def _activation(step: _Step, settings: Settings) -> Activation:
    negative, hops, path = step
    return Activation(path[-1], round(min(1.0, -negative), settings.places), hops, path)
