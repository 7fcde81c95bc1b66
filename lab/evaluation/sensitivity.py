"""K sensitivity: what the constant of rank fusion does to a ranking.

A small k favours the first places, a large one evens them out. Each k is compared with 60 by
Kendall's tau (1938), the agreement of two orders, and by the reciprocal rank of what was sought.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final, TypeVar

from actors.policy.recall.fusion import by_ranks
from lab.evaluation.measures import reciprocal_rank

Identity = TypeVar("Identity", bound=Hashable)

GRID: Final = (20, 40, 60, 80, 100)
BASELINE: Final = 60
DEPTH: Final = 5  # of the reciprocal rank


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """One k against the baseline: agreement -1..1, and MRR@5 where it is known what was sought."""

    k: int
    tau: float
    mrr: float | None


@dataclass(frozen=True, slots=True)
class Query:
    """The channels' rankings for a query, and what was sought if that is known."""

    channels: Mapping[str, Sequence[int]]
    relevant: frozenset[int] = frozenset()


def kendall_tau(one: Sequence[Identity], other: Sequence[Identity]) -> float:
    """Agreement of two orders over what both rank: 1 the same, -1 reversed.

    (pairs in the same order - pairs in the other order) / pairs. Fewer than two: 1.
    """
    at = {identity: place for place, identity in enumerate(other)}
    places = [at[identity] for identity in one if identity in at]
    pairs = [1 if first < second else -1 for first, second in combinations(places, 2)]
    return sum(pairs) / len(pairs) if pairs else 1.0


def sensitivities(queries: Sequence[Query], grid: Sequence[int] = GRID) -> list[Sensitivity]:
    """Every k of the grid against 60: mean tau, and MRR@5 over the queries with an answer."""
    base = [_order(query, BASELINE) for query in queries]
    judged = [at for at, query in enumerate(queries) if query.relevant]
    grades = [dict.fromkeys(query.relevant, 1.0) for query in queries]
    results: list[Sensitivity] = []
    for k in grid:
        orders = [_order(query, k) for query in queries]
        taus = [kendall_tau(one, other) for one, other in zip(base, orders, strict=True)]
        ranks = [reciprocal_rank(orders[at], grades[at], DEPTH) for at in judged]
        mrr = sum(ranks) / len(ranks) if ranks else None
        results.append(Sensitivity(k, sum(taus) / len(taus) if taus else 1.0, mrr))
    return results


def _order(query: Query, k: int) -> list[int]:
    # A channel's ranking is the order of its scores; one named twice counts at its better place.
    channels = {
        name: {one: -place for place, one in enumerate(dict.fromkeys(ranked))}
        for name, ranked in query.channels.items()
    }
    own = by_ranks(channels, k)
    return sorted(own, key=lambda one: -sum(own[one].values()))
