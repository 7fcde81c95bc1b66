"""Boosts of a search score by causes, the session and co-activation, under one ceiling.

Each of the three says that a result belongs to something else that matters now. Together they
add at most .20 of the score, so that none of them can put what is merely near above what fits.
Causes are served first, then the session, then co-activation.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from actors.policy.gate.gate import fraction
from actors.policy.graph import activation

CEILING: Final = 0.20
ATTENDED: Final = 0.15  # share of a session's attention that counts


@dataclass(frozen=True, slots=True)
class Boosts:
    """Shares of a score that are added to it; the sum is at most the ceiling."""

    causal: float = 0.0
    session: float = 0.0
    coactivation: float = 0.0

    @property
    def total(self) -> float:
        """The three together."""
        return self.causal + self.session + self.coactivation


def joint(
    causal: float = 0.0,
    held: float = 0.0,
    coactivation: float = 0.0,
    ceiling: float = CEILING,
) -> Boosts:
    """The boosts of a memory within the ceiling.

    ``causal`` is that of ``causal.boosts``, ``held`` the attention that the session gives it
    (0..1, of which .15 counts), ``coactivation`` that of ``coactivated``. A cause of .1 and full
    attention make .1 and .1.
    """
    first = min(max(0.0, causal), ceiling)
    second = min(max(0.0, held) * ATTENDED, max(0.0, ceiling - first))
    third = min(max(0.0, coactivation), max(0.0, ceiling - first - second))
    return Boosts(first, second, third)


def coactivated(similarities: Sequence[float]) -> float:
    """Boost of a result that is like other results: co-activation of a score of 0.

    ``similarities`` to them, as fractions or percentages. Three at 85 make .0736.
    """
    if not similarities:
        return 0.0
    mean = sum(map(fraction, similarities)) / len(similarities)
    return activation.boosted(0.0, len(similarities), mean)
