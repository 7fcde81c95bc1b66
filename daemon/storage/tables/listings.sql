-- Listings: how often the page of a start named a memory by a line.

-- At how many starts of sessions the page listed a memory as a line, each session once.
CREATE TABLE IF NOT EXISTS listing (
  memory_id INTEGER PRIMARY KEY REFERENCES memory (id) ON DELETE CASCADE,
  starts    INTEGER NOT NULL,
  first_at  REAL NOT NULL,
  last_at   REAL NOT NULL,
  session   TEXT NOT NULL               -- the last of them
) STRICT;
