"""The nearest vectors, quickly: sign bits in memory in front of the vectors on disk.

sqlite-vec compares a query with every vector it holds: 4 ms at 10,000 of them, 70-100
ms at 100,000, more than a prompt may wait for everything. Here a scan of sign bits (61
bytes a vector) picks some hundred candidates, and only their vectors are read and
compared exactly. The bits follow the store by themselves: chunk ids only rise, so what
is new is what lies above the last one seen, and what is gone is not found when its
vector is read. sqlite-vec stays the truth, and the answer while the bits are behind.

One object belongs to one reading connection and is used on its thread only.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from actors.policy.vectors import Settings, SignIndex
from actors.ports import Scope, VectorHit
from daemon.storage import queries
from daemon.storage.sql import Sql

PAGE = 2_000  # vectors taken up in one turn: 17 ms, between which others read
WORTH_IT = 2_000  # vectors below which sqlite-vec alone is as fast
CANDIDATES = Settings(least=200)


class Nearby:
    """Sign bits of the store's vectors."""

    def __init__(self) -> None:
        self._model: str = ""
        self._index = SignIndex(0, CANDIDATES)
        self._last = 0  # the highest chunk id taken up
        self._scopes: dict[str, int] = {}

    @property
    def nbytes(self) -> int:
        """Memory held, in bytes."""
        return self._index.nbytes

    def take_up(self, sql: Sql) -> bool:
        """Take up some of what is new; whether there is more."""
        chosen: dict[str, str] = dict(
            sql.rows("SELECT name, value FROM store WHERE name IN ('model','dimensions')")
        )
        if not chosen:
            return False
        if chosen["model"] != self._model:
            self._model, self._last = chosen["model"], 0
            self._index = SignIndex(int(chosen["dimensions"]), CANDIDATES)
        newest = sql.number("SELECT max(id) FROM chunk")
        if newest <= self._last:
            return False
        rows = sql.rows(
            "SELECT c.id, coalesce(m.project, ''), e.vector FROM chunk c"
            " JOIN memory m ON m.id = c.memory_id"
            " JOIN embedding_cache e ON e.content_hash = c.content_hash AND e.model = ?"
            " WHERE c.id > ? ORDER BY c.id LIMIT ?",
            (self._model, self._last, PAGE),
        )
        if not rows:
            self._last = newest  # those in between are gone
            return False
        matrix = np.frombuffer(b"".join(row[2] for row in rows), np.float32)
        self._index.append(
            [row[0] for row in rows],
            matrix.reshape(len(rows), -1),
            [self._scopes.setdefault(row[1], len(self._scopes)) for row in rows],
        )
        self._last = max(row[0] for row in rows)
        return len(rows) == PAGE

    def nearest(self, sql: Sql, vector: bytes, scope: Scope, limit: int) -> list[VectorHit]:
        """The nearest memories by the best cosine of their chunks, best first."""
        if self.take_up(sql) or len(self._index) < WORTH_IT:
            return queries.nearest_by_sqlite_vec(sql, vector, scope, limit)
        scopes = None if scope.everywhere else self._of(scope)
        candidates = self._index.search(np.frombuffer(vector, np.float32), scopes)
        best: dict[int, float] = {}
        for memory_id, cosine in compared(sql, vector, "c.id", candidates):
            best[memory_id] = max(best.get(memory_id, -1.0), cosine)
        ranked = sorted(best.items(), key=lambda item: (-item[1], item[0]))
        return [VectorHit(memory_id, cosine) for memory_id, cosine in ranked[:limit]]

    def _of(self, scope: Scope) -> list[int]:
        names = ("",) if scope.project is None else ("", scope.project)
        return [self._scopes[name] for name in names if name in self._scopes]


def compared(sql: Sql, vector: bytes, column: str, ids: Sequence[int]) -> list[tuple[int, float]]:
    """Memory id and exact cosine of each chunk whose ``column`` is one of these ids.

    Read from the cache of embeddings, where a vector is a row (15 µs): sqlite-vec takes
    60 µs to find one by its id, and all of its time for a list of them.
    """
    rows = sql.rows(
        "SELECT c.memory_id, e.vector FROM chunk c JOIN embedding_cache e"
        " ON e.content_hash = c.content_hash"
        " AND e.model = (SELECT value FROM store WHERE name = 'model')"
        f" WHERE {column} IN (SELECT value FROM json_each(?))",
        (json.dumps(list(ids)),),
    )
    if not rows:
        return []
    matrix = np.frombuffer(b"".join(row[1] for row in rows), np.float32)
    query: npt.NDArray[np.float32] = np.frombuffer(vector, np.float32)
    cosines = matrix.reshape(len(rows), -1) @ query  # both are of length 1
    return [(row[0], float(cosine)) for row, cosine in zip(rows, cosines, strict=True)]
