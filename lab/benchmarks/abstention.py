"""Abstention: recall that has no answer, and silence when nobody asked.

``python -m lab.benchmarks.abstention --data DIR`` asks the real daemon: the development rows of DIR
(``ir/<set>.dev.corpus.jsonl.gz`` and ``.queries.jsonl.gz``; a query without ``rel`` has no answer)
are imported into a home of their own, then each query is asked in its group, and each of
``everyday.jsonl``, prompts that no store answers, as a prompt. Printed per set: the AUC of the
confidence (answerable above unanswerable), how many everyday prompts would get a note, and how
many answerable questions would get the right one, which silence must not cost. The model comes
from ``--models``, the folder of a home that has one.
"""

import argparse
import asyncio
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from actors.policy.evaluation import measures
from daemon.client import Client
from daemon.requests.recall import Recall
from lab.benchmarks import sets
from lab.benchmarks.sets import Question

TARGETS = {"locomo_obs": 0.72, "devmem_session": 0.90}  # AUC of the confidence
INJECTED = 0.02  # of unrelated prompts, at most
SETS = ("devmem_session", "codemem", "locomo_obs")
EVERYDAY = Path(__file__).with_name("everyday.jsonl")


@dataclass(frozen=True, slots=True)
class Answer:
    """Outcome of a question."""

    confidence: float
    injected: frozenset[str]  # keys of the notes that a prompt would get
    spoke: bool  # whether it would get any


@dataclass(frozen=True, slots=True)
class Figures:
    """Figures of one set."""

    auc: float | None
    everyday: tuple[int, int]  # prompts that got a note, of how many
    injected: float  # share of answerable questions that got any note
    right: float  # share of them that got a right one
    unanswerable: float | None  # share of those without an answer that got a note


def figures(asked: Sequence[tuple[Question, Answer]], everyday: Sequence[Answer]) -> Figures:
    """The figures of one set."""
    yes = [(question, answer) for question, answer in asked if question.right]
    no = [answer for question, answer in asked if not question.right]
    return Figures(
        measures.auc([one.confidence for _, one in yes], [one.confidence for one in no]),
        (sum(one.spoke for one in everyday), len(everyday)),
        _share([one.spoke for _, one in yes]) or 0.0,
        _share([bool(one.injected & question.right.keys()) for question, one in yes]) or 0.0,
        _share([one.spoke for one in no]),
    )


def _share(which: Sequence[bool]) -> float | None:
    return sum(which) / len(which) if which else None


def missed(name: str, found: Figures) -> list[str]:
    """The targets that a set misses."""
    misses: list[str] = []
    if name in TARGETS and (found.auc or 0.0) < TARGETS[name]:
        misses.append(f"AUC under {TARGETS[name]}")
    if found.everyday[0] > INJECTED * found.everyday[1]:
        misses.append(f"over {INJECTED:.0%} of everyday prompts get a note")
    return misses


async def measure(data: Path, models: Path, name: str, prompts: Sequence[str]) -> Figures:
    """One set through a daemon of its own."""
    corpus, queries = sets.read(data / "ir", f"{name}.dev")
    groups = sorted({question.group for question in queries})
    async with sets.remembered(corpus, models) as (client, _):
        asked = [(one, await answer(client, one.text, one.group)) for one in queries]
        everyday = [
            await answer(client, text, groups[place % len(groups)])
            for place, text in enumerate(prompts)
        ]
    return figures(asked, everyday)


async def answer(client: Client, text: str, group: str) -> Answer:
    """Answer to a person, and to a prompt."""
    found = await sets.answered(
        client,
        Recall(query=text, project=sets.project(group), as_prompt=True),
    )
    injected = frozenset(one.key for one in found.results if one.key)
    return Answer(found.confidence, injected, bool(found.prompt))


def printed(name: str, found: Figures) -> str:
    """The line of a set."""
    auc = "   –" if found.auc is None else f"{found.auc:.3f}"
    nothing = "   –" if found.unanswerable is None else f"{found.unanswerable:.3f}"
    got, of = found.everyday
    line = (
        f"{name:16} AUC {auc}  everyday {got} of {of} ({got / of:.1%})  answerable: "
        f"right {found.right:.3f}, any {found.injected:.3f}  unanswerable: any {nothing}"
    )
    misses = missed(name, found)
    return f"{line}  MISSED: {'; '.join(misses)}" if misses else line


def main() -> int:
    """Measure; the exit code is 1 when a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--models", type=Path, required=True, help="a home's models folder")
    parser.add_argument("--sets", nargs="+", default=SETS)
    options = parser.parse_args()
    prompts = [row["text"] for row in sets.rows(EVERYDAY)]
    misses = 0
    for name in options.sets:
        found = asyncio.run(measure(options.data, options.models, name, prompts))
        print(printed(name, found), flush=True)
        misses += len(missed(name, found))
    return int(bool(misses))


if __name__ == "__main__":
    sys.exit(main())
