"""Kinships of two memories of a sample, by their kinds, cosine and times.

Rules in a strict order, the first that holds wins. Two of them find memories that are *unlike*:
without a common subject that would join whatever has nothing to do with each other, so they hold
only for two memories that name the same file or identifier.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from math import isfinite
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from actors.policy.dreams.connection_graph import DAY, Connection, ConnectionKind
from actors.policy.dreams.replay import Replayed, is_code

INSIGHTS: Final = frozenset({"discovery", "bugfix"})  # what explains
PATTERNS: Final = frozenset({"refactor", "feature"})  # and what is explained by it

T = TypeVar("T")
Draw = Callable[[int], int]
"""A random number from 0 to below the one given."""
Vector = NDArray[np.float32]

# Which memories are looked at, and from when a rule holds.
RECENT: Final = 100  # memories of a project that a sample is drawn from
SAMPLE: Final = 20  # memories compared with each other: 190 pairs
EVOLVES_FROM: Final = 0.6  # cosine, at or above
EVOLVES_DAYS: Final = 7.0  # between the two, at or above
CONTRADICTS: Final = 0.3  # cosine, below
EXPLAINS: Final = 0.5  # cosine, above
THEME: Final = 0.7  # cosine, above
PARALLEL_DAYS: Final = 7.0  # between the two, at most
PARALLEL: Final = 0.4  # cosine, below


def sampled(ids: Sequence[T], count: int, draw: Draw) -> list[T]:
    """``count`` of these, each as likely as any other, by Fisher and Yates; all when few."""
    pool = list(ids)
    if count >= len(pool):
        return pool
    for place in range(count):
        other = place + draw(len(pool) - place)
        pool[place], pool[other] = pool[other], pool[place]
    return pool[:count]


def cosine(one: Vector, other: Vector) -> float:
    """Cosine of two vectors; 0 when their lengths differ, or one is zero or no number."""
    if one.shape != other.shape:
        return 0.0
    wide, broad = one.astype(np.float64), other.astype(np.float64)
    norms = float(np.linalg.norm(wide)) * float(np.linalg.norm(broad))  # numpy warns of inf * 0
    if norms == 0.0 or not isfinite(norms):
        return 0.0
    return min(1.0, max(-1.0, float(wide @ broad) / norms))


def connections(sample: Sequence[Replayed], vectors: Mapping[int, Vector]) -> list[Connection]:
    """Kinships among the memories of a sample, each of which has a vector."""
    joined = (
        connection(one, other, cosine(vectors[one.id], vectors[other.id]))
        for one, other in combinations(sample, 2)
    )
    return [one for one in joined if one is not None]


def connection(one: Replayed, other: Replayed, alike: float) -> Connection | None:
    """Connection of two memories; ``alike`` is their cosine.

    Of EVOLVES_FROM the newer stands first, of EXPLAINS the insight, else the smaller id.
    """
    days = abs(one.at - other.at) / DAY
    shared = sum(is_code(subject) for subject in one.concepts & other.concepts)
    said = f"cosine {alike:.2f}, {days:.1f} days apart"
    one_place = one.kind == other.kind and one.project == other.project
    if one_place and alike >= EVOLVES_FROM and days >= EVOLVES_DAYS:
        newer, older = (one, other) if one.at > other.at else (other, one)
        return Connection(
            newer.id, older.id, ConnectionKind.EVOLVES_FROM, alike, f"rule 0: one kind, {said}"
        )
    first, second = sorted((one.id, other.id))
    if one.kind == other.kind == "decision" and alike < CONTRADICTS and shared:
        evidence = f"rule 1: two decisions, {shared} subjects in common, {said}"
        return Connection(first, second, ConnectionKind.CONTRADICTS, 0.6, evidence)
    insight, pattern = (one, other) if one.kind in INSIGHTS else (other, one)
    if insight.kind in INSIGHTS and pattern.kind in PATTERNS and alike > EXPLAINS:
        evidence = f"rule 2: a {insight.kind} and a {pattern.kind}, {said}"
        return Connection(insight.id, pattern.id, ConnectionKind.EXPLAINS, 0.7, evidence)
    if alike > THEME:
        return Connection(first, second, ConnectionKind.SHARES_THEME, alike, f"rule 3: {said}")
    if days <= PARALLEL_DAYS and alike < PARALLEL and shared:
        evidence = f"rule 4: {shared} subjects in common, {said}"
        return Connection(first, second, ConnectionKind.PARALLEL_CONTEXT, 0.5, evidence)
    return None
