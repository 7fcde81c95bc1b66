-- Tables of the passage archive.

-- What was written or said, in pieces of some hundred characters: no memory is made of it.
CREATE TABLE IF NOT EXISTS passage (
  id           INTEGER PRIMARY KEY AUTOINCREMENT,
  kind         TEXT NOT NULL CHECK (kind IN ('document','summary','turn')),
  project      TEXT,
  place        TEXT NOT NULL,           -- the document's path; the session and event of others
  ordinal      INTEGER NOT NULL,        -- in its place
  title        TEXT NOT NULL,           -- headings, or the prompt in one line
  text         TEXT NOT NULL,
  content_hash BLOB NOT NULL,           -- of title and text
  session      TEXT,
  first_seq    INTEGER NOT NULL,        -- the journaled events that it was made of
  seq          INTEGER NOT NULL,
  at           REAL NOT NULL,           -- seconds UTC, when it was written the last time
  used_at      REAL NOT NULL,           -- the same, or when it was found the last time
  size         INTEGER NOT NULL         -- bytes of title and text
) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS passage_content ON passage (coalesce(project, ''), content_hash);
CREATE INDEX IF NOT EXISTS passage_place ON passage (place, kind);
CREATE INDEX IF NOT EXISTS passage_used ON passage (used_at, size);

CREATE VIRTUAL TABLE IF NOT EXISTS passage_words USING fts5(
  title, triggers, body,
  content = '', contentless_delete = 1,
  tokenize = "porter unicode61 remove_diacritics 2"
);
CREATE VIRTUAL TABLE IF NOT EXISTS passage_terms USING fts5vocab(passage_words, row);

-- As word_change and chunk are for memories.
CREATE TABLE IF NOT EXISTS passage_change (
  seq        INTEGER PRIMARY KEY AUTOINCREMENT,
  passage_id INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS passage_chunk (
  id           INTEGER PRIMARY KEY AUTOINCREMENT,
  passage_id   INTEGER NOT NULL REFERENCES passage (id) ON DELETE CASCADE,
  ordinal      INTEGER NOT NULL,
  content_hash BLOB NOT NULL,           -- of the text that the vector is of
  UNIQUE (passage_id, ordinal)
) STRICT;
