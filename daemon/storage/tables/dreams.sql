-- Tables of what is found out about memories while nobody is looking.

-- A connection that dreaming or consolidation saw. No text of a memory: evidence names numbers,
-- rules and times. Undirected kinds have the smaller id first.
CREATE TABLE IF NOT EXISTS connection (
  one_id     INTEGER NOT NULL REFERENCES memory (id) ON DELETE CASCADE,
  other_id   INTEGER NOT NULL REFERENCES memory (id) ON DELETE CASCADE,
  kind       TEXT NOT NULL,
  found_by   TEXT NOT NULL CHECK (found_by IN ('dreaming', 'consolidation')),
  strength   REAL NOT NULL CHECK (strength BETWEEN 0 AND 2),
  evidence   TEXT NOT NULL DEFAULT '',
  made_at    REAL NOT NULL,
  touched_at REAL NOT NULL,
  PRIMARY KEY (one_id, other_id, kind),
  CHECK (one_id <> other_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS connection_other ON connection (other_id);

-- A dream and how far it came. Its stages are done one by one, each in one transaction, so the
-- stage that stands here is what the store shows. `members` are the ids it was dreamt over.
CREATE TABLE IF NOT EXISTS dream (
  id       INTEGER PRIMARY KEY AUTOINCREMENT,
  why      TEXT NOT NULL,               -- who wanted it
  began_at REAL NOT NULL,
  ended_at REAL,
  outcome  TEXT CHECK (outcome IN ('finished', 'cancelled', 'failed')),
  stage    TEXT NOT NULL DEFAULT '',    -- the last one that is done
  members  TEXT NOT NULL,               -- JSON, ids
  figures  TEXT NOT NULL DEFAULT '{}',  -- JSON, by stage: numbers, no text of a memory
  CHECK ((ended_at IS NULL) = (outcome IS NULL))
) STRICT;

-- An insight is a memory of its own; here is what else is known about it.
CREATE TABLE IF NOT EXISTS insight (
  memory_id  INTEGER PRIMARY KEY REFERENCES memory (id) ON DELETE CASCADE,
  dream_id   INTEGER NOT NULL REFERENCES dream (id) ON DELETE CASCADE,
  kind       TEXT NOT NULL,
  novelty    REAL NOT NULL,
  confidence REAL NOT NULL,
  evidence   TEXT NOT NULL              -- JSON, lines of figures
) STRICT;
CREATE INDEX IF NOT EXISTS insight_dream ON insight (dream_id);

CREATE TABLE IF NOT EXISTS insight_source (
  insight_id INTEGER NOT NULL REFERENCES insight (memory_id) ON DELETE CASCADE,
  source_id  INTEGER NOT NULL REFERENCES memory (id) ON DELETE CASCADE,
  PRIMARY KEY (insight_id, source_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS insight_source_of ON insight_source (source_id);

-- Memories that belong together, as the last dream saw it.
CREATE TABLE IF NOT EXISTS dreamt_episode (
  episode   INTEGER NOT NULL,
  memory_id INTEGER NOT NULL REFERENCES memory (id) ON DELETE CASCADE,
  PRIMARY KEY (episode, memory_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS dreamt_episode_member ON dreamt_episode (memory_id);
