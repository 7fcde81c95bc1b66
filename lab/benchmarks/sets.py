"""Evaluation sets at hand: texts in groups, questions, and the right answers.

A set is two files with one object a line, packed or not: ``<set>.corpus.jsonl.gz`` (id, group, text)
and ``<set>.queries.jsonl.gz`` (id, group, text, rel: the right ids, with grades; kind, in some). A
group is a project of its own.
"""

import gzip
import json
import lzma
import shutil
import tempfile
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from daemon.api.recall import Recall
from daemon.api.status import AwaitEmbedded
from daemon.api.transfer import Import
from daemon.client import Client, open_client
from daemon.home import Home
from daemon.shapes.results import Recalled
from daemon.shapes.rows import ImportRow
from lab.benchmarks import processes
from lab.benchmarks.processes import Process
from lab.evaluation import measures

PAGE = 500  # rows imported at once
PATIENCE = 600.0  # seconds for an import, its vectors or an answer
AGAIN = 5  # times a question is asked until no channel was late


@dataclass(frozen=True, slots=True)
class Question:
    """A query and its right answers, by key; nothing is right when it has no answer."""

    text: str
    group: str
    right: Mapping[str, float]


def rows(path: Path) -> list[dict[str, Any]]:
    """The objects of a file with one a line, packed or not."""
    unpacked = {".gz": gzip.decompress, ".xz": lzma.decompress}.get(path.suffix, bytes)
    return [json.loads(line) for line in unpacked(path.read_bytes()).splitlines() if line.strip()]


def write(path: Path, made: Iterable[Mapping[str, Any]]) -> None:
    """Write a file with an object a line."""
    path.write_text("".join(f"{json.dumps(row)}\n" for row in made))


def read(folder: Path, name: str) -> tuple[list[dict[str, Any]], list[Question]]:
    """The texts and the questions of a set."""
    asked = [
        Question(
            row["text"], row["group"], {key: float(grade) for key, grade in row["rel"].items()}
        )
        for row in rows(folder / f"{name}.queries.jsonl.gz")
    ]
    return rows(folder / f"{name}.corpus.jsonl.gz"), asked


def project(group: str) -> str:
    """The folder standing for a group."""
    return f"/{group.replace('*', 'all')}"


def imports(corpus: Sequence[Mapping[str, Any]], page: int = PAGE) -> list[list[ImportRow]]:
    """The texts as they are imported, in pages."""
    made = [
        ImportRow(text=row["text"], key=row["id"], project=project(row["group"])) for row in corpus
    ]
    return [made[start : start + page] for start in range(0, len(made), page)]


@asynccontextmanager
async def remembered(
    corpus: Sequence[Mapping[str, Any]], models: Path, *, gate: bool = True
) -> AsyncGenerator[tuple[Client, Process]]:
    """A client of a real daemon with these texts and their vectors, and the daemon."""
    with tempfile.TemporaryDirectory(prefix="rv-") as folder:
        home = Home(Path(folder))
        home.prepare()
        shutil.copytree(models, home.root / "models", dirs_exist_ok=True)
        with processes.daemon(home.root, model=True) as process:
            async with open_client(home) as client:
                for page in imports(corpus):
                    await client.ask(Import(rows=page, gate=gate, replace=True), within=PATIENCE)
                await client.ask(AwaitEmbedded(), within=PATIENCE)
                yield client, process


async def answered(client: Client, question: Recall) -> Recalled:
    """Results of the daemon when no channel was late; raises ``SystemExit`` if one always is."""
    reply: Recalled | None = None
    for _ in range(AGAIN):
        reply = await client.ask(question, within=PATIENCE)
        if reply.degraded is None:
            return reply
    raise SystemExit(f"a channel did not answer: {reply and reply.degraded}")


def figures(
    found: Sequence[tuple[Question, Sequence[str]]], depths: Sequence[int]
) -> tuple[float, ...]:
    """Mean recall at each depth, and the mean reciprocal rank of the first right one."""
    each = [
        (
            *(measures.recall(keys, one.right, depth) for depth in depths),
            measures.reciprocal_rank(keys, one.right, depths[-1]),
        )
        for one, keys in found
    ]
    return tuple(measures.average(column) or 0.0 for column in zip(*each, strict=True))
