"""Evidence gap: whether the scores of an answer stand on anything (K14).

A result that answers stands out. Of n scores none can be further than sqrt(n - 1) deviations from
their mean, so with three the documents' Z of 1.5 cannot be passed (finding 9): Z decides from five
on, below it the margin to the second. It is told with every answer and withholds nothing;
``evidence`` decides what a prompt gets.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from actors.policy.recall import evidence

CONNECTED: Final = 3  # memories linked with what the query matches; below, the graph knows nothing
LEAST_TOP: Final = 0.015  # of reciprocal ranks; for other scores the caller says


class Reason(StrEnum):
    """Why there is a gap, or that there is none."""

    NONE = "none"
    NOTHING = "nothing found"
    WEAK = "the best score is too low"
    UNCONNECTED = "too few memories are linked with what the query names"
    FLAT = "no score stands out"


@dataclass(frozen=True, slots=True)
class EvidenceGap:
    """What is told with an answer: ``evidence: {gap, reason, z, connected}``."""

    gap: bool
    reason: Reason
    z: float | None  # deviations of the best above the mean; None below five scores
    connected: int | None  # linked memories; None when the graph was not asked


def evidence_gap(
    scores: Iterable[float], connected: int | None = None, least_top: float = LEAST_TOP
) -> EvidenceGap:
    """Whether an answer is thin (K14, finding 9).

    Nothing found, a best score under .015, fewer than three linked memories, Z under 1.5 of five
    or more scores, or of fewer a margin under a tenth of the best. NaN counts as no score.
    """
    known = [score for score in scores if not math.isnan(score)]
    shape = evidence.gap(known)
    reason = _reason(known, shape, connected, least_top)
    return EvidenceGap(reason is not Reason.NONE, reason, shape.z, connected)


def graph_gap(connected: int) -> bool:
    """Whether the graph says before the search that it will not help: under 3 linked (K14)."""
    return connected < CONNECTED


def _reason(
    known: list[float], shape: evidence.Gap, connected: int | None, least_top: float
) -> Reason:
    if not known:
        return Reason.NOTHING
    if max(known) < least_top:
        return Reason.WEAK
    if connected is not None and graph_gap(connected):
        return Reason.UNCONNECTED
    return Reason.FLAT if shape.thin else Reason.NONE
