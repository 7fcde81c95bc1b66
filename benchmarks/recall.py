"""What a recall costs at 1,000 and 10,000 memories, beside plain FTS5 and sqlite-vec.

The real store, reader and recall actor; the query's vector is handed over at once, as
the target leaves the embedding out. Texts are Zipf words, vectors seeded clusters.
Everything is measured in one run, in CPU and in wall time.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import trio

from actors.channels import Channels
from actors.mailbox import Inbox, Mailbox, Queue
from actors.messages import Bring, Embed, EmbedderMessage, Found, RecallMessage, Search
from actors.policy import ranking
from actors.policy.events import Event, EventKind
from actors.policy.words import match_expression, query_terms
from actors.ports import Scope
from actors.recall import Recall, Settings
from actors.triggers import Triggers
from actors.writes import Chunk, Created, ModelChosen, Origin, Unit, Vectored
from daemon.clock import WallClock
from daemon.home import Home
from daemon.storage import queries
from daemon.storage.store import OpenStore, open_store

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


def unit(text: str, vector: bytes, place: int) -> Unit:
    """One memory with its vector."""
    key = place.to_bytes(16, "big")
    new = Created(
        text, text[:60], "fact", "normal", "declarative", "general", None, 1.7e9 + place, key,
        10.0, 5.0, 0.5, Origin("import"), derived=(f"symbol_{place}",),
    )  # fmt: skip
    return (new, Vectored(place + 1, key, MODEL, (Chunk(0, vector, key),), 1.7e9))


async def fill(store: OpenStore, count: int) -> list[str]:
    """The memories; returns their texts."""
    randomness = random.Random(7)
    written = texts(count, randomness, vocabulary(randomness))
    made = vectors(count, 7)
    await store.writing.commit([(ModelChosen(MODEL, DIMENSIONS),)])
    for start in range(0, count, 500):
        await store.writing.commit(
            [
                unit(written[place], made[place].tobytes(), place)
                for place in range(start, min(start + 500, count))
            ]
        )
    await store.writing.checkpoint(truncate=True)
    return written


async def hand_over(inbox: Inbox[EmbedderMessage], ready: Sequence[bytes]) -> None:
    """An embedder that has the vectors already."""
    turn = 0
    async for message in inbox:
        if isinstance(message, Embed):
            turn += 1
            message.reply([ready[turn % len(ready)] for _ in message.texts])


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
    return {
        "wall_p50": median(wall),
        "wall_p95": wall[math.ceil(0.95 * len(wall)) - 1],
        "cpu_p50": median(cpu),
    }


async def measure(count: int, rounds: int) -> dict[str, Any]:
    """All figures at one size."""
    with tempfile.TemporaryDirectory(prefix="reverie-bench-") as folder:
        home = Home(Path(folder))
        home.prepare()
        async with open_store(home) as store, trio.open_nursery() as nursery:
            written = await fill(store, count)
            await store.reading.warm()
            ready = [row.tobytes() for row in vectors(64, 8)]
            asked = [" ".join(text.split()[3:11]) for text in written[:: max(1, count // 64)]]
            recall = started(store, nursery, ready)

            async def whole(turn: int) -> Found:
                return await recall.ask(
                    lambda reply: Search(
                        asked[turn % len(asked)], 10, Scope(), False, False, 60.0, reply
                    ),
                    within=60,
                )

            async def prompt(turn: int) -> Found:
                event = Event("claude", EventKind.PROMPT, prompt=asked[turn % len(asked)])
                return await recall.ask(
                    lambda reply: Bring(event, None, 1.7e9, 60.0, reply), within=60
                )

            async def words(turn: int) -> object:
                expression = match_expression(query_terms(asked[turn % len(asked)]))
                return await store.reading.words(expression, Scope(), 10)

            async def plain_vectors(turn: int) -> object:
                return await store.reading.read(
                    lambda sql: queries.nearest_by_sqlite_vec(
                        sql, ready[turn % len(ready)], Scope(), 10
                    )
                )

            figures = {
                "for a prompt": await timed(prompt, rounds),
                "for a person": await timed(whole, rounds),
                "plain FTS5": await timed(words, rounds),
                "plain sqlite-vec": await timed(plain_vectors, rounds),
            }
            stages = (await whole(0)).timings
            nursery.cancel_scope.cancel()
    return {"memories": count, "target_p95": TARGETS[count], "figures": figures, "stages": stages}


def started(
    store: OpenStore, nursery: trio.Nursery, ready: Sequence[bytes]
) -> Mailbox[RecallMessage]:
    """The recall actor with real triggers; its other neighbours only collect."""
    queues = {
        name: Queue[Any](name, room=10_000)
        for name in ("recall", "embedder", "triggers", "sessions", "held", "pressure", "strength")
    }
    box = {name: queue.mailbox for name, queue in queues.items()}
    recall = Recall(
        Settings(), store.reading, WallClock(),
        Channels(
            ranking.Settings(), store.reading, box["embedder"], box["triggers"], box["held"]
        ),
        box["sessions"], box["held"], box["pressure"], box["strength"],
    )  # fmt: skip
    nursery.start_soon(recall.run, queues["recall"].inbox)
    nursery.start_soon(hand_over, queues["embedder"].inbox, ready)
    nursery.start_soon(Triggers(store.reading).run, queues["triggers"].inbox)
    return queues["recall"].mailbox


def main() -> None:
    """Print a table and a line of JSON."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000])
    options.add_argument("--rounds", type=int, default=100)
    chosen = options.parse_args()
    results = [trio.run(measure, size, chosen.rounds) for size in chosen.sizes]
    for result in results:
        print(f"\n{result['memories']:,} memories; target: p95 ≤ {result['target_p95']} ms")
        print(f"{'':20}{'wall p50':>10}{'wall p95':>10}{'CPU p50':>10}")
        for name, figures in result["figures"].items():
            print(
                f"{name:20}{figures['wall_p50']:10.2f}{figures['wall_p95']:10.2f}"
                f"{figures['cpu_p50']:10.2f}"
            )
        stages = ", ".join(f"{name} {took:.1f}" for name, took in result["stages"].items())
        print(f"stages of one: {stages} ms")
    print(json.dumps(results))


if __name__ == "__main__":
    main()
