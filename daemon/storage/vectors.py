"""Vectors on disk: the chosen model, the pieces of each memory, and who waits for them."""

from collections.abc import Sequence
from json import dumps

from actors.memory.writes import ModelChosen, Vectored
from daemon.storage.corpus import MEMORIES, PASSAGES, Corpus
from daemon.storage.database.sql import Effect, Sql, writes


def has_vectors(sql: Sql, corpus: Corpus = MEMORIES) -> bool:
    """Return whether a model was ever chosen."""
    return bool(sql.rows("SELECT 1 FROM sqlite_schema WHERE name = ?", (corpus.vectors,)))


def drop_vectors(sql: Sql, identity: int, corpus: Corpus = MEMORIES) -> None:
    """Take out a text's chunks and their vectors.

    One by one: for ``IN (SELECT ...)`` sqlite-vec reads all vectors there are, 1 ms for 5,000.
    """
    of_it = f"FROM {corpus.chunks} WHERE {corpus.owner} = ?"
    if has_vectors(sql, corpus):
        for chunk in sql.rows(f"SELECT id {of_it}", (identity,)):
            sql.rows(f"DELETE FROM {corpus.vectors} WHERE chunk_id = ?", chunk)
    sql.rows(f"DELETE {of_it}", (identity,))


def _add(
    sql: Sql,
    corpus: Corpus,
    identity: int,
    project: str | None,
    ordinal: int,
    content_hash: bytes,
    vector: bytes,
    tokens: bytes | None,
) -> None:
    """Put in a piece of a text."""
    sql.rows(
        f"INSERT INTO {corpus.chunks} ({corpus.owner}, ordinal, content_hash) VALUES (?, ?, ?)",
        (identity, ordinal, content_hash),
    )
    chunk = sql.last_id()
    if tokens is not None:
        sql.rows("INSERT INTO chunk_tokens VALUES (?, ?)", (chunk, tokens))
    sql.rows(
        f"INSERT INTO {corpus.vectors} (chunk_id, project, embedding, {corpus.owner})"
        " VALUES (?, ?, ?, ?)",
        (chunk, project or "", vector, identity),
    )


@writes(Effect.INDEXES)
def choose_model(sql: Sql, chosen: ModelChosen) -> int:
    """Set the model; another one means other vectors: the last one's are dropped."""
    wanted = {"model": chosen.model, "dimensions": str(chosen.dimensions)}
    before: dict[str, str] = dict(
        sql.rows("SELECT name, value FROM store WHERE name IN ('model', 'dimensions')")
    )
    if before == wanted and has_vectors(sql):
        return 0
    for corpus in (MEMORIES, PASSAGES):
        sql.rows(f"DROP TABLE IF EXISTS {corpus.vectors}")
        sql.rows(f"DELETE FROM {corpus.chunks}")
        create_vectors(sql, corpus, chosen.dimensions)
    sql.many(
        "INSERT INTO store VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
        wanted.items(),
    )
    return 1


def create_vectors(sql: Sql, corpus: Corpus, dimensions: int) -> None:
    """Make the table of vectors of so many numbers each."""
    sql.rows(
        f"CREATE VIRTUAL TABLE {corpus.vectors} USING vec0(chunk_id INTEGER PRIMARY KEY,"
        f" project TEXT PARTITION KEY, embedding FLOAT[{int(dimensions)}] distance_metric=cosine,"
        f" +{corpus.owner} INTEGER)"
    )


@writes(Effect.INDEXES)
def store_vectors(sql: Sql, made: Vectored) -> int:
    """Keep the vectors, unless the memory was rewritten or ended while they were made."""
    return store_vectors_of(sql, MEMORIES, made)


def store_vectors_of(sql: Sql, corpus: Corpus, made: Vectored) -> int:
    """Keep the vectors of a text, unless it was rewritten or left while they were made."""
    rows = sql.rows(
        f"SELECT project FROM {corpus.texts} WHERE id = ? AND content_hash = ? AND {corpus.living}"
        " AND (SELECT value FROM store WHERE name = 'model') = ?",
        (made.memory_id, made.content_hash, made.model),
    )
    if not rows:
        return 0
    drop_vectors(sql, made.memory_id, corpus)
    ((project,),) = rows
    for chunk in made.chunks:
        piece = (chunk.ordinal, chunk.content_hash, chunk.vector, chunk.tokens)
        _add(sql, corpus, made.memory_id, project, *piece)
        sql.rows(
            "INSERT INTO embedding_cache VALUES (?, ?, ?, ?)"
            " ON CONFLICT DO UPDATE SET last_used = excluded.last_used",
            (chunk.content_hash, made.model, chunk.vector, made.at),
        )
    return len(made.chunks)


def unvectored(sql: Sql, model: str, limit: int) -> list[int]:
    """Living memories without vectors of this model, newest first."""
    chosen = sql.rows("SELECT value FROM store WHERE name = 'model'")
    if chosen != [(model,)]:
        return []
    return sql.column(
        "SELECT id FROM memory WHERE ended IS NULL"
        " AND NOT EXISTS (SELECT 1 FROM chunk WHERE memory_id = memory.id)"
        " ORDER BY id DESC LIMIT ?",
        (limit,),
    )


def cached_vectors(sql: Sql, model: str, hashes: Sequence[bytes]) -> dict[bytes, bytes]:
    """Vectors made before, by the hash of the chunk's text."""
    rows = sql.rows(
        "SELECT content_hash, vector FROM embedding_cache WHERE model = ?"
        " AND content_hash IN (SELECT unhex(value) FROM json_each(?))",
        (model, dumps([content_hash.hex() for content_hash in hashes])),
    )
    return dict(rows)
