"""Cost of a search in the archive at so many passages, in time and memory.

    python -m lab.benchmarks.passages [--passages 100000] [--rounds 200]

The store's own writes fill it: passages of three texts of ``lab.benchmarks.filling``, about 900
characters, ten a place, with a vector each. The search is the one that answers ``recall --passages``;
its vector is at hand, as in the figures of memories, whose budgets hold here too
(docs/recall-scale.md). A process of its own measures, so that memory is that of the index alone.
"""

import argparse
import itertools
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import trio

from actors.core.mailbox import Queue, Reply
from actors.embedding.writes import Chunk, ModelChosen
from actors.memory.rows import Scope
from actors.passages.finding import Finding
from actors.passages.messages import SearchPassages
from actors.passages.writes import PassagesKept, PassageVectored
from actors.policy.passages.cutting import Piece
from actors.policy.text.words import query_terms
from daemon.clock import WallClock
from daemon.home import Home
from daemon.storage import passages, vectors
from daemon.storage.database.connection import open_connection
from daemon.storage.database.sql import Sql
from daemon.storage.store import open_store
from lab.benchmarks import filling, house
from lab.benchmarks.processes import Process
from lab.benchmarks.timing import table, timed

PLACE = 10  # passages of one
GROUP = 10_000  # of a transaction
SAID = 3  # texts of a passage
ASKED = 400  # distinct queries
TARGET = 10.0  # ms of CPU, p95: what a prompt may take at 100,000 memories
WIDE = Scope(everywhere=True)


async def filled(home: Home, count: int) -> None:
    """Fill this home's store by its own writes, a transaction ten thousand passages."""
    home.prepare()
    async with open_store(home):
        pass  # its schema
    async with open_connection(home.database, thread="filling", read_only=False) as connection:
        await connection.run(lambda sql: _filled(sql, count))
    async with open_store(home) as store:  # a start goes on from what the one before it kept
        await store.reading.warm()
        await store.reading.keep()


def _filled(sql: Sql, count: int) -> None:
    vectors.choose_model(sql, ModelChosen(filling.MODEL, filling.DIMENSIONS))
    pieces = _pieces(count)
    made = (row.tobytes() for batch in filling.vectors(count, 11) for row in batch)
    for start in range(0, count, GROUP):
        sql.rows("BEGIN IMMEDIATE")
        for place in range(start, min(count, start + GROUP), PLACE):
            some = tuple(itertools.islice(pieces, PLACE))
            passages.keep(
                sql, PassagesKept("turn", None, str(place), some, None, place, place, 1.7e9)
            )
        numbers = sql.rows(
            "SELECT id, content_hash FROM passage WHERE id > ? ORDER BY id", (start,)
        )
        for (number, hashed), vector in zip(numbers, made, strict=False):
            chunk = Chunk(0, vector, hashed)
            passages.store_vectors(
                sql, PassageVectored(number, hashed, filling.MODEL, (chunk,), 1.7e9)
            )
        sql.rows("COMMIT")
    sql.rows("PRAGMA wal_checkpoint(TRUNCATE)")


def _pieces(count: int) -> Iterator[Piece]:
    said = (text for batch in filling.texts(SAID * count) for text in batch)
    for first in said:
        yield Piece(first[:60], "\n".join((first, next(said), next(said))))


async def measured(home: Home, rounds: int) -> dict[str, Any]:
    """Time and memory of a process with the indexes of a store that is there."""
    asked = [" ".join(one.text.split()[3:11]) for one in itertools.islice(_pieces(ASKED), ASKED)]
    ready = [row.tobytes() for batch in filling.vectors(ASKED, 13) for row in batch]
    terms = [query_terms(text) for text in asked]
    process = Process(os.getpid(), home.root)
    before = process.memory()
    async with open_store(home) as store, trio.open_nursery() as nursery:
        began = time.process_time()
        await store.reading.warm()
        taken_up = time.process_time() - began
        embedder, long_term = Queue[Any]("embedder", room=9), Queue[Any]("long_term", room=9)
        nursery.start_soon(house.ready(ready).hand_over, embedder.inbox)
        finding = Finding(store.reading, WallClock(), long_term.mailbox, embedder.mailbox)

        async def search(turn: int) -> object:
            question = SearchPassages(asked[turn % ASKED], 10, WIDE, False, Reply())
            return await finding.find(question)

        async def words(turn: int) -> object:
            return await store.reading.passage_words(terms[turn % ASKED], WIDE, 50)

        async def near(turn: int) -> object:
            return await store.reading.passage_nearest(ready[turn % ASKED], WIDE, 50)

        ways = {"a search": search, "words": words, "vectors": near}
        figures = {name: await timed(way, rounds) for name, way in ways.items()}
        found = {
            "figures": figures,
            "counts": (await store.reading.passage_counts())._asdict(),
            "held": await store.reading.in_memory(),
            "taken_up": taken_up,
            "memory": {name: mb - before[name] for name, mb in process.memory().items()},
        }
        nursery.cancel_scope.cancel()
    return found


def main() -> int:
    """Print a table and a line of JSON; 1 when the target is missed."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--passages", type=int, default=100_000)
    options.add_argument("--rounds", type=int, default=200)
    options.add_argument("--home", type=Path, help=argparse.SUPPRESS)
    chosen = options.parse_args()
    if chosen.home is not None:
        print(json.dumps(trio.run(measured, Home(chosen.home), chosen.rounds)))
        return 0
    with tempfile.TemporaryDirectory(prefix="reverie-passages-") as folder:
        began = time.process_time()
        trio.run(filled, Home(Path(folder)), chosen.passages)
        written = 1e6 * (time.process_time() - began) / chosen.passages
        printed = house.apart("passages", Path(folder), "--rounds", str(chosen.rounds))
        disk = sum(one.stat().st_size for one in Path(folder).rglob("*") if one.is_file())
    found = json.loads(printed) | {"written_us": written, "disk_mb": disk / 1e6}
    print(f"{chosen.passages:,} passages; a search's target: p95 <= {TARGET} ms of CPU")
    print(table(found["figures"]))
    print(json.dumps(found))
    return int(found["figures"]["a search"]["cpu_p95"] > TARGET)


if __name__ == "__main__":
    sys.exit(main())
