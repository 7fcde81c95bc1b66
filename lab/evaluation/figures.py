"""The measures of a whole run, and of each part of it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from lab.evaluation import measures, sensitivity
from lab.evaluation.asking import Answer
from lab.evaluation.truth import Memories, Question

HOUR = 3_600.0
WHOLE = "all"
SPLITS: tuple[tuple[str, Callable[[Question], str]], ...] = (
    ("complexity", lambda question: question.complexity),
    ("category", lambda question: question.category),
    ("intent", lambda question: question.intent),
    ("source", lambda question: question.source),
)
# Where less is better.
FALLING = frozenset({"inversion_rate", "injected_on_nothing", "p50_ms", "p95_ms"})
COUNT = "queries"

Measures = dict[str, float | None]


@dataclass(frozen=True, slots=True)
class Figures:
    """Every measure of a run by group: ``all``, ``complexity:simple``, …, and K-sensitivity."""

    groups: Mapping[str, Measures]
    sensitivities: Sequence[sensitivity.Sensitivity]
    ranks: Mapping[str, int | None]  # of the first right result, by the digest of the query


Asked = Sequence[tuple[Question, Answer]]


def figures(asked: Asked, memories: Memories, k: int, now: float) -> Figures:
    """All of it; ``now`` is what ages are measured from."""
    judged = [(question, _sought(question, answer, memories), answer) for question, answer in asked]
    groups = {WHOLE: _measured(judged, memories, k, now)}
    for split, of in SPLITS:
        for value in sorted({of(question) for question, _ in asked} - {""}):
            part = [one for one in judged if of(one[0]) == value]
            groups[f"{split}:{value}"] = _measured(part, memories, k, now)
    return Figures(
        groups,
        sensitivity.sensitivities([_channels(*one) for one in asked]),
        {question.digest: _rank(question, ranked) for question, ranked, _ in judged},
    )


def _sought(question: Question, answer: Answer, memories: Memories) -> list[str]:
    """What was found for the question, without what leads every result by rule.

    Constitutional memories stand before all others whatever is asked; counting them would
    measure how many there are.
    """
    leading = memories.constitutional(question.project, everywhere=question.everywhere)
    return [one for one in answer.ranked if one in question.grades or one not in leading]


def _rank(question: Question, ranked: Sequence[str]) -> int | None:
    return next((rank for rank, one in enumerate(ranked, 1) if one in question.grades), None)


def _measured(
    asked: Sequence[tuple[Question, Sequence[str], Answer]],
    memories: Memories,
    k: int,
    now: float,
) -> Measures:
    judged = [one for one in asked if not one[0].hard_negative]
    nothing = [answer for question, _, answer in asked if question.hard_negative]
    tiers = {identity: one.tier for identity, one in memories.known.items()}
    hours = {i: (now - one.created_at) / HOUR for i, one in memories.known.items()}
    average = measures.average
    waits = [answer.milliseconds for *_, answer in asked]
    return {
        COUNT: float(len(asked)),
        "mrr": average(measures.reciprocal_rank(r, q.grades, k) for q, r, _ in judged),
        "ndcg": average(measures.ndcg(r, q.grades, k) for q, r, _ in judged),
        "recall": average(measures.recall(r, q.grades, k) for q, r, _ in judged),
        "hit_rate": average(measures.hit(r, q.grades, k) for q, r, _ in judged),
        "hit_rate_1": average(measures.hit(r, q.grades, 1) for q, r, _ in judged),
        "inversion_rate": average(measures.inversion_rate(r, q.grades, k) for q, r, _ in judged),
        "constitutional_surfacing": average(
            measures.constitutional_surfacing(
                a.ranked, memories.constitutional(q.project, everywhere=q.everywhere), k
            )
            for q, _, a in judged
        ),
        "importance_weighted_recall": average(
            measures.importance_weighted_recall(r, q.grades, tiers, k) for q, r, _ in judged
        ),
        "cold_start_detection": average(
            measures.cold_start_detection(r, q.grades, hours, k) for q, r, _ in judged
        ),
        "intent_weighted_ndcg": average(
            measures.intent_weighted_ndcg(r, q.grades, q.intent, k) for q, r, _ in judged
        ),
        "quality_proxy": average(
            measures.quality_proxy(a.scores, a.milliseconds, wanted=k) for *_, a in judged
        ),
        "confidence_auc": measures.auc(
            [a.confidence for *_, a in judged], [a.confidence for a in nothing]
        ),
        "injected": average(float(a.injected) for *_, a in judged),
        "injected_on_nothing": average(float(a.injected) for a in nothing),
        "p50_ms": measures.percentile(waits, 0.5),
        "p95_ms": measures.percentile(waits, 0.95),
    }


def _channels(question: Question, answer: Answer) -> sensitivity.Query:
    """The question as the policy has it: numbers for ids."""
    numbers: dict[str, int] = {}

    def number(identity: str) -> int:
        return numbers.setdefault(identity, len(numbers))

    channels = {
        name: [number(one) for one in channel.ranked] for name, channel in answer.channels.items()
    }
    return sensitivity.Query(channels, frozenset(number(one) for one in question.grades))
