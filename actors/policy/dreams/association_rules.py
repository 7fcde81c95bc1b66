"""Relations between two memories of a sample, by their kinds, cosine and times.

Rules in a strict order, the first that holds wins. Two of them find memories that are *unlike*:
without a common subject that would join whatever has nothing to do with each other,
so they hold only for two memories that name the same file, identifier or phrase.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from actors.policy.capture.backfill import entities
from actors.policy.dreams.connection_graph import Connection, ConnectionKind

DAY: Final = 86_400.0  # seconds
INSIGHTS: Final = frozenset({"discovery", "bugfix"})  # What explains
PATTERNS: Final = frozenset({"refactor", "feature"})  # and what is explained by it

T = TypeVar("T")
Draw = Callable[[int], int]
"""A random number from 0 to below the one given."""


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


@dataclass(frozen=True, slots=True)
class Observation:
    """A memory as the rules see it."""

    id: int
    kind: str
    at: float  # seconds UTC
    project: str | None
    subjects: frozenset[str]  # names in it: two with one in common are about the same thing


def subjects_of(text: str, phrases: Sequence[str] = ()) -> frozenset[str]:
    """Subjects of a text, in lower case: identifiers, files, and its own phrases."""
    return frozenset(name.casefold() for name in (*entities(text), *phrases) if name)


def sampled(ids: Sequence[T], count: int, draw: Draw) -> list[T]:
    """``count`` of these, each as likely as any other, by Fisher and Yates; all when few."""
    pool = list(ids)
    if count >= len(pool):
        return pool
    for place in range(max(count, 0)):
        other = place + draw(len(pool) - place)
        pool[place], pool[other] = pool[other], pool[place]
    return pool[: max(count, 0)]


def cosine(one: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    """Cosine of two vectors; 0 when their lengths differ, or one is zero or no number."""
    if one.shape != other.shape:
        return 0.0
    wide, broad = one.astype(np.float64), other.astype(np.float64)
    norms = float(np.linalg.norm(wide)) * float(np.linalg.norm(broad))  # numpy warns of inf * 0
    if norms == 0.0 or not isfinite(norms):
        return 0.0
    return min(1.0, max(-1.0, float(wide @ broad) / norms))


def days_between(one: Observation, other: Observation) -> float:
    """Days between two memories, whichever is older."""
    return abs(one.at - other.at) / DAY


def explains(one: Observation, other: Observation) -> bool:
    """Return whether one is an insight and the other a pattern, in either order."""
    kinds = (one.kind, other.kind)
    return (kinds[0] in INSIGHTS and kinds[1] in PATTERNS) or (
        kinds[1] in INSIGHTS and kinds[0] in PATTERNS
    )


def connection(
    one: Observation, other: Observation, alike: float, *, evolves: bool = True
) -> Connection | None:
    """Connection of two memories; ``alike`` is their cosine.

    Without ``evolves`` rule 0 does not hold.

    Of EVOLVES_FROM the newer stands first, of EXPLAINS the insight, else the smaller id.
    """
    days, shared = days_between(one, other), len(one.subjects & other.subjects)
    said = f"cosine {alike:.2f}, {days:.1f} days apart"
    if (
        evolves
        and one.kind == other.kind
        and one.project == other.project
        and alike >= EVOLVES_FROM
        and days >= EVOLVES_DAYS
    ):
        newer, older = (one, other) if one.at > other.at else (other, one)
        return Connection(
            newer.id, older.id, ConnectionKind.EVOLVES_FROM, alike, f"rule 0: one kind, {said}"
        )
    first, second = sorted((one.id, other.id))
    if one.kind == other.kind == "decision" and alike < CONTRADICTS and shared:
        evidence = f"rule 1: two decisions, {shared} subjects in common, {said}"
        return Connection(first, second, ConnectionKind.CONTRADICTS, 0.6, evidence)
    if explains(one, other) and alike > EXPLAINS:
        insight, pattern = (one, other) if one.kind in INSIGHTS else (other, one)
        evidence = f"rule 2: a {insight.kind} and a {pattern.kind}, {said}"
        return Connection(insight.id, pattern.id, ConnectionKind.EXPLAINS, 0.7, evidence)
    if alike > THEME:
        return Connection(first, second, ConnectionKind.SHARES_THEME, alike, f"rule 3: {said}")
    if days <= PARALLEL_DAYS and alike < PARALLEL and shared:
        evidence = f"rule 4: {shared} subjects in common, {said}"
        return Connection(first, second, ConnectionKind.PARALLEL_CONTEXT, 0.5, evidence)
    return None
