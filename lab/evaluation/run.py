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

    question: Question
    ranked: Sequence[str]  # ids, best first
    scores: Sequence[float]
    confidence: float
    milliseconds: float
    injected: bool  # a prompt would have been given something
    channels: measures.Found  # numbers of memories
    mode: str

    @property
    def sought(self) -> list[str]:
        """Results without those that lead every result by rule: they would measure how many there are."""
        led = self.question.leading - self.question.grades.keys()
        return [id_ for id_ in self.ranked if id_ not in led]


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
        question,
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
    truth: Truth, given: Sequence[Answer], memories: int, k: int, now: float, before: Run | None
) -> Run:
    """The run of these answers; ``now`` is what ages are measured from (seconds UTC)."""
    groups = {WHOLE: _measures(given, k, now)}
    for split, of in SPLITS.items():
        for value in sorted({of(one.question) for one in given} - {""}):
            part = [one for one in given if of(one.question) == value]
            groups[f"{split}:{value}"] = _measures(part, k, now)
    modes = {one.mode for one in given}
    ranks = {one.query: one.rank for one in before.queries} if before else {}
    return Run(
        name=truth.name,
        k=k,
        memories=memories,
        mode=modes.pop() if len(modes) == 1 else "mixed",
        left_out=list(truth.unanswerable),
        measures=groups,
        before=before.measures.get(WHOLE) if before else None,
        sensitivity=measures.sensitivities(
            [(one.channels, {*map(memory_number, one.question.grades)}) for one in given]
        ),
        queries=[_asked(one, ranks) for one in given],
    )


def _asked(answer: Answer, ranks: Mapping[str, int | None]) -> Asked:
    query, grades = answer.question.line.query, answer.question.grades
    right = (at for at, id_ in enumerate(answer.sought, 1) if id_ in grades)
    return Asked(
        query=query, rank=next(right, None), before=ranks.get(query), confidence=answer.confidence,
        injected=answer.injected, ms=round(answer.milliseconds, 3), results=list(answer.ranked),
    )  # fmt: skip


def _measures(asked: Sequence[Answer], k: int, now: float) -> Measures:
    judged = [one for one in asked if not one.question.line.hard_negative]
    nothing = [one for one in asked if one.question.line.hard_negative]
    waits = [one.milliseconds for one in asked]

    def mean(measure: Callable[..., float | None], *given: Any) -> float | None:
        return of(judged, lambda one: measure(one.sought, one.question.grades, *given))

    def of(answers: Sequence[Answer], measure: Callable[[Answer], float | None]) -> float | None:
        return measures.average(map(measure, answers))

    def tiers(one: Answer) -> float | None:
        found = {id_: memory.tier for id_, memory in one.question.right.items()}
        return measures.importance_weighted_recall(one.sought, one.question.grades, found, k)

    def new(one: Answer) -> float | None:
        hours = {id_: (now - each.created_at) / HOUR for id_, each in one.question.right.items()}
        return measures.cold_start_detection(one.sought, one.question.grades, hours, k)

    def by_intent(one: Answer) -> float | None:
        intent = one.question.line.intent
        return measures.intent_weighted_ndcg(one.sought, one.question.grades, intent, k)

    return {
        COUNT: float(len(asked)),
        "mrr": mean(measures.reciprocal_rank, k),
        "ndcg": mean(measures.ndcg, k),
        "recall": mean(measures.recall, k),
        "hit_rate": mean(measures.hit, k),
        "hit_rate_1": mean(measures.hit, 1),
        "inversion_rate": mean(measures.inversion_rate, k),
        "constitutional_surfacing": of(
            asked,
            lambda one: measures.constitutional_surfacing(one.ranked, one.question.leading, k),
        ),
        "importance_weighted_recall": of(judged, tiers),
        "cold_start_detection": of(judged, new),
        "intent_weighted_ndcg": of(judged, by_intent),
        "quality_proxy": of(
            asked, lambda one: measures.quality_proxy(one.scores, one.milliseconds, wanted=k)
        ),
        "confidence_auc": measures.auc(
            [one.confidence for one in judged], [one.confidence for one in nothing]
        ),
        "injected": of(judged, lambda one: float(one.injected)),
        "injected_on_nothing": of(nothing, lambda one: float(one.injected)),
        "p50_ms": measures.percentile(waits, 0.5),
        "p95_ms": measures.percentile(waits, 0.95),
    }
