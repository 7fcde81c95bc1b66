"""Reading when memories were accessed and reviewed (rows A16, B12, B14)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from json import dumps

from actors.policy.decay.accessibility import Cause
from daemon.storage.sql import Sql

# A search by a person or an agent is an access; a prompt that it was relevant to is a cue. What a
# session starts with was not looked for. Failed reviews are no access.
_HAPPENED = """
WITH wanted (id) AS (SELECT value FROM json_each(?))
SELECT memory_id, at, 'access' FROM review
  WHERE memory_id IN (SELECT id FROM wanted) AND grade > 1
UNION ALL
SELECT memory_id, at, CASE place WHEN 'recall' THEN 'access' ELSE 'cue' END FROM exposure
  WHERE memory_id IN (SELECT id FROM wanted) AND place IN ('recall', 'prompt')
"""


def happened(sql: Sql, ids: Sequence[int]) -> dict[int, list[tuple[float, Cause]]]:
    """When each of these was accessed, or came up; none for those that never were."""
    found: defaultdict[int, list[tuple[float, Cause]]] = defaultdict(list)
    for memory_id, at, cause in sql.rows(_HAPPENED, (dumps(list(ids)),)):
        found[int(memory_id)].append((float(at), Cause(cause)))
    return found


def reviews(sql: Sql, after: int, limit: int) -> tuple[int, list[tuple[int, int, float, int]]]:
    """How many reviews there are, and a page of them: number, memory, time and grade."""
    rows = sql.rows(
        "SELECT id, memory_id, at, grade FROM review WHERE id > ? AND grade > 0"
        " ORDER BY id LIMIT ?",  # a backfill (H17) is no answer of a memory: it has no grade
        (after, limit),
    )
    total = sql.number("SELECT count(*) FROM review WHERE grade > 0")
    return total, [(int(i), int(memory), float(at), int(grade)) for i, memory, at, grade in rows]
