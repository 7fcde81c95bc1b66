"""Cost of recall at so many memories, beside plain FTS5 and plain sqlite-vec.

    python -m lab.benchmarks.recall [--sizes 1000 10000] [--rounds 100] [--whole] [--imported 20000]

The real store, reader and recall actor among its neighbours over a synthetic store (``lab.benchmarks.house``). Each
size is filled and measured in processes of its own; with ``--whole`` it is started as a daemon too, and an import is
timed. Queries are distinct: eight words in a row of a text, frequent ones among them, and a vector near a centre of
the store; it is handed over at once with its tokens, as the targets leave the embedding out. CPU is of the whole
process, so of all its threads. Recall is of the ten exactly nearest; of words, of FTS5's ten (equal scores count as
the same). Fixed seeds. 100,000 memories take about three minutes of CPU and 900 MB of disk, a million ten times as
much.
"""

import argparse
import gc
import json
import os
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any, Final

import numpy as np
import trio
from msgspec.structs import asdict

from actors.core.mailbox import Mailbox
from actors.memory.rows import Scope
from actors.policy.text.words import query_terms
from actors.recall.shapes import Answer, RecallMessage, Search
from daemon.home import Home
from daemon.storage import recall as recall_stored
from daemon.storage.store import OpenStore, open_store
from lab.benchmarks import house, instruments
from lab.benchmarks.instruments import Ask, Times, table, timed

TARGETS: Final = {1_000: 5.0, 10_000: 5.0, 100_000: 10.0, 1_000_000: 50.0}  # ms of CPU, p95
SPARE: Final = 20  # rounds of what takes long
ASKED: Final = 400  # distinct queries
JUDGED: Final = 50  # queries whose ten best are compared
BEST: Final = 10
WIDE: Final = Scope(everywhere=True)


async def measured(home: Home, count: int, rounds: int) -> dict[str, Any]:
    """All figures of one process on an existing store."""
    asked, ready = _questions(count)
    async with open_store(home) as store:
        await store.reading.warm()
        await store.reading.keep()  # a start goes on from what the one before it kept
    async with open_store(home) as store:
        began = time.process_time()
        await store.reading.warm()
        taken_up = time.process_time() - began
        right = {
            "vectors": await _right_vectors(store, count, ready),
            "words": await _right_words(store, asked),
        }
        async with house.at_work(store, home, house.ready(ready)) as recall:
            gc.collect()  # of what was taken up
            times = {
                name: await timed(way, SPARE if name.startswith("plain") else rounds)
                for name, way in _ways(store, recall, asked, ready).items()
            }
        return {
            "memories": count, "target_p95": TARGETS.get(count), "times": {name: asdict(one) for name, one in times.items()},
            "right": right, "held": await store.reading.in_memory(), "taken_up": taken_up,
            "disk": sum(one.stat().st_size for one in home.root.rglob("*") if one.is_file()),
        }  # fmt: skip


def _questions(count: int) -> tuple[list[str], list[bytes]]:
    """Distinct queries: of texts spread over the store, and of the vectors' centres."""
    apart = max(1, count // ASKED)
    said = (text for batch in house.texts(count) for text in batch)
    asked = [" ".join(text.split()[3:11]) for n, text in enumerate(said) if n % apart == 0]
    ready = [row.tobytes() for batch in house.vectors(ASKED, 13) for row in batch]
    return asked[:ASKED], ready


def _ways(
    store: OpenStore,
    recall: Mailbox[RecallMessage],
    asked: Sequence[str],
    ready: Sequence[bytes],
) -> dict[str, Ask]:
    """Everything to time; each takes the number of its round."""
    terms = [query_terms(text) for text in asked]
    reading = store.reading

    async def prompt(turn: int) -> object:
        return await recall.ask(house.asked(asked[turn % len(asked)]), within=60)

    async def person(turn: int) -> Answer:
        text = asked[turn % len(asked)]
        return await recall.ask(Search(text, BEST, WIDE, False, 60.0), within=60)

    async def words(turn: int) -> object:
        return await reading.words(terms[turn % len(terms)], WIDE, BEST)

    async def fts5(turn: int) -> object:
        return await reading.read(recall_stored.words, terms[turn % len(terms)], WIDE, BEST)

    async def near(turn: int) -> object:
        return await reading.nearest(ready[turn % len(ready)], WIDE, BEST)

    async def sqlite_vec(turn: int) -> object:
        vector = ready[turn % len(ready)]
        return await reading.read(recall_stored.nearest_by_sqlite_vec, vector, WIDE, BEST)

    return {
        "for a prompt": prompt, "for a person": person, "words": words, "plain FTS5": fts5,
        "vectors": near, "plain sqlite-vec": sqlite_vec,
    }  # fmt: skip


async def _right_vectors(store: OpenStore, count: int, ready: Sequence[bytes]) -> float:
    """Share of the ten exactly nearest found by the index."""
    questions = np.frombuffer(b"".join(ready[:JUDGED]), np.float32).reshape(JUDGED, -1)
    best = np.full((JUDGED, BEST), -2.0, np.float32)
    owners = np.zeros((JUDGED, BEST), np.int64)
    start = 1
    for batch in house.vectors(count, 11):
        scores = np.concatenate([best, questions @ batch.T], axis=1)
        ids = np.broadcast_to(np.arange(start, start + len(batch)), (JUDGED, len(batch)))
        order = np.argpartition(-scores, BEST - 1, axis=1)[:, :BEST]
        owners = np.take_along_axis(np.concatenate([owners, ids], axis=1), order, axis=1)
        best = np.take_along_axis(scores, order, axis=1)
        start += len(batch)
    right = 0
    for question, exact in zip(questions, owners, strict=True):
        hits = await store.reading.nearest(question.tobytes(), WIDE, BEST)
        right += len(set(hits) & set(exact.tolist()))
    return right / (JUDGED * BEST)


async def _right_words(store: OpenStore, asked: Sequence[str]) -> float:
    """Share of FTS5's ten best found by the index."""
    right = total = 0
    for text in asked[:SPARE]:
        terms = query_terms(text)
        plain = await store.reading.read(recall_stored.words, terms, WIDE, BEST)
        hits = await store.reading.words(terms, WIDE, len(plain))
        lowest = min(plain.values(), default=0.0) * (1 - 1e-4)
        right += sum(score >= lowest for score in hits.values())
        total += len(plain)
    return right / max(total, 1)


def daemon_at(home: Home, count: int) -> dict[str, float]:
    """CPU seconds until it listens and until the first answer by words, and memory in MB."""
    text = next(iter(house.texts(min(count, house.BATCH))))[1]
    with instruments.daemon(home.root) as process:
        listens = process.cpu()
        if not process.ask("recall", text, "--json")["results"]:
            raise RuntimeError("nothing was found")
        answered = process.cpu()
        time.sleep(max(3.0, count / 20_000))  # until its indexes are taken up
        return {"listens": listens, "first answer": answered, **process.memory()}


def imported(count: int) -> dict[str, float]:
    """Rows a second of an import without vectors, and microseconds of the daemon's CPU a row."""
    with tempfile.TemporaryDirectory(prefix="reverie-import-") as folder:
        file = Path(folder, "rows.jsonl")
        said = (text for batch in house.texts(count, seed=3) for text in batch)
        rows = (json.dumps({"key": f"k{at}", "text": text}) for at, text in enumerate(said))
        file.write_text("\n".join(rows))
        with instruments.daemon(Path(folder)) as process:
            before, began = process.cpu(), time.monotonic()
            process.ask("import", str(file), "--no-gate", "--no-embed", "--json")
            wall, spent = time.monotonic() - began, process.cpu() - before
    return {"rows": count, "a second": count / wall, "daemon us a row": 1e6 * spent / count}


def printed(result: dict[str, Any]) -> None:
    """The figures of one size."""
    print(f"\n{result['memories']:,} memories; a prompt's target: p95 <= {result['target_p95']} ms")
    times = {name: Times(**one) for name, one in result["times"].items()}
    print(table(times))
    for mine, plain in (("words", "plain FTS5"), ("vectors", "plain sqlite-vec")):
        faster = median(times[plain].cpu) / median(times[mine].cpu)
        print(f"{mine}: {faster:.1f} x {plain}, {result['right'][mine]:.3f} of its ten best")
    print(f"taken up in {result['taken_up']:.2f} s of CPU; {result['disk'] / 1e6:,.0f} MB of disk")
    for what in ("held", "daemon"):
        if what in result:
            _say(what, result[what])


def _say(what: str, figures: dict[str, float]) -> None:
    print(f"{what}: " + ", ".join(f"{name} {value:,.1f}" for name, value in figures.items()))


def _of_one_size(count: int, rounds: int, *, whole: bool) -> dict[str, Any]:
    """Fill, measure and start, each in a process of its own."""
    with tempfile.TemporaryDirectory(prefix="reverie-recall-") as folder:
        home = Home(Path(folder))
        options = ("--sizes", str(count), "--rounds", str(rounds), "--step")
        house.apart("recall", home.root, *options, "fill")
        result: dict[str, Any] = json.loads(house.apart("recall", home.root, *options, "measure"))
        return result | ({"daemon": daemon_at(home, count)} if whole else {})


def main() -> None:
    """Print a table a size, and the import rate."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000])
    options.add_argument("--rounds", type=int, default=100)
    options.add_argument("--whole", action="store_true", help="the daemon as a process as well")
    options.add_argument("--imported", type=int, default=20_000, help="rows of an import")
    options.add_argument("--step", choices=("fill", "measure"), help=argparse.SUPPRESS)
    options.add_argument("--home", type=Path, help=argparse.SUPPRESS)
    chosen = options.parse_args()
    if chosen.step == "fill":
        trio.run(house.made, Home(chosen.home), chosen.sizes[0])
        return
    if chosen.step == "measure":
        found = trio.run(measured, Home(chosen.home), chosen.sizes[0], chosen.rounds)
        print(json.dumps(found))
        return
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    for count in chosen.sizes:
        printed(_of_one_size(count, chosen.rounds, whole=chosen.whole))
    if chosen.whole:
        _say("import", imported(chosen.imported))


if __name__ == "__main__":
    main()
