"""What a recall costs at so many memories, beside plain FTS5 and sqlite-vec.

The real store, reader and recall actor among its neighbours (``lab.benchmarks.house``); the query's
vector and tokens are handed over at once, as the target leaves the embedding out. Texts are Zipf words, vectors seeded clusters; a query
is eight words in a row of a text, frequent ones among them. Everything is measured in one
run, in CPU and in wall time: 100,000 memories (``--sizes 100000``) take three minutes.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import trio

from actors.embedding.writes import Chunk, ModelChosen, Vectored
from actors.memory.rows import Scope
from actors.memory.unit import Unit
from actors.memory.writes import Created, Origin
from actors.policy.text.words import query_terms
from actors.recall.messages import Found, Search
from daemon.home import Home
from daemon.storage import recall as recall_stored
from daemon.storage.store import OpenStore, open_store
from lab.benchmarks import house
from lab.benchmarks.filling import tokens

DIMENSIONS = 384
WORDS = 20_000
CLUSTERS = 200
MODEL = "benchmark"
TARGETS = {1_000: 5.0, 10_000: 5.0, 100_000: 10.0}  # ms, p95 without the embedding


def vocabulary(randomness: random.Random) -> list[str]:
    """Pronounceable words that no stop list knows."""
    syllables = [a + b for a in "bdfgklmnprstvz" for b in "aeiou"]
    return ["".join(randomness.choices(syllables, k=3)) for _ in range(WORDS)]


def texts(count: int, randomness: random.Random, words: Sequence[str]) -> list[str]:
    """Texts of about forty words, frequent ones frequent (Zipf)."""
    weights = [1.0 / rank for rank in range(1, len(words) + 1)]
    return [
        " ".join(randomness.choices(words, weights, k=randomness.randint(20, 60)))
        for _ in range(count)
    ]


def vectors(count: int, seed: int) -> np.ndarray[Any, np.dtype[np.float32]]:
    """Vectors of length 1 around a few centres."""
    source = np.random.default_rng(seed)
    centres = source.standard_normal((CLUSTERS, DIMENSIONS))
    rows = centres[source.integers(0, CLUSTERS, count)]
    rows = rows + 0.7 * source.standard_normal((count, DIMENSIONS))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return rows.astype(np.float32)


def unit(text: str, vector: bytes, tokens: bytes, place: int) -> Unit:
    """One memory with its vector and tokens."""
    key = place.to_bytes(16, "big")
    new = Created(
        text, text[:60], "fact", "normal", "declarative", "general", None, 1.7e9 + place, key,
        10.0, 5.0, 0.5, Origin("import"), derived=(f"symbol_{place}",),
    )  # fmt: skip
    return (new, Vectored(place + 1, key, MODEL, (Chunk(0, vector, key, tokens),), 1.7e9))


async def fill(store: OpenStore, count: int) -> list[str]:
    """The memories; returns their texts."""
    randomness = random.Random(7)
    written = texts(count, randomness, vocabulary(randomness))
    made, signs = vectors(count, 7), tokens(written, 7)
    await store.writing.commit([(ModelChosen(MODEL, DIMENSIONS),)])
    for start in range(0, count, 500):
        await store.writing.commit(
            [
                unit(written[place], made[place].tobytes(), signs[place], place)
                for place in range(start, min(start + 500, count))
            ]
        )
    await store.writing.checkpoint(truncate=True)
    return written


Ask = Callable[[int], Awaitable[object]]


async def timed(ask: Ask, rounds: int) -> dict[str, float]:
    """Milliseconds a call: wall and CPU of the whole process."""
    for turn in range(5):
        await ask(turn)
    wall: list[float] = []
    cpu: list[float] = []
    for turn in range(rounds):
        began, worked = time.perf_counter(), time.process_time()
        await ask(turn)
        wall.append(1000 * (time.perf_counter() - began))
        cpu.append(1000 * (time.process_time() - worked))
    wall.sort()
    cpu.sort()
    last = math.ceil(0.95 * len(wall)) - 1
    return {
        "wall_p50": median(wall),
        "wall_p95": wall[last],
        "cpu_p50": median(cpu),
        "cpu_p95": cpu[last],
    }


async def measure(count: int, rounds: int) -> dict[str, Any]:
    """All figures at one size."""
    with tempfile.TemporaryDirectory(prefix="reverie-bench-") as folder:
        home = Home(Path(folder))
        home.prepare()
        async with open_store(home) as store:
            written = await fill(store, count)
            began = time.process_time()
            await store.reading.warm()
            warm = time.process_time() - began
            asked = [" ".join(text.split()[3:11]) for text in written[:: max(1, count // 64)]]
            figures, stages = await figures_of(store, home, asked, rounds)
            held = await store.reading.in_memory()
        async with open_store(home, words="fts5") as store:
            await store.reading.warm()
            beside, _ = await figures_of(store, home, asked, rounds, only=("for a prompt",))
            figures["for a prompt, by FTS5"] = beside["for a prompt"]
    return {
        "memories": count,
        "target_p95": TARGETS.get(count),
        "figures": figures,
        "stages": stages,
        "warm_cpu_seconds": round(warm, 2),
        "bytes_a_memory": {name: round(held[name] / count) for name in ("words", "vectors")},
    }


async def figures_of(
    store: OpenStore, home: Home, asked: Sequence[str], rounds: int, only: Sequence[str] = ()
) -> tuple[dict[str, dict[str, float]], dict[str, float]]:
    """Milliseconds of each way of asking, and of the stages of one search."""
    ready = [row.tobytes() for row in vectors(64, 8)]
    terms = [query_terms(text) for text in asked]
    async with house.at_work(store, home, house.ready(ready)) as recall:

        async def whole(turn: int) -> Found:
            return await recall.ask(
                lambda reply: Search(
                    asked[turn % len(asked)], 10, Scope(), False, False, 60.0, reply
                ),
                within=60,
            )

        async def prompt(turn: int) -> Found:
            return await recall.ask(house.asked(asked[turn % len(asked)]), within=60)

        async def words(turn: int) -> object:
            return await store.reading.words(terms[turn % len(terms)], Scope(), 10)

        async def plain_words(turn: int) -> object:
            return await store.reading.read(
                lambda sql: recall_stored.words(sql, terms[turn % len(terms)], Scope(), 10)
            )

        async def near(turn: int) -> object:
            return await store.reading.nearest(ready[turn % len(ready)], Scope(), 10)

        async def plain_vectors(turn: int) -> object:
            return await store.reading.read(
                lambda sql: recall_stored.nearest_by_sqlite_vec(
                    sql, ready[turn % len(ready)], Scope(), 10
                )
            )

        ways: dict[str, Ask] = {
            "for a prompt": prompt,
            "for a person": whole,
            "words": words,
            "plain FTS5": plain_words,
            "vectors": near,
            "plain sqlite-vec": plain_vectors,
        }
        figures = {
            name: await timed(way, rounds) for name, way in ways.items() if name in (only or ways)
        }
        stages = (await whole(0)).timings
    return figures, stages


def main() -> None:
    """Print a table and a line of JSON."""
    if not os.environ.keys() >= house.ALONE.keys():  # numpy asks for them when it is imported
        arguments = [sys.executable, "-m", "lab.benchmarks.recall", *sys.argv[1:]]
        os.execve(sys.executable, arguments, os.environ | house.ALONE)
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000])
    options.add_argument("--rounds", type=int, default=100)
    chosen = options.parse_args()
    results = [trio.run(measure, size, chosen.rounds) for size in chosen.sizes]
    for result in results:
        target = result["target_p95"]
        print(f"\n{result['memories']:,} memories; target for a prompt: p95 ≤ {target} ms")
        print(f"{'':24}{'wall p50':>10}{'wall p95':>10}{'CPU p50':>10}{'CPU p95':>10}")
        for name, figures in result["figures"].items():
            columns = ("wall_p50", "wall_p95", "cpu_p50", "cpu_p95")
            print(f"{name:24}" + "".join(f"{figures[column]:10.2f}" for column in columns))
        stages = ", ".join(f"{name} {took:.1f}" for name, took in result["stages"].items())
        print(f"stages of one search: {stages} ms")
        held = ", ".join(f"{name} {size:,}" for name, size in result["bytes_a_memory"].items())
        print(f"taken up in {result['warm_cpu_seconds']} s of CPU; bytes a memory: {held}")
    print(json.dumps(results))


if __name__ == "__main__":
    main()
