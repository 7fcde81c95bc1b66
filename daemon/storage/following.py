"""Links of every kind around memories, for recall's graph channel (row K05)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from actors.policy.graph.causal import Relation
from actors.policy.graph.graph_channel import LIKENESS, Link
from daemon.storage.sql import Sql

_CAUSAL: Final = ", ".join(repr(relation.value) for relation in Relation)
_SAID: Final = "NOT EXISTS (SELECT 1 FROM insight WHERE memory_id = source_id)"
_LIKENESS: Final = ", ".join(repr(kind) for kind in sorted(LIKENESS))
# Each half of a pair has an index of its own. 'related', which the gate writes, is likeness; that
# an insight was drawn from memories joins these by its own words (docs/dreaming.md).
_AROUND: Final = " UNION ALL ".join(
    f"SELECT {', '.join(ends)}, {kind}, strength FROM {table} WHERE {end} = ?1 AND {wanted}"
    for table, kind, ends, wanted in (
        (
            "memory_link",
            "relation",
            ("source_id", "target_id"),
            f"relation IN ({_CAUSAL}) AND {_SAID}",
        ),
        ("connection", "kind", ("one_id", "other_id"), f"(?2 OR kind NOT IN ({_LIKENESS}))"),
        ("association", "kind", ("one_id", "other_id"), f"(?2 OR kind NOT IN ({_LIKENESS}))"),
    )
    for end in ends
)


def links_of(sql: Sql, ids: Sequence[int], each: int, likeness: bool) -> list[Link]:
    """The strongest links of each of these: causal edges, connections and associations (K05).

    ``likeness``: also those that only say that two texts are alike.
    """
    found: list[Link] = []
    for memory_id in ids:
        rows = sql.rows(
            f"SELECT * FROM ({_AROUND}) ORDER BY 4 DESC, 1, 2, 3 LIMIT ?3",
            (memory_id, int(likeness), each),
        )
        found += [Link(*row) for row in rows]
    return found
