"""Asking every question of a running daemon, without leaving a trace in it.

Each question is asked three times: as a person would, which is timed; with the reasons, for
what each channel found; and as a prompt, for whether anything would be injected. None of the
three counts as a use.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import Any

from daemon.client import Client
from daemon.requests.memories import List
from daemon.requests.recall import Recall, Recalled, Scored
from daemon.requests.status import AwaitEmbedded
from lab.evaluation.truth import Known, Memories, Question

DEPTH = 50  # results that channels are read from
PAGE = 1_000
ANSWER_WITHIN = 70.0  # seconds; the daemon gives up before and then says why
# What a channel's own figure is called among a result's parts, and the stage that is its time.
CHANNELS: dict[str, tuple[str, str]] = {
    "words": ("word_score", "words"),
    "vectors": ("cosine", "vectors"),
}


@dataclass(frozen=True, slots=True)
class Channel:
    """Results of one channel for a question."""

    ranked: tuple[str, ...]  # ids, best first
    milliseconds: float | None


@dataclass(frozen=True, slots=True)
class Answer:
    """Answer of the daemon to a question."""

    ranked: tuple[str, ...]  # ids, best first
    scores: tuple[float, ...]
    confidence: float
    milliseconds: float
    injected: bool  # a prompt would have been given something
    channels: Mapping[str, Channel]
    mode: str


async def memories_of(client: Client, keys: Mapping[str, str] | None = None) -> Memories:
    """Every memory that lives; ``keys`` are names for them beside their own."""
    known: dict[str, Known] = {}
    named: dict[str, str] = {}
    offset = 0
    while True:
        page = await client.ask(List(limit=PAGE, offset=offset), within=ANSWER_WITHIN)
        for one in page.memories:
            known[one.id] = Known(one.tier, one.created_at, one.project)
            if one.key is not None:
                named[one.key] = one.id
        offset += PAGE
        if len(page.memories) < PAGE:
            return Memories(known, named | dict(keys or {}))


async def embedded(client: Client, show: Callable[[str], None]) -> None:
    """Wait until every memory has its vectors, or until it is known that it cannot."""

    def left(state: dict[str, Any]) -> None:
        show(f"{state['pending']:,} memories wait for their vectors")

    await client.ask(AwaitEmbedded(), within=None, progress=left)


async def answers(
    client: Client, questions: Sequence[Question], k: int, show: Callable[[str], None]
) -> list[Answer]:
    """Answers of the daemon, one after the other; ``show`` is told how far it is."""
    found: list[Answer] = []
    for done, question in enumerate(questions, 1):
        found.append(await _answer(client, question, k))
        show(f"{done:,} of {len(questions):,} questions asked")
    return found


async def _answer(client: Client, question: Question, k: int) -> Answer:
    ask = partial(
        Recall,
        query=question.query,
        project=question.project,
        everywhere=question.everywhere,
        track=False,
    )
    began = perf_counter()
    plain = await client.ask(ask(k=k), within=ANSWER_WITHIN)
    spent = 1_000 * (perf_counter() - began)
    explained = await client.ask(ask(k=max(k, DEPTH), explain=True), within=ANSWER_WITHIN)
    prompted = await client.ask(ask(as_prompt=True), within=ANSWER_WITHIN)
    return Answer(
        tuple(one.id for one in plain.results),
        tuple(one.score for one in plain.results),
        plain.confidence,
        spent,
        bool(prompted.prompt),
        _channels(explained),
        plain.mode,
    )


def _channels(explained: Recalled) -> dict[str, Channel]:
    return {
        name: Channel(_ranked(explained.results, part), explained.timings.get(stage))
        for name, (part, stage) in CHANNELS.items()
    }


def _ranked(results: Sequence[Scored], part: str) -> tuple[str, ...]:
    inside = [one for one in results if one.parts.get(part, 0.0) > 0]
    inside.sort(key=lambda one: -one.parts[part])
    return tuple(one.id for one in inside)
