"""Tables of how alike the memories of a store are to each embedding model."""

TABLES = """
-- Quantiles of cosines, `pe.calibration`: numbers alone, a row for each model that was in use.
CREATE TABLE IF NOT EXISTS calibration (
  model      TEXT PRIMARY KEY,
  at         REAL NOT NULL,
  memories   INTEGER NOT NULL,          -- that lived then; measured again when they doubled
  strangers  TEXT NOT NULL,             -- JSON, cosines of any two at fixed quantiles
  neighbours TEXT NOT NULL              -- JSON, cosines of each to its nearest
) STRICT, WITHOUT ROWID;
"""
