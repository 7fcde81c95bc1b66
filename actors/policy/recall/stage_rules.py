"""The rules of the stages of recall: what each makes of the candidates, from what is known.

A rule of the first kind gives terms, which the score is multiplied by and increased by; one of the
second kind gives an order, in which something may be missing. None of them touches a score
itself: ``stages`` does, so that everything a score went through is written down.

A rule says nothing about a memory of which it knows nothing, so a stage without facts is neutral.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from actors.policy.decay import accessibility
from actors.policy.graph import causal, graph_channel
from actors.policy.recall import (
    channel_weights,
    competition,
    diversity,
    encoding_context,
    joint_boosts,
    lexical_rerank,
    succession,
    trial,
)
from actors.policy.recall.known import Known, Term
from actors.policy.statements.sources import NOTICED
from actors.policy.text import budget, utterances
from actors.policy.times import temporal as nearness

DAY: Final = 86_400.0  # seconds
HOURS: Final = 24.0  # of a day
KEYWORD_FIRST: Final = 10  # best ones by words that may lead
KEYWORD_SCORE: Final = 0.8  # of the best one's, from which on they do
KEYWORD_FACTOR: Final = 2.0
CAPTURED: Final = 1.05  # a prior that decides between equals. A choice
USEFUL: Final = 0.15  # what a memory gains that was of use every time


@dataclass(frozen=True, slots=True)
class Strengths:
    """Weights of the stages that are a choice."""

    rerank: float = 0.3  # added for a perfect lexical score
    recency: float = channel_weights.DEFAULT.recency
    past: float = utterances.PAST_FACTOR
    labelled: float = utterances.NAMED
    noticed: float = 0.3  # of an insight's score: it quotes its sources, which answer better
    literal: float = 2.0  # so that it leads
    time: float = 0.5  # share of its score that a memory gains of the very time asked for
    together: float = 2.0  # so that what is near all concepts leads
    graph: float = 0.4  # of the best score, added for a full link with it
    limit: int = 0  # results asked for, among which each channel has its place; 0: all


@dataclass(frozen=True, slots=True)
class Standing:
    """The candidates on their way: ids in order, scores of these and of all cut before."""

    order: tuple[int, ...]
    scores: Mapping[int, float]


Terms: TypeAlias = Mapping[int, tuple[Term, ...]]
Scoring: TypeAlias = Callable[[Standing, Known, Strengths], Terms]
Arranging: TypeAlias = Callable[[Standing, Known, Strengths], Sequence[int]]


def keyword_first(now: Standing, known: Known, _: Strengths) -> Terms:
    """The best ten by words count twice when they reach .8 of the best one's."""
    by_words = sorted(_among(known.words, now), key=lambda one: (-known.words[one], one))
    best = max(known.words.values(), default=0.0)
    leading = (
        one for one in by_words[:KEYWORD_FIRST] if known.words[one] >= KEYWORD_SCORE * best > 0
    )
    return {one: (Term("keyword first", KEYWORD_FACTOR),) for one in leading}


def rerank(now: Standing, known: Known, by: Strengths) -> Terms:
    """The lexical score on top."""
    return {
        one: (Term("lexical", plus=by.rerank * known.overlap[one]),)
        for one in _among(known.overlap, now)
    }


def length(now: Standing, known: Known, _: Strengths) -> Terms:
    """Very short and very long texts lose a little."""
    return {
        one: (Term("length", lexical_rerank.length_factor(known.characters[one])),)
        for one in _among(known.characters, now)
    }


def temporal(now: Standing, known: Known, by: Strengths) -> Terms:
    """Raise a little what is recent."""
    return {
        one: (Term("recent", plus=channel_weights.recency_boost(known.ages[one], by.recency)),)
        for one in _among(known.ages, now)
    }


def contiguous(now: Standing, known: Known, _: Strengths) -> Terms:
    """Raise what was made close in time to other results, by half of its score at most."""
    moments = {one: -known.ages[one] * DAY for one in _among(known.ages, now)}
    lent = nearness.contiguity(moments)
    return {one: (Term("contiguity", 1.0 + share),) for one, share in lent.items() if share}


def past(now: Standing, known: Known, by: Strengths) -> Terms:
    """Lower what tells how it was by a fifth (``tense``)."""
    return {one: (Term("past", by.past),) for one in now.order if one in known.past}


def labelled(now: Standing, known: Known, by: Strengths) -> Terms:
    """Raise what bears the name asked for by up to a fifth of its score (``utterances``)."""
    return {
        one: (Term("label", 1.0 + by.labelled * known.labelled[one]),)
        for one in _among(known.labelled, now)
    }


def noticed(now: Standing, known: Known, by: Strengths) -> Terms:
    """Put what a dream noticed behind the memories that it was drawn from."""
    return {
        one: (Term("noticed", by.noticed),)
        for one in now.order
        if known.made_of.get(one) == NOTICED
    }


def literally(now: Standing, known: Known, by: Strengths) -> Terms:
    """Put first what holds the very thing that a concrete query names."""
    return {one: (Term("literal", by.literal),) for one in now.order if one in known.literal}


def asked_time(now: Standing, known: Known, by: Strengths) -> Terms:
    """Raise what is of the time that was asked for by up to half of its score (``time_words``)."""
    return {
        one: (Term("time", 1.0 + by.time * known.timely[one]),) for one in _among(known.timely, now)
    }


def all_concepts(now: Standing, known: Known, by: Strengths) -> Terms:
    """Put first what is near all of the concepts asked for."""
    return {one: (Term("all concepts", by.together),) for one in _among(known.together, now)}


def linked(now: Standing, known: Known, by: Strengths) -> Terms:
    """Raise what is linked with what was found by how well that was found; it stays under that."""
    best = max((now.scores[one] for one in now.order), default=0.0)
    terms: dict[int, tuple[Term, ...]] = {}
    for one in _among(known.graph, now):
        way, own = known.graph[one], now.scores[one]
        most = graph_channel.UNDER * now.scores.get(way.path[0], best) - own
        plus = min(by.graph * best * way.score, most)
        if plus > 0:
            terms[one] = (Term(way.said, plus=plus),)
    return terms


def connected(now: Standing, known: Known, _: Strengths) -> Terms:
    """Raise what has many causal links by up to .15 of its score."""
    return {one: (Term("degree", 1.0 + known.degrees[one]),) for one in _among(known.degrees, now)}


def reached(now: Standing, known: Known, _: Strengths) -> Terms:
    """Raise what comes to mind easily, lower what hardly does."""
    terms: dict[int, tuple[Term, ...]] = {}
    for one in _among(known.reach, now):
        reach = known.reach[one]
        plus = accessibility.rank_score(0.0, reach.state, reach.idle_hours, reach.accesses)
        terms[one] = (Term("accessible", accessibility.RANK_FACTORS[reach.state], plus),)
    return terms


def suppressed(now: Standing, known: Known, _: Strengths) -> Terms:
    """Move a memory's score by what people said of it."""
    return {one: (Term("opinion", known.remaining[one]),) for one in _among(known.remaining, now)}


def captured(now: Standing, known: Known, _: Strengths) -> Terms:
    """Raise a little what an important moment captured."""
    return {one: (Term("captured", CAPTURED),) for one in _among(known.captured, now)}


def context(now: Standing, known: Known, _: Strengths) -> Terms:
    """Raise what was made in circumstances like these by up to .3 of its score."""
    return {
        one: (Term("context", encoding_context.context_boosted(1.0, known.contexts[one])),)
        for one in _among(known.contexts, now)
    }


def boosts(now: Standing, known: Known, _: Strengths) -> Terms:
    """Causes, session and co-activation under their joint ceiling."""
    causes = causal.boosts(known.edges, map(str, now.order)) if known.edges else {}
    terms: dict[int, tuple[Term, ...]] = {}
    for one in now.order:
        if one not in known.held and one not in known.coactive and str(one) not in causes:
            continue
        own = joint_boosts.joint(
            causes.get(str(one), 0.0),
            known.held.get(one, 0.0),
            joint_boosts.coactivated(known.coactive.get(one, ())),
        )
        shares = (
            ("causal", own.causal),
            ("session", own.session),
            ("coactivation", own.coactivation),
        )
        # As sums of the score before them, so that each is told by itself.
        given = tuple(Term(name, plus=share * now.scores[one]) for name, share in shares if share)
        if given:
            terms[one] = given
    return terms


def useful(now: Standing, known: Known, _: Strengths) -> Terms:
    """Raise what was of use when it was returned by up to .15 of its score.

    Uses come from outcomes: being shown is none, so what is shown and never used gains nothing.
    """
    return {
        one: (Term("utility", 1.0 + USEFUL * utility(*known.uses[one])),)
        for one in _among(known.uses, now)
    }


def utility(used: int, returned: int) -> float:
    """The share of the times it was returned that a memory was of use, 0..1."""
    return min(1.0, max(0, used) / returned) if returned > 0 else 0.0


def compete(now: Standing, known: Known, _: Strengths) -> Terms:
    """The best and those as close to the query: it rises, they fall."""
    factors = competition.factors(now.order, known.cosines)
    return {one: (Term("competition", factor),) for one, factor in factors.items()}


def succeed(now: Standing, known: Known, _: Strengths) -> Terms:
    """Let what took the place of an outdated memory rise over it (``succession``)."""
    raised: dict[int, float] = {}
    for older, newer in known.successors.items():
        if older in now.scores and newer in now.scores:
            wanted = now.scores[older] * succession.ABOVE
            raised[newer] = max(wanted, raised.get(newer, 0.0))
    return {
        newer: (Term("successor", plus=wanted - now.scores[newer]),)
        for newer, wanted in raised.items()
        if wanted > now.scores[newer] and newer in now.order
    }


def interfere(now: Standing, known: Known, _: Strengths) -> Terms:
    """Lower what says much the same as others of its project by .08 for each (``trial``)."""
    terms: dict[int, tuple[Term, ...]] = {}
    for one in _among(known.siblings, now):
        shown = min(1.0, now.scores[one])  # the rule is of 0..1; stages lift over 1
        plus = trial.lowered(shown, known.siblings[one]) - shown
        terms[one] = (Term("interference", plus=plus),)
    return terms


def novel(now: Standing, known: Known, _: Strengths) -> Terms:
    """Raise what is newer than two days by up to .15, to .95 at most (``trial``)."""
    terms: dict[int, tuple[Term, ...]] = {}
    for one in _among(known.ages, now):
        score = now.scores[one]
        plus = trial.with_novelty(score, known.ages[one] * HOURS) - score
        if plus:
            terms[one] = (Term("novelty", plus=plus),)
    return terms


def confident(now: Standing, _: Known, __: Strengths) -> Sequence[int]:
    """Keep what stands before the first steep fall of the scores."""
    return now.order[: budget.confident([now.scores[one] for one in now.order])]


def diversify(now: Standing, known: Known, _: Strengths) -> Sequence[int]:
    """Marginal relevance among the best twenty, by intent."""
    share = diversity.relevance_share(known.intent)
    return diversity.diversified(_in_order(now), known.vectors, share)


def over_regions(now: Standing, known: Known, _: Strengths) -> Sequence[int]:
    """Regions of the graph not seen yet go first."""
    if not known.regions:
        return now.order
    return diversity.spread_over_regions(now.order, now.scores, known.regions)


def represent(now: Standing, known: Known, by: Strengths) -> Sequence[int]:
    """Keep as many as were asked for, and a place behind them for every channel that has none."""
    kept = now.order[: by.limit or len(now.order)]
    cut = sorted(now.scores.keys() - set(kept), key=lambda one: (-now.scores[one], one))
    best = max(now.scores.values(), default=0.0)
    normal = {one: score / best if best > 0 else 0.0 for one, score in now.scores.items()}
    channels: dict[str, Sequence[int]] = {
        "words": _best_first(known.words),
        "vectors": _best_first(known.cosines),
        "phrases": sorted(known.phrases),
        "graph": sorted(known.graph),
        "literal": sorted(known.literal),
    }
    return (*kept, *diversity.promoted([*kept, *cut], normal, channels, len(kept)))


def _among(facts: Collection[int], now: Standing) -> list[int]:
    return [one for one in now.order if one in facts]


def _best_first(scores: Mapping[int, float]) -> list[int]:
    return sorted(scores, key=lambda one: (-scores[one], one))


def _in_order(now: Standing) -> dict[int, float]:
    return {one: now.scores[one] for one in now.order}
