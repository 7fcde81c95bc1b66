"""A store of so many memories, made quickly: Zipf texts and clustered vectors, from seeds.

Rows go into the tables as the daemon writes them (a test compares the two), in large transactions:
a million memories in some minutes. The vocabulary has 20,000 words of three syllables, unknown to
stop lists, frequent ones frequent; a text has 20 to 60 of them. Vectors lie around 200 centres. A
text has a token a word, of random signs: nothing is matched well by them, at the usual price.
"""

import random
from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from actors.memory.writes import ModelChosen
from actors.policy.index import sign_bits
from daemon.home import Home
from daemon.storage import corpora as vectors_stored
from daemon.storage.database.connection import open_connection
from daemon.storage.database.sql import Sql
from daemon.storage.store import open_store

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


def vocabulary(seed: int = 7) -> list[str]:
    """Pronounceable words, the most frequent first."""
    syllables = [a + b for a in "bdfgklmnprstvz" for b in "aeiou"]
    chosen = random.Random(seed)
    return ["".join(chosen.choices(syllables, k=3)) for _ in range(WORDS)]


def texts(count: int, seed: int = 7) -> Iterator[list[str]]:
    """Texts, in batches."""
    source, words = np.random.default_rng(seed), np.array(vocabulary(seed))
    shares = np.cumsum(1.0 / np.arange(1, WORDS + 1))
    shares /= shares[-1]
    for start in range(0, count, BATCH):
        lengths = source.integers(20, 61, min(BATCH, count - start))
        drawn = words[np.minimum(shares.searchsorted(source.random(lengths.sum())), WORDS - 1)]
        yield [" ".join(part) for part in np.split(drawn, np.cumsum(lengths)[:-1])]


def vectors(count: int, seed: int, centres: int = 7) -> Iterator[Floats]:
    """Vectors of length 1, in batches; queries have another seed and the same centres."""
    around = np.random.default_rng(centres).standard_normal((CLUSTERS, DIMENSIONS), np.float32)
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
