"""The trace of an answer: each stage's effect on the candidates, and the reasons of a score.

Everything a score goes through is a ``Term`` in it, so ``recomputed`` gives the same number, bit by
bit. Which stages there are, in which order, is declared in ``ways``.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from actors.policy.recall.candidate import Candidate, Term, Terms
from actors.policy.recall.evidence import NO_EVIDENCE, Evidence


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
