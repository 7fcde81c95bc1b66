-- Synaptic tagging and capture.

-- The mark of a memory that was just encoded. It leaves when it has
-- faded, or a day after its memory was captured.
CREATE TABLE IF NOT EXISTS synaptic_tag (
  memory_id   INTEGER PRIMARY KEY REFERENCES memory (id) ON DELETE CASCADE,
  at          REAL NOT NULL,
  strength    REAL NOT NULL,            -- 0..1 when it was set
  captured_at REAL,
  captured_by TEXT                      -- an event
) STRICT;

-- Important moments. The id is made of the journaled event and the kind: a
-- moment that is told twice happened once. Those that captured nothing leave after a day.
CREATE TABLE IF NOT EXISTS importance_event (
  id        TEXT PRIMARY KEY,
  kind      TEXT NOT NULL,
  strength  REAL NOT NULL,              -- 0..1
  at        REAL NOT NULL,
  session   TEXT,
  project   TEXT,
  seq       INTEGER,                    -- the journaled event
  memory_id INTEGER REFERENCES memory (id) ON DELETE CASCADE, -- what it is about
  reason    TEXT NOT NULL               -- one line; empty once erased
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS importance_event_at ON importance_event (at);
CREATE INDEX IF NOT EXISTS importance_event_memory ON importance_event (memory_id)
  WHERE memory_id IS NOT NULL;

-- A memory that an event captured; those of one event are an episode.
CREATE TABLE IF NOT EXISTS capture (
  memory_id  INTEGER NOT NULL REFERENCES memory (id) ON DELETE CASCADE,
  event_id   TEXT NOT NULL REFERENCES importance_event (id) ON DELETE CASCADE,
  score      REAL NOT NULL,             -- 0..1
  hours      REAL NOT NULL,             -- from the memory to the event; negative: after it
  importance REAL NOT NULL,             -- 0..1, consolidated
  before     REAL NOT NULL,             -- the memory's importance until then
  at         REAL NOT NULL,
  PRIMARY KEY (memory_id, event_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS capture_event ON capture (event_id);
CREATE INDEX IF NOT EXISTS capture_at ON capture (at);
