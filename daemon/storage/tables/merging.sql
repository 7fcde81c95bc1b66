-- Tables of what came from other homes, and of what may not come back from one.

-- What became of a memory or an intention of another home; nothing is brought twice.
CREATE TABLE IF NOT EXISTS brought (
  store     TEXT NOT NULL,              -- id of the other store
  kind      TEXT NOT NULL CHECK (kind IN ('memory', 'intention')),
  other_id  INTEGER NOT NULL,           -- its number there
  here_id   INTEGER NOT NULL,           -- its number here; the row may be gone
  run       TEXT NOT NULL,
  at        REAL NOT NULL,              -- when; what was changed here is newer
  undone_at REAL,                       -- when the run was taken back
  PRIMARY KEY (store, kind, other_id)
) STRICT, WITHOUT ROWID;

-- Texts that were erased: a digest under the id of this store tells one again, and says nothing of it.
CREATE TABLE IF NOT EXISTS erased_text (
  digest BLOB PRIMARY KEY
) STRICT, WITHOUT ROWID;
