"""The stages of recall: the trace of the candidates, and each stage's effect on them, by known facts.

Everything a score goes through is a ``Term`` in the trace, so ``recomputed`` gives the same number, bit
by bit. Which stages there are, in which order, is declared in ``ways``.
"""

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median
from typing import Final, TypeAlias

from actors.policy.decay import states
from actors.policy.graph import link_graph
from actors.policy.recall import succession
from actors.policy.recall.candidates import Candidate, QueryFacts, Term, Terms, rarity
from actors.policy.recall.evidence import NO_EVIDENCE, Evidence
from actors.policy.statements.sources import NOTICED, SHARED
from actors.policy.text import speech
from actors.policy.text.words import stem


@dataclass(frozen=True, slots=True)
class Passed:
    """A stage: the ids in, the ids out in their order, the terms of the scores."""

    stage: str
    entered: tuple[int, ...]
    left: tuple[int, ...]
    terms: Terms = field(default_factory=dict[int, tuple[Term, ...]])

    @property
    def dropped(self) -> tuple[int, ...]:
        """Select the ids not let through."""
        going = set(self.left)
        return tuple(one for one in self.entered if one not in going)


@dataclass(slots=True)
class Trace:
    """The candidates on their way: ids in order, scores of these and of all cut before.

    And the result: the candidates in their places, and the judgement in the same order.
    """

    order: tuple[int, ...]
    wanted: int = 0  # results asked for; 0: all
    scores: dict[int, float] = field(default_factory=dict[int, float])
    passed: list[Passed] = field(default_factory=list[Passed])
    candidates: list[Candidate[int]] = field(default_factory=list[Candidate[int]])
    judged: Evidence = NO_EVIDENCE
    answered: float = 0.0  # how likely there is an answer, 0..1

    def enter(self, stage: str, made: Terms | Sequence[int]) -> None:
        """Apply a stage's terms, or its order, possibly shorter."""
        entered = self.order
        terms: Terms = made if isinstance(made, Mapping) else {}
        for identity, each in terms.items():
            score = self.scores.get(identity, 0.0)
            for _, times, plus in each:  # as Term.applied, which costs as much again to call
                score = score * times + plus
            self.scores[identity] = score
        if not isinstance(made, Mapping):
            self.order = tuple(made)
        elif terms:
            scores = self.scores
            self.order = tuple(sorted(entered, key=lambda one: (-scores.get(one, 0.0), one)))
        self.passed.append(Passed(stage, entered, self.order, terms))


def terms_of(passed: Iterable[Passed], identity: int) -> tuple[Term, ...]:
    """The terms applied to a memory, in their order."""
    return tuple([term for one in passed for term in one.terms.get(identity, ())])


def recomputed(passed: Iterable[Passed], identity: int) -> float:
    """The score of a memory from the stages alone: the same number as in the answer."""
    score = 0.0
    for term in terms_of(passed, identity):
        score = term.applied(score)
    return score


# ---- rules
#
# A rule gives terms, for multiplying and increasing a score, or an order, possibly shorter. None of
# them touches a score itself: ``Trace`` does, and so every step of a score is written down. A rule
# says nothing about a memory without facts, so a stage without facts is neutral.
#
# Of the optional ones each lost, or moved nothing (docs/measured/recall-ablation.md). So each is one
# short formula over known facts, and reads nothing of its own.


INSIGHT: Final = 0.3  # of an insight's score: it quotes its sources, which answer better
OTHERS: Final = 0.9  # of the score of what others share: one's own word of the same comes first
LITERAL: Final = 2.0  # so that what holds the very thing that a concrete query names leads
TIME: Final = 0.5  # share of its score that a memory gains of the very time asked for
TOGETHER: Final = 2.0  # so that what holds all concepts leads
GRAPH: Final = 0.4  # of the best score, added for a full link with it
UTILITY: Final = 0.15  # share gained by what was of use each time when it was returned
BEHIND: Final = {NOTICED: INSIGHT, SHARED: OTHERS}  # by source
HOUR, DAY = 3_600.0, 86_400.0  # seconds
NEAR: Final = 0.70  # cosine from which two results are as close to the query as each other
ALIKE: Final = 0.5  # share of the words of two results from which they are like each other
SAME: Final = 0.6  # and from which they say the same
LEAST: Final = 3  # results that no steep fall cuts
MMR_SHARE: Final = 0.7  # of relevance against likeness
MMR_AMONG: Final = 20  # best ones among which variety chooses

Rule: TypeAlias = Callable[[Trace, QueryFacts], Terms | Sequence[int]]


def scaled(name: str, factors: Callable[[QueryFacts], Mapping[int, float]]) -> Rule:
    """The rule multiplying a score by a fact of its memory."""

    def rule(now: Trace, known: QueryFacts) -> Terms:
        by = factors(known)
        return {one: (Term(name, by[one]),) for one in now.order if one in by}

    return rule


# A fifth less for what tells how it was, and up to as much more for what bears the name asked for.
past: Final = scaled("past", lambda known: dict.fromkeys(known.past, speech.PAST_FACTOR))
labelled: Final = scaled(
    "label", lambda known: {i: 1.0 + speech.NAMED * by for i, by in known.labelled.items()}
)
literally: Final = scaled("literal", lambda known: dict.fromkeys(known.literal, LITERAL))
timely: Final = scaled(
    "time", lambda known: {i: 1.0 + TIME * share for i, share in known.timely.items()}
)
together: Final = scaled("all concepts", lambda known: dict.fromkeys(known.together, TOGETHER))
noticed: Final = scaled(
    "noticed", lambda known: {i: BEHIND[by] for i, by in known.made_of.items() if by in BEHIND}
)
suppressed: Final = scaled("opinion", lambda known: known.remaining)
connected: Final = scaled(
    "degree", lambda known: {i: 1.0 + boost for i, boost in known.degrees.items()}
)
reached: Final = scaled(
    "accessible",
    lambda known: {i: 0.5 + 0.5 * made.retrievability for i, made in known.facts.items()},
)
useful: Final = scaled(
    "utility",
    lambda known: {
        i: 1.0 + UTILITY * min(1.0, made.uses / made.returned)
        for i, made in known.facts.items()
        if made.returned > 0
    },
)


def linked(now: Trace, known: QueryFacts) -> Terms:
    """Raise memories linked with the ones found by the score of the latter; they stay under it."""
    best = max((now.scores[one] for one in now.order), default=0.0)
    terms: dict[int, tuple[Term, ...]] = {}
    for one in among(known.graph, now):
        way, own = known.graph[one], now.scores[one]
        most = link_graph.UNDER * now.scores.get(way.path[0], best) - own
        plus = min(GRAPH * best * way.score, most)
        if plus > 0:
            terms[one] = (Term(way.last_step, plus=plus),)
    return terms


def succeed(now: Trace, known: QueryFacts) -> Terms:
    """Let the successor of an outdated memory rise over it (``succession``)."""
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


# ---- optional ones


def composite(known: QueryFacts, fit: Mapping[int, float]) -> dict[int, dict[str, float]]:
    """The five factors of a memory with facts, each 0..1 times its weight.

    ``fit``: the channels' score, 0..1. Of .75, .24, .5, .8 and .2 the sum is .5385.
    """
    return {
        one: {
            "temporal": 0.25 * made.retrievability,
            "usage": 0.15 * min(1.0, made.uses / 10),
            "importance": 0.25 * states.importance(made.tier),
            "pattern": 0.20 * fit.get(one, 0.0),
            "citation": 0.15 * _recency(known.at, made.used),
        }
        for one, made in known.facts.items()
    }


def rerank(now: Trace, known: QueryFacts) -> Terms:
    """Add up to .3 for the query's words in the text, by their rarity."""
    weights = rarity(known)
    whole = sum(weights.values()) or 1.0
    shares = {
        one: sum(weights.get(word, 0.0) for word in known.stems[one]) / whole
        for one in among(known.stems, now)
    }
    return {one: (Term("lexical", plus=0.3 * share),) for one, share in shares.items()}


def contiguous(now: Trace, known: QueryFacts) -> Terms:
    """Raise memories made within the hour of other results: by .15 of the score at the same moment."""
    made = {one: known.facts[one].created for one in among(known.facts, now)}
    apart = {
        one: [abs(at - other) / HOUR for two, other in made.items() if two != one]
        for one, at in made.items()
    }
    lent = {one: sum(0.15 * max(0.0, 1.0 - hours) for hours in all_) for one, all_ in apart.items()}
    return {one: (Term("contiguity", 1.0 + min(0.5, by)),) for one, by in lent.items() if by}


def novel(now: Trace, known: QueryFacts) -> Terms:
    """Raise memories newer than two days by .15 * e^(-hours / 12), to .95 at most."""
    terms: dict[int, tuple[Term, ...]] = {}
    for one in among(known.facts, now):
        hours, score = max(0.0, known.at - known.facts[one].created) / HOUR, now.scores[one]
        plus = min(0.95 - score, 0.15 * math.exp(-hours / 12))
        if hours <= 48 and plus > 0:
            terms[one] = (Term("novelty", plus=plus),)
    return terms


def context(now: Trace, known: QueryFacts) -> Terms:
    """Raise memories made in similar circumstances by up to .3 of their score.

    After Tulving and Thomson (1973): topics count half, the session .3 (its project .12), and the
    hour of the day .2, within three hours.
    """
    asked = frozenset(map(stem, known.terms))
    terms: dict[int, tuple[Term, ...]] = {}
    for one in among(known.facts, now):
        made = known.facts[one]
        same = bool(known.session) and made.session == known.session
        work = 1.0 if same else 0.4 * (made.project is not None and made.project == known.project)
        apart = abs(known.at - made.created) / HOUR % 24
        topics = _overlap(asked, known.stems.get(one, frozenset()))
        match = 0.5 * topics + 0.3 * work + 0.2 * (min(apart, 24 - apart) <= 3)
        terms[one] = (Term("context", 1.0 + 0.3 * match),)
    return terms


def boosts(now: Trace, known: QueryFacts) -> Terms:
    """Raise by .05 of the score for each result of much the same words, by .2 at most."""
    ids = among(known.stems, now)
    near = {one: sum(_alike(known, one, two) >= ALIKE for two in ids if two != one) for one in ids}
    return {
        one: (Term("coactivation", 1.0 + min(0.2, 0.05 * count)),)
        for one, count in near.items()
        if count
    }


def compete(now: Trace, known: QueryFacts) -> Terms:
    """Raise the best by a tenth and lower others as close to the query to .85 of their score.

    After Anderson, Bjork and Bjork (1994), within one answer: nothing is written down.
    """
    first, rest = now.order[:1], now.order[1:]
    own = sum(known.cosines.get(one, 0.0) for one in first)
    losers = [one for one in rest if (own + known.cosines.get(one, 0.0)) / 2 >= NEAR]
    won = {one: (Term("competition", 1.1),) for one in first if losers}
    return won | dict.fromkeys(losers, (Term("competition", 0.85),))


def interfere(now: Trace, known: QueryFacts) -> Terms:
    """Lower by a tenth for each better result of its project with the same words, to half at most."""
    ids = among(known.facts, now)
    terms: dict[int, tuple[Term, ...]] = {}
    for place, one in enumerate(ids):
        before = [
            two for two in ids[:place] if known.facts[two].project == known.facts[one].project
        ]
        count = sum(_alike(known, one, two) >= SAME for two in before)
        if count:
            terms[one] = (Term("interference", max(0.5, 1.0 - 0.1 * count)),)
    return terms


def confident(now: Trace, _: QueryFacts) -> Sequence[int]:
    """Keep the results before the first steep fall of the scores: over twice the usual one."""
    scores = [now.scores[one] for one in now.order]
    falls = [before - after for before, after in pairwise(scores)]
    steep = 2.0 * median(falls) if falls else 0.0
    cuts = (at for at, fall in enumerate(falls, start=1) if at >= LEAST and fall > steep > 0)
    return now.order[: next(cuts, len(scores))]


def diversify(now: Trace, known: QueryFacts) -> Sequence[int]:
    """Order the best twenty by marginal relevance (Carbonell and Goldstein, 1998).

    .7 of the score less .3 of the highest share of words with anything chosen before.
    """
    waiting, chosen = list(now.order[:MMR_AMONG]), list[int]()
    likeness = dict.fromkeys(waiting, 0.0)
    while waiting:
        best = max(
            waiting, key=lambda one: MMR_SHARE * now.scores[one] - (1 - MMR_SHARE) * likeness[one]
        )
        waiting.remove(best)
        chosen.append(best)
        likeness = {one: max(likeness[one], _alike(known, best, one)) for one in waiting}
    return (*chosen, *now.order[MMR_AMONG:])


def represent(now: Trace, known: QueryFacts) -> Sequence[int]:
    """Keep the number asked for, and behind them the best of each channel without a place.

    Its score must be a fifth of the best one's.
    """
    kept = list(now.order[: now.wanted or len(now.order)])
    least = 0.2 * max(now.scores.values(), default=0.0)
    rest = sorted(now.scores, key=lambda one: (-now.scores[one], one))
    for channel in (known.words, known.cosines, known.phrases, known.graph, known.literal):
        if not any(one in channel for one in kept):
            good = (one for one in rest if one in channel and now.scores[one] >= least > 0)
            kept += [one for one in (next(good, None),) if one is not None]
    return kept


def among(facts: Collection[int], now: Trace) -> list[int]:
    """Select the memories with facts, in their order."""
    return [one for one in now.order if one in facts]


def _alike(known: QueryFacts, one: int, other: int) -> float:
    """Share of words common to two results."""
    return _overlap(known.stems.get(one, frozenset()), known.stems.get(other, frozenset()))


def _overlap(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / max(1, len(one | other))


def _recency(now: float, used: float | None) -> float:
    """Recency of its use: 1 / (1 + .1 days), 0 from 90 days on."""
    days = math.inf if used is None else max(0.0, now - used) / DAY
    return 1 / (1 + 0.1 * days) if days < 90 else 0.0
