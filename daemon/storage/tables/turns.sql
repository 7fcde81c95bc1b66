-- Tags of turns, and which moments captured them.

-- What a turn touched. It leaves when it has faded and no moment captured it.
CREATE TABLE IF NOT EXISTS turn_tag (
  first_seq   INTEGER PRIMARY KEY,      -- the journaled event that began the turn
  seq         INTEGER NOT NULL,         -- the one that ended it
  session     TEXT NOT NULL,
  project     TEXT,
  at          REAL NOT NULL,            -- when it ended
  touched     BLOB NOT NULL             -- digests of its files, symbols and phrases
) STRICT;
CREATE INDEX IF NOT EXISTS turn_tag_at ON turn_tag (at);
CREATE INDEX IF NOT EXISTS turn_tag_session ON turn_tag (session, first_seq);

-- A turn that a moment captured; those of one moment are an episode.
CREATE TABLE IF NOT EXISTS turn_capture (
  first_seq INTEGER NOT NULL REFERENCES turn_tag (first_seq) ON DELETE CASCADE,
  event_id  TEXT NOT NULL REFERENCES importance_event (id) ON DELETE CASCADE,
  score     REAL NOT NULL,              -- 0..1
  hours     REAL NOT NULL,              -- from the turn to the moment; negative: it ended after it
  PRIMARY KEY (event_id, first_seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS turn_capture_turn ON turn_capture (first_seq);
