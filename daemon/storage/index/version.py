"""Version of the store, for an index in memory to compare itself with."""

from collections.abc import Mapping
from typing import NamedTuple

from actors.memory.rows import Scope
from daemon.storage.corpus import MEMORIES, Corpus
from daemon.storage.database.sql import Sql


class IndexVersion(NamedTuple):
    """Number of the last write, and the model of the vectors."""

    store: str
    model: str  # empty: none was chosen
    dimensions: int
    erasures: int  # how often anything was erased
    newest_chunk: int  # the highest id ever given
    newest_change: int  # of words


_STANDING = """
SELECT max(CASE name WHEN 'id' THEN value END), max(CASE name WHEN 'model' THEN value END),
  max(CASE name WHEN 'dimensions' THEN value END), max(CASE name WHEN 'erasures' THEN value END),
  (SELECT seq FROM sqlite_sequence WHERE name = '{chunks}'), (SELECT max(seq) FROM {changes})
FROM store
"""


def index_version(sql: Sql, corpus: Corpus = MEMORIES) -> IndexVersion:
    """Version of the store now, as far as these texts go."""
    asked = _STANDING.format(chunks=corpus.chunks, changes=corpus.changes)
    ((store, model, dimensions, erasures, chunk, change),) = sql.rows(asked)
    return IndexVersion(
        store or "", model or "", int(dimensions or 0), int(erasures or 0), chunk or 0, change or 0
    )


def numbers_of(scope: Scope, known: Mapping[str, int]) -> list[int] | None:
    """An index's numbers for the projects of a scope; ``None``: all of them."""
    if scope.everywhere:
        return None
    names = ("",) if scope.project is None else ("", scope.project)
    return [known[name] for name in names if name in known]


def was_erased(sql: Sql) -> None:
    """Note an erasure: no index may go on from its kept arrays."""
    sql.rows(
        "INSERT INTO store VALUES ('erasures', '1')"
        " ON CONFLICT DO UPDATE SET value = CAST(value AS INTEGER) + 1"
    )
