"""Rows belonging to memories: the tables for carrying a memory from one database to another.

Traces of people and use are carried: versions, phrases, links, opinions, reviews. Notes of the days
(exposures, traces, plans) and rows computed of texts and vectors (chunks, associations,
connections, insights) are not: they are made anew, or stay with their own days.
"""

from dataclasses import dataclass
from typing import Final

from daemon.storage.database.sql import Sql

CARRIED: Final = (
    "memory_version", "trigger_phrase", "memory_link", "declared_link", "opinion", "verdict",
    "weakening", "relevance", "importance_anchor", "importance_change", "review", "credit",
    "reference", "hint", "archival_return", "read_note", "cue",
)  # fmt: skip
# Of a memory itself: who it is, the event it came from, and what exposures count.
OWN: Final = frozenset({"id", "created_at", "exposures", "seq", "rule", "ordinal"})


@dataclass(frozen=True, slots=True)
class Carried:
    """A table as its rows are carried."""

    name: str
    columns: tuple[str, ...]
    key: tuple[str, ...]
    ends: tuple[str, ...]  # columns that name a memory


def carried(sql: Sql) -> list[Carried]:
    """Return every table of rows belonging to memories."""
    return [_table(sql, name) for name in CARRIED]


def _table(sql: Sql, name: str) -> Carried:
    rows = sql.rows("SELECT name, pk FROM pragma_table_info(?) ORDER BY cid", (name,))
    ends = sql.column(
        'SELECT "from" FROM pragma_foreign_key_list(?) WHERE "table" = \'memory\'', (name,)
    )
    key = tuple(column for column, place in rows if place)
    return Carried(name, tuple(column for column, _ in rows), key, tuple(ends))


def memory_columns(sql: Sql) -> tuple[str, ...]:
    """Return the columns for a memory's state, not its identity."""
    names = sql.column("SELECT name FROM pragma_table_info('memory') ORDER BY cid")
    return tuple(name for name in names if name not in OWN)
