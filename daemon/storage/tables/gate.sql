-- Tables of the gate that nobody uses any more.

-- Quantiles of cosines by each model that was in use: they are measured anew at each start.
CREATE TABLE IF NOT EXISTS calibration (
  model      TEXT PRIMARY KEY,
  at         REAL NOT NULL,
  memories   INTEGER NOT NULL,          -- that lived then; measured again when they doubled
  strangers  TEXT NOT NULL,             -- JSON, cosines of any two at fixed quantiles
  neighbours TEXT NOT NULL              -- JSON, cosines of each to its nearest
) STRICT, WITHOUT ROWID;

-- The user's words against a memory that they could not set right; told with it.
CREATE TABLE IF NOT EXISTS remark (
  memory_id    INTEGER NOT NULL REFERENCES memory (id) ON DELETE CASCADE,
  seq          INTEGER NOT NULL,        -- the journaled event that said it
  text         TEXT NOT NULL,
  nearness     REAL NOT NULL,           -- of it to the memory; the two nearest are told
  at           REAL NOT NULL,
  content_hash BLOB NOT NULL,           -- of the memory's text that it is about
  PRIMARY KEY (memory_id, seq)
) STRICT, WITHOUT ROWID;
