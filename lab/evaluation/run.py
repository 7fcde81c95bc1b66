"""A run: every question asked of a running daemon, and the measures of its answers.

Each question is asked three times: as a person would, which is timed; with the reasons, for
what each channel found; and as a prompt, for whether anything would be injected. None of the
three counts as a use.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import Any, Final

import msgspec

from daemon.client import Client
from daemon.requests.memories import List, MemoryView
from daemon.requests.recall import Recall, Recalled
from daemon.requests.status import AwaitEmbedded
from daemon.views import memory_number
from lab.evaluation import measures
from lab.evaluation.measures import Sensitivity
from lab.evaluation.truth import Memories, Question, Truth

DEPTH: Final = 50  # results that channels are read from
PAGE: Final = 1_000
ANSWER_WITHIN: Final = 70.0  # seconds; the daemon gives up before and then says why
HOUR: Final = 3_600.0
WHOLE: Final = "all"
COUNT: Final = "queries"
# What a channel's own figure is called among a result's parts.
CHANNELS: Final = {"words": "word_score", "vectors": "cosine"}
SPLITS: Final[Mapping[str, Callable[[Question], str]]] = {
    "complexity": lambda question: question.complexity,
    "category": lambda question: question.line.category,
    "intent": lambda question: question.line.intent,
    "source": lambda question: question.line.source,
}

Measures = dict[str, float | None]
Show = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Answer:
    """Answer of the daemon to a question."""

    ranked: Sequence[str]  # ids, best first
    scores: Sequence[float]
    confidence: float
    milliseconds: float
    injected: bool  # a prompt would have been given something
    channels: measures.Found  # numbers of memories
    mode: str


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """A question and what came of it."""

    query: str
    rank: int | None  # of the first right result
    before: int | None  # its rank in the run that this one is compared with
    confidence: float
    injected: bool
    ms: float
    results: list[str]  # ids, best first


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """A run, as ``--json`` prints it and as a later one is compared with it."""

    name: str
    k: int
    memories: int
    mode: str  # what was searched: both, words, vectors, mixed
    left_out: list[int]  # lines whose memories are not there
    measures: dict[str, Measures]  # by group: all, complexity:simple, …
    before: Measures | None
    sensitivity: list[Sensitivity]
    queries: list[Asked]


# ---- asking


async def memories_of(client: Client, keys: Mapping[str, str] | None = None) -> Memories:
    """Every memory that lives; ``keys`` are names for them beside their own."""
    views: list[MemoryView] = []
    while True:
        page = await client.ask(List(limit=PAGE, offset=len(views)), within=ANSWER_WITHIN)
        views += page.memories
        if len(page.memories) < PAGE:
            named = {one.key: one.id for one in views if one.key is not None}
            return Memories({one.id: one for one in views}, named | dict(keys or {}))


async def embedded(client: Client, show: Show) -> None:
    """Wait until every memory has its vectors, or until it is known that it cannot."""

    def left(state: dict[str, Any]) -> None:
        show(f"{state['pending']:,} memories wait for their vectors")

    await client.ask(AwaitEmbedded(), within=None, progress=left)


async def answers(
    client: Client, questions: Sequence[Question], k: int, show: Show
) -> list[Answer]:
    """Answers of the daemon, one after the other; ``show`` is told how far it is."""
    given: list[Answer] = []
    for number, question in enumerate(questions, 1):
        given.append(await _answer(client, question, k))
        show(f"{number:,} of {len(questions):,} questions asked")
    return given


async def _answer(client: Client, question: Question, k: int) -> Answer:
    ask = partial(
        Recall, query=question.line.query, project=question.project,
        everywhere=question.everywhere, track=False,
    )  # fmt: skip
    began = perf_counter()
    plain = await client.ask(ask(k=k), within=ANSWER_WITHIN)
    spent = 1_000 * (perf_counter() - began)
    explained = await client.ask(ask(k=max(k, DEPTH), explain=True), within=ANSWER_WITHIN)
    prompted = await client.ask(ask(as_prompt=True), within=ANSWER_WITHIN)
    return Answer(
        [one.id for one in plain.results],
        [one.score for one in plain.results],
        plain.confidence,
        spent,
        bool(prompted.prompt),
        {name: _ranked(explained, part) for name, part in CHANNELS.items()},
        plain.mode,
    )


def _ranked(explained: Recalled, part: str) -> list[int]:
    inside = [one for one in explained.results if one.parts.get(part, 0.0) > 0]
    return [memory_number(one.id) for one in sorted(inside, key=lambda one: -one.parts[part])]


# ---- measuring


def measured(
    truth: Truth,
    given: Sequence[Answer],
    memories: Memories,
    k: int,
    now: float,
    before: Run | None,
) -> Run:
    """The run of these answers; ``now`` is what ages are measured from (seconds UTC)."""
    judged = [
        _Judged(question, _sought(question, answer, memories), answer)
        for question, answer in zip(truth.questions, given, strict=True)
    ]
    groups = {WHOLE: _measures(judged, memories, k, now)}
    for split, of in SPLITS.items():
        for value in sorted({of(one.question) for one in judged} - {""}):
            part = [one for one in judged if of(one.question) == value]
            groups[f"{split}:{value}"] = _measures(part, memories, k, now)
    modes = {answer.mode for answer in given}
    ranks = {one.query: one.rank for one in before.queries} if before else {}
    return Run(
        name=truth.name,
        k=k,
        memories=len(memories.by_id),
        mode=modes.pop() if len(modes) == 1 else "mixed",
        left_out=list(truth.unanswerable),
        measures=groups,
        before=before.measures.get(WHOLE) if before else None,
        sensitivity=measures.sensitivities(
            [(one.answer.channels, {*map(memory_number, one.question.grades)}) for one in judged]
        ),
        queries=[one.asked(ranks) for one in judged],
    )


@dataclass(frozen=True, slots=True)
class _Judged:
    """A question, and what was found for it without what leads every result by rule."""

    question: Question
    ranked: Sequence[str]
    answer: Answer

    def asked(self, ranks: Mapping[str, int | None]) -> Asked:
        right = (at for at, id_ in enumerate(self.ranked, 1) if id_ in self.question.grades)
        query, answer = self.question.line.query, self.answer
        return Asked(
            query=query, rank=next(right, None), before=ranks.get(query),
            confidence=answer.confidence, injected=answer.injected,
            ms=round(answer.milliseconds, 3), results=list(answer.ranked),
        )  # fmt: skip


def _sought(question: Question, answer: Answer, memories: Memories) -> list[str]:
    """Results without those that lead every result by rule.

    Constitutional memories stand before all others whatever is asked; counting them would
    measure how many there are.
    """
    leading = memories.constitutional(question)
    return [id_ for id_ in answer.ranked if id_ in question.grades or id_ not in leading]


def _measures(asked: Sequence[_Judged], memories: Memories, k: int, now: float) -> Measures:
    judged = [one for one in asked if not one.question.line.hard_negative]
    nothing = [one.answer for one in asked if one.question.line.hard_negative]
    tiers = {id_: one.tier for id_, one in memories.by_id.items()}
    hours = {id_: (now - one.created_at) / HOUR for id_, one in memories.by_id.items()}
    waits = [one.answer.milliseconds for one in asked]

    def mean(measure: Callable[..., float | None], *given: Any) -> float | None:
        return measures.average(measure(one.ranked, one.question.grades, *given) for one in judged)

    surfacing = (
        measures.constitutional_surfacing(
            one.answer.ranked, memories.constitutional(one.question), k
        )
        for one in asked
    )
    by_intent = (
        measures.intent_weighted_ndcg(one.ranked, one.question.grades, one.question.line.intent, k)
        for one in judged
    )
    proxies = (
        measures.quality_proxy(one.answer.scores, one.answer.milliseconds, wanted=k)
        for one in asked
    )
    confidence = [one.answer.confidence for one in judged]
    return {
        COUNT: float(len(asked)),
        "mrr": mean(measures.reciprocal_rank, k),
        "ndcg": mean(measures.ndcg, k),
        "recall": mean(measures.recall, k),
        "hit_rate": mean(measures.hit, k),
        "hit_rate_1": mean(measures.hit, 1),
        "inversion_rate": mean(measures.inversion_rate, k),
        "constitutional_surfacing": measures.average(surfacing),
        "importance_weighted_recall": mean(measures.importance_weighted_recall, tiers, k),
        "cold_start_detection": mean(measures.cold_start_detection, hours, k),
        "intent_weighted_ndcg": measures.average(by_intent),
        "quality_proxy": measures.average(proxies),
        "confidence_auc": measures.auc(confidence, [one.confidence for one in nothing]),
        "injected": measures.average(float(one.answer.injected) for one in judged),
        "injected_on_nothing": measures.average(float(one.injected) for one in nothing),
        "p50_ms": measures.percentile(waits, 0.5),
        "p95_ms": measures.percentile(waits, 0.95),
    }
