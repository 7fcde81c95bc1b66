"""The causal graph: causes and effects, walked from the memory asked about.

An edge reads ``source relation target``: the decision *caused* the outage, the new rule
*supersedes* the old one. How much passes over an edge in a walk is ``MULTIPLIERS``: a newer
version matters most to whoever looks at the old one.

Edges come in as values and in any order; every walk ends on any graph, cycles included.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final

WHY_DEPTH: Final = 3  # hops
DEPTH_LIMIT: Final = 10  # hops that no walk exceeds


class Relation(Enum):
    """Relation of the source of an edge to its target: these six and no other."""

    CAUSED = "caused"
    ENABLED = "enabled"
    SUPERSEDES = "supersedes"
    CONTRADICTS = "contradicts"
    DERIVED_FROM = "derived_from"
    SUPPORTS = "supports"


class Direction(Enum):
    """Direction in which a memory's edges are followed."""

    OUTGOING = "outgoing"  # what it led to
    INCOMING = "incoming"  # what led to it
    BOTH = "both"


MULTIPLIERS: Final[Mapping[Relation, float]] = {
    Relation.SUPERSEDES: 1.5,
    Relation.CONTRADICTS: 0.8,
    Relation.CAUSED: 1.0,
    Relation.ENABLED: 1.0,
    Relation.DERIVED_FROM: 1.0,
    Relation.SUPPORTS: 1.0,
}


class InvalidLink(ValueError):
    """The asker's edge is none: an unknown relation, a memory linked to itself, a wrong strength."""


@dataclass(frozen=True, slots=True)
class Edge:
    """One memory's standing to another."""

    id: str
    source: str
    target: str
    relation: Relation
    strength: float = 1.0  # 0..1: how sure the relation is
    evidence: str = ""

    def other(self, memory_id: str) -> str:
        """The end other than ``memory_id``."""
        return self.source if memory_id == self.target else self.target


@dataclass(frozen=True, slots=True)
class Step:
    """An edge met in a walk, and its far end."""

    edge: Edge
    memory_id: str
    hops: int
    path: tuple[str, ...]  # memories, from where the walk began to ``memory_id``
    weight: float  # of the path: multipliers and strengths


@dataclass(frozen=True, slots=True)
class Lineage:
    """Reasons of a memory: the edges around it, by relation."""

    memory_id: str
    groups: Mapping[Relation, tuple[Step, ...]]  # every relation, nearest edges first
    hint: str  # place to look at, when the chain contradicts itself; else empty
    cut: bool  # there is more beyond the depth


def edge(
    edge_id: str,
    source: str,
    target: str,
    relation: str,
    strength: float = 1.0,
    evidence: str = "",
) -> Edge:
    """An edge as asked for.

    Raises ``InvalidLink`` for a relation outside of the six, for a memory linked to itself and for
    a strength outside 0..1.
    """
    known = {one.value: one for one in Relation}
    if relation not in known:
        names = ", ".join(known)
        raise InvalidLink(f"a relation is one of {names}")
    if source == target:
        raise InvalidLink("a memory cannot be linked to itself")
    if not 0 <= strength <= 1:
        raise InvalidLink("the strength of a link is between 0 and 1")
    return Edge(edge_id, source, target, known[relation], strength, evidence)


def passing(one: Edge) -> float:
    """Factor of a walk on an edge."""
    return MULTIPLIERS[one.relation] * one.strength


def leaving(
    edges: Iterable[Edge], direction: Direction = Direction.BOTH
) -> Mapping[str, list[Edge]]:
    """The edges by which each memory can be left, in the direction of following."""
    around: dict[str, list[Edge]] = {}
    for one in edges:
        for end in _doors(one, direction):
            around.setdefault(end, []).append(one)
    return around


def walked(
    edges: Iterable[Edge],
    seeds: Collection[str],
    depth: int = WHY_DEPTH,
    direction: Direction = Direction.BOTH,
) -> tuple[Step, ...]:
    """The edges within ``depth`` hops of the seeds, nearest first, each once.

    A memory is left only once, by the weightiest of its shortest paths, so cycles end.
    """
    return tuple(_walk(leaving(edges, direction), seeds, depth))


def lineage(
    edges: Iterable[Edge],
    memory_id: str,
    depth: int = WHY_DEPTH,
    direction: Direction = Direction.BOTH,
) -> Lineage:
    """Reasons of a memory: the edges within ``depth`` hops, grouped by relation."""
    limit = min(depth, DEPTH_LIMIT)
    found = walked(edges, (memory_id,), limit + 1, direction)
    steps = [step for step in found if step.hops <= limit]
    groups = {
        relation: tuple(step for step in steps if step.edge.relation is relation)
        for relation in Relation
    }
    contradicting = len(groups[Relation.CONTRADICTS])
    hint = f"{contradicting} of these links contradict: look at both ends" if contradicting else ""
    return Lineage(memory_id, groups, hint, len(found) > len(steps))


def _walk(around: Mapping[str, list[Edge]], seeds: Collection[str], limit: int) -> Iterator[Step]:
    """Walk level by level, so the order of near memories never depends on the walk's length."""
    met: set[str] = set()
    reached = set(seeds)
    frontier: list[tuple[tuple[str, ...], float]] = [((seed,), 1.0) for seed in reached]
    for hops in range(1, limit + 1):
        steps = [
            Step(one, there, hops, (*path, there), weight * passing(one))
            for path, weight in frontier
            for one in around.get(path[-1], ())
            for there in (one.other(path[-1]),)
        ]
        frontier = []
        for step in sorted(steps, key=lambda step: (-step.weight, step.edge.id, step.path)):
            if step.edge.id in met:
                continue
            met.add(step.edge.id)
            yield step
            if step.memory_id not in reached:
                reached.add(step.memory_id)
                frontier.append((step.path, step.weight))


def _doors(one: Edge, direction: Direction) -> Iterator[str]:
    if direction is not Direction.INCOMING:
        yield one.source
    if direction is not Direction.OUTGOING:
        yield one.target
