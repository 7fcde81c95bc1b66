"""The rules of the stages of recall that are on: what each makes of the candidates, from what is known.

A rule gives terms, which a score is multiplied by and increased by, or an order, in which something
may be missing. None of them touches a score itself: ``Trace`` does, so that everything a score went
through is written down.

A rule says nothing about a memory of which it knows nothing, so a stage without facts is neutral.
"""

from collections.abc import Callable, Collection, Sequence
from typing import Final, TypeAlias

from actors.policy.graph import graph_channel
from actors.policy.recall import succession
from actors.policy.recall.known import Known
from actors.policy.recall.trace import Term, Terms, Trace
from actors.policy.statements.sources import NOTICED
from actors.policy.text import utterances

INSIGHT: Final = 0.3  # of an insight's score: it quotes its sources, which answer better
LITERAL: Final = 2.0  # so that it leads
TIME: Final = 0.5  # share of its score that a memory gains of the very time asked for
TOGETHER: Final = 2.0  # so that what is near all concepts leads
GRAPH: Final = 0.4  # of the best score, added for a full link with it


Rule: TypeAlias = Callable[[Trace, Known], Terms | Sequence[int]]


def past(now: Trace, known: Known) -> Terms:
    """Lower what tells how it was by a fifth (``tense``)."""
    return {one: (Term("past", utterances.PAST_FACTOR),) for one in among(known.past, now)}


def labelled(now: Trace, known: Known) -> Terms:
    """Raise what bears the name asked for by up to a fifth of its score (``utterances``)."""
    return {
        one: (Term("label", 1.0 + utterances.NAMED * known.labelled[one]),)
        for one in among(known.labelled, now)
    }


def noticed(now: Trace, known: Known) -> Terms:
    """Put what a dream noticed behind the memories that it was drawn from."""
    return {
        one: (Term("noticed", INSIGHT),)
        for one in now.order
        if known.made_of.get(one) == NOTICED
    }  # fmt: skip


def literally(now: Trace, known: Known) -> Terms:
    """Put first what holds the very thing that a concrete query names."""
    return {one: (Term("literal", LITERAL),) for one in among(known.literal, now)}


def asked_time(now: Trace, known: Known) -> Terms:
    """Raise what is of the time that was asked for by up to half of its score (``time_words``)."""
    return {
        one: (Term("time", 1.0 + TIME * known.timely[one]),) for one in among(known.timely, now)
    }


def all_concepts(now: Trace, known: Known) -> Terms:
    """Put first what is near all of the concepts asked for."""
    return {one: (Term("all concepts", TOGETHER),) for one in among(known.together, now)}


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


def suppressed(now: Trace, known: Known) -> Terms:
    """Move a memory's score by what people said of it."""
    return {one: (Term("opinion", known.remaining[one]),) for one in among(known.remaining, now)}


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


def among(facts: Collection[int], now: Trace) -> list[int]:
    """Select those of which there are facts, in their order."""
    return [one for one in now.order if one in facts]
