"""A run: every question asked of a running daemon, and the measures of its answers; the built-in questions."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec
from msgspec import Struct

from daemon.api.memories import List
from daemon.api.recall import Recall
from daemon.api.status import AwaitEmbedded
from daemon.api.transfer import Import
from daemon.commands.terminal.question import Conversation
from daemon.shapes.memory import MemoryView
from daemon.shapes.results import Recalled
from daemon.shapes.rows import ImportRow
from daemon.views import memory_number
from lab.evaluation import measures
from lab.evaluation.measures import Line, Memories, Question, Sensitivity, Truth

# ---- a run: every question asked of a running daemon, and the measures of its answers
#
# Each question is asked three times: as a person would, which is timed; with the reasons, for each
# channel's findings; and as a prompt, for whether anything would be injected. None of the three
# counts as a use.

DEPTH: Final = 50  # results that channels are read from
PAGE: Final = 1_000
HOUR: Final = 3_600.0
# What a channel's own figure is called among a result's parts.
CHANNELS: Final = {"words": "word_score", "vectors": "cosine"}
Measures = dict[str, float | None]
Show = Callable[[str], None]


class Answer(Struct, frozen=True):
    """Answer of the daemon to a question."""

    question: Question
    ranked: Sequence[str]  # ids, best first
    confidence: float
    milliseconds: float
    injected: bool  # a prompt would have been given something
    channels: measures.Found  # numbers of memories
    mode: str

    @property
    def sought(self) -> list[str]:
        """Results without the ones leading every result by rule: they would measure how many there are."""
        led = self.question.leading - self.question.grades.keys()
        return [id_ for id_ in self.ranked if id_ not in led]

    @property
    def rank(self) -> int | None:
        """Place of the first right result."""
        right = (at for at, id_ in enumerate(self.sought, 1) if id_ in self.question.grades)
        return next(right, None)


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """A question and its result."""

    query: str
    rank: int | None  # of the first right result
    confidence: float
    injected: bool
    ms: float
    results: list[str]  # ids, best first


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """A run, as ``--json`` prints it."""

    name: str
    k: int
    memories: int
    mode: str  # what was searched: both, words, vectors, mixed
    left_out: list[int]  # lines whose memories are not there
    measures: Measures
    sensitivity: list[Sensitivity]
    queries: list[Asked]


# ---- asking


def memories_of(talk: Conversation, keys: Mapping[str, str]) -> Memories:
    """Every living memory; ``keys`` are names for them beside their own."""
    views: list[MemoryView] = []
    while True:
        page = talk.ask(List(limit=PAGE, offset=len(views)))
        views += page.memories
        if len(page.memories) < PAGE:
            named = {one.key: one.id for one in views if one.key is not None}
            return Memories({one.id: one for one in views}, {**named, **keys})


def embedded(talk: Conversation, show: Show) -> None:
    """Wait until every memory has its vectors, or until some are known to get none."""

    def left(state: dict[str, Any]) -> None:
        show(f"{state['pending']:,} memories wait for their vectors")

    talk.ask(AwaitEmbedded(), within=None, progress=left)


def answers(talk: Conversation, questions: Sequence[Question], k: int, show: Show) -> list[Answer]:
    """Answers of the daemon, one after the other; ``show`` is told how far it is."""
    given: list[Answer] = []
    for number, question in enumerate(questions, 1):
        given.append(_answer(talk, question, k))
        show(f"{number:,} of {len(questions):,} questions asked")
    return given


def _answer(talk: Conversation, question: Question, k: int) -> Answer:
    ask = partial(
        Recall, query=question.line.query, project=question.project,
        everywhere=question.project is None, track=False,
    )  # fmt: skip
    began = perf_counter()
    plain = talk.ask(ask(k=k))
    spent = 1_000 * (perf_counter() - began)
    explained = talk.ask(ask(k=max(k, DEPTH), explain=True))
    prompted = talk.ask(ask(as_prompt=True))
    return Answer(
        question,
        [one.id for one in plain.results],
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


def measured(truth: Truth, given: Sequence[Answer], memories: int, k: int, now: float) -> Run:
    """The run of these answers; ``now``: the end for measuring ages (seconds UTC)."""
    modes = {one.mode for one in given}
    return Run(
        name=truth.name,
        k=k,
        memories=memories,
        mode=modes.pop() if len(modes) == 1 else "mixed",
        left_out=list(truth.unanswerable),
        measures={one.name: one.of(given, k, now) for one in MEASURES},
        sensitivity=measures.sensitivities(
            [(one.channels, {*map(memory_number, one.question.grades)}) for one in given]
        ),
        queries=[_asked(one) for one in given],
    )


def _asked(answer: Answer) -> Asked:
    return Asked(
        query=answer.question.line.query, rank=answer.rank, confidence=answer.confidence,
        injected=answer.injected, ms=round(answer.milliseconds, 3), results=list(answer.ranked),
    )  # fmt: skip


Of: TypeAlias = Callable[[Sequence[Answer], int, float], float | None]  # answers, k, now


class Measure(NamedTuple):
    """A measure of some answers: its name in ``--json`` and on paper."""

    name: str
    label: str
    of: Of


def _mean(measure: Callable[[Answer, int, float], float | None], *, everywhere: bool = False) -> Of:
    """The mean over the questions with an answer, or over all."""
    return lambda given, k, now: measures.average(
        measure(one, k, now) for one in given if everywhere or one.question.grades
    )


def _by_tier(one: Answer, k: int, _: float) -> float | None:
    tiers = {id_: memory.tier for id_, memory in one.question.right.items()}
    return measures.importance_weighted_recall(one.sought, one.question.grades, tiers, k)


def _of_new_ones(one: Answer, k: int, now: float) -> float | None:
    hours = {id_: (now - each.created_at) / HOUR for id_, each in one.question.right.items()}
    return measures.cold_start_detection(one.sought, one.question.grades, hours, k)


def _injected_on_nothing(given: Sequence[Answer], _k: int, _now: float) -> float | None:
    return measures.average(float(one.injected) for one in given if not one.question.grades)


def _abstention(given: Sequence[Answer], _k: int, _now: float) -> float | None:
    right, nothing = (
        [one.confidence for one in given if bool(one.question.grades) is answered]
        for answered in (True, False)
    )
    return measures.auc(right, nothing)


def _wait(share: float) -> Of:
    return lambda given, _k, _now: measures.percentile([one.milliseconds for one in given], share)


MEASURES: Final = (
    Measure("mrr", "MRR", _mean(lambda one, k, _: measures.reciprocal_rank(one.sought, one.question.grades, k))),
    Measure("ndcg", "nDCG", _mean(lambda one, k, _: measures.ndcg(one.sought, one.question.grades, k))),
    Measure("recall", "recall", _mean(lambda one, k, _: measures.recall(one.sought, one.question.grades, k))),
    Measure("hit_rate_1", "right at first place", _mean(lambda one, _k, _now: float(one.rank == 1))),
    Measure("inversion_rate", "inversion rate",
            _mean(lambda one, k, _: measures.inversion_rate(one.sought, one.question.grades, k))),
    Measure("constitutional_surfacing", "constitutional surfacing", _mean(
        lambda one, k, _: measures.constitutional_surfacing(one.ranked, one.question.leading, k), everywhere=True)),
    Measure("importance_weighted_recall", "importance-weighted recall", _mean(_by_tier)),
    Measure("cold_start_detection", "cold-start detection", _mean(_of_new_ones)),
    Measure("confidence_auc", "AUC of the confidence", _abstention),
    Measure("injected", "injected, with an answer", _mean(lambda one, _k, _now: float(one.injected))),
    Measure("injected_on_nothing", "injected, with none", _injected_on_nothing),
    Measure("p50_ms", "latency p50", _wait(0.5)),
    Measure("p95_ms", "latency p95", _wait(0.95)),
)  # fmt: skip


# ---- the built-in ground truth: 110 questions about 120 memories of four made-up projects
#
# ``corpus.jsonl`` and ``queries.jsonl`` were written before the first run and are not changed to suit
# recall; docs/measured/evaluation.md tells of the first result. They are kept in a home made for it, by a
# daemon of its own, and both are gone afterwards.

BUILT_IN = "built-in"
HERE = Path(__file__).resolve().parent
DAY = 86_400.0


class Kept(ImportRow, frozen=True, kw_only=True):
    """A memory of the corpus: a row of an import, with its age in place of its time."""

    age_days: float


def built_in_questions() -> list[Line]:
    """The questions."""
    return _lines("queries.jsonl", Line)


def _lines(name: str, type_: type[Any]) -> list[Any]:
    decoder = msgspec.json.Decoder(type_)
    return decoder.decode_lines((HERE / name).read_bytes())


def keep_corpus(talk: Conversation, now: float) -> dict[str, str]:
    """Keep the memories as they are written; returns the id of each key.

    The gate is left out: it adapts to the model while it works, so its merges differ from run to
    run, and two runs could not be compared. Only recall is measured.
    """
    corpus: list[Kept] = _lines("corpus.jsonl", Kept)
    oldest_first = sorted(corpus, key=lambda one: -one.age_days)
    rows: list[ImportRow] = [
        msgspec.structs.replace(one, created_at=now - one.age_days * DAY) for one in oldest_first
    ]
    imported = talk.ask(Import(rows=rows, gate=False))
    return {str(row.key): outcome.id for row, outcome in zip(rows, imported.outcomes, strict=True)}
