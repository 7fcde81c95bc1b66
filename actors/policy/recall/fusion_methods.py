"""Two other ways to make one order of the channels, beside the shipped one (``fusion``).

In both every channel counts alike. Rank fusion, after Cormack, Clarke and Buettcher (2009): every
channel adds ``weight / (k + rank)``, and what several channels found gets a bonus of at most .06,
calibrated by how much they agree. Relative score fusion keeps how far ahead a result was: scores are
spread over 0..1 by their lowest and highest and averaged over the channels that answered. Both lose
to ``fusion``; what each was worth is in docs/recall-ablation.md.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final, TypeAlias

from actors.policy.recall import fusion

Scores: TypeAlias = Mapping[int, float]
Channels: TypeAlias = Mapping[str, Scores]  # by name; more is better
Shares: TypeAlias = dict[str, float]  # of a candidate's own score, by channel; and the ``bonus``

RANKS, RELATIVE = "ranks", "relative"
K: Final = 60
WEIGHTS: Final[Mapping[str, float]] = {"graph": 1.5}  # of a channel in rank fusion; of others 1
BETA: Final = 0.15
MOST: Final = 0.06  # of a bonus


def fused(
    words: Scores,
    cosines: Scores,
    *,
    found: Scores | None = None,
    told: Scores | None = None,
    late: Scores | None = None,
    places: Mapping[int, fusion.Place] | None = None,
    lengths: Mapping[int, int] | None = None,
    bonuses: Scores | None = None,
    settings: fusion.Settings | None = None,
    method: str = "scores",
) -> list[fusion.Ranked]:
    """Every candidate of any argument, best first, fused by ``method``; as ``fusion.fused``."""
    chosen = settings or fusion.Settings()
    lent = partial(fusion.fused, places=places, lengths=lengths, bonuses=bonuses)
    if method not in (RANKS, RELATIVE):
        return lent(words, cosines, found=found, told=told, late=late, settings=chosen)
    # ``found`` is ``told`` without rarity: one channel twice.
    by_rarity = {one: share for one, share in (told or {}).items() if share > 0}
    channels = {"words": words, "vectors": cosines, "told": by_rarity, "late": late or {}}
    own = by_places(channels) if method == RANKS else by_relative_scores(channels)
    if method == RANKS:
        # Neighbours lend by the square of a score, and of two places next to each other one is
        # never much better: they lend nothing.
        chosen = replace(chosen, near=(0.0,) * len(chosen.near), best_near=0.0)
    # What no channel found has nothing of its own and stays: a stage after this may lift it.
    named = {*words, *cosines, *(found or {}), *(told or {}), *(late or {})}
    whole = {one: sum(own.get(one, {}).values()) for one in named}
    ranked: list[fusion.Ranked] = []
    for one in lent({}, {}, found=whole, settings=replace(chosen, found=1.0)):
        parts = _divided(one.parts, own.get(one.identity, {}))
        score, cosine = words.get(one.identity), cosines.get(one.identity)
        ranked.append(one._replace(parts=parts._replace(word_score=score, cosine=cosine)))
    return sorted(ranked, key=lambda one: (-one.score, one.identity))


def by_places(channels: Channels, k: int = K) -> dict[int, Shares]:
    """Reciprocal ranks of every channel, and the bonus of what several found.

    Equal scores share the better place. The whole is divided by what the first of all channels has,
    so that it is 0..1 as every score is. A channel that found nothing counts as absent.
    """
    active = {name: places(each) for name, each in channels.items() if each}
    weight = {name: WEIGHTS.get(name, 1.0) for name in active}
    worth = _by_candidate(
        {
            name: {one: weight[name] / (k + rank) for one, rank in each.items()}
            for name, each in active.items()
        }
    )
    best = max((sum(shares.values()) for shares in worth.values()), default=0.0)
    most = sum(weight[name] / (k + 1) for name in active)
    most += agreement(len(active), len(active), 1.0 / max(1, len(active)))
    for shares in worth.values():
        mean = sum(shares.values()) / len(shares) / best
        shares["bonus"] = agreement(len(shares), len(active), mean)
        shares.update({name: share / most for name, share in shares.items()})
    return worth


def by_relative_scores(channels: Channels) -> dict[int, Shares]:
    """The mean of the relative scores, times the share of the channels that found it."""
    active = {name: spread_out(each) for name, each in channels.items() if each}
    worth = _by_candidate(active)
    return {
        one: {name: score / len(active) for name, score in shares.items()}
        for one, shares in worth.items()
    }


def agreement(found_by: int, channels: int, mean: float) -> float:
    """Bonus for being found by several: .15 * (found_by - 1) / (channels - 1) * mean.

    At most .06. ``mean`` is the mean share of the channels in the result, each divided by the best
    sum of any result (0..1). Two of three at a mean of .4: .03.
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
    lowest = min(finite, default=0.0)
    width = max(finite, default=0.0) - lowest
    spread = [(score - lowest) / width if width > 0 else 1.0 for score in scores]
    return [one if math.isfinite(score) else 0.0 for one, score in zip(spread, scores, strict=True)]


def places(values: Scores) -> dict[int, int]:
    """The place of each from 1, highest first; .9, .5, .5 and .1 have the places 1, 2, 2 and 4."""
    first: dict[float, int] = {}
    for place, score in enumerate(sorted(values.values(), reverse=True), start=1):
        first.setdefault(score, place)
    return {one: first[score] for one, score in values.items()}


def _divided(given: fusion.Parts, own: Shares) -> fusion.Parts:
    """A candidate's own score, which stands as ``found``, divided among its shares."""
    whole = sum(own.values())
    parts = given._replace(found=0.0)
    if whole <= 0:
        return parts
    now = {name: share * given.found / whole for name, share in own.items()}
    return parts._replace(**{**now, "bonus": given.bonus + now.get("bonus", 0.0)})


def _by_candidate(channels: Channels) -> dict[int, Shares]:
    found: dict[int, Shares] = {}
    for name, each in channels.items():
        for one, share in each.items():
            found.setdefault(one, {})[name] = share
    return found
