"""Fusing in which every channel counts alike: by places and by relative scores (K07, K08, C26, C27).

Rank fusion after Cormack, Clarke and Buettcher (2009): every channel adds ``weight / (k + rank)``, and
what several channels found gets a bonus of at most .06, calibrated by how much they agree. Relative
score fusion keeps how far ahead a result was: scores are spread over 0..1 by their lowest and highest
(D09) and averaged over the channels that answered. Both lose to ``fusion``
(docs/recall-ablation.md).
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

GRAPH: Final = "graph"
GRAPH_WEIGHT: Final = 1.5  # of the channel ``graph`` in rank fusion (K07)

Scores: TypeAlias = Mapping[int, float]
Channels: TypeAlias = Mapping[str, Scores]  # by name; more is better


@dataclass(frozen=True, slots=True)
class Settings:
    """How places become scores (C26)."""

    k: int = 60
    beta: float = 0.15
    most: float = 0.06  # of a bonus


DEFAULT: Final = Settings()


@dataclass(frozen=True, slots=True)
class Own:
    """What each channel gives of a candidate's own score, and what their agreement adds."""

    shares: Mapping[str, float] = field(default_factory=dict[str, float])
    agreement: float = 0.0

    @property
    def whole(self) -> float:
        """The score: the shares and the agreement."""
        return sum(self.shares.values()) + self.agreement

    def times(self, factor: float) -> "Own":
        """Each of them times ``factor``."""
        shares = {name: share * factor for name, share in self.shares.items()}
        return Own(shares, self.agreement * factor)


def by_places(channels: Channels, settings: Settings = DEFAULT) -> dict[int, Own]:
    """Reciprocal ranks of every channel, and the bonus of what several found (K07, C26).

    Equal scores share the better place: which of two texts that say the same share of the query
    comes first would else be chance. The whole is divided by what the first of all channels has,
    so that it is 0..1 as every score is. A channel that found nothing counts as absent.
    """
    active = {name: each for name, each in channels.items() if each}
    worth = {
        name: {one: reciprocal(rank, weight(name), settings) for one, rank in places(each).items()}
        for name, each in active.items()
    }
    shares = _by_candidate(worth)
    best = max((sum(each.values()) for each in shares.values()), default=0.0)
    most = sum(reciprocal(1, weight(name), settings) for name in active)
    most += agreement(len(active), len(active), 1.0 / max(1, len(active)), settings)
    return {
        one: Own(
            each, agreement(len(each), len(active), sum(each.values()) / len(each) / best, settings)
        ).times(1.0 / most)
        for one, each in shares.items()
    }


def by_relative_scores(channels: Channels) -> dict[int, Own]:
    """The mean of the relative scores, times the share of the channels that found it (K08, C27).

    That is their sum over the number of channels that answered; of two channels, what one found
    keeps half of its score.
    """
    active = {name: spread_out(each) for name, each in channels.items() if each}
    return {
        one: Own({name: score / len(active) for name, score in each.items()})
        for one, each in _by_candidate(active).items()
    }


def reciprocal(rank: int, weight: float = 1.0, settings: Settings = DEFAULT) -> float:
    """What a place is worth, ``rank`` counted from 1: weight / (k + rank); the first 1/61 (K07)."""
    return weight / (settings.k + rank)


def weight(channel: str) -> float:
    """What a channel counts in rank fusion: ``graph`` half as much again as any other (K07)."""
    return GRAPH_WEIGHT if channel == GRAPH else 1.0


def agreement(found_by: int, channels: int, mean: float, settings: Settings = DEFAULT) -> float:
    """What being found by several adds: .15 * (found_by - 1) / (channels - 1) * mean (C26).

    At most .06. ``mean`` is the mean share of the channels in the result, each divided by the best
    sum of any result (0..1). Two of three at a mean of .4: .03. The flat .10 a channel of the
    documents outweighs any place, of which the first is worth .0164.
    """
    overlap = max(0, found_by - 1) / max(1, channels - 1)
    return min(settings.most, max(0.0, settings.beta * overlap * mean))


def spread_out(values: Scores) -> dict[int, float]:
    """The values between their lowest (0) and highest (1); one alone has 1 (D09)."""
    return dict(zip(values, normalised(list(values.values())), strict=True))


def normalised(scores: Sequence[float]) -> list[float]:
    """The scores spread over 0..1 by their lowest and highest (D09, D10).

    All equal, or one alone: 1. What is not finite: 0.
    """
    finite = [score for score in scores if math.isfinite(score)]
    if not finite:
        return [0.0] * len(scores)
    lowest, highest = min(finite), max(finite)
    width = highest - lowest
    return [_spread(score, lowest, width) for score in scores]


def places(values: Scores) -> dict[int, int]:
    """The place of each from 1, highest first; equal ones share the better one.

    .9, .5, .5 and .1 have the places 1, 2, 2 and 4.
    """
    found: dict[int, int] = {}
    before, place = None, 0
    for counted, one in enumerate(sorted(values, key=lambda one: -values[one]), start=1):
        if values[one] != before:
            before, place = values[one], counted
        found[one] = place
    return found


def _by_candidate(channels: Channels) -> dict[int, dict[str, float]]:
    found: dict[int, dict[str, float]] = {}
    for name, each in channels.items():
        for one, share in each.items():
            found.setdefault(one, {})[name] = share
    return found


def _spread(score: float, lowest: float, width: float) -> float:
    if not math.isfinite(score):
        return 0.0
    return (score - lowest) / width if width > 0 else 1.0
