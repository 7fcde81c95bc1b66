-- Tables of what use and people made of a memory.

-- Which session made use of which memory, and how it showed: once for each cause.
CREATE TABLE IF NOT EXISTS credit (
  memory_id INTEGER NOT NULL REFERENCES memory (id) ON DELETE CASCADE,
  session   TEXT NOT NULL,
  cause     TEXT NOT NULL,              -- cited, edited_after, confirmed, kept
  at        REAL NOT NULL,
  PRIMARY KEY (memory_id, session, cause)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS credit_at ON credit (at);
CREATE INDEX IF NOT EXISTS exposure_session ON exposure (session, at) WHERE session IS NOT NULL;
CREATE INDEX IF NOT EXISTS exposure_unasked ON exposure (memory_id, session, at)
  WHERE session IS NOT NULL AND place IN ('prompt', 'session_start');

-- What people said of a memory: how many verdicts, how often suppressed.
CREATE TABLE IF NOT EXISTS opinion (
  memory_id     INTEGER PRIMARY KEY REFERENCES memory (id) ON DELETE CASCADE,
  validations   INTEGER NOT NULL DEFAULT 0,
  suppressions  INTEGER NOT NULL DEFAULT 0,
  suppressed_at REAL                    -- the last time, while it can be taken back
) STRICT;

-- What a suppression took of the memories linked with it, so that it can be given back.
CREATE TABLE IF NOT EXISTS weakening (
  memory_id    INTEGER NOT NULL REFERENCES memory (id) ON DELETE CASCADE,
  neighbour_id INTEGER NOT NULL REFERENCES memory (id) ON DELETE CASCADE,
  at           REAL NOT NULL,
  factor       REAL NOT NULL,           -- of the neighbour's stability
  edge         REAL NOT NULL,           -- 0..1
  PRIMARY KEY (memory_id, neighbour_id, at)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS weakening_neighbour ON weakening (neighbour_id);

-- What reverie would do and a person decides. The reason has figures, no text.
CREATE TABLE IF NOT EXISTS proposal (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  kind       TEXT NOT NULL,             -- promote
  memory_id  INTEGER NOT NULL REFERENCES memory (id) ON DELETE CASCADE,
  reason     TEXT NOT NULL,
  at         REAL NOT NULL,
  state      TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'accepted', 'declined')),
  decided_at REAL,
  before     TEXT                       -- the tier until then, once accepted
) STRICT;
CREATE INDEX IF NOT EXISTS proposal_memory ON proposal (memory_id, kind);

-- Memories that were just recalled, and what was edited meanwhile. A window with
-- edits stays for 30 days after it was settled; one without leaves when it is over.
CREATE TABLE IF NOT EXISTS labile (
  memory_id  INTEGER NOT NULL REFERENCES memory (id) ON DELETE CASCADE,
  opened_at  REAL NOT NULL,
  edits      INTEGER NOT NULL DEFAULT 0,
  settled_at REAL,
  PRIMARY KEY (memory_id, opened_at)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS labile_unsettled ON labile (opened_at) WHERE settled_at IS NULL;
