"""Diversity: an answer whose results say different things, from different channels.

Maximal marginal relevance after Carbonell and Goldstein (1998), and a lighter rule for results
that come from regions of the graph: both choose an order and leave the scores alone. And each
channel that found something good has a place in the answer: without it the results of one channel
can fill all places, and the work of the others is lost.
"""

from collections.abc import Hashable, Mapping, Sequence
from typing import Final, TypeVar

import numpy as np
import numpy.typing as npt

Identity = TypeVar("Identity", bound=Hashable)
Vector = npt.NDArray[np.float32]

CANDIDATES: Final = 20  # best ones among which it chooses
FEWEST: Final = 2  # below, there is nothing to choose
REGION_SHARE: Final = 0.5
# How much relevance counts against likeness.
LAMBDAS: Final[Mapping[str, float]] = {
    "understand": 0.5,
    "find_spec": 0.5,
    "find_decision": 0.5,
    "refactor": 0.6,
    "add_feature": 0.7,
    "security_audit": 0.75,
    "fix_bug": 0.85,
}
DEFAULT_LAMBDA: Final = 0.7
FLOOR: Final = 0.2  # normalised score a result must have to be promoted


def relevance_share(intent: str) -> float:
    """Lambda of an intent: 1 asks for relevance alone, 0 for difference alone."""
    return LAMBDAS.get(intent, DEFAULT_LAMBDA)


def marginal(relevance: float, likeness: float, share: float = DEFAULT_LAMBDA) -> float:
    """Marginal relevance: lambda * relevance - (1 - lambda) * likeness.

    ``likeness`` is the highest similarity with anything chosen before. .8 and .9 make .29.
    """
    return share * relevance - (1 - share) * likeness


def diversified(
    scores: Mapping[Identity, float],
    vectors: Mapping[Identity, Vector],
    share: float = DEFAULT_LAMBDA,
) -> list[Identity]:
    """All of ``scores``: the first 20 by marginal relevance, the rest by score.

    Vectors have length 1; what has none is like nothing. Ties go to the better score.
    """
    ranked = sorted(scores, key=lambda identity: -scores[identity])
    waiting, rest = ranked[:CANDIDATES], ranked[CANDIDATES:]
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
    """An order in which what comes from a region not seen yet goes first.

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


def promoted(
    ranked: Sequence[int],
    scores: Mapping[int, float],
    channels: Mapping[str, Sequence[int]],
    places: int,
) -> tuple[int, ...]:
    """Results behind the first ``places``, for every channel with a good one and no place.

    The best of the channel by score is promoted, when that reaches .2; a channel that found
    nothing is owed nothing.
    """
    kept = set(ranked[:places])
    rest = sorted(ranked[places:], key=lambda one: -scores[one])
    found: list[int] = []
    for own in map(set, channels.values()):
        if own.isdisjoint(kept):
            best = next((one for one in rest if one in own and scores[one] >= FLOOR), None)
            if best is not None:
                kept.add(best)
                found.append(best)
    return tuple(found)


def _cosine(one: Vector | None, other: Vector | None) -> float:
    return 0.0 if one is None or other is None else float(np.dot(one, other))
