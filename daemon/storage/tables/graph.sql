-- Tables of associations, causal edges and declared links between memories.

-- Two memories that call each other to mind. Symmetric: a pair stands
-- once, the smaller id first. What has a direction is a causal edge, in memory_link.
CREATE TABLE IF NOT EXISTS association (
  one_id     INTEGER NOT NULL REFERENCES memory (id) ON DELETE CASCADE,
  other_id   INTEGER NOT NULL REFERENCES memory (id) ON DELETE CASCADE,
  kind       TEXT NOT NULL,             -- 'similar': near each other in vector space
  strength   REAL NOT NULL CHECK (strength BETWEEN 0 AND 1),
  evidence   TEXT NOT NULL DEFAULT '',
  made_at    REAL NOT NULL,
  touched_at REAL NOT NULL,
  PRIMARY KEY (one_id, other_id, kind),
  CHECK (one_id < other_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS association_other ON association (other_id);

-- By which vectors a memory was last compared with the others, and how many it sought:
-- one that is like no other has no association, and is not looked at for ever.
CREATE TABLE IF NOT EXISTS association_look (
  memory_id INTEGER PRIMARY KEY REFERENCES memory (id) ON DELETE CASCADE,
  chunk_id  INTEGER NOT NULL,           -- its first chunk; ids of chunks are never used again
  reach     INTEGER NOT NULL
) STRICT;

-- Causal links that a memory's text declares. A reference that nothing
-- answers to waits here; one that was answered is not linked again after an unlink.
CREATE TABLE IF NOT EXISTS declared_link (
  memory_id    INTEGER NOT NULL REFERENCES memory (id) ON DELETE CASCADE,
  relation     TEXT NOT NULL,
  incoming     INTEGER NOT NULL CHECK (incoming IN (0, 1)),
  reference    TEXT NOT NULL,           -- an id, a key or a title
  content_hash BLOB NOT NULL,           -- of the text that says so
  other_id     INTEGER REFERENCES memory (id) ON DELETE CASCADE,
  PRIMARY KEY (memory_id, relation, incoming, reference)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS declared_link_waiting ON declared_link (reference)
  WHERE other_id IS NULL;
CREATE INDEX IF NOT EXISTS declared_link_other ON declared_link (other_id)
  WHERE other_id IS NOT NULL;
