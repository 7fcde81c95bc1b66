"""Whether recall knows when it has no answer, and keeps silent when nobody asked.

``python -m lab.benchmarks.abstention --data DIR`` asks the real daemon: the development rows of DIR
(``ir/<set>.dev.corpus.jsonl.gz`` and ``.queries.jsonl.gz``; a query without ``rel`` has no answer)
are imported into a home of their own, then each query is asked in its group, and each of
``everyday.jsonl``, prompts that no store answers, as a prompt. Printed per set: the AUC of the
confidence (answerable above unanswerable), how many everyday prompts would get a note, and how
many answerable questions would get the right one, which silence must not cost. The model comes
from ``--models``, the folder of a home that has one.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import json
import os
import shutil
import sys
import tempfile
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from actors.policy.evaluation import measures
from daemon.client import Client, DaemonAway, open_client
from daemon.home import Home
from daemon.requests.imports import Import, ImportRow
from daemon.requests.recall import Recall, Recalled
from daemon.requests.vectors import AwaitEmbedded

TARGETS = {"locomo_obs": 0.72, "devmem_session": 0.90}  # AUC of the confidence
INJECTED = 0.02  # of unrelated prompts, at most
SETS = ("devmem_session", "codemem", "locomo_obs")
PROGRAM = "from daemon.cli import main; main()"
EVERYDAY = Path(__file__).with_name("everyday.jsonl")
BEGINS = 40  # characters by which a note is known in what a prompt gets
PAGE = 500  # rows imported at once
PATIENCE = 600.0  # seconds for an import, its vectors or an answer


@dataclass(frozen=True, slots=True)
class Question:
    """A query of a set, or an everyday prompt, which has no group of its own."""

    text: str
    group: str
    right: frozenset[str]  # keys of the texts that answer it


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of it."""

    confidence: float
    injected: frozenset[str]  # keys of the notes that a prompt would get
    spoke: bool  # whether it would get any


@dataclass(frozen=True, slots=True)
class Figures:
    """What one set says."""

    auc: float | None
    everyday: tuple[int, int]  # prompts that got a note, of how many
    injected: float  # share of answerable questions that got any note
    right: float  # share of them that got a right one
    unanswerable: float | None  # share of those without an answer that got a note


def rows(path: Path) -> list[dict[str, Any]]:
    """The objects of a file with one a line, packed or not."""
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return [json.loads(line) for line in data.splitlines()]


def figures(asked: Sequence[tuple[Question, Answer]], everyday: Sequence[Answer]) -> Figures:
    """The figures of one set."""
    yes = [(question, answer) for question, answer in asked if question.right]
    no = [answer for question, answer in asked if not question.right]
    return Figures(
        measures.auc([one.confidence for _, one in yes], [one.confidence for one in no]),
        (sum(one.spoke for one in everyday), len(everyday)),
        _share([one.spoke for _, one in yes]) or 0.0,
        _share([bool(one.injected & question.right) for question, one in yes]) or 0.0,
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


@asynccontextmanager
async def running(home: Home) -> AsyncGenerator[Client]:
    """A daemon of this home, and a client of it."""
    environ = {**os.environ, "REVERIE_HOME": str(home.root)}
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", PROGRAM, "daemon", env=environ
    )
    try:
        await up(home)
        async with open_client(home) as client:
            yield client
    finally:
        process.terminate()
        await process.wait()


async def up(home: Home) -> None:
    """Until the daemon answers."""
    for _ in range(300):
        try:
            async with open_client(home):
                return
        except DaemonAway:
            await asyncio.sleep(0.1)
    raise SystemExit("the daemon did not come up")


async def measure(data: Path, models: Path, name: str, prompts: Sequence[str]) -> Figures:
    """One set through a daemon of its own."""
    corpus = rows(data / "ir" / f"{name}.dev.corpus.jsonl.gz")
    queries = [
        Question(row["text"], row["group"], frozenset(row["rel"]))
        for row in rows(data / "ir" / f"{name}.dev.queries.jsonl.gz")
    ]
    groups = sorted({question.group for question in queries})
    with tempfile.TemporaryDirectory(prefix="rv-") as folder:
        home = Home(Path(folder))
        home.prepare()
        shutil.copytree(models, home.root / "models", dirs_exist_ok=True)
        async with running(home) as client:
            await fill(client, corpus)
            asked = [(one, await answer(client, one.text, one.group)) for one in queries]
            everyday = [
                await answer(client, text, groups[place % len(groups)])
                for place, text in enumerate(prompts)
            ]
    return figures(asked, everyday)


async def fill(client: Client, corpus: Sequence[Mapping[str, Any]]) -> None:
    """Import the texts and wait until each has its vectors."""
    for start in range(0, len(corpus), PAGE):
        page = [
            ImportRow(text=row["text"], key=row["id"], project=_folder(row["group"]))
            for row in corpus[start : start + PAGE]
        ]
        await client.ask(Import(rows=page), within=PATIENCE)
    await client.ask(AwaitEmbedded(), within=PATIENCE)


async def answer(client: Client, text: str, group: str) -> Answer:
    """What a person, and what a prompt, is told."""
    found: Recalled = await client.ask(
        Recall(query=text, project=_folder(group), track=False, explain=True, as_prompt=True),
        within=PATIENCE,
    )
    if found.mode != "both":
        raise SystemExit(f"searched by {found.mode} alone: {found.degraded}")
    shown = _flat(found.prompt or "")
    injected = {one.key for one in found.results if one.key and _flat(one.text)[:BEGINS] in shown}
    return Answer(found.confidence, frozenset(injected), bool(shown))


def _flat(text: str) -> str:
    return " ".join(text.split())


def _folder(group: str) -> str:
    return f"/{group.replace('*', 'all')}"


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
    prompts = [row["text"] for row in rows(EVERYDAY)]
    misses = 0
    for name in options.sets:
        found = asyncio.run(measure(options.data, options.models, name, prompts))
        print(printed(name, found), flush=True)
        misses += len(missed(name, found))
    return int(bool(misses))


if __name__ == "__main__":
    sys.exit(main())
