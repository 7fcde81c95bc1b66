"""The ways of fusing that can be chosen, the shipped one among them.

Each gives what ``fusion.fused`` gives. Two differ from it in weights or in how scores are spread. In two
every channel counts alike. Rank fusion, after Cormack, Clarke and Buettcher (2009): every channel
adds ``weight / (k + rank)``, and what several channels found gets a bonus of at most .06, calibrated
by how much they agree. Relative score fusion keeps how far ahead a result was: scores are spread over
0..1 by their lowest and highest and averaged over the channels that answered. Both lose to
``fusion``; what each was worth is in docs/recall-ablation.md.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import partial
from typing import Final, TypeAlias, assert_never

from actors.policy.recall import fusion
from actors.policy.recall.channel_weights import channel_weights

GRAPH: Final = "graph"
GRAPH_WEIGHT: Final = 1.5  # of the channel ``graph`` in rank fusion

Scores: TypeAlias = Mapping[int, float]
Channels: TypeAlias = Mapping[str, Scores]  # by name; more is better


# How places become scores.
K: Final = 60
BETA: Final = 0.15
MOST: Final = 0.06  # of a bonus


@dataclass(frozen=True, slots=True)
class Own:
    """Shares of each channel in a candidate's own score, and what their agreement adds."""

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


class Method(StrEnum):
    """Method by which the channels' answers become one order."""

    SCORES = "scores"
    BY_INTENT = "by_intent"
    RANKS = "ranks"
    RELATIVE = "relative"


def fused(
    words: Mapping[int, float],
    cosines: Mapping[int, float],
    *,
    found: Mapping[int, float] | None = None,
    told: Mapping[int, float] | None = None,
    late: Mapping[int, float] | None = None,
    places: Mapping[int, fusion.Place] | None = None,
    lengths: Mapping[int, int] | None = None,
    bonuses: Mapping[int, float] | None = None,
    settings: fusion.Settings | None = None,
    method: Method = Method.SCORES,
    intent: str = "default",
) -> list[fusion.Ranked]:
    """Every candidate of any argument, best first, fused by ``method``."""
    chosen = settings or fusion.Settings()
    lent = partial(fusion.fused, places=places, lengths=lengths, bonuses=bonuses)
    by_scores = partial(lent, found=found, told=told, late=late)
    match method:
        case Method.SCORES:
            return by_scores(words, cosines, settings=chosen)
        case Method.BY_INTENT:
            return by_scores(words, cosines, settings=weighed_for(intent, chosen))
        case Method.RANKS:
            own = by_places(_channels(words, cosines, told, late))
            # Neighbours lend by the square of a score, and of two places next to each other one
            # is never much better: they lend nothing.
            chosen = replace(chosen, near=(0.0,) * len(chosen.near), best_near=0.0)
        case Method.RELATIVE:
            own = by_relative_scores(_channels(words, cosines, told, late))
        case _:
            assert_never(method)
    # What no channel found has nothing of its own and stays: a stage after this may lift it.
    named = {*words, *cosines, *(found or {}), *(told or {}), *(late or {})}
    whole = {one: own[one].whole if one in own else 0.0 for one in named}
    lifted = lent({}, {}, found=whole, settings=replace(chosen, found=1.0))
    ranked = [_with_raw(_shared(one, own.get(one.identity)), words, cosines) for one in lifted]
    return sorted(ranked, key=lambda one: (-one.score, one.identity))


def weighed_for(intent: str, settings: fusion.Settings) -> fusion.Settings:
    """The weights of words and vectors, divided by the profile of what is asked for.

    They keep their sum, so the other channels weigh what they did: of .75 together, ``fix_bug``
    (.4 and .4) gives .375 each, ``understand`` (.2 and .7) a sixth and .583 to vectors.
    """
    by = channel_weights(intent)
    both = settings.words + settings.vectors
    words = both * by.words / (by.words + by.vectors)
    return replace(settings, words=words, vectors=both - words)


def _channels(
    words: Mapping[int, float],
    cosines: Mapping[int, float],
    told: Mapping[int, float] | None,
    late: Mapping[int, float] | None,
) -> Channels:
    """The channels that count alike. ``found`` is ``told`` without rarity: one channel twice."""
    by_rarity = {one: share for one, share in (told or {}).items() if share > 0}
    return {"words": words, "vectors": cosines, "told": by_rarity, "late": late or {}}


def _shared(lifted: fusion.Ranked, own: Own | None) -> fusion.Ranked:
    """A candidate's own score divided among the shares that it is the sum of."""
    given = lifted.parts
    parts = given._replace(found=0.0)
    if own is not None and own.whole > 0:
        now = own.times(given.found / own.whole)
        parts = parts._replace(**now.shares, bonus=given.bonus + now.agreement)
    return lifted._replace(parts=parts)


def _with_raw(
    one: fusion.Ranked, words: Mapping[int, float], cosines: Mapping[int, float]
) -> fusion.Ranked:
    """With the figures that the channels gave."""
    parts = one.parts._replace(word_score=words.get(one.identity), cosine=cosines.get(one.identity))
    return one._replace(parts=parts)


def by_places(channels: Channels, k: int = K) -> dict[int, Own]:
    """Reciprocal ranks of every channel, and the bonus of what several found.

    Equal scores share the better place: which of two texts that say the same share of the query
    comes first would else be chance. The whole is divided by what the first of all channels has,
    so that it is 0..1 as every score is. A channel that found nothing counts as absent.
    """
    active = {name: each for name, each in channels.items() if each}
    worth = {
        name: {one: reciprocal(rank, weight(name), k) for one, rank in places(each).items()}
        for name, each in active.items()
    }
    shares = _by_candidate(worth)
    best = max((sum(each.values()) for each in shares.values()), default=0.0)
    most = sum(reciprocal(1, weight(name), k) for name in active)
    most += agreement(len(active), len(active), 1.0 / max(1, len(active)))
    return {
        one: Own(
            each, agreement(len(each), len(active), sum(each.values()) / len(each) / best)
        ).times(1.0 / most)
        for one, each in shares.items()
    }


def by_relative_scores(channels: Channels) -> dict[int, Own]:
    """The mean of the relative scores, times the share of the channels that found it.

    That is their sum over the number of channels that answered; of two channels, what one found
    keeps half of its score.
    """
    active = {name: spread_out(each) for name, each in channels.items() if each}
    return {
        one: Own({name: score / len(active) for name, score in each.items()})
        for one, each in _by_candidate(active).items()
    }


def reciprocal(rank: int, weight: float = 1.0, k: int = K) -> float:
    """Worth of a place, ``rank`` counted from 1: weight / (k + rank); the first 1/61."""
    return weight / (k + rank)


def weight(channel: str) -> float:
    """Weight of a channel in rank fusion: ``graph`` half as much again as any other."""
    return GRAPH_WEIGHT if channel == GRAPH else 1.0


def agreement(found_by: int, channels: int, mean: float) -> float:
    """Bonus for being found by several: .15 * (found_by - 1) / (channels - 1) * mean.

    At most .06. ``mean`` is the mean share of the channels in the result, each divided by the best
    sum of any result (0..1). Two of three at a mean of .4: .03. The flat .10 a channel of the
    documents outweighs any place, of which the first is worth .0164.
    """
    overlap = max(0, found_by - 1) / max(1, channels - 1)
    return min(MOST, max(0.0, BETA * overlap * mean))


def spread_out(values: Scores) -> dict[int, float]:
    """The values between their lowest (0) and highest (1); one alone has 1."""
    return dict(zip(values, normalised(list(values.values())), strict=True))


def normalised(scores: Sequence[float]) -> list[float]:
    """The scores spread over 0..1 by their lowest and highest.

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
