"""Ranking: an order and a judgement of the channels' findings.

First an order by the channels alone: nobody's text is read for it. Then the first of them are read for
their words, ranked again with their share of the query, and judged for their worth to an agent unasked.
"""

from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from actors.policy.index import sign_bits
from actors.policy.recall import candidates, evidence, fusion, stages, ways
from actors.policy.recall.candidates import Candidate, QueryFacts, Term, among, rarity
from actors.policy.recall.stages import Trace, terms_of
from actors.policy.text.speech import asks_outright
from actors.policy.text.words import coverage, stem

UNREAD = "not looked at closely"
UNSCORED = {**fusion.NOTHING, "neighbours": 0.0, "bonus": 0.0}  # shares of what no channel found
# A word whose memories nobody could count is weighed as half as telling as one that is rare: with
# a hundred memories as the background, 12 of them have it.
UNCOUNTED = 12


class Settings(Struct, frozen=True):
    """The settings of the steps: weights of the channels, and the ways switched on."""

    weights: fusion.Weights = fusion.SHIPPED
    on: frozenset[str] = ways.DEFAULT

    @property
    def method(self) -> str:
        """Name of the way by which the channels become one order."""
        return next(name for name in ways.FUSIONS if name in self.on)


def asked_with(
    settings: Settings, also: Collection[str] = (), without: Collection[str] = ()
) -> Settings:
    """The settings for one question: with some ways, and without others."""
    return replace(settings, on=ways.turned(settings.on, also, without))


def first_order(known: QueryFacts, settings: Settings) -> list[Candidate[int]]:
    """The order by the channels alone, best first."""
    ranked = fusion.fused(
        known.words,
        known.cosines,
        places=known.places,
        bonuses=_bonuses(known),
        weights=settings.weights,
        method=settings.method,
    )
    ranked = linked(ranked, known)
    if not known.remaining:
        return ranked
    # Moved by people's opinions of the memories.
    moved = [one._replace(score=one.score * known.remaining.get(one.memory, 1.0)) for one in ranked]
    return sorted(moved, key=lambda one: (-one.score, one.memory))


def judged_order(
    known: QueryFacts, said: Mapping[int, frozenset[str]], settings: Settings, wanted: int = 0
) -> Trace:
    """The memories with stems in ``said``, best first, and the judgement in the same order.

    ``wanted``: the number asked for, within which channels have their places; 0: all. Only there is
    a memory cut for its place.
    """
    plain = dict.fromkeys(map(stem, known.terms), 1.0)
    places = among(known.places, said)
    fused = fusion.fused(
        among(known.words, said),
        among(known.cosines, said),
        found={i: coverage(plain, stems) for i, stems in said.items()} if plain else {},
        told=fusion.told_beside(rarity(known), said, places),
        late=sign_bits.shares(among(known.met, said)),
        places=places,
        lengths={i: len(stems) for i, stems in said.items()},
        bonuses=among(_bonuses(known), said),
        weights=settings.weights,
        method=settings.method,
    )
    shares = _first_shares(fused, known, settings)
    trace = ways.traced(shares, known, settings.on, wanted)
    asked = question(known)
    judged = evidence.weighed(asked, known, said, trace.order)
    trace.verdicts = evidence.with_successors(judged, known.successors)
    trace.candidates = [
        Candidate(
            one,
            min(trace.scores[one], 1.0),
            str(verdict.reason),
            {**_parts(one, shares[one], known), "confidence": verdict.confidence},
            terms_of(trace.passed, one),
        )
        for one, verdict in zip(trace.order, trace.verdicts, strict=True)
    ]
    if trace.order:
        first = trace.order[0]
        covered, unseen = coverage(plain, said[first]), evidence.unseen(asked, known.frequencies)
        answered = evidence.answered(known.cosine(first), covered, unseen)
        trace.answered = 1.0 if first in known.given else answered
    return trace


def question(known: QueryFacts) -> evidence.Asked:
    """The telling words of the query, by how many memories have each."""
    counts = known.frequencies or dict.fromkeys(known.terms, UNCOUNTED)
    return evidence.asked(counts, known.total, outright=asks_outright(known.query))


def linked(ranked: list[Candidate[int]], known: QueryFacts) -> list[Candidate[int]]:
    """Add memories reached by links, in their coming places."""
    if not known.graph:
        return ranked
    here = {one.memory for one in ranked}
    added = sorted(known.graph.keys() - here)
    whole = [*ranked, *(Candidate(one, 0.0, parts=UNSCORED) for one in added)]
    full = stages.GRAPH * max((one.score for one in whole), default=0.0)
    added_by = {one: full * way.sure for one, way in known.graph.items()}
    found = [one._replace(score=one.score + added_by.get(one.memory, 0.0)) for one in whole]
    return sorted(found, key=lambda one: (-one.score, one.memory))


def unread(
    rest: Sequence[Candidate[int]], lowest: float, known: QueryFacts
) -> list[Candidate[int]]:
    """Unread memories, below the last one read, in their order with falling scores."""
    falling = (lowest * (1.0 - (place + 1) / (len(rest) + 1)) for place in range(len(rest)))
    return [
        Candidate(
            one.memory, score, UNREAD, _parts(one.memory, one.parts, known),
            (Term("place", plus=score),),
        )
        for one, score in zip(rest, falling, strict=True)
    ]  # fmt: skip


def _bonuses(known: QueryFacts) -> dict[int, float]:
    """Add bonuses for a person's phrase or a cue; a phrase of the text only makes a candidate."""
    called = {i: fusion.TRIGGER if i in known.given else 0.0 for i in known.phrases}
    like = {i: known.likeness(i) for i in known.cues}
    near = (i for i, much in like.items() if much is not None and much >= candidates.LIKENESS)
    return called | dict.fromkeys(near, fusion.TRIGGER)


def _first_shares(
    fused: Sequence[Candidate[int]], known: QueryFacts, settings: Settings
) -> dict[int, Mapping[str, float]]:
    if "composite" not in settings.on:
        return {one.memory: one.parts for one in fused}
    fit = fusion.spread_out({one.memory: one.score for one in fused})
    factors = ways.composite(known, fit)
    return {one.memory: factors.get(one.memory, {}) for one in fused}


def _parts(one: int, shares: Mapping[str, float], known: QueryFacts) -> dict[str, float]:
    """The parts of a score, and the figures of the channels behind it."""
    figures = {"word_score": known.words.get(one), "cosine": known.cosines.get(one)}
    return {**shares, **{name: figure for name, figure in figures.items() if figure is not None}}
