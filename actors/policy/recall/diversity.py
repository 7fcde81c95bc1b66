"""Diversity: an answer whose results say different things (K12, K24).

Maximal marginal relevance after Carbonell and Goldstein (1998), and a lighter rule for results
that come from regions of the graph. Both choose an order and leave the scores alone.
"""

from collections.abc import Hashable, Mapping, Sequence
from types import MappingProxyType
from typing import Final, TypeVar

import numpy as np
import numpy.typing as npt

Identity = TypeVar("Identity", bound=Hashable)
Vector = npt.NDArray[np.float32]

CANDIDATES: Final = 20  # best ones among which it chooses, K12
FEWEST: Final = 2  # below, there is nothing to choose
REGION_SHARE: Final = 0.5  # K24
# K12: how much relevance counts against likeness.
LAMBDAS: Final[Mapping[str, float]] = MappingProxyType(
    {
        "understand": 0.5,
        "find_spec": 0.5,
        "find_decision": 0.5,
        "refactor": 0.6,
        "add_feature": 0.7,
        "security_audit": 0.75,
        "fix_bug": 0.85,
    }
)
DEFAULT_LAMBDA: Final = 0.7


def relevance_share(intent: str) -> float:
    """Lambda of an intent: 1 asks for relevance alone, 0 for difference alone (K12)."""
    return LAMBDAS.get(intent, DEFAULT_LAMBDA)


def marginal(relevance: float, likeness: float, share: float = DEFAULT_LAMBDA) -> float:
    """Marginal relevance: lambda * relevance - (1 - lambda) * likeness (K12).

    ``likeness`` is the highest similarity with anything chosen before. .8 and .9 make .29.
    """
    return share * relevance - (1 - share) * likeness


def diversified(
    scores: Mapping[Identity, float],
    vectors: Mapping[Identity, Vector],
    share: float = DEFAULT_LAMBDA,
    candidates: int = CANDIDATES,
) -> list[Identity]:
    """All of ``scores``: the first 20 by marginal relevance, the rest by score (K12).

    Vectors have length 1; what has none is like nothing. Ties go to the better score.
    """
    ranked = sorted(scores, key=lambda identity: -scores[identity])
    waiting, rest = ranked[:candidates], ranked[candidates:]
    if len(waiting) < FEWEST:
        return ranked
    likeness = dict.fromkeys(waiting, 0.0)
    chosen: list[Identity] = []
    while waiting:
        best = max(waiting, key=lambda one: marginal(scores[one], likeness[one], share))
        waiting.remove(best)
        chosen.append(best)
        for one in waiting:
            likeness[one] = max(likeness[one], _cosine(vectors.get(best), vectors.get(one)))
    return chosen + rest


def spread_over_regions(
    ranked: Sequence[Identity],
    scores: Mapping[Identity, float],
    regions: Mapping[Identity, Hashable],
) -> list[Identity]:
    """An order in which what comes from a region not seen yet goes first (K24).

    It goes before the next best when its score is more than half of that one's. What is in no
    region counts as a region of its own.
    """
    waiting, seen, order = list(ranked), set[Hashable](), list[Identity]()
    while waiting:
        head = waiting[0]
        enough = REGION_SHARE * scores[head]
        unseen = (one for one in waiting if one not in regions or regions[one] not in seen)
        fresh = next((one for one in unseen if one == head or scores[one] > enough), head)
        waiting.remove(fresh)
        order.append(fresh)
        if fresh in regions:
            seen.add(regions[fresh])
    return order


def _cosine(one: Vector | None, other: Vector | None) -> float:
    return 0.0 if one is None or other is None else float(np.dot(one, other))
