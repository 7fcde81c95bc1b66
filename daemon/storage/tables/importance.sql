-- Importance as it was found and as it changed; backfills.

-- Since when a memory's importance is what it is: from there it fades. The channels are
-- those of its rating; NULL when it was never rated.
CREATE TABLE IF NOT EXISTS importance_anchor (
  memory_id INTEGER PRIMARY KEY REFERENCES memory (id) ON DELETE CASCADE,
  value     REAL NOT NULL,              -- 0..1, importance then
  at        REAL NOT NULL,
  novelty   REAL,                       -- 0..1, as the next three
  arousal   REAL,
  reward    REAL,
  attention REAL
) STRICT;

-- Every change of an importance but captures, which have their own table, and fading, which is
-- computed. Each happens once on an occasion: a session, a review, or the rating.
CREATE TABLE IF NOT EXISTS importance_change (
  memory_id INTEGER NOT NULL REFERENCES memory (id) ON DELETE CASCADE,
  cause     TEXT NOT NULL,
  occasion  TEXT NOT NULL,
  how       TEXT NOT NULL,              -- at_least, plus, times
  amount    REAL NOT NULL,
  before    REAL NOT NULL,
  after     REAL NOT NULL,
  at        REAL NOT NULL,
  PRIMARY KEY (memory_id, cause, occasion)
) STRICT, WITHOUT ROWID;

-- How far memories, reviews and the journal have been looked at for importance.
CREATE TABLE IF NOT EXISTS importance_mark (
  name  TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- A memory that was strengthened because it may explain a failure, once a failure.
CREATE TABLE IF NOT EXISTS backfill (
  memory_id INTEGER NOT NULL REFERENCES memory (id) ON DELETE CASCADE,
  failure   TEXT NOT NULL,              -- a memory's number, or a hash of what a person wrote
  before    REAL NOT NULL,              -- stability in days
  after     REAL NOT NULL,
  at        REAL NOT NULL,
  PRIMARY KEY (memory_id, failure)
) STRICT, WITHOUT ROWID;
