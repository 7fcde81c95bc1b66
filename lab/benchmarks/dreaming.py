"""Whether a dream makes recall better: questions of several notes, before a dream and after it.

``python -m lab.benchmarks.dreaming --data DIR --models DIR`` fills a real daemon with the development rows
of DIR (``ir/<set>.dev.*``), asks each question in its group, dreams, and asks again, with and without
the graph channel: the store is the same but for what the dream wrote. Questions of several notes
(*multi-hop*) are those that a set marks so, else those with two right notes or more. The set ``own``
is ``chains.json``, a store of our own writing with planted chains, and needs no ``--data``: its
figures say that the machinery does what it should, not how much it brings. Printed are recall@5,
@10, @20 and MRR, by kind of question, and what was drawn. Texts have no dates: as ``reverie import``.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import apsw

from daemon.client import Client
from daemon.home import Home
from daemon.requests.dreams import DreamNow, Dreamt
from daemon.requests.recall import Recall, Recalled
from daemon.storage.sql import Sql
from lab.benchmarks.abstention import fill, rows, running

OWN: Final = "own"
CHAINS: Final = Path(__file__).with_name("chains.json")
SETS: Final = (OWN, "codemem", "devmem_session", "locomo_obs")
MARKED: Final = "multi-hop"
DEPTHS: Final = (5, 10, 20)
PATIENCE: Final = 600.0  # seconds for a dream or an answer


@dataclass(frozen=True, slots=True)
class Question:
    """A question, where it is asked, and the keys of the notes that answer it."""

    text: str
    group: str
    right: frozenset[str]
    several: bool  # whether it needs more than one note


@dataclass(frozen=True, slots=True)
class Figures:
    """What some questions found, averaged."""

    questions: int
    recall: tuple[float, ...]  # at each depth
    mrr: float


def questions(asked: Sequence[Mapping[str, Any]]) -> list[Question]:
    """Those that have an answer."""
    is_marked = any(row["kind"] == MARKED for row in asked)
    return [
        Question(
            row["text"],
            row["group"],
            frozenset(row["rel"]),
            row["kind"] == MARKED if is_marked else len(row["rel"]) > 1,
        )
        for row in asked
        if row["rel"]
    ]


def figures(found: Sequence[tuple[Question, Sequence[str]]]) -> Figures:
    """Recall at each depth and the reciprocal rank of the first right note."""
    count = max(len(found), 1)
    return Figures(
        len(found),
        tuple(
            sum(len(one.right & set(keys[:depth])) / len(one.right) for one, keys in found) / count
            for depth in DEPTHS
        ),
        sum(reciprocal(one.right, keys) for one, keys in found) / count,
    )


def reciprocal(right: frozenset[str], keys: Sequence[str]) -> float:
    """One over the place of the first right note, 0 when there is none."""
    return next((1 / place for place, key in enumerate(keys, 1) if key in right), 0.0)


def read(name: str, data: Path | None) -> tuple[list[dict[str, Any]], list[Question]]:
    """The notes of a set and its questions."""
    if name == OWN:
        own = json.loads(CHAINS.read_text(encoding="utf-8"))
        return _scattered(own["notes"]), questions(own["questions"])
    if data is None:
        raise SystemExit(f"{name} needs --data")
    corpus = rows(data / "ir" / f"{name}.dev.corpus.jsonl.gz")
    return corpus, questions(rows(data / "ir" / f"{name}.dev.queries.jsonl.gz"))


def _scattered(notes: Mapping[str, str]) -> list[dict[str, Any]]:
    """The notes in an order in which no link of a chain stands beside the next (K10)."""
    order = sorted(enumerate(notes.items()), key=lambda one: (one[0] * 31 % len(notes), one[0]))
    return [{"id": key, "text": text, "group": OWN} for _, (key, text) in order]


async def measure(name: str, data: Path | None, models: Path, without: Sequence[str]) -> None:
    """One set through a daemon of its own; prints its table."""
    corpus, asked = read(name, data)
    with tempfile.TemporaryDirectory(prefix="rv-") as folder:
        home = Home(Path(folder))
        home.prepare()
        shutil.copytree(models, home.root / "models", dirs_exist_ok=True)
        async with running(home) as client:
            await fill(client, corpus)
            print(f"\n{name}: {len(corpus)} notes, {len(asked)} questions", flush=True)
            tell("before", await answered(client, asked, without))
            dreamt = await client.ask(DreamNow(), within=PATIENCE)
            print(f"  {described(dreamt, home)}")
            tell("after", await answered(client, asked, without))
            tell("after, graph off", await answered(client, asked, [*without, "graph"]))


async def answered(
    client: Client, asked: Sequence[Question], without: Sequence[str]
) -> list[tuple[Question, list[str]]]:
    """What each question finds, best first; an insight takes its place and is never right."""
    found: list[tuple[Question, list[str]]] = []
    for one in asked:
        reply: Recalled = await client.ask(
            Recall(
                query=one.text, project=f"/{one.group.replace('*', 'all')}", k=max(DEPTHS),
                track=False, without=list(without),
            ),
            within=PATIENCE,
        )  # fmt: skip
        if reply.mode != "both":
            raise SystemExit(f"searched by {reply.mode} alone: {reply.degraded}")
        found.append((one, [result.key or result.id for result in reply.results]))
    return found


def tell(name: str, found: Sequence[tuple[Question, Sequence[str]]]) -> None:
    """A line of figures for questions of several notes, and one for the others."""
    for kind, several in (("several notes", True), ("one note", False)):
        some = figures([pair for pair in found if pair[0].several is several])
        shares = "  ".join(
            f"@{depth} {share:.3f}" for depth, share in zip(DEPTHS, some.recall, strict=True)
        )
        print(f"  {name:17} {kind:14} {some.questions:4}  {shares}  MRR {some.mrr:.3f}", flush=True)


def described(dreamt: Dreamt, home: Home) -> str:
    """What the dream drew, from the store itself."""
    with closing(apsw.Connection(str(home.database), flags=apsw.SQLITE_OPEN_READONLY)) as raw:
        kinds = Sql(raw).rows("SELECT kind, count(*) FROM connection GROUP BY kind ORDER BY kind")
        insights = Sql(raw).number("SELECT count(*) FROM insight")
    drawn = ", ".join(f"{count} {kind}" for kind, count in kinds) or "none"
    return f"dream {dreamt.outcome}: connections {drawn}; {insights} insights"


def main() -> int:
    """Measure each set."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--models", type=Path, required=True, help="a home's models folder")
    parser.add_argument("--sets", nargs="+", default=SETS)
    parser.add_argument("--without", nargs="*", default=(), help="channels that are off throughout")
    options = parser.parse_args()
    for name in options.sets:
        asyncio.run(measure(name, options.data, options.models, options.without))
    return 0


if __name__ == "__main__":
    sys.exit(main())
