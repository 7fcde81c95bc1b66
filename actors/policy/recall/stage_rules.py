"""The rules of the stages of recall: what each makes of the candidates, from what is known.

A rule gives terms, which a score is multiplied by and increased by, or an order, in which something
may be missing. None of them touches a score itself: ``Trace`` does, so that everything a score went
through is written down. A rule says nothing about a memory of which it knows nothing, so a stage
without facts is neutral.

Of the optional ones each lost, or moved nothing (docs/recall-ablation.md); their formulas are those
that were measured, in their shortest form.
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final, TypeAlias

import numpy as np

from actors.policy.decay import accessibility
from actors.policy.graph import activation, causal, graph_channel
from actors.policy.recall import succession
from actors.policy.recall.known import Facts, Known, Vector, rarity
from actors.policy.recall.trace import Term, Terms, Trace
from actors.policy.statements.sources import NOTICED
from actors.policy.text import budget, utterances
from actors.policy.text.words import stem
from actors.policy.times.temporal import contiguity

INSIGHT: Final = 0.3  # of an insight's score: it quotes its sources, which answer better
LITERAL: Final = 2.0  # so that what holds the very thing that a concrete query names leads
TIME: Final = 0.5  # share of its score that a memory gains of the very time asked for
TOGETHER: Final = 2.0  # so that what is near all concepts leads
GRAPH: Final = 0.4  # of the best score, added for a full link with it
CAPTURED: Final = 1.05  # it decides between equals
UTILITY: Final = 0.15  # share gained by what was of use each time when it was returned
HOUR: Final = 3_600.0  # seconds
READ: Final = 4_000  # characters of a text that are read again
ALIKE: Final = 0.70  # cosine from which two results are like each other, as for activation
CEILING: Final = 0.20  # of a score, that causes, attention and likeness add together
MMR_SHARE: Final = 0.7  # of relevance against likeness
MMR_AMONG: Final = 20  # best ones among which variety chooses
_WORD: Final = re.compile(r"[^\W_]+")
_PARTS: Final = re.compile(r"[\s,;|]+")

Rule: TypeAlias = Callable[[Trace, Known], Terms | Sequence[int]]


def scaled(name: str, factors: Callable[[Known], Mapping[int, float]]) -> Rule:
    """The rule that multiplies a score by what is known of its memory."""

    def rule(now: Trace, known: Known) -> Terms:
        by = factors(known)
        return {one: (Term(name, by[one]),) for one in now.order if one in by}

    return rule


# A fifth less for what tells how it was, and up to as much more for what bears the name asked for.
past: Final = scaled("past", lambda known: dict.fromkeys(known.past, utterances.PAST_FACTOR))
labelled: Final = scaled(
    "label", lambda known: {i: 1.0 + utterances.NAMED * by for i, by in known.labelled.items()}
)
literally: Final = scaled("literal", lambda known: dict.fromkeys(known.literal, LITERAL))
timely: Final = scaled(
    "time", lambda known: {i: 1.0 + TIME * share for i, share in known.timely.items()}
)
together: Final = scaled("all concepts", lambda known: dict.fromkeys(known.together, TOGETHER))
noticed: Final = scaled(
    "noticed", lambda known: {i: INSIGHT for i, by in known.made_of.items() if by == NOTICED}
)
suppressed: Final = scaled("opinion", lambda known: known.remaining)
connected: Final = scaled(
    "degree", lambda known: {i: 1.0 + degree for i, degree in known.degrees.items()}
)
captured: Final = scaled("captured", lambda known: dict.fromkeys(known.captured, CAPTURED))
useful: Final = scaled(
    "utility",
    lambda known: {
        i: 1.0 + UTILITY * min(1.0, made.uses / made.returned)
        for i, made in known.facts.items()
        if made.returned > 0
    },
)


def linked(now: Trace, known: Known) -> Terms:
    """Raise what is linked with what was found by how well that was found; it stays under that."""
    best = max((now.scores[one] for one in now.order), default=0.0)
    terms: dict[int, tuple[Term, ...]] = {}
    for one in among(known.graph, now):
        way, own = known.graph[one], now.scores[one]
        most = graph_channel.UNDER * now.scores.get(way.path[0], best) - own
        plus = min(GRAPH * best * way.score, most)
        if plus > 0:
            terms[one] = (Term(way.said, plus=plus),)
    return terms


def succeed(now: Trace, known: Known) -> Terms:
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


# ---- optional ones


def rerank(now: Trace, known: Known) -> Terms:
    """Add up to .3 for the query's words in the text, by rarity and BM25's saturation.

    Lengths count against 500 characters, so that a long text gains less by the same word.
    """
    weights = rarity(known)
    whole = sum(weights.values())
    terms: dict[int, tuple[Term, ...]] = {}
    for one in among(known.facts, now) if whole else ():
        text = known.facts[one].text[:READ].lower()
        counts = Counter(map(stem, _WORD.findall(text)))
        bound = 1.2 * (0.25 + 0.75 * len(text) / 500)
        found = sum(
            weight * counts[word] / (counts[word] + bound) for word, weight in weights.items()
        )
        terms[one] = (Term("lexical", plus=0.3 * found / whole),)
    return terms


def contiguous(now: Trace, known: Known) -> Terms:
    """Raise what was made close in time to other results, by half of its score at most."""
    lent = contiguity({one: known.facts[one].created for one in among(known.facts, now)})
    return {one: (Term("contiguity", 1.0 + share),) for one, share in lent.items() if share}


def novel(now: Trace, known: Known) -> Terms:
    """Raise what is newer than two days by .15 * e^(-hours / 12), to .95 at most."""
    terms: dict[int, tuple[Term, ...]] = {}
    for one in among(known.facts, now):
        hours, score = max(0.0, known.at - known.facts[one].created) / HOUR, now.scores[one]
        plus = min(0.95 - score, 0.15 * math.exp(-hours / 12))
        if hours <= 48 and plus > 0:
            terms[one] = (Term("novelty", plus=plus),)
    return terms


def reached(now: Trace, known: Known) -> Terms:
    """Raise what comes to mind easily, lower what hardly does."""
    terms: dict[int, tuple[Term, ...]] = {}
    for one in among(known.reach, now):
        reach = known.reach[one]
        plus = accessibility.rank_score(0.0, reach.state, reach.idle_hours, reach.accesses)
        terms[one] = (Term("accessible", accessibility.RANK_FACTORS[reach.state], plus),)
    return terms


def context(now: Trace, known: Known) -> Terms:
    """Raise what was made in circumstances like these by up to .3 of its score.

    After Tulving and Thomson (1973): topics count half, the session .3 (its project .12), and the
    hour of the day .2, within three hours.
    """
    asked = frozenset(map(stem, known.terms))
    terms: dict[int, tuple[Term, ...]] = {}
    for one in among(known.facts, now):
        made = known.facts[one]
        said = _said(made)
        topics = len(asked & said) / max(1, len(asked | said))
        same = bool(known.session) and made.session == known.session
        work = 1.0 if same else 0.4 * (made.project is not None and made.project == known.project)
        apart = abs(known.at - made.created) / HOUR % 24
        match = 0.5 * topics + 0.3 * work + 0.2 * (min(apart, 24 - apart) <= 3)
        terms[one] = (Term("context", 1.0 + 0.3 * match),)
    return terms


def boosts(now: Trace, known: Known) -> Terms:
    """Add for causes, then for the session's attention, then for likeness to other results.

    Together at most .20 of the score, so that nothing that is merely near passes what fits.
    """
    causes = causal.boosts(known.edges, map(str, now.order)) if known.edges else {}
    alike = _coactivation(known.vectors)
    terms: dict[int, tuple[Term, ...]] = {}
    for one in now.order:
        room, given = CEILING, list[Term]()
        wanted = (causes.get(str(one), 0.0), 0.15 * known.held.get(one, 0.0), alike.get(one, 0.0))
        for name, share in zip(("causal", "session", "coactivation"), wanted, strict=True):
            added = min(max(0.0, share), room)
            room -= added
            if added:
                given.append(Term(name, plus=added * now.scores[one]))
        if given:
            terms[one] = tuple(given)
    return terms


def compete(now: Trace, known: Known) -> Terms:
    """Raise the best by a tenth and lower those as close to the query to .85 of their score.

    After Anderson, Bjork and Bjork (1994), within one answer: nothing is written down.
    """
    first, rest = now.order[:1], now.order[1:]
    own = sum(known.cosines.get(one, 0.0) for one in first)
    losers = [one for one in rest if (own + known.cosines.get(one, 0.0)) / 2 >= ALIKE]
    won = {one: (Term("competition", 1.1),) for one in first if losers}
    return won | dict.fromkeys(losers, (Term("competition", 0.85),))


def interfere(now: Trace, known: Known) -> Terms:
    """Lower by .08 for each result of its project whose title and phrases are .75 the same."""
    called = {
        one: (known.facts[one].project, _said(known.facts[one])) for one in among(known.facts, now)
    }
    terms: dict[int, tuple[Term, ...]] = {}
    for one, (project, said) in called.items():
        others = [more for two, (where, more) in called.items() if two != one and where == project]
        count = sum(len(said & more) >= 0.75 * len(said | more) > 0 for more in others)
        shown = min(1.0, now.scores[one])
        if count:
            terms[one] = (Term("interference", plus=max(0.0, shown - 0.08 * count) - shown),)
    return terms


def confident(now: Trace, _: Known) -> Sequence[int]:
    """Keep what stands before the first steep fall of the scores."""
    return now.order[: budget.confident([now.scores[one] for one in now.order])]


def diversify(now: Trace, known: Known) -> Sequence[int]:
    """Order the best twenty by marginal relevance (Carbonell and Goldstein, 1998).

    .7 of the score less .3 of the highest cosine with anything chosen before.
    """
    waiting, chosen = list(now.order[:MMR_AMONG]), list[int]()
    likeness = dict.fromkeys(waiting, 0.0)
    while waiting:
        best = max(
            waiting, key=lambda one: MMR_SHARE * now.scores[one] - (1 - MMR_SHARE) * likeness[one]
        )
        waiting.remove(best)
        chosen.append(best)
        for one in waiting:
            likeness[one] = max(likeness[one], _cosine(known.vectors, best, one))
    return (*chosen, *now.order[MMR_AMONG:])


def represent(now: Trace, known: Known) -> Sequence[int]:
    """Keep as many as were asked for, and behind them the best of each channel that has no place.

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
    """Select those of which there are facts, in their order."""
    return [one for one in now.order if one in facts]


def _said(made: Facts) -> frozenset[str]:
    """The words of title and phrases that count: three characters or more, by their stems."""
    words = _PARTS.split(" ".join((made.title, *made.phrases)).casefold())
    return frozenset(stem(word) for word in words if len(word) > 2)


def _coactivation(vectors: Mapping[int, Vector]) -> dict[int, float]:
    """Gain of each by likeness to other results: more for more of them, and for closer ones."""
    ids = sorted(vectors)
    if len(ids) < 2:
        return {}
    stacked = np.stack([vectors[one] for one in ids])
    cosines = stacked @ stacked.T
    np.fill_diagonal(cosines, -1.0)
    near = {one: row[row >= ALIKE] for one, row in zip(ids, cosines, strict=True)}
    return {
        one: activation.boosted(0.0, row.size, float(row.mean()))
        for one, row in near.items()
        if row.size
    }


def _cosine(vectors: Mapping[int, Vector], one: int, other: int) -> float:
    there = one in vectors and other in vectors
    return float(np.dot(vectors[one], vectors[other])) if there else 0.0
