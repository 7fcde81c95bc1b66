"""The ways and stages of recall: one table, of which each row can be switched by its name; and the optional ones.

The name of a row is the one in ``recall --with`` and ``--without``, in the settings ``recall.with``
and ``recall.without``, and of a stage in the trace; its place is the stage's place. The ways on by
default won, or lost nowhere, in docs/measured/recall-ablation.md.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from statistics import median
from typing import Final, NamedTuple

from actors.policy.decay import states
from actors.policy.recall import stages as rules
from actors.policy.recall.candidates import QueryFacts, Term, Terms, rarity
from actors.policy.recall.stages import Rule, Trace

# ---- optional stages and the composite score: ideas that lost, or moved nothing, on real queries
#
# Each is one short formula over what is known of the memories anyway, and reads nothing of its own.


DAY = 86_400.0  # seconds
NEAR: Final = 0.70  # cosine from which two results are as close to the query as each other
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
        for one in now.order
        if one in known.stems
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
    own, others = known.stems.get(one, frozenset()), known.stems.get(other, frozenset())
    return len(own & others) / max(1, len(own | others))


def _recency(now: float, used: float | None) -> float:
    """Recency of its use: 1 / (1 + .1 days), 0 from 90 days on."""
    days = math.inf if used is None else max(0.0, now - used) / DAY
    return 1 / (1 + 0.1 * days) if days < 90 else 0.0


# ---- the table


CHANNEL, FUSION, SCORE, STAGE = "channel", "fusion", "score", "stage"
FUSED: Final = "fused"  # the channels' shares, from which everything starts


class Way(NamedTuple):
    """A channel, a way to fuse, a score or a stage."""

    kind: str
    name: str
    on: bool
    says: str
    rule: Rule | None = None  # of a stage


ON, OFF = True, False
TABLE: Final = (
    Way(CHANNEL, "words", ON, "memories are found by their words"),
    Way(CHANNEL, "vectors", ON, "memories are found by their meaning"),
    Way(CHANNEL, "phrases", ON, "memories are called by phrases that are theirs"),
    Way(CHANNEL, "tokens", ON, "the best meet the query token by token (late interaction)"),
    Way(CHANNEL, "neighbours", ON, "what was kept just before and after lends some of its score"),
    Way(CHANNEL, "expansion", OFF, "a word is searched as its synonym as well"),
    Way(CHANNEL, "hyde", OFF, "a search looks by the beginning of an answer as well"),
    Way(CHANNEL, "routing", OFF, "a question that asks little follows no links"),
    Way(FUSION, "scores", ON, "the channels' scores, weighted"),
    Way(FUSION, "by_intent", OFF, "mending weighs words more, understanding meaning"),
    Way(FUSION, "ranks", OFF, "the mean of reciprocal ranks"),
    Way(FUSION, "relative", OFF, "the mean of relative scores, times the share of channels that found it"),
    Way(SCORE, "fused", ON, "what the channels found, fused"),
    Way(SCORE, "composite", OFF, "retrievability, use, importance, fit with the query and citation"),
    Way(STAGE, "rerank", OFF, "the query's words in a text count again, by their rarity", rerank),
    Way(STAGE, "past", ON, "what tells how it was comes later, unless the past is asked for", rules.past),
    Way(STAGE, "label", ON, "what bears the name that is asked for before a colon gains", rules.labelled),
    Way(STAGE, "literal", ON, "what holds the very thing a query names comes first", rules.literally),
    Way(STAGE, "time", ON, "what is of the time that is asked for gains", rules.timely),
    Way(STAGE, "graph", ON, "a search follows links from what it found, and what they lead to gains", rules.linked),
    Way(STAGE, "noticed", ON, "an insight comes behind its memories, what others share behind one's own", rules.noticed),
    Way(STAGE, "suppression", ON, "what a person suppressed or called useless comes later", rules.suppressed),
    Way(STAGE, "competition", OFF, "of results as close as the best one that wins", compete),
    Way(STAGE, "succession", ON, "what took an outdated memory's place rises over it", rules.succeed),
    Way(STAGE, "confidence", OFF, "what stands behind the first steep fall is cut", confident),
    Way(STAGE, "diversity", OFF, "results of a search are to say different things", diversify),
    Way(STAGE, "representation", OFF, "each channel has a place in a search's answer", represent),
)  # fmt: skip
# Nothing took the place of these; a file may have them.
GONE: Final = frozenset(
    (
        "accessibility anchors boosts captured causes coactivation contiguity context degree intent"
        " interference keyword_first length min_max novelty regions spelling temporal together utility"
    ).split()
)
NAMES: Final = frozenset(way.name for way in TABLE)
DEFAULT: Final = frozenset(way.name for way in TABLE if way.on)
FUSIONS: Final = tuple(way.name for way in TABLE if way.kind == FUSION)
SCORES: Final = tuple(way.name for way in TABLE if way.kind == SCORE)


def turned(
    on: frozenset[str], also: Collection[str] = (), without: Collection[str] = ()
) -> frozenset[str]:
    """The ways switched on, with ``also`` and without ``without``; a name in both is off.

    Of the ways to fuse, and of the scores, one is on: the shipped one where the former one is off.
    """
    now = (on | {*also}) - {*without}
    for either in (FUSIONS, SCORES):
        asked = [one for one in either if one in also and one in now]
        kept = asked or [one for one in either if one in now]
        now = (now - {*either}) | {(kept or either)[0]}
    return now


def stages(on: frozenset[str]) -> tuple[tuple[str, Rule], ...]:
    """The running stages, in their order, each under its name."""
    return tuple((way.name, way.rule) for way in TABLE if way.name in on and way.rule is not None)


def traced(
    shares: Mapping[int, Mapping[str, float]],
    known: QueryFacts,
    on: frozenset[str] = DEFAULT,
    wanted: int = 0,
) -> Trace:
    """The way of these candidates through the stages switched on.

    ``shares``: of each first score, which is their sum; ``wanted`` 0: all.
    """
    now = Trace(tuple(shares), wanted)
    first = {
        one: tuple([Term(name, 1.0, share) for name, share in each.items()])
        for one, each in shares.items()
    }
    now.enter(FUSED, first)
    for name, rule in stages(on):
        now.enter(name, rule(now, known))
    return now
