"""Optional stages of recall and the composite score: ideas that lost, or moved nothing, on real queries.

Each is one short formula over what is known of the memories anyway, and reads nothing of its own
(docs/measured/recall-ablation.md). A person switches one on for a question by its name in ``ways``.
"""

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from statistics import median
from typing import Final

from actors.policy.decay import states
from actors.policy.recall.candidates import QueryFacts, Term, Terms, rarity
from actors.policy.recall.stages import Trace, among

HOUR, DAY = 3_600.0, 86_400.0  # seconds
NEAR: Final = 0.70  # cosine from which two results are as close to the query as each other
ALIKE: Final = 0.5  # share of the words of two results from which they are like each other
SAME: Final = 0.6  # and from which they say the same
LEAST: Final = 3  # results that no steep fall cuts
MMR_SHARE: Final = 0.7  # of relevance against likeness
MMR_AMONG: Final = 20  # best ones among which variety chooses


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


def compete(now: Trace, known: QueryFacts) -> Terms:
    """Raise the best by a tenth and lower others as close to the query to .85 of their score.

    After Anderson, Bjork and Bjork (1994), within one answer: nothing is written down.
    """
    first, rest = now.order[:1], now.order[1:]
    own = sum(known.cosines.get(one, 0.0) for one in first)
    losers = [one for one in rest if (own + known.cosines.get(one, 0.0)) / 2 >= NEAR]
    won = {one: (Term("competition", 1.1),) for one in first if losers}
    return won | dict.fromkeys(losers, (Term("competition", 0.85),))


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


def _alike(known: QueryFacts, one: int, other: int) -> float:
    """Share of words common to two results."""
    return _overlap(known.stems.get(one, frozenset()), known.stems.get(other, frozenset()))


def _overlap(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / max(1, len(one | other))


def _recency(now: float, used: float | None) -> float:
    """Recency of its use: 1 / (1 + .1 days), 0 from 90 days on."""
    days = math.inf if used is None else max(0.0, now - used) / DAY
    return 1 / (1 + 0.1 * days) if days < 90 else 0.0
