-- Tables of the first version of the store: journal, memories, words, sessions, schedule.

-- What is true of the whole store: its id, the embedding model its vectors are of.
CREATE TABLE IF NOT EXISTS store (
  name  TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Every event, cut and redacted, before anything is made of it. A row is the
-- acknowledgement that a hook gets; done rows leave after 30 days.
CREATE TABLE IF NOT EXISTS journal (
  seq         INTEGER PRIMARY KEY AUTOINCREMENT,
  event_id    BLOB NOT NULL UNIQUE,
  agent       TEXT NOT NULL,
  received_at REAL NOT NULL,
  kind        TEXT NOT NULL,
  session     TEXT NOT NULL,
  project     TEXT,
  body        BLOB NOT NULL,            -- MessagePack; empty once erased
  done        INTEGER NOT NULL DEFAULT 0 CHECK (done IN (0, 1))
) STRICT;
CREATE INDEX IF NOT EXISTS journal_undone ON journal (seq) WHERE done = 0;
CREATE INDEX IF NOT EXISTS journal_session ON journal (session, seq);

-- A memory. project NULL is the user's own scope. Ids are never used again.
CREATE TABLE IF NOT EXISTS memory (
  id            INTEGER PRIMARY KEY AUTOINCREMENT,
  key           TEXT,                   -- the caller's own id, from an import
  text          TEXT NOT NULL,
  title         TEXT NOT NULL,
  kind          TEXT NOT NULL,
  tier          TEXT NOT NULL,
  memory_type   TEXT NOT NULL,
  context_type  TEXT NOT NULL,
  project       TEXT,
  created_at    REAL NOT NULL,
  updated_at    REAL NOT NULL,
  content_hash  BLOB NOT NULL,
  stability     REAL NOT NULL,          -- days
  difficulty    REAL NOT NULL,          -- 1..10
  importance    REAL NOT NULL,          -- 0..1
  confidence    REAL NOT NULL DEFAULT 0.5,
  last_review   REAL,
  reviews       INTEGER NOT NULL DEFAULT 0,
  lapses        INTEGER NOT NULL DEFAULT 0,
  phase         TEXT NOT NULL DEFAULT 'new',
  last_implicit REAL,                   -- the cap of one a day counts from here
  last_use      REAL,
  uses          INTEGER NOT NULL DEFAULT 0,
  exposures     INTEGER NOT NULL DEFAULT 0,
  pinned        INTEGER NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1)),
  ended         TEXT CHECK (ended IN ('deprecated','expired','refuted','archived','forgotten')),
  ended_at      REAL,
  superseded_by INTEGER REFERENCES memory (id) ON DELETE SET NULL,
  versions      INTEGER NOT NULL DEFAULT 1,
  unjudged      INTEGER NOT NULL DEFAULT 0 CHECK (unjudged IN (0, 1)),
  source        TEXT NOT NULL,          -- 'hand', 'import' or the rule that found it
  session       TEXT,
  seq           INTEGER,                -- the event it came from
  rule          TEXT,
  ordinal       INTEGER NOT NULL DEFAULT 0,
  tool          TEXT,
  call_id       TEXT,
  redacted      INTEGER NOT NULL DEFAULT 0 CHECK (redacted IN (0, 1)),
  UNIQUE (seq, rule, ordinal)           -- one event makes each memory once
) STRICT;
CREATE INDEX IF NOT EXISTS memory_content ON memory (content_hash);
CREATE INDEX IF NOT EXISTS memory_project ON memory (project, id);
CREATE INDEX IF NOT EXISTS memory_successor ON memory (superseded_by)
  WHERE superseded_by IS NOT NULL;      -- a foreign key without an index is a scan a deletion
CREATE INDEX IF NOT EXISTS memory_standing ON memory (importance DESC, id)
  WHERE tier = 'constitutional' AND ended IS NULL;
CREATE INDEX IF NOT EXISTS memory_unjudged ON memory (id) WHERE unjudged = 1;
CREATE INDEX IF NOT EXISTS memory_time ON memory (project, created_at, id) WHERE ended IS NULL;
CREATE INDEX IF NOT EXISTS memory_key ON memory (key) WHERE key IS NOT NULL;

-- What a memory said before it was rewritten.
CREATE TABLE IF NOT EXISTS memory_version (
  memory_id   INTEGER NOT NULL REFERENCES memory (id) ON DELETE CASCADE,
  version     INTEGER NOT NULL,
  text        TEXT NOT NULL,
  title       TEXT NOT NULL,
  replaced_at REAL NOT NULL,
  reason      TEXT NOT NULL,
  PRIMARY KEY (memory_id, version)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS trigger_phrase (
  memory_id INTEGER NOT NULL REFERENCES memory (id) ON DELETE CASCADE,
  phrase    TEXT NOT NULL,
  given     INTEGER NOT NULL CHECK (given IN (0, 1)), -- set by a person, or derived
  PRIMARY KEY (memory_id, phrase)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS memory_link (
  source_id  INTEGER NOT NULL REFERENCES memory (id) ON DELETE CASCADE,
  target_id  INTEGER NOT NULL REFERENCES memory (id) ON DELETE CASCADE,
  relation   TEXT NOT NULL,
  similarity REAL,
  at         REAL NOT NULL,
  PRIMARY KEY (source_id, target_id, relation)
) STRICT, WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS memory_link_target ON memory_link (target_id);

-- Words of the living memories. Contentless: the text stands once, in memory.
CREATE VIRTUAL TABLE IF NOT EXISTS memory_words USING fts5(
  title, triggers, body,
  content = '', contentless_delete = 1,
  tokenize = "porter unicode61 remove_diacritics 2"
);
CREATE VIRTUAL TABLE IF NOT EXISTS memory_terms USING fts5vocab(memory_words, row);

-- Which pieces of which memory have a vector; the vectors are in memory_vector, a
-- vec0 table that is made when a model is chosen.
CREATE TABLE IF NOT EXISTS chunk (
  id           INTEGER PRIMARY KEY AUTOINCREMENT,
  memory_id    INTEGER NOT NULL REFERENCES memory (id) ON DELETE CASCADE,
  ordinal      INTEGER NOT NULL,
  content_hash BLOB NOT NULL,
  UNIQUE (memory_id, ordinal)
) STRICT;
CREATE INDEX IF NOT EXISTS chunk_first ON chunk (memory_id) WHERE ordinal = 0;

CREATE TABLE IF NOT EXISTS embedding_cache (
  content_hash BLOB NOT NULL,
  model        TEXT NOT NULL,
  vector       BLOB NOT NULL,
  last_used    REAL NOT NULL,
  PRIMARY KEY (content_hash, model)
) STRICT, WITHOUT ROWID;

-- Every decision of the prediction-error gate.
CREATE TABLE IF NOT EXISTS decision (
  id            INTEGER PRIMARY KEY AUTOINCREMENT,
  action        TEXT NOT NULL,
  memory_id     INTEGER,
  existing_id   INTEGER,
  similarity    REAL,
  reason        TEXT NOT NULL,
  contradiction TEXT,
  content_hash  BLOB NOT NULL,
  project       TEXT,
  at            REAL NOT NULL,
  seq           INTEGER,                -- the event it was made of, by which rule
  rule          TEXT,
  ordinal       INTEGER NOT NULL DEFAULT 0,
  UNIQUE (seq, rule, ordinal)           -- each proposal is decided once
) STRICT;
CREATE INDEX IF NOT EXISTS decision_memory ON decision (memory_id);
CREATE INDEX IF NOT EXISTS decision_existing ON decision (existing_id);

-- Every change of strength, with the use that caused it.
CREATE TABLE IF NOT EXISTS review (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  memory_id  INTEGER NOT NULL REFERENCES memory (id) ON DELETE CASCADE,
  grade      INTEGER NOT NULL,
  cause      TEXT NOT NULL,
  stability  REAL NOT NULL,
  difficulty REAL NOT NULL,
  at         REAL NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS review_memory ON review (memory_id);

-- What was shown, where. Recorded, never strengthening.
CREATE TABLE IF NOT EXISTS exposure (
  id        INTEGER PRIMARY KEY AUTOINCREMENT,
  memory_id INTEGER NOT NULL REFERENCES memory (id) ON DELETE CASCADE,
  session   TEXT,
  place     TEXT NOT NULL,
  at        REAL NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS exposure_memory ON exposure (memory_id);
CREATE INDEX IF NOT EXISTS exposure_at ON exposure (at);

CREATE TABLE IF NOT EXISTS session (
  session    TEXT PRIMARY KEY,
  agent      TEXT NOT NULL,
  project    TEXT,
  started_at REAL NOT NULL,
  seen_at    REAL NOT NULL,
  status     TEXT NOT NULL,
  task       TEXT NOT NULL DEFAULT '',
  summary    TEXT NOT NULL DEFAULT '',
  transcript TEXT
) STRICT, WITHOUT ROWID;

-- What a session has in its context already.
CREATE TABLE IF NOT EXISTS delivery (
  session      TEXT NOT NULL,
  content_hash BLOB NOT NULL,
  at           REAL NOT NULL,
  PRIMARY KEY (session, content_hash)
) STRICT, WITHOUT ROWID;

-- Working memory of each session: anchors, from which attention is computed.
CREATE TABLE IF NOT EXISTS working_memory (
  session      TEXT NOT NULL,
  memory_id    INTEGER NOT NULL REFERENCES memory (id) ON DELETE CASCADE,
  anchor       REAL NOT NULL,
  anchor_event INTEGER NOT NULL,
  mentions     INTEGER NOT NULL,
  focus        INTEGER NOT NULL,
  PRIMARY KEY (session, memory_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS working_memory_memory ON working_memory (memory_id);
CREATE TABLE IF NOT EXISTS session_event (
  session TEXT PRIMARY KEY,
  counter INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS schedule (
  job    TEXT PRIMARY KEY,
  due_at REAL NOT NULL,
  ran_at REAL
) STRICT, WITHOUT ROWID;
