-- Shared notes: which file of a repository stands for which memory, and which remotes are trusted.

-- A note of a repository and the memory that it is here. What this home shares, and what others do.
CREATE TABLE IF NOT EXISTS shared_note (
  project   TEXT NOT NULL,
  note      TEXT NOT NULL,              -- its id, the same in every home
  own       INTEGER NOT NULL CHECK (own IN (0, 1)),
  memory_id INTEGER NOT NULL REFERENCES memory (id) ON DELETE CASCADE,
  file      TEXT NOT NULL,              -- its name in the folder
  digest    BLOB NOT NULL,              -- of what it said when it was looked at last
  gone      INTEGER NOT NULL DEFAULT 0 CHECK (gone IN (0, 1)),
  PRIMARY KEY (project, note, own)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS shared_note_memory ON shared_note (memory_id);

-- Repositories whose notes a person trusts, as long as they come from there.
CREATE TABLE IF NOT EXISTS shared_remote (
  project TEXT PRIMARY KEY,
  remote  TEXT NOT NULL,                -- the address without a name or password; '' for none
  at      REAL NOT NULL
) STRICT, WITHOUT ROWID;
