"""Gain of recall by a dream: questions of several notes, before a dream and after it.

``python -m lab.benchmarks.dreaming --data DIR --models DIR`` fills a real daemon with the development rows
of DIR (``ir/<set>.dev.*``), asks each question in its group, dreams, and asks again, with and without
the graph channel: the store is the same but for what the dream wrote. Questions of several notes
(*multi-hop*) are those that a set marks so, else those with two right notes or more. The set ``own``
is ``chains.json``, a store of our own writing with planted chains, and needs no ``--data``: its
figures say that the machinery does what it should, not how much it brings. Printed are recall@5,
@10, @20 and MRR, by kind of question, and what was drawn. Texts have no dates: as ``reverie import``.
"""

import argparse
import asyncio
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from daemon.client import Client
from daemon.home import Home
from daemon.requests.dreams import DreamNow, Dreamt
from daemon.requests.recall import Recall
from lab.benchmarks import filling, sets
from lab.benchmarks.sets import Question

OWN: Final = "own"
CHAINS: Final = Path(__file__).with_name("chains.json")
SETS: Final = (OWN, "codemem", "devmem_session", "locomo_obs")
DEPTHS: Final = (5, 10, 20)


def read(name: str, data: Path | None) -> tuple[list[dict[str, Any]], list[Question]]:
    """The notes of a set and its questions."""
    if name == OWN:
        own = json.loads(CHAINS.read_text(encoding="utf-8"))
        return _scattered(own["notes"]), sets.questions(own["questions"])
    if data is None:
        raise SystemExit(f"{name} needs --data")
    corpus, asked = sets.read(data / "ir", f"{name}.dev")
    return corpus, [one for one in asked if one.right]


def _scattered(notes: Mapping[str, str]) -> list[dict[str, Any]]:
    """The notes in an order in which no link of a chain stands beside the next."""
    order = sorted(enumerate(notes.items()), key=lambda one: (one[0] * 31 % len(notes), one[0]))
    return [{"id": key, "text": text, "group": OWN} for _, (key, text) in order]


async def measure(name: str, data: Path | None, models: Path, without: Sequence[str]) -> None:
    """One set through a daemon of its own; prints its table."""
    corpus, asked = read(name, data)
    async with sets.remembered(corpus, models) as (client, home):
        print(f"\n{name}: {len(corpus)} notes, {len(asked)} questions", flush=True)
        tell("before", await answered(client, asked, without))
        dreamt = await client.ask(DreamNow(), within=sets.PATIENCE)
        print(f"  {described(dreamt, home)}")
        tell("after", await answered(client, asked, without))
        tell("after, graph off", await answered(client, asked, [*without, "graph"]))


async def answered(
    client: Client, asked: Sequence[Question], without: Sequence[str]
) -> list[tuple[Question, list[str]]]:
    """Answers to each question, best first; an insight takes its place and is never right."""
    found: list[tuple[Question, list[str]]] = []
    for one in asked:
        question = Recall(
            query=one.text, project=sets.project(one.group), k=max(DEPTHS), track=False,
            without=list(without),
        )  # fmt: skip
        reply = await sets.answered(client, question)
        found.append((one, [result.key or result.id for result in reply.results]))
    return found


def tell(name: str, found: Sequence[tuple[Question, Sequence[str]]]) -> None:
    """A line of figures for questions of several notes, and one for the others."""
    for kind, several in (("several notes", True), ("one note", False)):
        some = [pair for pair in found if pair[0].several is several]
        *recall, mrr = sets.figures(some, DEPTHS) or [0.0] * (len(DEPTHS) + 1)
        shares = "  ".join(
            f"@{depth} {share:.3f}" for depth, share in zip(DEPTHS, recall, strict=True)
        )
        print(f"  {name:17} {kind:14} {len(some):4}  {shares}  MRR {mrr:.3f}", flush=True)


def described(dreamt: Dreamt, home: Home) -> str:
    """Description of what the dream drew, from the store itself."""
    with filling.opened(home) as sql:
        kinds = sql.rows("SELECT kind, count(*) FROM connection GROUP BY kind ORDER BY kind")
        insights = sql.number("SELECT count(*) FROM insight")
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
