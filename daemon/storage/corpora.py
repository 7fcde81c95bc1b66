"""Corpora: the kinds of text searched by words and vectors, their tables, their vectors and tokens on disk."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from actors.memory.writes import ModelChosen, Vectored
from daemon.storage.database.sql import Sql, writes

# Memories and passages are held by one word index and one vector index; only the places of their
# texts differ. No two corpora share a table, so a result of one is never of the other.


class Corpus(Struct, frozen=True):
    """Tables of one kind of text."""

    texts: str  # with id, project, title, text and content_hash
    living: str  # condition of a text that is searched
    phrases: str  # expression for the phrases that call a text, a line each
    words: str  # FTS5 table: title, triggers, body
    terms: str  # fts5vocab of that
    changes: str  # texts whose words came, changed or went
    chunks: str  # pieces of texts that have vectors
    vectors: str  # vec0 table; there once a model was chosen
    owner: str  # column of the last three that names the text
    files: str  # beginning of the names of its files in the index folder


MEMORIES: Final = Corpus(
    texts="memory",
    living="ended IS NULL",
    phrases="(SELECT group_concat(phrase, char(10)) FROM trigger_phrase t"
    " WHERE t.memory_id = memory.id)",
    words="memory_words",
    terms="memory_terms",
    changes="word_change",
    chunks="chunk",
    vectors="memory_vector",
    owner="memory_id",
    files="",
)
PASSAGES: Final = Corpus(
    texts="passage",
    living="1",
    phrases="''",
    words="passage_words",
    terms="passage_terms",
    changes="passage_change",
    chunks="passage_chunk",
    vectors="passage_vector",
    owner="passage_id",
    files="passages.",
)


# ---- vectors: the chosen model, the pieces of each memory, and who waits for them


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


@writes
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


@writes
def store_vectors(sql: Sql, made: Vectored) -> int:
    """Keep the vectors of a text, unless it was rewritten or left while they were made."""
    corpus = PASSAGES if made.of_passage else MEMORIES
    awaited = sql.rows(
        f"SELECT project FROM {corpus.texts} WHERE id = ? AND content_hash = ? AND {corpus.living}"
        " AND (SELECT value FROM store WHERE name = 'model') = ?",
        (made.text_id, made.content_hash, made.model),
    )
    if not awaited:
        return 0
    ((project,),) = awaited
    drop_vectors(sql, made.text_id, corpus)
    for chunk in made.chunks:
        sql.rows(
            f"INSERT INTO {corpus.chunks} ({corpus.owner}, ordinal, content_hash) VALUES (?, ?, ?)",
            (made.text_id, chunk.ordinal, chunk.content_hash),
        )
        number = sql.last_id()
        if chunk.tokens is not None:
            sql.rows("INSERT INTO chunk_tokens VALUES (?, ?)", (number, chunk.tokens))
        sql.rows(
            f"INSERT INTO {corpus.vectors} (chunk_id, project, embedding, {corpus.owner})"
            " VALUES (?, ?, ?, ?)",
            (number, project or "", chunk.vector, made.text_id),
        )
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
        (model, hashes),
    )
    return dict(rows)
