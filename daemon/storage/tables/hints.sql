-- What came of a memory's hint in a file of a project: showings without a reaction, and silence.
CREATE TABLE IF NOT EXISTS hint (
  memory_id INTEGER NOT NULL REFERENCES memory (id) ON DELETE CASCADE,
  project   TEXT NOT NULL,
  path      TEXT NOT NULL,              -- in the project
  unheeded  INTEGER NOT NULL DEFAULT 0,
  shown_at  REAL NOT NULL DEFAULT 0,
  muted     INTEGER NOT NULL DEFAULT 0 CHECK (muted IN (0, 1)),
  PRIMARY KEY (memory_id, project, path)
) STRICT, WITHOUT ROWID;
