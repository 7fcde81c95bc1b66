"""Kinships of two memories of a sample, by their kinds, cosine and times.

Rules in a strict order, the first that holds wins. Two of them find memories that are *unlike*:
without a common subject that would join whatever has nothing to do with each other, so they hold
only for two memories that name the same file or identifier.
"""

from collections.abc import Sequence
from itertools import combinations
from typing import Final

import numpy as np

from actors.policy.dreams.connection_graph import DAY, Connection, ConnectionKind
from actors.policy.dreams.replay import Replayed, is_code
from actors.policy.gate.nearest import Matrix

INSIGHTS: Final = frozenset({"discovery", "bugfix"})  # what explains
PATTERNS: Final = frozenset({"refactor", "feature"})  # and what is explained by it

# From when a rule holds.
EVOLVES_FROM: Final = 0.6  # cosine, at or above
EVOLVES_DAYS: Final = 7.0  # between the two, at or above
CONTRADICTS: Final = 0.3  # cosine, below
EXPLAINS: Final = 0.5  # cosine, above
THEME: Final = 0.7  # cosine, above
PARALLEL_DAYS: Final = 7.0  # between the two, at most
PARALLEL: Final = 0.4  # cosine, below


def kinships_among(sample: Sequence[Replayed], vectors: Matrix) -> list[Connection]:
    """Kinships among the memories of a sample; a row each of normalised vectors.

    What is no number is like nothing.
    """
    if not sample:
        return []
    cosines = np.nan_to_num(vectors @ vectors.T, nan=0.0, posinf=0.0, neginf=0.0).tolist()
    joined = (
        kinship(sample[one], sample[other], float(cosines[one][other]))
        for one, other in combinations(range(len(sample)), 2)
    )
    return [one for one in joined if one is not None]


def kinship(one: Replayed, other: Replayed, alike: float) -> Connection | None:
    """Kinship of two memories; ``alike`` is their cosine.

    Of EVOLVES_FROM the newer stands first, of EXPLAINS the insight, else the smaller id.
    """
    days = abs(one.at - other.at) / DAY
    shared = sum(is_code(subject) for subject in one.concepts & other.concepts)
    evidence = f"cosine {alike:.2f}, {days:.1f} days apart"
    one_place = one.kind == other.kind and one.project == other.project
    if one_place and alike >= EVOLVES_FROM and days >= EVOLVES_DAYS:
        newer, older = (one, other) if one.at > other.at else (other, one)
        return Connection(
            newer.id, older.id, ConnectionKind.EVOLVES_FROM, alike, f"rule 0: one kind, {evidence}"
        )
    first, second = sorted((one.id, other.id))
    if one.kind == other.kind == "decision" and alike < CONTRADICTS and shared:
        evidence = f"rule 1: two decisions, {shared} subjects in common, {evidence}"
        return Connection(first, second, ConnectionKind.CONTRADICTS, 0.6, evidence)
    insight, pattern = (one, other) if one.kind in INSIGHTS else (other, one)
    if insight.kind in INSIGHTS and pattern.kind in PATTERNS and alike > EXPLAINS:
        evidence = f"rule 2: a {insight.kind} and a {pattern.kind}, {evidence}"
        return Connection(insight.id, pattern.id, ConnectionKind.EXPLAINS, 0.7, evidence)
    if alike > THEME:
        return Connection(first, second, ConnectionKind.SHARES_THEME, alike, f"rule 3: {evidence}")
    if days <= PARALLEL_DAYS and alike < PARALLEL and shared:
        evidence = f"rule 4: {shared} subjects in common, {evidence}"
        return Connection(first, second, ConnectionKind.PARALLEL_CONTEXT, 0.5, evidence)
    return None
