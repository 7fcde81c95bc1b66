"""Suppression: a person wants not to be reminded of something, for now.

A flag beside both axes of a memory's state. Each time weighs more; within a day it can be taken
back whole; memories linked to it are weakened a little with it. Nothing is deleted.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

DURATION: Final = 24 * 3600.0  # seconds during which it hides and can be taken back


@dataclass(frozen=True, slots=True)
class Suppression:
    """Number of suppressions of a memory, and the last one's time."""

    times: int = 0
    at: float | None = None  # seconds UTC


def suppressed(suppression: Suppression, now: float) -> Suppression:
    """After one more suppression."""
    return Suppression(suppression.times + 1, now)


def penalty(suppression: Suppression) -> float:
    """Penalty of suppression as a share of a score: .15 for each time, .8 at most."""
    return min(0.8, 0.15 * suppression.times)


def remaining(times: int, edges: float, confidence: float = 0.5) -> float:
    """Share of a score left by people's opinions: 1 without any.

    ``times`` it was suppressed; ``edges`` is the sum of its links to other suppressed memories,
    which take a little as well. Verdicts move the score by as much as its confidence: .95 after
    one ``useless``, 1.1 after one ``useful``.
    """
    return (1 - penalty(Suppression(times))) * (1 - retrieval_loss([edges])) * (0.5 + confidence)


def is_suppressed(suppression: Suppression, now: float) -> bool:
    """Return whether it is hidden now, and can be taken back: for 24 hours after the last time."""
    return suppression.at is not None and now - suppression.at < DURATION


def lifted(suppression: Suppression, now: float) -> Suppression:
    """After taking the last suppression back; as it was when a day has passed."""
    if not is_suppressed(suppression, now):
        return suppression
    return Suppression(suppression.times - 1, None)


def retrieval_loss(edges: Iterable[float]) -> float:
    """Loss of retrieval by several suppressed neighbours: .05 of each edge, .15 at most."""
    return min(0.15, 0.05 * sum(edges))
