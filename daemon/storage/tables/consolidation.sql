-- Table of the relevance that an earlier version stored; nothing writes it any more.

-- How relevant a memory was.
CREATE TABLE IF NOT EXISTS relevance (
  memory_id INTEGER PRIMARY KEY REFERENCES memory (id) ON DELETE CASCADE,
  value     REAL NOT NULL CHECK (value > 0),
  at        REAL NOT NULL
) STRICT;
