-- What changed together, and what ended a failure.

-- Files that a session changed together: in one commit, or in one turn until it is committed.
CREATE TABLE IF NOT EXISTS changed_file (
  session     TEXT NOT NULL,
  seq         INTEGER NOT NULL,         -- the journaled event that showed it
  project     TEXT NOT NULL,
  at          REAL NOT NULL,
  committed   INTEGER NOT NULL CHECK (committed IN (0, 1)),
  commit_hash TEXT NOT NULL,            -- empty when git did not say it
  path        TEXT NOT NULL,            -- in its checkout
  PRIMARY KEY (session, seq, path)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS changed_file_path ON changed_file (project, path, at);

-- What ended a failure the last time, by what it says in every run.
CREATE TABLE IF NOT EXISTS ended_failure (
  project   TEXT NOT NULL,
  family    TEXT NOT NULL,              -- of the command that failed
  paths     TEXT NOT NULL,              -- JSON: edited files, in their checkout
  repairs   TEXT NOT NULL,              -- JSON: commands that installed something
  session   TEXT NOT NULL,
  seq       INTEGER NOT NULL,           -- the journaled event that showed it
  at        REAL NOT NULL,
  signature TEXT NOT NULL,
  PRIMARY KEY (project, signature)
) STRICT, WITHOUT ROWID;
