"""Measures of recall's quality, and of its switches' worth, on evaluation sets at hand.

    python -m lab.benchmarks.ablation --data DIR [--sets NAME ...] [--turn NAME ...] [--queries N] [--models DIR]

DIR holds sets as ``lab.benchmarks.instruments`` says. Each is imported into a real daemon of its own with
the real model, as it is, or with ``--gate`` as the gate leaves it. Then every query of a seeded
sample is asked in its group, as shipped and once with each of these switches of ``reverie recall
--stages`` turned.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

import trio
from msgspec import Struct

from actors.policy.recall import ways
from daemon.api.recall import Recall
from daemon.client import Client
from daemon.home import current_home
from lab.benchmarks import house, instruments
from lab.benchmarks.instruments import Question

DEPTHS: Final = (1, 5, 10)
SHOWN: Final = 10  # results that are asked for
SEED: Final = 11
SHIPPED: Final = "shipped"

Row = tuple[float, ...]  # recall at each depth, and the mean reciprocal rank


class Measured(Struct, frozen=True):
    """Measurements on one set: how much was asked, and the figures of each way."""

    name: str
    texts: int
    questions: int
    rows: Mapping[str, Row]


def sampled(asked: Sequence[Question], most: int) -> list[Question]:
    """The queries with an answer, or so many of them; 0: all."""
    answered = [one for one in asked if one.right]
    if not most or most >= len(answered):
        return answered
    chosen = random.Random(SEED).sample(range(len(answered)), most)
    return [answered[place] for place in sorted(chosen)]


async def answered(
    client: Client, asked: Sequence[Question], switch: str
) -> list[tuple[Question, list[str]]]:
    """Keys of the results of each question, best first, with this switch turned or as shipped."""
    on = switch in ways.DEFAULT
    given: list[tuple[Question, list[str]]] = []
    for one in asked:
        project = instruments.project(one.group)
        question = Recall(
            query=one.text, k=SHOWN, project=project, track=False,
            without=[switch] if on else [], also=[] if on or switch == SHIPPED else [switch],
        )  # fmt: skip
        reply = await instruments.answered(client, question)
        given.append((one, [result.key or "" for result in reply.results]))
    return given


async def measure(
    data: Path, name: str, models: Path, switches: Sequence[str], most: int, *, gate: bool
) -> Measured:
    """One set as shipped, and with each switch turned."""
    texts, queries = instruments.read(data, name)
    asked = sampled(queries, most)
    groups = {question.group for question in asked}
    corpus = [row for row in texts if row["group"] in groups]
    rows: dict[str, Row] = {}
    async with instruments.remembered(corpus, models, gate=gate) as (client, _):
        for switch in (SHIPPED, *switches):
            rows[switch] = instruments.figures(await answered(client, asked, switch), DEPTHS)
    return Measured(name.removesuffix(".dev"), len(corpus), len(asked), rows)


def table(results: Sequence[Measured]) -> list[str]:
    """The figures of each set as shipped and with each switch turned, in Markdown."""
    heads = [f"{one.name}: {one.questions} queries, {one.texts:,} texts" for one in results]
    rows = [(name, [_cell(one.rows[name]) for one in results]) for name in results[0].rows]
    return [
        "Each cell: recall@1 / recall@5 / recall@10 / MRR.",
        "",
        f"| | {' | '.join(heads)} |",
        "|---|" + "---|" * len(results),
        *(f"| {name} | {' | '.join(cells)} |" for name, cells in rows),
    ]


def _cell(row: Row) -> str:
    return " / ".join(f"{value:.3f}".replace("0.", ".", 1) for value in row)


def sets_of(data: Path, wanted: Collection[str]) -> list[str]:
    """The sets at hand, or the wanted ones of them; raises ``SystemExit``."""
    there = sorted(file.name.removesuffix(".corpus.jsonl.gz") for file in data.glob("*.corpus.*"))
    short = {name.removesuffix(".dev"): name for name in there}
    missing = [name for name in wanted if name not in short and name not in there]
    if missing or not there:
        raise SystemExit(f"{data} has no set {', '.join(missing) or 'at all'}: {', '.join(short)}")
    return [short.get(name, name) for name in wanted] or there


def main() -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="a folder with evaluation sets")
    parser.add_argument("--sets", nargs="+", default=[], help="some of its sets; all")
    parser.add_argument("--turn", nargs="+", default=[], choices=sorted(ways.NAMES), metavar="NAME")
    parser.add_argument("--queries", type=int, default=60, help="of each set, seeded; 0: all")
    parser.add_argument("--gate", action="store_true", help="import through the gate")
    parser.add_argument("--models", type=Path, help="a home's models folder; the user's own")
    options = parser.parse_args()
    models = options.models or current_home().models
    house.model(models)  # that there is one
    results: list[Measured] = []
    for name in sets_of(options.data, options.sets):
        print(f"{name} …", file=sys.stderr, flush=True)
        measuring = partial(measure, most=options.queries, gate=options.gate)
        results.append(trio.run(measuring, options.data, name, models, options.turn))
    print("\n".join(table(results)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
