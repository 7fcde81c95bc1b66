"""A store of so many memories, and recall among its neighbours, each made as the daemon makes it, for benchmarks."""

import os
import random
import subprocess
import sys
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final, assert_never

import numpy as np
import numpy.typing as npt
import trio
from msgspec import Struct

from actors.core.mailbox import Inbox, Mailbox, Queue
from actors.memory.rows import Embed, Embedded, EmbedderMessage, MemoriesChanged
from actors.memory.writes import ModelChosen
from actors.policy.events.events import Event, EventKind
from actors.policy.index import sign_bits
from actors.recall.shapes import Bring, RecallMessage
from daemon.assembly import Projects, Surroundings, builders
from daemon.context import Changes
from daemon.embedding import models
from daemon.embedding.process import open_worker
from daemon.files import DiskFiles, SpoolFolder
from daemon.home import Home, current_home
from daemon.host import ORDER
from daemon.main import THREADS
from daemon.settings import Settings
from daemon.storage import corpora as vectors_stored
from daemon.storage.database.connection import open_connection
from daemon.storage.database.sql import Sql
from daemon.storage.store import OpenStore, open_store
from daemon.supervisor import WorkThread
from daemon.times import WallClock

# ---- a store of so many memories, made quickly: Zipf texts and clustered vectors, from seeds
#
# Rows go into the tables as the daemon writes them (a test compares the two), in large transactions:
# a million memories in some minutes. The vocabulary has 20,000 words of three syllables, unknown to
# stop lists, frequent ones frequent; a text has 20 to 60 of them. Vectors lie around 200 centres. A
# text has a token a word, of random signs: nothing is matched well by them, at the usual price.

DIMENSIONS: Final = 384
WORDS: Final = 20_000
CLUSTERS: Final = 200
MODEL: Final = "benchmark"
BATCH: Final = 10_000
SPREAD: Final = 0.7  # of the vectors around their centre

Floats = npt.NDArray[np.float32]

_MEMORY: Final = (
    "INSERT INTO memory (id, text, title, kind, tier, memory_type, context_type, created_at,"
    " updated_at, content_hash, stability, difficulty, importance, source)"
    " VALUES (?1, ?2, ?3, 'fact', 'normal', 'declarative', 'general', ?4, ?4, ?5, 10.0, 5.0, 0.5,"
    " 'import')"
)


def texts(count: int, seed: int = 7) -> Iterator[list[str]]:
    """Texts of pronounceable words, in batches."""
    syllables = [a + b for a in "bdfgklmnprstvz" for b in "aeiou"]
    chosen = random.Random(seed)
    words = np.array(["".join(chosen.choices(syllables, k=3)) for _ in range(WORDS)])
    source = np.random.default_rng(seed)
    shares = np.cumsum(1.0 / np.arange(1, WORDS + 1))
    shares /= shares[-1]
    for start in range(0, count, BATCH):
        lengths = source.integers(20, 61, min(BATCH, count - start))
        drawn = words[np.minimum(shares.searchsorted(source.random(lengths.sum())), WORDS - 1)]
        yield [" ".join(part) for part in np.split(drawn, np.cumsum(lengths)[:-1])]


def vectors(count: int, seed: int) -> Iterator[Floats]:
    """Vectors of length 1, in batches; queries have another seed and the same centres."""
    around = np.random.default_rng(7).standard_normal((CLUSTERS, DIMENSIONS), np.float32)
    source = np.random.default_rng(seed)
    for start in range(0, count, BATCH):
        some = min(BATCH, count - start)
        rows = around[source.integers(0, CLUSTERS, some)]
        rows = rows + np.float32(SPREAD) * source.standard_normal((some, DIMENSIONS), np.float32)
        yield rows / np.linalg.norm(rows, axis=1, keepdims=True)


def tokens(said: Sequence[str], seed: int) -> list[bytes]:
    """Signs of the tokens of each text, one a word."""
    width = sign_bits.size(DIMENSIONS)
    lengths = [width * len(text.split()) for text in said]
    signs = np.random.default_rng(seed).bytes(sum(lengths))
    ends = np.cumsum(lengths).tolist()
    return [signs[end - length : end] for end, length in zip(ends, lengths, strict=True)]


async def made(home: Home, count: int) -> None:
    """Make this home's store, with so many memories."""
    home.prepare()
    async with open_store(home):
        pass  # its schema
    async with open_connection(home.database, thread="filling", read_only=False) as connection:
        await connection.run(lambda sql: filled(sql, count))


def filled(sql: Sql, count: int) -> None:
    """Put so many memories into an empty store, with words, vectors and tokens."""
    sql.rows("BEGIN IMMEDIATE")
    vectors_stored.choose_model(sql, ModelChosen(MODEL, DIMENSIONS))
    place = 0
    for said, made in zip(texts(count), vectors(count, 11), strict=True):
        _put(sql, place, said, made)
        place += len(said)
        sql.rows("COMMIT")
        sql.rows("PRAGMA wal_checkpoint(TRUNCATE)")
        sql.rows("BEGIN IMMEDIATE")
    sql.rows("COMMIT")


def _put(sql: Sql, place: int, said: list[str], made: Floats) -> None:
    rows: list[tuple[Any, ...]] = [
        (number, text, text[:60], 1.7e9 + number, number.to_bytes(16, "big"), vector.tobytes())
        for number, (text, vector) in enumerate(zip(said, made, strict=True), place + 1)
    ]
    sql.many(_MEMORY, [row[:5] for row in rows])
    sql.many(
        "INSERT INTO memory_words (rowid, title, triggers, body) VALUES (?, ?, ?, ?)",
        [
            (number, title, f"symbol_{number} symbol{number}", text)
            for number, text, title, *_ in rows
        ],
    )
    sql.many(
        "INSERT INTO trigger_phrase VALUES (?, ?, 0)",
        [(row[0], f"symbol_{row[0]}") for row in rows],
    )
    sql.many("INSERT INTO word_change (memory_id) VALUES (?)", [(row[0],) for row in rows])
    sql.rows("DELETE FROM word_change WHERE seq <= ?", (sql.last_id() - 20_000,))
    sql.many(
        "INSERT INTO chunk (id, memory_id, ordinal, content_hash) VALUES (?1, ?1, 0, ?2)",
        [(row[0], row[4]) for row in rows],
    )
    sql.many(
        "INSERT INTO memory_vector (chunk_id, project, embedding, memory_id) VALUES (?1, '', ?2, ?1)",
        [(row[0], row[5]) for row in rows],
    )
    sql.many(
        "INSERT INTO embedding_cache VALUES (?, ?, ?, 1.7e9)",
        [(row[4], MODEL, row[5]) for row in rows],
    )
    sql.many(
        "INSERT INTO chunk_tokens VALUES (?, ?)",
        [(row[0], kept) for row, kept in zip(rows, tokens(said, place), strict=True)],
    )


# ---- recall among its neighbours, each made as the daemon makes it, for benchmarks
#
# All neighbours of recall answer for a prompt: phrases, working memory, intentions, pressure. Changes
# of the store after an answer are dropped, because they are no part of it. The one stand-in is the
# embedder, which has every query's vector and tokens at hand: targets leave the embedding out.

ALONE = dict.fromkeys(THREADS, "1")  # the environment of a daemon: numpy with one thread
SESSION = "benchmark"
AT_WORK = ("working_memory", "pressure", "recall")
TOKENS = 32  # of a query, at most


def model(folder: Path | None = None) -> Path:
    """The model of this folder or of this user's own home; raises ``SystemExit`` without one."""
    home = current_home()
    path = models.model_file(home, "") if folder is None else models.located(folder, "")
    if path is None:
        raise SystemExit("there is no model: run make setup, or name a folder that has one")
    return path


def apart(benchmark: str, home: Path, *options: str) -> str:
    """Output of a benchmark measuring in a process of its own, over this home."""
    command = [sys.executable, "-m", f"lab.benchmarks.{benchmark}", "--home", str(home), *options]
    done = subprocess.run(
        command, stdout=subprocess.PIPE, check=True, text=True, env=os.environ | ALONE
    )
    return done.stdout


class Ready(Struct, frozen=True):
    """Vectors for the embedder to hand over, one query after the other; made before it is asked.

    Directions of tokens are random, as the signs of the store's are.
    """

    vectors: Sequence[bytes]
    directions: Sequence[bytes]  # of the tokens of a query

    async def hand_over(self, inbox: Inbox[EmbedderMessage]) -> None:
        """Do the embedder's work, in no time."""
        turn = 0
        async for message in inbox:
            match message:
                case Embed():
                    turn += 1
                    message.reply([self._embedded(text, turn) for text in message.texts])
                case MemoriesChanged():
                    pass
                case _:
                    assert_never(message)

    def _embedded(self, text: str, turn: int) -> Embedded:
        words = ("[CLS]", *text.split(), "[SEP]")[:TOKENS]
        vector = self.vectors[turn % len(self.vectors)]
        tokens = self.directions[turn % len(self.directions)]
        return Embedded(vector, tokens[: len(words) * len(vector)], words)


def ready(vectors: Sequence[bytes], seed: int = 17) -> Ready:
    """These vectors, with tokens for 64 queries."""
    width = len(vectors[0]) // 4
    made = np.random.default_rng(seed).standard_normal((64, TOKENS, width), np.float32)
    return Ready(vectors, [sign_bits.directions(rows).tobytes() for rows in made])


def asked(text: str) -> Bring:
    """A prompt as a hook brings it, for ``Mailbox.ask``."""
    event = Event("claude", EventKind.PROMPT, session=SESSION, prompt=text)
    return Bring(event, None, WallClock().now(), 60.0)


@asynccontextmanager
async def at_work(
    store: OpenStore, home: Home, embedder: Ready, settings: Settings | None = None
) -> AsyncGenerator[Mailbox[RecallMessage]]:
    """Recall, once its neighbours have taken up their content; with shipped settings, or these."""
    queues = {name: Queue[Any](name, room=1024) for name in ORDER}
    files = WorkThread("files")
    async with open_worker(None) as worker, trio.open_nursery() as nursery:
        around = Surroundings(
            store, settings or Settings(), WallClock(), worker, DiskFiles(files),
            SpoolFolder(files, home.spool), Changes(), Projects({}),
        )  # fmt: skip
        build = builders(queues, around)
        actors = {name: build[name]() for name in AT_WORK}
        for name, actor in actors.items():
            nursery.start_soon(actor.run, queues[name].inbox, name=name)
        nursery.start_soon(embedder.hand_over, queues["embedder"].inbox)
        for name in set(ORDER).difference(AT_WORK, {"embedder"}):
            nursery.start_soon(_let_go, queues[name].inbox, name=name)
        memories = (await store.reading.counts()).memories
        while len(around.triggers.projects) < memories:  # noqa: ASYNC110 - it reads as it goes
            await trio.sleep(0.05)
        yield queues["recall"].mailbox
        nursery.cancel_scope.cancel()


async def _let_go(inbox: Inbox[Any]) -> None:
    async for _ in inbox:
        pass
