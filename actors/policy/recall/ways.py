"""The ways and stages of recall: one table, of which each row can be switched by its name.

The name of a row is the one in ``recall --with`` and ``--without``, in the settings ``recall.with``
and ``recall.without``, and of a stage in the trace; its place is the stage's place. First come the
channels, then how they become one order, then the stages for scores, then the ones for the order of
results. The ways on by default won, or lost nowhere, in docs/measured/recall-ablation.md.
"""

from collections.abc import Collection, Mapping
from typing import Final, NamedTuple

from actors.policy.recall import optional_stages as optional
from actors.policy.recall import stages as rules
from actors.policy.recall.candidates import QueryFacts, Term
from actors.policy.recall.stages import Rule, Trace

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
    Way(STAGE, "rerank", OFF, "the query's words in a text count again, by their rarity", optional.rerank),
    Way(STAGE, "past", ON, "what tells how it was comes later, unless the past is asked for", rules.past),
    Way(STAGE, "label", ON, "what bears the name that is asked for before a colon gains", rules.labelled),
    Way(STAGE, "literal", ON, "what holds the very thing a query names comes first", rules.literally),
    Way(STAGE, "time", ON, "what is of the time that is asked for gains", rules.timely),
    Way(STAGE, "graph", ON, "a search follows links from what it found, and what they lead to gains", rules.linked),
    Way(STAGE, "noticed", ON, "an insight comes behind its memories, what others share behind one's own", rules.noticed),
    Way(STAGE, "suppression", ON, "what a person suppressed or called useless comes later", rules.suppressed),
    Way(STAGE, "competition", OFF, "of results as close as the best one that wins", optional.compete),
    Way(STAGE, "succession", ON, "what took an outdated memory's place rises over it", rules.succeed),
    Way(STAGE, "confidence", OFF, "what stands behind the first steep fall is cut", optional.confident),
    Way(STAGE, "diversity", OFF, "results of a search are to say different things", optional.diversify),
    Way(STAGE, "representation", OFF, "each channel has a place in a search's answer", optional.represent),
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
