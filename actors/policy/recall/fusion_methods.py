"""The ways of fusing that can be chosen in place of the shipped one (K07, K08, K09, D09).

Each takes what ``fusion.fused`` takes and gives what it gives. Here are those that differ from it in
weights or in how scores are spread; those that weigh nothing are in ``even_fusion``. What each was
worth is in docs/recall-ablation.md; ``scores`` is shipped.
"""

from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum
from types import MappingProxyType
from typing import Final, assert_never

from actors.policy.recall import fusion, rank_fusion, stage_rules
from actors.policy.recall.channel_weights import DEFAULT as USUAL
from actors.policy.recall.channel_weights import channel_weights
from actors.policy.recall.even_fusion import (
    Known,
    over_readings,
    ranks,
    relative,
    spread_out,
    with_raw,
)
from actors.policy.recall.readings import UNREAD, Query


class Method(StrEnum):
    """How the channels' answers become one order."""

    SCORES = "scores"  # weighted scores, shipped (``fusion``)
    MIN_MAX = "min_max"  # the same weights, scores spread by their lowest and highest (D09)
    BY_INTENT = "by_intent"  # the weights of words and vectors by what is asked for (K09)
    RANKS = "ranks"  # reciprocal ranks with the calibrated bonus (K07, C26)
    RANKS_FLAT = "ranks_flat"  # with the flat bonus of .10 (K07)
    RANKS_FROM_ZERO = "ranks_from_zero"  # counted from 0, no bonus (K29)
    RELATIVE = "relative"  # the mean of relative scores, times the share that found it (K08)
    RELATIVE_PAIR = "relative_pair"  # of words and vectors alone: half of it if one found it
    RELATIVE_READINGS = "relative_readings"  # the mean over the readings, +.10 for each further


PRESETS: Final[Mapping[Method, rank_fusion.Settings]] = MappingProxyType(
    {
        Method.RANKS: rank_fusion.DEFAULT,
        Method.RANKS_FLAT: rank_fusion.FLAT,
        Method.RANKS_FROM_ZERO: rank_fusion.VESTIGE,
    }
)


def fused(
    words: Mapping[int, float],
    cosines: Mapping[int, float],
    *,
    found: Mapping[int, float] | None = None,
    told: Mapping[int, float] | None = None,
    late: Mapping[int, float] | None = None,
    places: Mapping[int, fusion.Place] | None = None,
    lengths: Mapping[int, int] | None = None,
    bonuses: Mapping[int, fusion.Bonus] | None = None,
    settings: fusion.Settings | None = None,
    method: Method = Method.SCORES,
    query: Query = UNREAD,
) -> list[fusion.Ranked]:
    """Every candidate of any argument, best first, fused by ``method`` (K07, K08, K09)."""
    chosen = settings or fusion.Settings()
    known = Known(
        words, cosines, found or {}, told or {}, late or {}, places or {}, lengths or {},
        bonuses or {},
    )  # fmt: skip
    match method:
        case Method.SCORES:
            return scores(known, chosen)
        case Method.MIN_MAX:
            return min_max(known, chosen)
        case Method.BY_INTENT:
            return scores(known, weighed_for(query.intent, chosen))
        case Method.RANKS | Method.RANKS_FLAT | Method.RANKS_FROM_ZERO:
            return ranks(known, chosen, PRESETS[method])
        case Method.RELATIVE:
            return relative(known, chosen)
        case Method.RELATIVE_PAIR:
            return relative(replace(known, told={}, late={}), chosen)
        case Method.RELATIVE_READINGS:
            return over_readings(known, query.readings, chosen)
        case _:
            assert_never(method)


def scores(known: Known, settings: fusion.Settings) -> list[fusion.Ranked]:
    """The shipped way: weighted shares of scores (``fusion.fused``)."""
    return fusion.fused(
        known.words,
        known.cosines,
        found=known.found,
        told=known.told,
        late=known.late,
        places=known.places,
        lengths=known.lengths,
        bonuses=known.bonuses,
        settings=settings,
    )


def min_max(known: Known, settings: fusion.Settings) -> list[fusion.Ranked]:
    """The shipped weights over scores spread by their lowest and highest (D09, D10).

    The lowest of a channel has 0, as if it had not been found there. Cosines of .2, .5 and .8
    become 0, .5 and 1.
    """
    spread = replace(known, words=spread_out(known.words), cosines=spread_out(known.cosines))
    return [
        one._replace(parts=with_raw(one, known))
        for one in scores(spread, replace(settings, floor=0.0))
    ]


def weighed_for(intent: str, settings: fusion.Settings) -> fusion.Settings:
    """The weights of words and vectors as K09 divides them for what is asked for.

    They keep their sum, so the other channels weigh what they did: of .75 together, ``fix_bug``
    (.4 and .4) gives .375 each, ``understand`` (.2 and .7) a sixth and .583 to vectors.
    """
    by = channel_weights(intent)
    both = settings.words + settings.vectors
    words = both * by.words / (by.words + by.vectors)
    return replace(settings, words=words, vectors=both - words)


def strengths(method: Method, intent: str) -> stage_rules.Strengths:
    """How much recency and links count in the stages after it: by K09, when that is chosen.

    A link counts by its weight beside the default one: ``find_spec``, .30 beside .15, twice.
    """
    shipped = stage_rules.Strengths()
    if method is not Method.BY_INTENT:
        return shipped
    by = channel_weights(intent)
    return replace(shipped, recency=by.recency, graph=shipped.graph * by.graph / USUAL.graph)
