"""The evaluation database: what every run came to, so that a regression is seen.

A file of its own, ``eval.db``, beside the memories and written by the command itself. It holds
ids, figures and digests; the text of a query or of a memory never enters it, so that nothing
has to be erased from it. ``purge --everything`` takes the whole file away.
"""

import json
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import astuple, dataclass
from pathlib import Path

import apsw

from daemon.home import FILE_MODE
from daemon.storage.database.sql import Sql
from lab.evaluation.asking import Answer
from lab.evaluation.figures import Asked, Figures
from lab.evaluation.truth import Question

VERSION = 1
KEPT = 100  # runs of one ground truth; older ones leave
BUSY = 5_000  # milliseconds that another run may hold the file

TABLES = """
-- One run of one ground truth. The newest with the same truth, scope and k is what the next is
-- compared with.
CREATE TABLE IF NOT EXISTS eval_runs (
  id       INTEGER PRIMARY KEY AUTOINCREMENT,
  at       REAL NOT NULL,               -- seconds UTC
  truth    TEXT NOT NULL,               -- digest of the questions and their scope
  name     TEXT NOT NULL,               -- of the file, or 'built-in'
  k        INTEGER NOT NULL,
  queries  INTEGER NOT NULL,
  memories INTEGER NOT NULL,
  mode     TEXT NOT NULL,               -- what was searched: both, words, vectors
  version  TEXT NOT NULL                -- of reverie
) STRICT;
CREATE INDEX IF NOT EXISTS eval_runs_truth ON eval_runs (truth, k, id);

-- A query by the digest of its text.
CREATE TABLE IF NOT EXISTS eval_queries (
  truth      TEXT NOT NULL,
  query      TEXT NOT NULL,
  intent     TEXT NOT NULL,
  complexity TEXT NOT NULL,
  category   TEXT NOT NULL,
  source     TEXT NOT NULL,
  negative   INTEGER NOT NULL,          -- the right answer is nothing
  expected   TEXT NOT NULL,             -- JSON: id to grade
  PRIMARY KEY (truth, query)
) STRICT, WITHOUT ROWID;

-- Which memories each channel found for a query, and how long it took.
CREATE TABLE IF NOT EXISTS eval_channel_results (
  run          INTEGER NOT NULL REFERENCES eval_runs (id) ON DELETE CASCADE,
  query        TEXT NOT NULL,
  channel      TEXT NOT NULL,
  ids          TEXT NOT NULL,           -- JSON, best first
  hits         INTEGER NOT NULL,        -- of what is right
  milliseconds REAL,
  PRIMARY KEY (run, query, channel)
) STRICT, WITHOUT ROWID;

-- What was answered in the end.
CREATE TABLE IF NOT EXISTS eval_final_results (
  run          INTEGER NOT NULL REFERENCES eval_runs (id) ON DELETE CASCADE,
  query        TEXT NOT NULL,
  ids          TEXT NOT NULL,           -- JSON, best first
  rank         INTEGER,                 -- of the first that is right; without what leads by rule
  confidence   REAL NOT NULL,
  injected     INTEGER NOT NULL,
  milliseconds REAL NOT NULL,
  PRIMARY KEY (run, query)
) STRICT, WITHOUT ROWID;

-- One measure of one group of a run: 'all', 'complexity:simple', …
CREATE TABLE IF NOT EXISTS eval_metric_snapshots (
  run     INTEGER NOT NULL REFERENCES eval_runs (id) ON DELETE CASCADE,
  part    TEXT NOT NULL,
  measure TEXT NOT NULL,
  value   REAL,
  PRIMARY KEY (run, part, measure)
) STRICT, WITHOUT ROWID;
"""


class RecordsBroken(Exception):
    """The evaluation database cannot be used; the text says what to do."""


@dataclass(frozen=True, slots=True)
class Run:
    """One run as ``--history`` shows it."""

    id: int  # 0 before it is written down
    at: float
    truth: str
    name: str
    k: int
    queries: int
    memories: int
    mode: str
    version: str


@contextmanager
def open_records(path: Path) -> Generator[Sql]:
    """The evaluation database, made when it is not there; one transaction, kept at the end.

    Nothing is kept when the block is left by an exception. Raises ``RecordsBroken``.
    """
    path.touch(mode=FILE_MODE)
    connection = apsw.Connection(str(path))
    sql = Sql(connection)
    try:
        connection.set_busy_timeout(BUSY)
        sql.rows("PRAGMA foreign_keys = ON")
        sql.rows("PRAGMA secure_delete = ON")
        with connection:
            _prepare(sql, path)
            yield sql
    except (apsw.NotADBError, apsw.CorruptError) as error:
        raise RecordsBroken(f"{path} is no database: delete it, it holds only figures") from error
    finally:
        connection.close()


def _prepare(sql: Sql, path: Path) -> None:
    version = sql.number("PRAGMA user_version")
    if version > VERSION:
        raise RecordsBroken(f"{path} is from a newer version of reverie")
    if version < VERSION:
        sql.rows(TABLES)
        sql.rows(f"PRAGMA user_version = {VERSION}")


def last_run(sql: Sql, truth: str, k: int) -> Run | None:
    """The newest run of the same questions in the same scope, to the same depth."""
    found = runs(sql, 1, truth=truth, k=k)
    return found[0] if found else None


def runs(sql: Sql, limit: int, *, truth: str | None = None, k: int | None = None) -> list[Run]:
    """Runs, newest first."""
    rows = sql.rows(
        "SELECT id, at, truth, name, k, queries, memories, mode, version FROM eval_runs"
        " WHERE (?1 IS NULL OR truth = ?1) AND (?2 IS NULL OR k = ?2) ORDER BY id DESC LIMIT ?3",
        (truth, k, limit),
    )
    return [Run(*row) for row in rows]


def measures_of(sql: Sql, run: int) -> dict[str, dict[str, float | None]]:
    """Every measure of a run, by group."""
    found: dict[str, dict[str, float | None]] = {}
    rows = sql.rows("SELECT part, measure, value FROM eval_metric_snapshots WHERE run = ?", (run,))
    for part, measure, value in rows:
        found.setdefault(str(part), {})[str(measure)] = value
    return found


def ranks_of(sql: Sql, run: int) -> dict[str, int | None]:
    """The rank of the first right result, by the digest of the query."""
    rows = sql.rows("SELECT query, rank FROM eval_final_results WHERE run = ?", (run,))
    return {str(query): rank for query, rank in rows}


def keep(sql: Sql, made: Run, asked: Asked, found: Figures) -> int:
    """Write a run down; its number. The oldest beyond a hundred of its truth leave."""
    sql.rows(
        "INSERT INTO eval_runs (at, truth, name, k, queries, memories, mode, version)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        astuple(made)[1:],
    )
    run = sql.last_id()
    sql.many(
        "INSERT OR REPLACE INTO eval_queries VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [_query(made.truth, question) for question, _ in asked],
    )
    for question, answer in asked:
        _keep_answer(sql, run, question, answer, found.ranks.get(question.digest))
    sql.many(
        "INSERT INTO eval_metric_snapshots VALUES (?, ?, ?, ?)",
        [
            (run, part, measure, value)
            for part, measures in found.groups.items()
            for measure, value in measures.items()
        ],
    )
    sql.rows(
        "DELETE FROM eval_runs WHERE truth = ?1 AND id NOT IN"
        " (SELECT id FROM eval_runs WHERE truth = ?1 ORDER BY id DESC LIMIT ?2)",
        (made.truth, KEPT),
    )
    return run


def _query(truth: str, question: Question) -> Sequence[object]:
    return (
        truth, question.digest, question.intent, question.complexity, question.category,
        question.source, int(question.hard_negative), json.dumps(dict(question.grades)),
    )  # fmt: skip


def _keep_answer(sql: Sql, run: int, question: Question, answer: Answer, rank: int | None) -> None:
    sql.rows(
        "INSERT OR REPLACE INTO eval_final_results VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            run, question.digest, json.dumps(answer.ranked), rank,
            answer.confidence, int(answer.injected), answer.milliseconds,
        ),
    )  # fmt: skip
    for name, channel in answer.channels.items():
        hits = len(set(channel.ranked) & set(question.grades))
        sql.rows(
            "INSERT OR REPLACE INTO eval_channel_results VALUES (?, ?, ?, ?, ?, ?)",
            (run, question.digest, name, json.dumps(channel.ranked), hits, channel.milliseconds),
        )
