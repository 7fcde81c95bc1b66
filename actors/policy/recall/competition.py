"""Competition: of results that say much the same, the winner rises and the others fall (K31).

After Anderson, Bjork and Bjork (1994), retrieval-induced forgetting. It holds within one answer
only (C37): nothing is written down. What shall stay suppressed is suppressed by a person
(``suppression``). ``STRICT`` is the preset in which losers also stay away for a day.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

Identity = TypeVar("Identity", bound=Hashable)

DAY: Final = 86_400.0  # seconds


@dataclass(frozen=True, slots=True)
class Settings:
    """From which similarity on results compete, and what that does to them (K31)."""

    threshold: float = 0.7
    loser: float = 0.85  # factor
    winner: float = 0.1  # added to the winner's score, as a share of it
    suppressed_for: float = 0.0  # seconds; C37: none


DEFAULT: Final = Settings()
CONFIGURED: Final = Settings(threshold=0.6)
STRICT: Final = Settings(threshold=0.6, suppressed_for=DAY)


def closeness(one: float, other: float) -> float:
    """How alike two results are to a query: the mean of their similarities to it (K31)."""
    return (one + other) / 2


def factors(
    ranked: Sequence[Identity],
    similarities: Mapping[Identity, float],
    alike: Callable[[Identity, Identity], float] | None = None,
    settings: Settings = DEFAULT,
) -> dict[Identity, float]:
    """What the best of ``ranked`` and its competitors are multiplied by (K31, C37).

    Those compete with the first whose closeness reaches .7: the mean of both similarities to the
    query, or ``alike``, the similarity of the two, when the caller has it. A loser keeps .85, so
    .8 becomes .68; the winner gets 1.1 when it has a competitor. Others are not named.
    """
    if not ranked:
        return {}
    winner, rest = ranked[0], ranked[1:]

    def near(one: Identity) -> float:
        if alike is not None:
            return alike(winner, one)
        return closeness(similarities.get(winner, 0.0), similarities.get(one, 0.0))

    losers = [one for one in rest if near(one) >= settings.threshold]
    if not losers:
        return {}
    return {winner: 1 + settings.winner, **dict.fromkeys(losers, settings.loser)}


def suppressed_until(lost_at: float, settings: Settings = DEFAULT) -> float | None:
    """Until when (seconds UTC) a loser stays away; None, unless the preset is strict (C37)."""
    return lost_at + settings.suppressed_for if settings.suppressed_for > 0 else None
