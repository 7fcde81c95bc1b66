"""Competition: of results that say much the same, the winner rises and the others fall.

After Anderson, Bjork and Bjork (1994), retrieval-induced forgetting. It holds within one answer
only: nothing is written down. What shall stay suppressed is suppressed by a person
(``suppression``).
"""

from collections.abc import Mapping, Sequence
from typing import Final

# From which similarity on results compete, and what that does to them.
THRESHOLD: Final = 0.7
LOSER: Final = 0.85  # factor
WINNER: Final = 0.1  # added to the winner's score, as a share of it


def closeness(one: float, other: float) -> float:
    """Closeness of two results to a query: the mean of their similarities to it."""
    return (one + other) / 2


def factors(ranked: Sequence[int], similarities: Mapping[int, float]) -> dict[int, float]:
    """Factors of the best of ``ranked`` and its competitors.

    Those compete with the first whose closeness reaches .7: the mean of both similarities to the
    query. A loser keeps .85, so .8 becomes .68; the winner gets 1.1 when it has a competitor.
    Others are not named.
    """
    if not ranked:
        return {}
    winner, rest = ranked[0], ranked[1:]
    own = similarities.get(winner, 0.0)
    losers = [one for one in rest if closeness(own, similarities.get(one, 0.0)) >= THRESHOLD]
    if not losers:
        return {}
    return {winner: 1 + WINNER, **dict.fromkeys(losers, LOSER)}
