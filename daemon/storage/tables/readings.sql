-- Readings of sessions, the notes they gave with their quotations, and the cues of notes.

-- How far a session was read. It stays when the journal has forgotten the session.
CREATE TABLE IF NOT EXISTS read_session (
  session    TEXT PRIMARY KEY,
  upto       INTEGER NOT NULL DEFAULT 0,   -- journaled events to this number were read
  tries      INTEGER NOT NULL DEFAULT 0,   -- that failed in a row
  next_try   REAL NOT NULL DEFAULT 0,      -- seconds UTC; nothing is tried before
  failure    TEXT NOT NULL DEFAULT '',     -- why the last one failed
  given_up   INTEGER NOT NULL DEFAULT 0,
  stopped    TEXT NOT NULL DEFAULT ''      -- where the work stopped, as the reader says
) STRICT;

-- One request to an engine and what came of it; what a day spent is counted here.
CREATE TABLE IF NOT EXISTS reading (
  id         INTEGER PRIMARY KEY,
  session    TEXT NOT NULL,                -- '' for a request of a dream or of a trial
  project    TEXT,
  engine     TEXT NOT NULL,
  why        TEXT NOT NULL,                -- one line: why this session was read now
  began_at   REAL NOT NULL,                -- the requests of one reading of a session share it
  ended_at   REAL NOT NULL,
  first_seq  INTEGER NOT NULL,
  last_seq   INTEGER NOT NULL,
  tokens     INTEGER NOT NULL,
  dollars    REAL,                         -- NULL: the engine told none
  failure    TEXT NOT NULL DEFAULT 'not finished',  -- '': it was read; a crash leaves it so
  written    INTEGER NOT NULL DEFAULT 0,   -- notes that were kept
  dropped    TEXT NOT NULL DEFAULT '{}'    -- JSON: how many notes by the reason
) STRICT;
CREATE INDEX IF NOT EXISTS reading_began ON reading (began_at);
CREATE INDEX IF NOT EXISTS reading_session ON reading (session, id);

-- A memory that the reader wrote: the words that prove it, and whether a person has seen it.
-- Readings and memories that it names may be gone; their numbers are never used again.
CREATE TABLE IF NOT EXISTS read_note (
  memory_id  INTEGER PRIMARY KEY REFERENCES memory (id) ON DELETE CASCADE,
  reading    INTEGER NOT NULL,             -- 0: it came from another home
  session    TEXT NOT NULL,
  seq        INTEGER NOT NULL,             -- the event of the quotation
  kind       TEXT NOT NULL,                -- as the reader calls it: decision, wish, trap, ...
  said_by    TEXT NOT NULL,                -- user, agent, tool
  scope      TEXT NOT NULL,                -- always, when
  quotation  TEXT NOT NULL,                -- empty once its event was erased
  agreed_to  TEXT NOT NULL DEFAULT '',     -- the sentence that a short quotation answers
  relation   TEXT NOT NULL DEFAULT 'none', -- none, refines, contradicts
  named      INTEGER,                      -- the memory that the relation is to
  ended      INTEGER NOT NULL DEFAULT 0 CHECK (ended IN (0, 1)), -- whether it ended that one
  refusal    TEXT NOT NULL DEFAULT '',     -- why it may not, so that both were kept
  waits      INTEGER NOT NULL DEFAULT 0 CHECK (waits IN (0, 1)), -- it lives once a person keeps it
  seen_at    REAL,                         -- when a person saw it in the inbox
  verdict    TEXT NOT NULL DEFAULT '',     -- of a person: kept, edited, dropped
  before     TEXT NOT NULL DEFAULT ''      -- the verdict until then, to which it is taken back
) STRICT;
CREATE INDEX IF NOT EXISTS read_note_session ON read_note (session);
CREATE INDEX IF NOT EXISTS read_note_reading ON read_note (reading);
CREATE INDEX IF NOT EXISTS read_note_event ON read_note (seq);
CREATE INDEX IF NOT EXISTS read_note_unseen ON read_note (memory_id) WHERE seen_at IS NULL;

-- A cue by which a note comes up; prompts have vectors of their own.
CREATE TABLE IF NOT EXISTS cue (
  memory_id  INTEGER NOT NULL REFERENCES memory (id) ON DELETE CASCADE,
  kind       TEXT NOT NULL,                -- prompt, file, symbol, command, error
  text       TEXT NOT NULL,
  vector     BLOB,                         -- of a prompt, as the chunks' vectors are
  model      TEXT NOT NULL DEFAULT '',     -- of the vector
  PRIMARY KEY (memory_id, kind, text)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS cue_text ON cue (kind, text);

-- What a person agreed to: sessions that began before are not read by themselves.
CREATE TABLE IF NOT EXISTS reader_consent (
  engine     TEXT PRIMARY KEY,             -- with what it is run by: program, address or model
  at         REAL NOT NULL,
  looked_at  REAL NOT NULL                 -- when a person last looked: an engine that failed goes on
) STRICT;
