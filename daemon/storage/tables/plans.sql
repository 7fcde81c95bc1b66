-- Plans and archival.

-- What is proposed and what became of it. The reason is figures; the summary is the one text here,
-- and leaves with any memory that it was made of.
CREATE TABLE IF NOT EXISTS plan (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  act         TEXT NOT NULL,
  source      TEXT NOT NULL,
  reason      TEXT NOT NULL,
  state       TEXT NOT NULL CHECK (state IN ('open','applied','undone','dismissed','stale')),
  identity    BLOB NOT NULL,            -- what it says: the same plan is not proposed again
  proposed_at REAL NOT NULL,            -- the same for all plans of one run
  decided_at  REAL,
  applied_by  TEXT,                     -- a person, or who did not ask
  undone_at   REAL,
  told_at     REAL,                     -- a session heard that it waits
  note        TEXT NOT NULL DEFAULT '', -- what came of it
  summary     TEXT NOT NULL DEFAULT '', -- JSON of the memory that would be made
  made_id     INTEGER REFERENCES memory (id) ON DELETE SET NULL
) STRICT;
CREATE INDEX IF NOT EXISTS plan_open ON plan (id) WHERE state = 'open';
CREATE INDEX IF NOT EXISTS plan_identity ON plan (identity);
CREATE INDEX IF NOT EXISTS plan_made ON plan (made_id) WHERE made_id IS NOT NULL;

-- What it would do to each memory, what the memory was, and what came of it. No text of a memory.
CREATE TABLE IF NOT EXISTS plan_step (
  plan_id      INTEGER NOT NULL REFERENCES plan (id) ON DELETE CASCADE,
  memory_id    INTEGER NOT NULL REFERENCES memory (id) ON DELETE CASCADE,
  ordinal      INTEGER NOT NULL,
  act          TEXT NOT NULL,
  argument     TEXT NOT NULL,
  evidence     TEXT NOT NULL,
  content_hash BLOB NOT NULL,           -- of the text that was proposed about
  uses         INTEGER NOT NULL,        -- until the proposal
  before       TEXT NOT NULL DEFAULT '',-- JSON, as it was when the step was carried out
  outcome      TEXT NOT NULL DEFAULT '',-- done, restored, or why not
  done         INTEGER NOT NULL DEFAULT 0 CHECK (done IN (0, 1)),
  PRIMARY KEY (plan_id, memory_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS plan_step_memory ON plan_step (memory_id);

-- What was scanned, archived and brought back since ever.
CREATE TABLE IF NOT EXISTS archival_figure (
  name  TEXT PRIMARY KEY,
  value REAL NOT NULL
) STRICT, WITHOUT ROWID;

-- What is hardly trusted is few of many: found without reading them all.
CREATE INDEX IF NOT EXISTS memory_trust ON memory (confidence, uses, created_at, last_use)
  WHERE ended IS NULL;

-- When a memory was brought back from the archive: it is left alone for a while.
CREATE TABLE IF NOT EXISTS archival_return (
  memory_id INTEGER PRIMARY KEY REFERENCES memory (id) ON DELETE CASCADE,
  at        REAL NOT NULL
) STRICT;
