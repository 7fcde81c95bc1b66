"""Fusing in which every channel counts alike: by ranks and by relative scores (K07, K08, C26, C27).

What ``rank_fusion`` and ``score_fusion`` make of bare lists, in the running recall: a candidate's own
score is made by them, its neighbours in time and its trigger add to it as they always do, and the
shares sum to the score.

``found``, the plain share of the query's words, is left out: it would be one channel twice beside
``told``, which is the same by rarity.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace

from actors.policy.recall import fusion, rank_fusion
from actors.policy.recall.composite import normalised
from actors.policy.recall.readings import Reading
from actors.policy.recall.score_fusion import VARIANT_BONUS


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of the candidates, as ``fusion.fused`` takes it."""

    words: Mapping[int, float]
    cosines: Mapping[int, float]
    found: Mapping[int, float] = field(default_factory=dict[int, float])
    told: Mapping[int, float] = field(default_factory=dict[int, float])
    late: Mapping[int, float] = field(default_factory=dict[int, float])
    places: Mapping[int, fusion.Place] = field(default_factory=dict[int, fusion.Place])
    lengths: Mapping[int, int] = field(default_factory=dict[int, int])
    bonuses: Mapping[int, fusion.Bonus] = field(default_factory=dict[int, fusion.Bonus])


@dataclass(frozen=True, slots=True)
class Shares:
    """What each channel gives of a candidate's own score, and what agreement adds to it."""

    words: float = 0.0
    vectors: float = 0.0
    told: float = 0.0
    late: float = 0.0
    agreement: float = 0.0

    @property
    def whole(self) -> float:
        """Their sum."""
        return self.words + self.vectors + self.told + self.late + self.agreement

    def times(self, factor: float) -> "Shares":
        """Each of them times ``factor``."""
        each = (getattr(self, one.name) * factor for one in fields(self))
        return Shares(*each)


def ranks(
    known: Known, settings: fusion.Settings, by: rank_fusion.Settings = rank_fusion.DEFAULT
) -> list[fusion.Ranked]:
    """Reciprocal ranks of every channel, and the bonus of what several found (K07, C26).

    Equal scores share the better place: which of two texts that say the same share of the query
    comes first would else be chance. The whole is divided by what the first of all channels has,
    so that it is 0..1 as every score is. Neighbours in time lend nothing: they lend by the square
    of a score, and of two places next to each other one is never much better.
    """
    settings = replace(settings, near=(0.0,) * len(settings.near), best_near=0.0)
    active = _active(known)
    if not active:
        return _ordered({}, known, settings)
    worth = {
        name: {one: rank_fusion.reciprocal(rank, settings=by) for one, rank in places(each).items()}
        for name, each in active.items()
    }
    sums: dict[int, float] = {}
    count: dict[int, int] = {}
    for each in worth.values():
        for one, share in each.items():
            sums[one] = sums.get(one, 0.0) + share
            count[one] = count.get(one, 0) + 1
    best, channels = max(sums.values()), len(active)
    agreed = {
        one: rank_fusion.convergence_bonus(count[one], channels, sums[one] / count[one] / best, by)
        for one in sums
    }
    most = channels * rank_fusion.reciprocal(1, settings=by)
    most += rank_fusion.convergence_bonus(channels, channels, 1.0 / channels, by)
    own = {
        one: Shares(
            **{name: each.get(one, 0.0) for name, each in worth.items()}, agreement=agreed[one]
        ).times(1.0 / most)
        for one in sums
    }
    return _ordered(own, known, settings)


def relative(known: Known, settings: fusion.Settings) -> list[fusion.Ranked]:
    """The mean of the relative scores, times the share of the channels that found it (K08).

    That is their sum over the number of channels that answered; of two channels, what one found
    keeps half of its score (``score_fusion.fused_pair``).
    """
    return _ordered(_relative(_active(known)), known, settings)


def over_readings(
    known: Known, readings: tuple[Reading, ...], settings: fusion.Settings
) -> list[fusion.Ranked]:
    """The mean over the readings that found it, +.10 for each further one, at most 1 (K08, C27).

    Words and vectors are fused for each reading; without readings the query's own are.
    """
    candidates = {*known.words, *known.cosines}
    searched = readings or (Reading(known.words, known.cosines),)
    each = [
        _relative(
            _filled({"words": _of(one.words, candidates), "vectors": _of(one.cosines, candidates)})
        )
        for one in searched
    ]
    own: dict[int, Shares] = {}
    for one in sorted({identity for shares in each for identity in shares}):
        found = [shares[one] for shares in each if one in shares]
        mean = Shares(
            words=sum(share.words for share in found) / len(found),
            vectors=sum(share.vectors for share in found) / len(found),
            agreement=VARIANT_BONUS * (len(found) - 1),
        )
        own[one] = mean.times(1.0 / max(1.0, mean.whole))
    return _ordered(own, known, settings)


def spread_out(values: Mapping[int, float]) -> dict[int, float]:
    """The values between their lowest (0) and highest (1); one alone has 1 (D09)."""
    return dict(zip(values, normalised(list(values.values())), strict=True))


def places(values: Mapping[int, float]) -> dict[int, int]:
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


def with_raw(one: fusion.Ranked, known: Known) -> fusion.Parts:
    """Its parts with the figures that the channels gave."""
    return one.parts._replace(
        word_score=known.words.get(one.identity),
        cosine=known.cosines.get(one.identity),
    )


def _relative(active: Mapping[str, Mapping[int, float]]) -> dict[int, Shares]:
    spread = {name: spread_out(each) for name, each in active.items()}
    return {
        one: Shares(**{name: each.get(one, 0.0) / len(active) for name, each in spread.items()})
        for one in sorted({identity for each in active.values() for identity in each})
    }


def _active(known: Known) -> dict[str, Mapping[int, float]]:
    """The channels that found anything, under the names of ``Shares``."""
    told = {one: share for one, share in known.told.items() if share > 0}
    return _filled(
        {"words": known.words, "vectors": known.cosines, "told": told, "late": known.late}
    )


def _filled(channels: Mapping[str, Mapping[int, float]]) -> dict[str, Mapping[int, float]]:
    return {name: each for name, each in channels.items() if each}


def _ordered(
    own: Mapping[int, Shares], known: Known, settings: fusion.Settings
) -> list[fusion.Ranked]:
    """These with what neighbours in time and triggers add, as ``fusion.fused`` adds it.

    Their own scores stand in for a channel, so nothing of it is done twice here; what came of
    them is divided among the shares that they are the sum of. What no channel found has nothing of
    its own and stays all the same: a stage after this may lift it.
    """
    named = {*known.words, *known.cosines, *known.found, *known.told, *known.late}
    whole = dict.fromkeys(named, 0.0) | {one: shares.whole for one, shares in own.items()}
    lifted = fusion.fused(
        {},
        {},
        found=whole,
        places=known.places,
        lengths=known.lengths,
        bonuses=known.bonuses,
        settings=replace(settings, found=1.0),
    )
    ranked = [_shared(one, own.get(one.identity, Shares()), known) for one in lifted]
    return sorted(ranked, key=lambda one: (-one.score, one.identity))


def _shared(lifted: fusion.Ranked, own: Shares, known: Known) -> fusion.Ranked:
    whole, given = own.whole, lifted.parts
    shares = own.times(given.found / whole) if whole > 0 else Shares()
    parts = given._replace(
        words=shares.words,
        vectors=shares.vectors,
        found=0.0,
        told=shares.told,
        late=shares.late,
        bonus=given.bonus + shares.agreement,
    )
    placed = lifted._replace(parts=parts)
    return placed._replace(parts=with_raw(placed, known))


def _of(values: Mapping[int, float], candidates: set[int]) -> dict[int, float]:
    return {one: value for one, value in values.items() if one in candidates}
