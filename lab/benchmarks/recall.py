"""Cost of recall at so many memories, beside plain FTS5 and plain sqlite-vec.

    python -m lab.benchmarks.recall [--sizes 1000 10000] [--rounds 100] [--whole] [--imported 20000]

The real store, reader and recall actor among its neighbours (``lab.benchmarks.house``) over a synthetic
store (``lab.benchmarks.filling``). Each size is filled and measured in processes of its own; with
``--whole`` it is started as a daemon too, and an import is timed. Queries are distinct: eight words
in a row of a text, frequent ones among them, and a vector near a centre of the store; it is handed
over at once with its tokens, as the targets leave the embedding out. CPU is that of the whole
process, so that of all its threads. Recall is of the ten exactly nearest; of words, of the ten that
FTS5 finds (equal scores count as the same). Fixed seeds. 100,000 memories take about three minutes
of CPU and 900 MB of disk, a million ten times as much.
"""

import argparse
import gc
import json
import os
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import trio

from actors.core.mailbox import Mailbox
from actors.memory.rows import Scope
from actors.policy.text.words import query_terms
from actors.recall.messages import Found, RecallMessage, Search
from daemon.home import Home
from daemon.storage import recall as recall_stored
from daemon.storage.database.sql import Sql
from daemon.storage.store import OpenStore, open_store
from lab.benchmarks import filling, house, processes
from lab.benchmarks.timing import Ask, table, timed

TARGETS = {1_000: 5.0, 10_000: 5.0, 100_000: 10.0, 1_000_000: 50.0}  # ms of CPU, p95 of a prompt
SPARE = 20  # rounds of what takes long
ASKED = 400  # distinct queries
WIDE = Scope(everywhere=True)


async def measured(home: Home, count: int, rounds: int) -> dict[str, Any]:
    """All figures of one process on a store that is there."""
    asked, ready = _questions(count)
    async with open_store(home) as store:
        anew = await _taken_up(store)
        await store.reading.keep()
    async with open_store(home) as store:
        again = await _taken_up(store)
        right = await _right(store, count, asked, ready)
        began = time.process_time()
        async with house.at_work(store, home, house.ready(ready)) as recall:
            phrases = time.process_time() - began
            gc.collect()  # of what was taken up
            ways = _ways(store, recall, asked, ready)
            figures = {
                name: await timed(way, SPARE if name.startswith("plain") else rounds)
                for name, way in ways.items()
            }
            stages = (await searched(recall, asked[0])).timings
        held = await store.reading.in_memory()
    async with open_store(home, words="fts5") as store:
        await _taken_up(store)
        async with house.at_work(store, home, house.ready(ready)) as recall:
            prompt = _ways(store, recall, asked, ready)["for a prompt"]
            figures["for a prompt, by FTS5"] = await timed(prompt, rounds)
    return {
        "memories": count, "target_p95": TARGETS.get(count), "figures": figures, "right": right,
        "stages": stages, "held": held, "disk": _on_disk(home),
        "taken_up": {"anew": anew, "from the snapshot": again, "phrases": phrases},
    }  # fmt: skip


async def _taken_up(store: OpenStore) -> float:
    """Seconds of CPU until the indexes are in memory."""
    began = time.process_time()
    await store.reading.warm()
    return time.process_time() - began


async def searched(recall: Mailbox[RecallMessage], text: str) -> Found:
    """A person's search."""
    return await recall.ask(lambda reply: Search(text, 10, WIDE, False, 60.0, reply), within=60)


def _questions(count: int) -> tuple[list[str], list[bytes]]:
    """Distinct queries: of texts spread over the store, and of the vectors' centres."""
    apart = max(1, count // ASKED)
    said = (text for batch in filling.texts(count) for text in batch)
    asked = [" ".join(text.split()[3:11]) for n, text in enumerate(said) if n % apart == 0]
    ready = [row.tobytes() for batch in filling.vectors(ASKED, 13) for row in batch]
    return asked[:ASKED], ready


def _ways(
    store: OpenStore,
    recall: Mailbox[RecallMessage],
    asked: Sequence[str],
    ready: Sequence[bytes],
) -> dict[str, Ask]:
    """Everything that is timed; each takes the number of its round."""
    terms = [query_terms(text) for text in asked]

    async def prompt(turn: int) -> Found:
        return await recall.ask(house.asked(asked[turn % len(asked)]), within=60)

    async def person(turn: int) -> Found:
        return await searched(recall, asked[turn % len(asked)])

    async def words(turn: int) -> object:
        return await store.reading.words(terms[turn % len(terms)], WIDE, 10)

    async def fts5(turn: int) -> object:
        return await store.reading.read(recall_stored.words, terms[turn % len(terms)], WIDE, 10)

    async def near(turn: int) -> object:
        return await store.reading.nearest(ready[turn % len(ready)], WIDE, 10)

    async def sqlite_vec(turn: int) -> object:
        return await store.reading.read(
            recall_stored.nearest_by_sqlite_vec, ready[turn % len(ready)], WIDE, 10
        )

    return {
        "for a prompt": prompt, "for a person": person, "words": words, "plain FTS5": fts5,
        "vectors": near, "plain sqlite-vec": sqlite_vec,
    }  # fmt: skip


async def _right(
    store: OpenStore, count: int, asked: Sequence[str], ready: Sequence[bytes]
) -> dict[str, float]:
    """Shares of the ten best that the fast channels find, over 50 queries."""
    questions = np.frombuffer(b"".join(ready[:50]), np.float32).reshape(50, -1)
    best = np.full((50, 10), -2.0, np.float32)
    owners = np.zeros((50, 10), np.int64)
    start = 1
    for batch in filling.vectors(count, 11):
        scores = np.concatenate([best, questions @ batch.T], axis=1)
        ids = np.broadcast_to(np.arange(start, start + len(batch)), (50, len(batch)))
        order = np.argpartition(-scores, 9, axis=1)[:, :10]
        owners = np.take_along_axis(np.concatenate([owners, ids], axis=1), order, axis=1)
        best = np.take_along_axis(scores, order, axis=1)
        start += len(batch)
    near = 0
    for question, exact in zip(questions, owners, strict=True):
        hits = await store.reading.nearest(question.tobytes(), WIDE, 10)
        near += len(set(hits) & set(exact.tolist()))
    said = total = 0
    for text in asked[:SPARE]:
        terms = query_terms(text)
        plain = await store.reading.read(_plain(terms))
        found = await store.reading.words(terms, WIDE, len(plain))
        lowest = min(plain.values(), default=0.0) * (1 - 1e-4)
        said += sum(score >= lowest for score in found.values())
        total += len(plain)
    return {"vectors": near / 500, "words": said / max(total, 1)}


def _plain(terms: list[str]) -> Callable[[Sql], dict[int, float]]:
    return lambda sql: recall_stored.words(sql, terms, WIDE, 10)


def _on_disk(home: Home) -> dict[str, int]:
    sizes = {"database": home.database.stat().st_size}
    return sizes | {file.name: file.stat().st_size for file in sorted(home.indexes.glob("*"))}


def daemon_at(home: Home, count: int) -> dict[str, float]:
    """CPU seconds until it listens and until the first answer by words, and memory in MB."""
    text = next(iter(filling.texts(min(count, filling.BATCH))))[1]
    with processes.daemon(home.root) as process:
        listens = process.cpu()
        found = process.ask("recall", text, "--json")
        answered = process.cpu()
        if not found["results"]:
            raise RuntimeError("nothing was found")
        time.sleep(max(3.0, count / 20_000))  # until its indexes are taken up
        for part in text.split():
            process.ask("recall", part, "--json")
        settled = process.cpu()
        return {
            "listens": listens,
            "first answer": answered,
            "settled": settled,
            **process.memory(),
        }


def printed(result: dict[str, Any]) -> None:
    """The figures of one size."""
    print(f"\n{result['memories']:,} memories; a prompt's target: p95 <= {result['target_p95']} ms")
    print(table(result["figures"]))
    figures, right = result["figures"], result["right"]
    for mine, plain in (("words", "plain FTS5"), ("vectors", "plain sqlite-vec")):
        times = figures[plain]["cpu_p50"] / figures[mine]["cpu_p50"]
        print(f"{mine}: {times:.1f} x {plain}, {right[mine]:.3f} of its ten best")
    for what in ("stages", "taken_up", "held", "disk", "daemon"):
        said = ", ".join(f"{name} {_short(value)}" for name, value in result.get(what, {}).items())
        if said:
            print(f"{what.replace('_', ' ')}: {said}")


def _short(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:.2f}"


def _of_one_size(count: int, rounds: int, *, whole: bool) -> dict[str, Any]:
    """Fill, measure and start, each in a process of its own."""
    with tempfile.TemporaryDirectory(prefix="reverie-recall-") as folder:
        home = Home(Path(folder))
        options = ("--sizes", str(count), "--rounds", str(rounds), "--step")
        house.apart("recall", home.root, *options, "fill")
        result: dict[str, Any] = json.loads(house.apart("recall", home.root, *options, "measure"))
        return result | ({"daemon": daemon_at(home, count)} if whole else {})


def main() -> None:
    """Print a table a size, the import rate, and a line of JSON."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000])
    options.add_argument("--rounds", type=int, default=100)
    options.add_argument("--whole", action="store_true", help="the daemon as a process as well")
    options.add_argument("--imported", type=int, default=20_000, help="rows of an import")
    options.add_argument("--step", choices=("fill", "measure"), help=argparse.SUPPRESS)
    options.add_argument("--home", type=Path, help=argparse.SUPPRESS)
    chosen = options.parse_args()
    if chosen.step == "fill":
        trio.run(filling.made, Home(chosen.home), chosen.sizes[0])
        return
    if chosen.step == "measure":
        found = trio.run(measured, Home(chosen.home), chosen.sizes[0], chosen.rounds)
        print(json.dumps(found))
        return
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    results: list[dict[str, Any]] = []
    for count in chosen.sizes:
        results.append(_of_one_size(count, chosen.rounds, whole=chosen.whole))
        printed(results[-1])
    rate: dict[str, float] = {}
    if chosen.whole:
        with tempfile.TemporaryDirectory(prefix="reverie-import-") as folder:
            rate = processes.imported(Path(folder), chosen.imported)
        print("\nimport: " + ", ".join(f"{name} {_short(value)}" for name, value in rate.items()))
    print(json.dumps({"sizes": results, "import": rate}))


if __name__ == "__main__":
    main()
