"""Tokens of memories on disk: kept beside their vectors, compared with a query's."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from actors.memory.writes import Tokened
from actors.policy.index import late_interaction
from actors.policy.index.late_interaction import Asked
from daemon.storage.database.sql import Effect, Sql, writes

Cosines: TypeAlias = Callable[[Sql, Sequence[int]], dict[int, float]]

PIECES = 2  # of a long memory, the nearest by their vectors: what is read for it is bounded


@writes(Effect.INDEXES)
def keep(sql: Sql, made: Tokened) -> int:
    """Keep the tokens, unless the memory was rewritten or ended while they were made."""
    kept = 0
    for ordinal, tokens in made.pieces:
        kept += sql.change(
            "INSERT OR REPLACE INTO chunk_tokens (chunk_id, tokens)"
            " SELECT c.id, ? FROM chunk c JOIN memory m ON m.id = c.memory_id"
            " WHERE c.memory_id = ? AND c.ordinal = ? AND m.content_hash = ? AND m.ended IS NULL"
            " AND (SELECT value FROM store WHERE name = 'model') = ?",
            (tokens, made.memory_id, ordinal, made.content_hash, made.model),
        )
    return kept


def untokened(sql: Sql, after: int, limit: int) -> list[int]:
    """Memories with an id below ``after`` with a piece without tokens, newest first."""
    return sql.column(
        "SELECT DISTINCT c.memory_id FROM chunk c WHERE c.memory_id < ?"
        " AND NOT EXISTS (SELECT 1 FROM chunk_tokens t WHERE t.chunk_id = c.id)"
        " ORDER BY c.memory_id DESC LIMIT ?",
        (after, limit),
    )


def token_similarities(
    sql: Sql, asked: Asked, rarity: dict[str, float], cosines: Cosines, ids: Sequence[int]
) -> dict[int, float]:
    """MaxSim of the query with each of these memories, by its best piece with tokens.

    ``cosines`` of pieces with the query tell which ones of a long memory are compared.
    """
    owners = dict[int, int](
        sql.rows(
            "SELECT id, memory_id FROM chunk WHERE memory_id IN (SELECT value FROM json_each(?))"
            " ORDER BY id",
            (json.dumps(list(ids)),),
        )
    )
    # Tokens of a piece fill a page or two: those of the pieces that are compared alone are read.
    found = sql.rows(
        "SELECT chunk_id, tokens FROM chunk_tokens"
        " WHERE chunk_id IN (SELECT value FROM json_each(?)) ORDER BY chunk_id",
        (json.dumps(_nearest(sql, cosines, owners)),),
    )
    weighing = late_interaction.weights(asked.words, rarity)
    scores = late_interaction.met_by_each(asked, weighing, [tokens for _, tokens in found])
    best: dict[int, float] = {}
    for (chunk_id, _), score in zip(found, scores, strict=True):
        if score is not None:
            memory_id = owners[chunk_id]
            best[memory_id] = max(best.get(memory_id, 0.0), score)
    return best


def _nearest(sql: Sql, cosines: Cosines, owners: Mapping[int, int]) -> list[int]:
    """Pieces of each memory nearest to the query by their vectors; all where there are few."""
    pieces: dict[int, list[int]] = {}
    for chunk_id, memory_id in owners.items():
        pieces.setdefault(memory_id, []).append(chunk_id)
    long = [one for chunks in pieces.values() if len(chunks) > PIECES for one in chunks]
    nearness = cosines(sql, long) if long else {}
    chosen: list[int] = []
    for chunks in pieces.values():
        known = sorted((-nearness[one], one) for one in chunks if one in nearness)
        chosen += [one for _, one in known[:PIECES]] if known else chunks[:PIECES]
    return chosen
