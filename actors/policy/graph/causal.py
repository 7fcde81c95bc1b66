"""The causal graph: causes and effects, walked from the memory asked about.

An edge reads ``source relation target``: the decision *caused* the outage, the new rule
*supersedes* the old one. How much passes over an edge in a walk is ``MULTIPLIERS``: a newer
version matters most to whoever looks at the old one.

Edges come in as values and in any order; every walk ends on any graph, cycles included.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from typing import Final, NamedTuple

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


class Edge(NamedTuple):
    """One memory's standing to another."""

    source: int
    target: int
    relation: Relation
    strength: float = 1.0  # 0..1: how sure the relation is
    evidence: str = ""

    def other(self, memory_id: int) -> int:
        """The end other than ``memory_id``."""
        return self.source if memory_id == self.target else self.target


class Step(NamedTuple):
    """An edge met in a walk, and its far end."""

    edge: Edge
    memory_id: int
    hops: int
    path: tuple[int, ...]  # memories, from where the walk began to ``memory_id``
    weight: float  # of the path: multipliers and strengths


class Lineage(NamedTuple):
    """Reasons of a memory: the edges around it, by relation."""

    groups: Mapping[Relation, tuple[Step, ...]]  # every relation, nearest edges first
    cut: bool  # there is more beyond the depth


def edge(
    source: int, target: int, relation: str, strength: float = 1.0, evidence: str = ""
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
    return Edge(source, target, known[relation], strength, evidence)


def lineage(edges: Iterable[Edge], memory_id: int, depth: int = WHY_DEPTH) -> Lineage:
    """Reasons of a memory: the edges within ``depth`` hops, grouped by relation."""
    limit = min(depth, DEPTH_LIMIT)
    found = [*_walked(edges, memory_id, limit + 1)]
    steps = [step for step in found if step.hops <= limit]
    groups = {
        relation: tuple(step for step in steps if step.edge.relation is relation)
        for relation in Relation
    }
    return Lineage(groups, len(found) > len(steps))


def _walked(edges: Iterable[Edge], start: int, limit: int) -> Iterator[Step]:
    """The edges within so many hops, level by level: near ones do not depend on the walk's length.

    A memory is left only once, by the weightiest of its shortest paths, so cycles end.
    """
    around = defaultdict[int, list[Edge]](list)
    for one in edges:
        around[one.source].append(one)
        around[one.target].append(one)
    met, reached = set[Edge](), {start}
    frontier: list[tuple[tuple[int, ...], float]] = [((start,), 1.0)]
    for hops in range(1, limit + 1):
        steps = [
            Step(
                one, there, hops, (*path, there), weight * MULTIPLIERS[one.relation] * one.strength
            )
            for path, weight in frontier
            for one in around[path[-1]]
            for there in (one.other(path[-1]),)
        ]
        frontier = []
        for step in sorted(steps, key=_order):
            if step.edge in met:
                continue
            met.add(step.edge)
            yield step
            if step.memory_id not in reached:
                reached.add(step.memory_id)
                frontier.append((step.path, step.weight))


def _order(step: Step) -> tuple[float, int, int, str, tuple[int, ...]]:
    edge = step.edge
    return -step.weight, edge.source, edge.target, edge.relation.value, step.path
