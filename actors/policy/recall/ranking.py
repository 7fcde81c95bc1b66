"""From what the channels found to an order and a judgement (K01, K28, F08).

First an order by words, vectors, triggers and neighbours in time: nobody's text is read
for it. Then the first of them are read for their words, ranked again with the share of
the query they have, moved a little by what the session attends to, and judged whether
they are worth an agent's attention unasked (``evidence``).
"""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeVar

from actors.policy.graph import causal, graph_channel
from actors.policy.graph.activation import Breadth
from actors.policy.index import late_interaction
from actors.policy.recall import (
    answering,
    channel_switches,
    channel_weights,
    evidence,
    fusion,
    fusion_methods,
    stage_facts,
    stage_rules,
    stage_switches,
    stages,
)
from actors.policy.recall.stage_rules import Term
from actors.policy.session import attention
from actors.policy.text.words import coverage, stem

V = TypeVar("V")

UNREAD = "not looked at closely"
# A word whose memories nobody could count is weighed as half as telling as one that is rare: with
# a hundred memories as the background, 12 of them have it.
UNCOUNTED = 12


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of the steps."""

    fusing: fusion.Settings = field(default_factory=fusion.Settings)
    method: fusion_methods.Method = fusion_methods.Method.SCORES
    judging: evidence.Settings = field(default_factory=evidence.Settings)
    attending: attention.Settings = field(default_factory=attention.Settings)
    switches: stage_switches.Settings = stage_switches.DEFAULT
    meeting: late_interaction.Settings = late_interaction.DEFAULT
    linking: graph_channel.Settings = graph_channel.DEFAULT
    channels: channel_switches.Settings = field(default_factory=channel_switches.Settings)

    @property
    def running(self) -> stages.Settings:
        """The stages that run."""
        return stage_switches.running(self.switches)


@dataclass(slots=True)
class Findings:
    """What the channels brought for one query, by memory id."""

    terms: list[str] = field(default_factory=list[str])  # telling words of the query
    frequencies: dict[str, int] = field(default_factory=dict[str, int])  # memories with each
    memories: int = 0  # in the whole store
    words: dict[int, float] = field(default_factory=dict[int, float])  # bm25, more is better
    cosines: dict[int, float] = field(default_factory=dict[int, float])
    met: dict[int, float] = field(default_factory=dict[int, float])  # late interaction, K16
    given: set[int] = field(default_factory=set[int])  # called by a phrase a person set
    phrases: dict[int, int] = field(default_factory=dict[int, int])  # how many phrases call it
    held: dict[int, float] = field(default_factory=dict[int, float])  # attention, 0..1
    places: dict[int, fusion.Place] = field(default_factory=dict[int, "fusion.Place"])
    with_vector: bool = False
    remaining: dict[int, float] = field(default_factory=dict[int, float])  # after suppression, Q12
    past: set[int] = field(default_factory=set[int])  # tell how it was, and that is not asked
    labelled: dict[int, float] = field(default_factory=dict[int, float])  # share named, labels
    noticed: set[int] = field(default_factory=set[int])  # insights of dreams (I10)
    literal: set[int] = field(default_factory=set[int])  # hold what a concrete query names (K34)
    timely: dict[int, float] = field(default_factory=dict[int, float])  # of the time asked for
    graph: dict[int, graph_channel.Reached] = field(
        default_factory=dict[int, graph_channel.Reached]
    )  # what links lead to (K05)
    degrees: dict[int, float] = field(default_factory=dict[int, float])  # boosts of L05 (K06)
    edges: list[causal.Edge] = field(default_factory=list[causal.Edge])  # among these (K17)
    together: dict[int, float] = field(default_factory=dict[int, float])  # near all concepts, K02
    successors: dict[int, int] = field(default_factory=dict[int, int])  # of what is outdated
    respelled: dict[str, str] = field(default_factory=dict[str, str])  # unknown words and theirs
    facts: stage_facts.Facts | None = None  # of stages that are off by default
    intent: str = "default"  # one of ``query_intent``, or not classified

    def keep(self, living: Collection[int]) -> None:
        """Drop what ended, or lies out of scope."""
        self.words = _of(self.words, living)
        self.cosines = _of(self.cosines, living)
        self.phrases = _of(self.phrases, living)
        self.given &= set(living)
        self.literal &= set(living)
        self.together = _of(self.together, living)


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


def first_order(findings: Findings, settings: Settings) -> list[fusion.Ranked]:
    """The order by the channels alone, best first."""
    ranked = fusion_methods.fused(
        findings.words,
        findings.cosines,
        places=findings.places,
        bonuses=_bonuses(findings, settings.fusing),
        settings=settings.fusing,
        method=settings.method,
        intent=findings.intent,
    )
    by = strengths(settings.method, findings.intent)
    return suppressed(linked(ranked, findings, by), findings.remaining)


@dataclass(frozen=True, slots=True)
class Order:
    """The memories in their places, the judgement in that order, and what each stage did."""

    placed: list[Placed]
    judged: evidence.Evidence
    trace: tuple[stages.Passed, ...]
    answered: float  # how likely there is an answer, 0..1


def judged_order(
    findings: Findings,
    said: Mapping[int, frozenset[str]],
    settings: Settings,
    mode: Breadth = Breadth.BALANCED,
    wanted: int = 0,
) -> Order:
    """The memories whose stems are ``said``, best first, and the judgement in that order.

    ``wanted``: as many as are asked for, with which channels have their places (K20); 0: all.
    """
    plain = dict.fromkeys(map(stem, findings.terms), 1.0)
    places = _of(findings.places, said)
    fused = fusion_methods.fused(
        _of(findings.words, said),
        _of(findings.cosines, said),
        found={i: coverage(plain, stems) for i, stems in said.items()} if plain else {},
        told=fusion.told_beside(rarity(findings), said, places, settings.fusing),
        late=late_interaction.shares(_of(findings.met, said), settings.meeting),
        places=places,
        lengths={i: len(stems) for i, stems in said.items()},
        bonuses=_of(_bonuses(findings, settings.fusing), said),
        settings=settings.fusing,
        method=settings.method,
        intent=findings.intent,
    )
    shares = {one.identity: _shares(one) for one in fused}
    answer = through_stages(shares, findings, settings, mode, wanted)
    by_id = {one.identity: one for one in fused}
    ranked = [
        fusion.Ranked(one.identity, min(one.score, 1.0), by_id[one.identity].parts)
        for one in answer.results
    ]
    terms = stages.met(answer.trace)
    counts = findings.frequencies or dict.fromkeys(findings.terms, UNCOUNTED)
    question = evidence.asked(counts, findings.memories, settings.judging)
    judged = evidence.weighed(
        question,
        [_candidate(one, findings, said[one.identity]) for one in ranked],
        settings.judging,
    )
    judged = evidence.with_successors(judged, findings.successors)
    placed = [
        Placed(
            one.identity,
            one.score,
            str(verdict.reason),
            {**_parts(one, shares[one.identity]), "confidence": verdict.confidence},
            tuple(terms[one.identity]),
        )
        for one, verdict in zip(ranked, judged.verdicts, strict=True)
    ]
    first = (
        _first(ranked[0], findings, coverage(plain, said[ranked[0].identity])) if ranked else None
    )
    answered = answering.answered(first, answering.unseen(question, findings.frequencies))
    return Order(placed, judged, answer.trace, answered)


def through_stages(
    shares: Mapping[int, Mapping[str, float]],
    findings: Findings,
    settings: Settings,
    mode: Breadth,
    wanted: int = 0,
) -> stages.Answer:
    """What the stages that are on make of the fused order (K28).

    Nothing is cut for its place here, but where each channel is to have one among the ``wanted``.
    """
    running = settings.running
    if running.representation and wanted:
        running = replace(running, limit=True)
    known = stage_rules.Known(
        limit=wanted or len(shares),
        mode=mode,
        intent=findings.intent,
        past=findings.past,
        labelled=findings.labelled,
        noticed=findings.noticed,
        literal=findings.literal,
        timely=findings.timely,
        together=findings.together,
        graph=findings.graph,
        degrees=findings.degrees,
        edges=findings.edges,
        successors=findings.successors,
        remaining=findings.remaining,
        held=findings.held,
        attending=settings.attending,
    )
    return stages.ranked(
        [stages.Candidate(one, of) for one, of in shares.items()],
        known if findings.facts is None else findings.facts.joined(known),
        running,
        strengths(settings.method, findings.intent),
    )


def strengths(method: fusion_methods.Method, intent: str) -> stage_rules.Strengths:
    """How much recency and links count in the stages: by what is asked for, when that is chosen (K09).

    A link counts by its weight beside the default one: ``find_spec``, .30 beside .15, twice.
    """
    shipped = stages.STRENGTHS
    if method is not fusion_methods.Method.BY_INTENT:
        return shipped
    by = channel_weights.channel_weights(intent)
    links = shipped.graph * by.graph / channel_weights.DEFAULT.graph
    return replace(shipped, recency=by.recency, graph=links)


def rarity(findings: Findings) -> dict[str, float]:
    """What each telling word of the query weighs by its stem: ln(1 + N / (1 + its memories))."""
    return {
        stem(term): math.log1p(findings.memories / (1 + findings.frequencies.get(term, 0)))
        for term in findings.terms
    }


def linked(
    ranked: list[fusion.Ranked],
    findings: Findings,
    by: stage_rules.Strengths = stages.STRENGTHS,
) -> list[fusion.Ranked]:
    """What links lead to, and what is near all concepts, in the place that it will get (K05, K02)."""
    if not findings.graph and not findings.together:
        return ranked
    here = {one.identity for one in ranked}
    added = sorted({*findings.graph, *findings.together} - here)
    whole = [*ranked, *(fusion.Ranked(one, 0.0, fusion.NO_PARTS) for one in added)]
    scores = graph_channel.lifted(
        [(one.identity, one.score) for one in whole], findings.graph, by.graph
    )
    times = dict.fromkeys(findings.together, by.together)
    found = [
        one._replace(score=scores[one.identity] * times.get(one.identity, 1.0)) for one in whole
    ]
    return sorted(found, key=lambda one: (-one.score, one.identity))


def suppressed(ranked: list[fusion.Ranked], remaining: Mapping[int, float]) -> list[fusion.Ranked]:
    """What a person suppressed comes later, by what is left of its score (Q12)."""
    if not remaining:
        return ranked
    lowered = [one._replace(score=one.score * remaining.get(one.identity, 1.0)) for one in ranked]
    return sorted(lowered, key=lambda one: (-one.score, one.identity))


def unread(rest: Sequence[fusion.Ranked], lowest: float) -> list[Placed]:
    """Those not read, below the last one read, in their order with falling scores."""
    return [
        Placed(one.identity, score, UNREAD, _parts(one, _shares(one)), (Term("place", plus=score),))
        for one, score in (
            (one, lowest * (1.0 - (place + 1) / (len(rest) + 1))) for place, one in enumerate(rest)
        )
    ]


def _first(one: fusion.Ranked, findings: Findings, covered: float) -> answering.First:
    cosine = findings.cosines.get(one.identity) if findings.with_vector else None
    return answering.First(cosine, covered, one.identity in findings.given)


def _candidate(one: fusion.Ranked, findings: Findings, said: frozenset[str]) -> evidence.Candidate:
    return evidence.Candidate(
        one.identity,
        one.score,
        findings.cosines.get(one.identity) if findings.with_vector else None,
        said,
        trigger=one.identity in findings.given,
        called=findings.phrases.get(one.identity, 0),
        literal=one.identity in findings.literal,
    )


def _bonuses(findings: Findings, by: fusion.Settings) -> dict[int, float]:
    """What a phrase adds that a person set; one that its text offers only makes a candidate."""
    return {i: by.trigger if i in findings.given else 0.0 for i in findings.phrases}


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


def _parts(ranked: fusion.Ranked, shares: Mapping[str, float]) -> dict[str, float]:
    given, parts = ranked.parts, {**shares}
    if given.word_score is not None:
        parts["word_score"] = given.word_score
    if given.cosine is not None:
        parts["cosine"] = given.cosine
    return parts


def _of(values: Mapping[int, V], ids: Collection[int]) -> dict[int, V]:
    return {i: value for i, value in values.items() if i in ids}
