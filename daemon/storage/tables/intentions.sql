-- Intentions.

-- What somebody means to do later. An ended one leaves after 30 days, an erased one at once.
CREATE TABLE IF NOT EXISTS intention (
  id            INTEGER PRIMARY KEY AUTOINCREMENT,  -- i1 for people
  text          TEXT NOT NULL,
  trigger_form  TEXT NOT NULL,          -- JSON: actors.policy.intentions.trigger_forms
  priority      INTEGER NOT NULL,
  made_at       REAL NOT NULL,
  deadline      REAL,
  status        TEXT NOT NULL,
  reminders     INTEGER NOT NULL,
  reminded_at   REAL,
  snoozed_until REAL,
  ended_at      REAL,
  project       TEXT,                   -- NULL: everywhere
  session       TEXT,                   -- NULL: made by hand
  seq           INTEGER UNIQUE          -- the journaled prompt that stated it
) STRICT;

-- What became of it, for the log.
CREATE TABLE IF NOT EXISTS intention_event (
  intention_id INTEGER NOT NULL REFERENCES intention (id) ON DELETE CASCADE,
  at           REAL NOT NULL,
  what         TEXT NOT NULL,           -- intended, due, reminded, done, snoozed, ...
  session      TEXT
) STRICT;
CREATE INDEX IF NOT EXISTS intention_event_at ON intention_event (at);
CREATE INDEX IF NOT EXISTS intention_event_intention ON intention_event (intention_id);
