"""Ranking: an order and a judgement of what the channels found.

First an order by words, vectors, triggers and neighbours in time: nobody's text is read
for it. Then the first of them are read for their words, ranked again with the share of
the query they have, moved a little by what the session attends to, and judged whether
they are worth an agent's attention unasked (``evidence``).
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from actors.policy.graph import graph_channel
from actors.policy.graph.activation import Breadth
from actors.policy.index import late_interaction
from actors.policy.recall import (
    composite,
    evidence,
    fusion,
    fusion_methods,
    stage_rules,
    stages,
    ways,
)
from actors.policy.recall.known import Known, Term, among, rarity
from actors.policy.text.utterances import asks_outright
from actors.policy.text.words import coverage, stem

UNREAD = "not looked at closely"
# A word whose memories nobody could count is weighed as half as telling as one that is rare: with
# a hundred memories as the background, 12 of them have it.
UNCOUNTED = 12


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of the steps: weights of the channels, and the ways that are on."""

    fusing: fusion.Settings = field(default_factory=fusion.Settings)
    on: frozenset[str] = ways.DEFAULT

    @property
    def method(self) -> str:
        """Name of the way by which the channels become one order."""
        return next(name for name in ways.FUSIONS if name in self.on)

    @property
    def score(self) -> str:
        """Name of the score that results are put in order by."""
        return next(name for name in ways.SCORES if name in self.on)


def asked_with(
    settings: Settings, also: Collection[str] = (), without: Collection[str] = ()
) -> Settings:
    """The settings as one question has them: with these ways, and without those."""
    return replace(settings, on=ways.turned(settings.on, also, without))


class Placed(NamedTuple):
    """A memory in its place: score 0..1, why in words, and what made the score up.

    ``terms`` are applied in their order, from 0: times ``times``, and ``plus`` on top. The result
    is the score, or more than 1 where the score is 1.
    """

    identity: int
    score: float
    why: str
    parts: dict[str, float]
    terms: tuple[Term, ...] = ()


def first_order(known: Known, settings: Settings) -> list[fusion.Ranked]:
    """The order by the channels alone, best first."""
    ranked = fusion_methods.fused(
        known.words,
        known.cosines,
        places=known.places,
        bonuses=_bonuses(known, settings.fusing),
        settings=settings.fusing,
        method=settings.method,
    )
    return suppressed(linked(ranked, known), known.remaining)


@dataclass(frozen=True, slots=True)
class Order:
    """The memories in their places, the judgement in that order, and what each stage did."""

    placed: list[Placed]
    judged: evidence.Evidence
    trace: tuple[stages.Passed, ...]
    answered: float  # how likely there is an answer, 0..1


def judged_order(
    known: Known,
    said: Mapping[int, frozenset[str]],
    settings: Settings,
    mode: Breadth = Breadth.BALANCED,
    wanted: int = 0,
) -> Order:
    """The memories whose stems are ``said``, best first, and the judgement in that order.

    ``wanted``: as many as are asked for, with which channels have their places; 0: all.
    """
    plain = dict.fromkeys(map(stem, known.terms), 1.0)
    places = among(known.places, said)
    fused = fusion_methods.fused(
        among(known.words, said),
        among(known.cosines, said),
        found={i: coverage(plain, stems) for i, stems in said.items()} if plain else {},
        told=fusion.told_beside(rarity(known), said, places, settings.fusing),
        late=late_interaction.shares(among(known.met, said)),
        places=places,
        lengths={i: len(stems) for i, stems in said.items()},
        bonuses=among(_bonuses(known, settings.fusing), said),
        settings=settings.fusing,
        method=settings.method,
    )
    shares, beside = _first_shares(fused, known, settings)
    answer = through_stages(shares, known, settings, mode, wanted)
    by_id = {one.identity: one for one in fused}
    ranked = [
        fusion.Ranked(one.identity, min(one.score, 1.0), by_id[one.identity].parts)
        for one in answer.results
    ]
    terms = stages.met(answer.trace)
    asked = question(known)
    judged = evidence.weighed(asked, [_candidate(one, known, said[one.identity]) for one in ranked])
    judged = evidence.with_successors(judged, known.successors)
    placed = [
        Placed(
            one.identity,
            one.score,
            str(verdict.reason),
            {
                **_parts(one, shares[one.identity]),
                **beside.get(one.identity, {}),
                "confidence": verdict.confidence,
            },
            tuple(terms[one.identity]),
        )
        for one, verdict in zip(ranked, judged.verdicts, strict=True)
    ]
    first = _first(ranked[0], known, coverage(plain, said[ranked[0].identity])) if ranked else None
    answered = evidence.answered(first, evidence.unseen(asked, known.frequencies))
    return Order(placed, judged, answer.trace, answered)


def question(known: Known) -> evidence.Asked:
    """The telling words of the query, by how many memories have each."""
    counts = known.frequencies or dict.fromkeys(known.terms, UNCOUNTED)
    return evidence.asked(counts, known.total, outright=asks_outright(known.query))


def through_stages(
    shares: Mapping[int, Mapping[str, float]],
    known: Known,
    settings: Settings,
    mode: Breadth = Breadth.BALANCED,
    wanted: int = 0,
) -> stages.Answer:
    """Apply the stages that are on to the fused order.

    Nothing is cut for its place here, but where each channel is to have one among the ``wanted``.
    """
    candidates = [stages.Candidate(one, of) for one, of in shares.items()]
    return stages.ranked(candidates, known, settings.on, mode, wanted)


def linked(ranked: list[fusion.Ranked], known: Known) -> list[fusion.Ranked]:
    """Add what links lead to, and what is near all concepts, in the place that it will get."""
    if not known.graph and not known.together:
        return ranked
    here = {one.identity for one in ranked}
    added = sorted({*known.graph, *known.together} - here)
    whole = [*ranked, *(fusion.Ranked(one, 0.0, fusion.NO_PARTS) for one in added)]
    scores = graph_channel.lifted(
        [(one.identity, one.score) for one in whole], known.graph, stage_rules.GRAPH
    )
    times = dict.fromkeys(known.together, stage_rules.TOGETHER)
    found = [
        one._replace(score=scores[one.identity] * times.get(one.identity, 1.0)) for one in whole
    ]
    return sorted(found, key=lambda one: (-one.score, one.identity))


def suppressed(ranked: list[fusion.Ranked], remaining: Mapping[int, float]) -> list[fusion.Ranked]:
    """Move the scores by what people said of the memories."""
    if not remaining:
        return ranked
    moved = [one._replace(score=one.score * remaining.get(one.identity, 1.0)) for one in ranked]
    return sorted(moved, key=lambda one: (-one.score, one.identity))


def unread(rest: Sequence[fusion.Ranked], lowest: float) -> list[Placed]:
    """Those not read, below the last one read, in their order with falling scores."""
    return [
        Placed(one.identity, score, UNREAD, _parts(one, _shares(one)), (Term("place", plus=score),))
        for one, score in (
            (one, lowest * (1.0 - (place + 1) / (len(rest) + 1))) for place, one in enumerate(rest)
        )
    ]


def _first(one: fusion.Ranked, known: Known, covered: float) -> evidence.First:
    cosine = known.cosines.get(one.identity) if known.with_vector else None
    return evidence.First(cosine, covered, one.identity in known.given)


def _candidate(one: fusion.Ranked, known: Known, said: frozenset[str]) -> evidence.Candidate:
    return evidence.Candidate(
        one.identity,
        known.cosines.get(one.identity) if known.with_vector else None,
        said,
        trigger=one.identity in known.given,
        named=one.identity in known.named,
        called=known.phrases.get(one.identity, 0),
        literal=one.identity in known.literal,
        experience=known.experience.get(one.identity, 0.0),
        made_of=known.made_of.get(one.identity, ""),
    )


def _bonuses(known: Known, by: fusion.Settings) -> dict[int, float]:
    """What a phrase adds that a person set; one that its text offers only makes a candidate."""
    return {i: by.trigger if i in known.given else 0.0 for i in known.phrases}


def _shares(ranked: fusion.Ranked) -> dict[str, float]:
    """The shares that a fused score is the sum of."""
    given = ranked.parts
    return {
        "words": given.words,
        "vectors": given.vectors,
        "found": given.found,
        "told": given.told,
        "tokens": given.late,
        "neighbours": given.neighbours,
        "bonus": given.bonus,
    }


def _first_shares(
    fused: Sequence[fusion.Ranked], known: Known, settings: Settings
) -> tuple[dict[int, Mapping[str, float]], dict[int, dict[str, float]]]:
    """The shares that each score begins with, and what is told beside them."""
    if settings.score != "composite":
        return {one.identity: _shares(one) for one in fused}, {}
    similar = fusion_methods.spread_out({one.identity: one.score for one in fused})
    found = composite.composites(known, similar)
    shares: dict[int, Mapping[str, float]] = {
        one.identity: found[one.identity].shares if one.identity in found else {} for one in fused
    }
    return shares, {i: {"folder": one.folder, "kind": one.kind} for i, one in found.items()}


def _parts(ranked: fusion.Ranked, shares: Mapping[str, float]) -> dict[str, float]:
    given, parts = ranked.parts, {**shares}
    if given.word_score is not None:
        parts["word_score"] = given.word_score
    if given.cosine is not None:
        parts["cosine"] = given.cosine
    return parts
