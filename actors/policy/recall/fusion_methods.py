"""The ways of fusing that can be chosen, the shipped one among them (K07, K08, K09, D09).

Each gives what ``fusion.fused`` gives: two differ from it in weights or in how scores are spread, two
weigh every channel alike (``even_fusion``). What each was worth is in docs/recall-ablation.md.
"""

from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum
from functools import partial
from typing import assert_never

from actors.policy.recall import even_fusion, fusion
from actors.policy.recall.channel_weights import channel_weights
from actors.policy.recall.even_fusion import Own, spread_out


class Method(StrEnum):
    """How the channels' answers become one order."""

    SCORES = "scores"
    MIN_MAX = "min_max"
    BY_INTENT = "by_intent"
    RANKS = "ranks"
    RELATIVE = "relative"


MEANINGS: Mapping[Method, str] = {
    Method.SCORES: "the channels' scores, weighted",
    Method.MIN_MAX: "the same weights, scores spread by their lowest and highest",
    Method.BY_INTENT: "words and vectors weigh by what is asked for",
    Method.RANKS: "reciprocal ranks, and a bonus for what several channels found",
    Method.RELATIVE: "the mean of relative scores, times the share of channels that found it",
}


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
    """Every candidate of any argument, best first, fused by ``method`` (K07, K08, K09)."""
    chosen = settings or fusion.Settings()
    lent = partial(fusion.fused, places=places, lengths=lengths, bonuses=bonuses)
    by_scores = partial(lent, found=found, told=told, late=late)
    match method:
        case Method.SCORES:
            return by_scores(words, cosines, settings=chosen)
        case Method.BY_INTENT:
            return by_scores(words, cosines, settings=weighed_for(intent, chosen))
        case Method.MIN_MAX:
            spread = by_scores(
                spread_out(words), spread_out(cosines), settings=replace(chosen, floor=0.0)
            )
            return [_with_raw(one, words, cosines) for one in spread]
        case Method.RANKS:
            own = even_fusion.by_places(_channels(words, cosines, told, late))
            # Neighbours lend by the square of a score, and of two places next to each other one
            # is never much better: they lend nothing.
            chosen = replace(chosen, near=(0.0,) * len(chosen.near), best_near=0.0)
        case Method.RELATIVE:
            own = even_fusion.by_relative_scores(_channels(words, cosines, told, late))
        case _:
            assert_never(method)
    # What no channel found has nothing of its own and stays: a stage after this may lift it.
    named = {*words, *cosines, *(found or {}), *(told or {}), *(late or {})}
    whole = {one: own[one].whole if one in own else 0.0 for one in named}
    lifted = lent({}, {}, found=whole, settings=replace(chosen, found=1.0))
    ranked = [_with_raw(_shared(one, own.get(one.identity)), words, cosines) for one in lifted]
    return sorted(ranked, key=lambda one: (-one.score, one.identity))


def weighed_for(intent: str, settings: fusion.Settings) -> fusion.Settings:
    """The weights of words and vectors as K09 divides them for what is asked for.

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
) -> even_fusion.Channels:
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
