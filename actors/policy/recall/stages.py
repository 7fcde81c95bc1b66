"""The stages of recall in their order: what each did, and why a score is what it is.

Everything a score goes through is a ``Term`` in the trace, so ``recomputed`` gives the same number,
bit by bit. Which stages there are, in which order, is declared in ``ways``; which are on was
decided by measurement: docs/recall-ablation.md.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from actors.policy.graph.activation import Breadth
from actors.policy.recall import ways
from actors.policy.recall.known import Known, Term
from actors.policy.recall.stage_rules import Standing, Terms

# How many times the asked number of candidates is looked at, beside each other.
WIDTHS: Final[Mapping[Breadth, int]] = {
    Breadth.PRECISE: 1,
    Breadth.BALANCED: 3,
    Breadth.EXHAUSTIVE: 5,
}
FUSED: Final = "fused"  # the channels' shares, from which everything starts


@dataclass(frozen=True, slots=True)
class Candidate:
    """A memory and the shares of its first score, which is their sum."""

    identity: int
    shares: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Passed:
    """A stage in the trace: who came in, who went on in which order, what scores went through."""

    stage: str
    entered: tuple[int, ...]
    left: tuple[int, ...]
    terms: Terms = field(default_factory=dict[int, tuple[Term, ...]])

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
    """The results in order, and how it came to that."""

    results: tuple[Result, ...]
    trace: tuple[Passed, ...]


def ranked(
    candidates: Iterable[Candidate],
    known: Known,
    on: frozenset[str] = ways.DEFAULT,
    mode: Breadth = Breadth.BALANCED,
    wanted: int = 0,
) -> Answer:
    """The answer for these candidates, through the stages that are on; ``wanted`` 0: all."""
    trace = [_fused(candidates)]
    standing = Standing(trace[0].left, _scores({}, trace[0].terms), wanted)
    for name, rule in ways.stages(on, mode):
        made = rule(standing, known)
        if isinstance(made, Mapping):
            scores = _scores(standing.scores, made) if made else standing.scores
            order = _by_score(standing.order, scores) if made else standing.order
            passed = Passed(name, standing.order, order, made)
        else:
            scores, passed = standing.scores, Passed(name, standing.order, tuple(made))
        standing = Standing(passed.left, scores, wanted)
        trace.append(passed)
    results = tuple(Result(one, standing.scores[one]) for one in standing.order)
    return Answer(results, tuple(trace))


def recomputed(trace: Sequence[Passed], identity: int) -> float:
    """The score of a memory from the trace alone: the same number as in the answer."""
    score = 0.0
    for passed in trace:
        for term in passed.terms.get(identity, ()):
            score = term.applied(score)
    return score


def met(trace: Iterable[Passed]) -> dict[int, list[Term]]:
    """The terms that each memory met, in their order."""
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
    return Passed(FUSED, tuple(terms), order, terms)


def _scores(before: Mapping[int, float], terms: Terms) -> dict[int, float]:
    after = dict(before)
    for identity, each in terms.items():
        score = after.get(identity, 0.0)
        for _, times, plus in each:  # as Term.applied, which costs as much again to call
            score = score * times + plus
        after[identity] = score
    return after


def _by_score(identities: Iterable[int], scores: Mapping[int, float]) -> tuple[int, ...]:
    return tuple(sorted(identities, key=lambda one: (-scores.get(one, 0.0), one)))
