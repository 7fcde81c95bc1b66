"""Searching with SQLite alone: by words, literally, by vectors, and the phrases by which memories are called."""

from collections.abc import Mapping, Sequence

from actors.memory.rows import Scope
from actors.policy.references.mentions import READ, names_of
from actors.policy.statements.trust import ON_PURPOSE
from actors.policy.text.words import TOKENIZER, match_expression
from actors.recall.shapes import PhraseRow
from daemon.storage.corpora import MEMORIES, Corpus, has_vectors
from daemon.storage.database.sql import Row, Sql

# Weights of title, triggers and body in bm25 (measured in docs/adr/0006).
WORD_WEIGHTS = "2.0, 2.0, 1.0"
CHUNKS_A_MEMORY = 2  # nearest chunks asked for, a memory wanted: long ones bring several


def words(
    sql: Sql, terms: Sequence[str], scope: Scope, limit: int, corpus: Corpus = MEMORIES
) -> dict[int, float]:
    """The best full-text matches of any of these terms in scope by FTS5's bm25, best first."""
    return _matching(sql, match_expression(terms), scope, limit, corpus)


def literally(sql: Sql, expression: str, scope: Scope, limit: int) -> list[int]:
    """Living memories in scope found by an FTS5 expression, best first."""
    return [*_matching(sql, expression, scope, limit, MEMORIES)]


def _matching(
    sql: Sql, expression: str, scope: Scope, limit: int, corpus: Corpus
) -> dict[int, float]:
    if not expression:
        return {}
    found = sql.rows(
        f"SELECT w.rowid, bm25({corpus.words}, {WORD_WEIGHTS}) AS score FROM {corpus.words} w"
        f" JOIN {corpus.texts} m ON m.id = w.rowid WHERE {corpus.words} MATCH ?1"
        " AND (?2 OR m.project IS NULL OR m.project = ?3) ORDER BY score LIMIT ?4",
        (expression, int(scope.everywhere), scope.project, limit),
    )
    return {memory_id: -score for memory_id, score in found}


def nearest_by_sqlite_vec(
    sql: Sql, vector: bytes, scope: Scope, limit: int, corpus: Corpus = MEMORIES
) -> dict[int, float]:
    """The nearest memories by the best cosine of their chunks, best first."""
    if not has_vectors(sql, corpus):
        return {}
    partitions = [""] if scope.project is None else ["", scope.project]
    wanted = min(limit * CHUNKS_A_MEMORY, 4096)
    statement = (
        f"SELECT {corpus.owner}, distance FROM {corpus.vectors} WHERE embedding MATCH ? AND k = ?"
    )
    if scope.everywhere:
        rows = sql.rows(statement, (vector, wanted))
    else:
        rows = [
            row
            for partition in partitions
            for row in sql.rows(f"{statement} AND project = ?", (vector, wanted, partition))
        ]
    best: dict[int, float] = {}
    for memory_id, distance in rows:
        best[memory_id] = max(best.get(memory_id, -1.0), 1.0 - distance)
    return best_first(best, limit)


def best_first(cosines: Mapping[int, float], limit: int) -> dict[int, float]:
    """The highest of these, the oldest memory first among equals."""
    return dict(sorted(cosines.items(), key=lambda item: (-item[1], item[0]))[:limit])


def document_frequencies(
    sql: Sql, terms: Sequence[str], corpus: Corpus = MEMORIES
) -> tuple[int, dict[str, int]]:
    """Count the living memories, and the ones with each query term."""
    total = sql.number(f"SELECT count(*) FROM {corpus.words}_docsize")
    tokens = {term: sql.tokens(TOKENIZER, term) for term in terms}
    wanted = sorted({token for found in tokens.values() for token in found})
    documents: dict[str, int] = dict.fromkeys(wanted, 0)
    for token, count in sql.rows(
        f"SELECT term, doc FROM {corpus.terms} WHERE term IN (SELECT value FROM json_each(?))",
        (wanted,),
    ):
        documents[token] = count
    # A term of several tokens is a phrase: it stands in at most as many as its rarest token.
    return total, {
        term: min((documents[token] for token in found), default=0)
        for term, found in tokens.items()
    }


def around(sql: Sql, ids: Sequence[int], reach: int) -> list[list[int]]:
    """Each of these with up to ``reach`` living memories before and after it in its project.

    In the order of time; two steps into an index each, however large the store. A dream's insight
    was told by nobody at its time: it stands beside nothing.
    """
    runs: list[list[int]] = []
    for memory_id, project, at in sql.rows(
        "SELECT id, project, created_at FROM memory"
        " WHERE id IN (SELECT value FROM json_each(?)) AND source <> 'dream'",
        (ids,),
    ):
        before, after = (
            sql.column(
                "SELECT id FROM memory WHERE ended IS NULL AND project IS ?1"
                f" AND source <> 'dream' AND (created_at, id) {side} (?2, ?3)"
                f" ORDER BY created_at {order}, id {order} LIMIT ?4",
                (project, at, memory_id, reach),
            )
            for side, order in (("<", "DESC"), (">", "ASC"))
        )
        runs.append([*reversed(before), memory_id, *after])
    return runs


# ---- phrases: read without the texts of memories, except for ones kept on purpose by a person


_SOURCES = ", ".join(map(repr, sorted(ON_PURPOSE)))
# The text of what a person kept on purpose, of everything else none.
_KEPT = f"CASE WHEN pinned OR source IN ({_SOURCES}) THEN substr(title || char(10) || text, 1, {READ}) ELSE '' END"


def phrases_after(sql: Sql, after: int, limit: int) -> list[PhraseRow]:
    """The phrases of living memories with an id over ``after``, in the order of ids."""
    owners = sql.rows(
        f"SELECT id, project, {_KEPT} FROM memory WHERE id > ? AND ended IS NULL ORDER BY id LIMIT ?",
        (after, limit),
    )
    return _phrases(sql, owners)


def phrases_of(sql: Sql, ids: Sequence[int]) -> list[PhraseRow]:
    """The phrases of the living ones of these."""
    owners = sql.rows(
        f"SELECT id, project, {_KEPT} FROM memory WHERE ended IS NULL"
        " AND id IN (SELECT value FROM json_each(?))",
        (ids,),
    )
    return _phrases(sql, owners)


def _phrases(sql: Sql, owners: Sequence[Row]) -> list[PhraseRow]:
    by_owner: dict[int, tuple[list[str], list[str]]] = {i: ([], []) for i, *_ in owners}
    for memory_id, phrase, given in sql.rows(
        "SELECT memory_id, phrase, given FROM trigger_phrase"
        " WHERE memory_id IN (SELECT value FROM json_each(?))",
        (by_owner,),
    ):
        by_owner[memory_id][0 if given else 1].append(phrase)
    return [
        PhraseRow(memory_id, project, tuple(given), tuple(derived), names_of(kept, project))
        for memory_id, project, kept in owners
        for given, derived in [by_owner[memory_id]]
    ]
