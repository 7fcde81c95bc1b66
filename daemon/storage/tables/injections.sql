-- Tables of how prompts were answered, and of what was judged in a project.

-- A prompt or a start of a session that was answered, by words or by silence.
CREATE TABLE IF NOT EXISTS injection (
  id           INTEGER PRIMARY KEY AUTOINCREMENT,
  session      TEXT NOT NULL,
  project      TEXT,
  place        TEXT NOT NULL,           -- prompt, session_start, subagent
  at           REAL NOT NULL,           -- when it was asked
  characters   INTEGER NOT NULL,        -- that were told
  milliseconds REAL NOT NULL,           -- until the answer
  mode         TEXT NOT NULL            -- what was searched: both, words, none
) STRICT;
CREATE INDEX IF NOT EXISTS injection_session ON injection (session, at);
CREATE INDEX IF NOT EXISTS injection_at ON injection (at);

-- What was weighed for it: what was told, and what came close.
CREATE TABLE IF NOT EXISTS considered (
  injection_id INTEGER NOT NULL REFERENCES injection (id) ON DELETE CASCADE,
  memory_id    INTEGER NOT NULL REFERENCES memory (id) ON DELETE CASCADE,
  confidence   REAL NOT NULL,           -- 0..1
  reason       TEXT NOT NULL,           -- by which evidence
  fate         TEXT NOT NULL,           -- told, or why not
  PRIMARY KEY (injection_id, memory_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS considered_memory ON considered (memory_id);

-- What was quoted in it of passages.
CREATE TABLE IF NOT EXISTS considered_passage (
  injection_id INTEGER NOT NULL REFERENCES injection (id) ON DELETE CASCADE,
  passage_id   INTEGER NOT NULL REFERENCES passage (id) ON DELETE CASCADE,
  confidence   REAL NOT NULL,           -- 0..1
  reason       TEXT NOT NULL,           -- by which evidence
  fate         TEXT NOT NULL,           -- told
  PRIMARY KEY (injection_id, passage_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS considered_passage_id ON considered_passage (passage_id);

-- What a person or an agent said of a memory in a project.
CREATE TABLE IF NOT EXISTS verdict (
  memory_id INTEGER NOT NULL REFERENCES memory (id) ON DELETE CASCADE,
  project   TEXT NOT NULL,              -- empty: in none
  useful    INTEGER NOT NULL DEFAULT 0,
  useless   INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (memory_id, project)
) STRICT, WITHOUT ROWID;
