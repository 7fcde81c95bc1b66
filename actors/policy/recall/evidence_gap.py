"""Evidence gap: whether the scores of an answer stand on anything (K14).

A result that answers stands out. Of n scores none can be further than sqrt(n - 1) deviations from
their mean, so with three the documents' Z of 1.5 cannot be passed (finding 9): Z decides from five
on, below it a margin to the second of a tenth of the best. It is told with every answer and withholds nothing;
``evidence`` decides what a prompt gets.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

CONNECTED: Final = 3  # memories linked with what the query matches; below, the graph knows nothing
LEAST_TOP: Final = 0.015  # of reciprocal ranks


class Reason(StrEnum):
    """Why there is a gap, or that there is none."""

    NONE = "none"
    NOTHING = "nothing found"
    WEAK = "the best score is too low"
    FLAT = "no score stands out"


@dataclass(frozen=True, slots=True)
class EvidenceGap:
    """What is told with an answer: ``evidence: {gap, reason, z, …}``."""

    gap: bool
    reason: Reason
    z: float | None  # deviations of the best above the mean; None below five scores
    margin: float  # from the best to the second, or to nothing


def evidence_gap(scores: Iterable[float]) -> EvidenceGap:
    """Whether an answer is thin (K14, finding 9).

    Nothing found, a best score under .015, Z under 1.5 of five or more scores, or of fewer a margin
    under a tenth of the best. NaN counts as no score.
    """
    ordered = sorted((score for score in scores if not math.isnan(score)), reverse=True)
    z = _deviations(ordered)
    margin = ordered[0] - (ordered[1] if len(ordered) > 1 else 0.0) if ordered else 0.0
    reason = _reason(ordered, z, margin)
    return EvidenceGap(reason is not Reason.NONE, reason, z, margin)


def graph_gap(connected: int) -> bool:
    """Whether the graph says before the search that it will not help: under 3 linked (K14)."""
    return connected < CONNECTED


def _reason(ordered: list[float], z: float | None, margin: float) -> Reason:
    if not ordered:
        return Reason.NOTHING
    top = ordered[0]
    if top < LEAST_TOP:
        return Reason.WEAK
    thin = margin < 0.1 * top if z is None else z < 1.5
    return Reason.FLAT if thin else Reason.NONE


def _deviations(scores: list[float]) -> float | None:
    """How far the first stands above the mean of all, in their deviations; None below five."""
    if len(scores) < 5:
        return None
    mean = math.fsum(scores) / len(scores)
    spread = math.sqrt(math.fsum((score - mean) ** 2 for score in scores) / len(scores))
    return (scores[0] - mean) / spread if spread > 1e-12 else 0.0
