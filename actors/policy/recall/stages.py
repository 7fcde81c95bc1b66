"""The stages of recall in their order: which run, what each did, and why a score is what it is.

Row K28: both pipelines of the documents in one list. Numbers 0 to 7 are those of the seven
stages and the two the source adds; the other ones stand where their facts are needed. First the
stages that change scores, then those that choose and arrange; the last only adds what the best
result brings to mind (E07).

Everything a score goes through is a ``Term`` in the trace, so ``recomputed`` gives the same number,
bit by bit. Which stages are on was decided by measurement: docs/recall-ablation.md.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from enum import StrEnum
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from actors.policy.graph import activation
from actors.policy.graph.activation import Breadth
from actors.policy.recall import stage_rules
from actors.policy.recall.stage_rules import Arranging, Known, Scoring, Standing, Strengths, Term


class Stage(StrEnum):
    """What is done, in this order."""

    FUSED = "fused"  # the channels' shares, from which everything starts
    KEYWORD_FIRST = "keyword_first"  # 0
    OVERFETCH = "overfetch"  # 1
    RERANK = "rerank"  # 2
    LENGTH = "length"
    TEMPORAL = "temporal"  # 3
    PAST = "past"
    LABEL = "label"
    LITERAL = "literal"
    TIME = "time"
    TOGETHER = "together"
    GRAPH = "graph"
    DEGREE = "degree"
    NOTICED = "noticed"
    ACCESSIBILITY = "accessibility"  # 4
    SUPPRESSION = "suppression"
    CONTEXT = "context"  # 5
    BOOSTS = "boosts"
    UTILITY = "utility"
    COMPETITION = "competition"  # 6
    SUCCESSION = "succession"
    CONFIDENCE = "confidence"
    DIVERSITY = "diversity"
    REGIONS = "regions"
    LIMIT = "limit"
    REPRESENTATION = "representation"
    BUDGET = "budget"
    SPREADING = "spreading"  # 7: effects beside the answer


SCORING: Final[Mapping[Stage, Scoring]] = MappingProxyType(
    {
        Stage.KEYWORD_FIRST: stage_rules.keyword_first,
        Stage.RERANK: stage_rules.rerank,
        Stage.LENGTH: stage_rules.length,
        Stage.TEMPORAL: stage_rules.temporal,
        Stage.PAST: stage_rules.past,
        Stage.LABEL: stage_rules.labelled,
        Stage.LITERAL: stage_rules.literally,
        Stage.TIME: stage_rules.asked_time,
        Stage.TOGETHER: stage_rules.all_concepts,
        Stage.GRAPH: stage_rules.linked,
        Stage.DEGREE: stage_rules.connected,
        Stage.NOTICED: stage_rules.noticed,
        Stage.ACCESSIBILITY: stage_rules.reached,
        Stage.SUPPRESSION: stage_rules.suppressed,
        Stage.CONTEXT: stage_rules.context,
        Stage.BOOSTS: stage_rules.boosts,
        Stage.UTILITY: stage_rules.useful,
        Stage.COMPETITION: stage_rules.compete,
        Stage.SUCCESSION: stage_rules.succeed,
    }
)
ARRANGING: Final[Mapping[Stage, Arranging]] = MappingProxyType(
    {
        Stage.OVERFETCH: stage_rules.overfetch,
        Stage.CONFIDENCE: stage_rules.confident,
        Stage.DIVERSITY: stage_rules.diversify,
        Stage.REGIONS: stage_rules.over_regions,
        Stage.LIMIT: stage_rules.limit,
        Stage.REPRESENTATION: stage_rules.represent,
        Stage.BUDGET: stage_rules.fill,
    }
)
# What a mode leaves out (K28). Precise is fast and brings nothing to mind; exhaustive hides nothing.
LEFT_OUT: Final[Mapping[Breadth, frozenset[Stage]]] = MappingProxyType(
    {
        Breadth.PRECISE: frozenset(
            {Stage.CONTEXT, Stage.COMPETITION, Stage.DIVERSITY, Stage.REGIONS, Stage.SPREADING}
        ),
        Breadth.BALANCED: frozenset(),
        Breadth.EXHAUSTIVE: frozenset({Stage.COMPETITION, Stage.CONFIDENCE}),
    }
)


@dataclass(frozen=True, slots=True)
class Settings:
    """Which stages are on: a switch each, under its name. What does not help is off."""

    keyword_first: bool = False
    overfetch: bool = True
    rerank: bool = False
    length: bool = False
    temporal: bool = False
    past: bool = True
    label: bool = True
    literal: bool = True
    time: bool = True
    together: bool = True
    graph: bool = True
    degree: bool = True
    noticed: bool = True
    accessibility: bool = False
    suppression: bool = True
    context: bool = False
    boosts: bool = True
    utility: bool = True
    competition: bool = False
    succession: bool = True
    confidence: bool = False
    diversity: bool = False
    regions: bool = False
    limit: bool = True
    representation: bool = False
    budget: bool = True
    spreading: bool = True


DEFAULT: Final = Settings()
STRENGTHS: Final = Strengths()


@dataclass(frozen=True, slots=True)
class Candidate:
    """A memory and the shares of its first score, which is their sum."""

    identity: int
    shares: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Passed:
    """A stage in the trace: who came in, who went on in which order, what scores went through."""

    stage: Stage
    entered: tuple[int, ...]
    left: tuple[int, ...]
    terms: stage_rules.Terms = field(default_factory=dict[int, tuple[Term, ...]])

    @property
    def dropped(self) -> tuple[int, ...]:
        """Those that did not go on."""
        going = set(self.left)
        return tuple(one for one in self.entered if one not in going)


@dataclass(frozen=True, slots=True)
class Result:
    """A memory of the answer with its score, which orders and may pass 1."""

    identity: int
    score: float


@dataclass(frozen=True, slots=True)
class Answer:
    """The results in order, what they bring to mind, and how it came to that."""

    results: tuple[Result, ...]
    associations: tuple[activation.Activation, ...]
    trace: tuple[Passed, ...]


@lru_cache(maxsize=64)
def selected(settings: Settings, mode: Breadth) -> tuple[Stage, ...]:
    """The stages that run, in their order (K28)."""
    switches = {one.name: getattr(settings, one.name) for one in fields(settings)}
    return tuple(
        stage
        for stage in Stage
        if stage is not Stage.FUSED and switches[stage.value] and stage not in LEFT_OUT[mode]
    )


def ranked(
    candidates: Iterable[Candidate],
    known: Known,
    settings: Settings = DEFAULT,
    strengths: Strengths = STRENGTHS,
) -> Answer:
    """The answer for these candidates, through the stages that are on (K28)."""
    trace = [_fused(candidates)]
    standing = Standing(trace[0].left, _scores({}, trace[0].terms))
    associations: tuple[activation.Activation, ...] = ()
    for stage in selected(settings, known.mode):
        if stage is Stage.SPREADING:
            associations = _associations(standing.order, known)
            trace.append(Passed(stage, standing.order, standing.order))
            continue
        passed = _passed(stage, standing, known, strengths)
        trace.append(passed)
        if passed.terms or passed.left is not standing.order:
            standing = Standing(passed.left, _scores(standing.scores, passed.terms))
    results = tuple(Result(one, standing.scores[one]) for one in standing.order)
    return Answer(results, associations, tuple(trace))


def recomputed(trace: Sequence[Passed], identity: int) -> float:
    """The score of a memory from the trace alone: the same number as in the answer (K28)."""
    score = 0.0
    for passed in trace:
        for term in passed.terms.get(identity, ()):
            score = term.applied(score)
    return score


def explained(trace: Sequence[Passed], identity: int) -> list[tuple[Stage, Term, float]]:
    """Each term a memory met, with the score after it (K28)."""
    score = 0.0
    lines: list[tuple[Stage, Term, float]] = []
    for passed in trace:
        for term in passed.terms.get(identity, ()):
            score = term.applied(score)
            lines.append((passed.stage, term, score))
    return lines


def met(trace: Iterable[Passed]) -> dict[int, list[Term]]:
    """The terms that each memory met, in their order; without their stages and scores (K28)."""
    terms: dict[int, list[Term]] = {}
    for passed in trace:
        for identity, each in passed.terms.items():
            terms.setdefault(identity, []).extend(each)
    return terms


def _fused(candidates: Iterable[Candidate]) -> Passed:
    terms = {
        one.identity: tuple([Term(name, 1.0, share) for name, share in one.shares.items()])
        for one in candidates
    }
    order = _by_score(terms, _scores({}, terms))
    return Passed(Stage.FUSED, tuple(terms), order, terms)


def _passed(stage: Stage, now: Standing, known: Known, by: Strengths) -> Passed:
    if stage in ARRANGING:
        return Passed(stage, now.order, tuple(ARRANGING[stage](now, known)))
    terms = SCORING[stage](now, known, by)
    order = _by_score(now.order, _scores(now.scores, terms)) if terms else now.order
    return Passed(stage, now.order, order, terms)


def _scores(before: Mapping[int, float], terms: stage_rules.Terms) -> dict[int, float]:
    after = dict(before)
    for identity, each in terms.items():
        score = after.get(identity, 0.0)
        for _, times, plus in each:  # as Term.applied, which costs as much again to call
            score = score * times + plus
        after[identity] = score
    return after


def _by_score(identities: Iterable[int], scores: Mapping[int, float]) -> tuple[int, ...]:
    return tuple(sorted(identities, key=lambda one: (-scores.get(one, 0.0), one)))


def _associations(order: Sequence[int], known: Known) -> tuple[activation.Activation, ...]:
    if not order:
        return ()
    found = activation.spread({str(order[0]): 1.0}, known.adjacency)
    return tuple(activation.associations(found, known.mode))
