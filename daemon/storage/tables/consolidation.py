"""Tables of what consolidation computes of memories."""

TABLES = """
-- How relevant a memory is: its own figure with one writer, never importance.
CREATE TABLE IF NOT EXISTS relevance (
  memory_id INTEGER PRIMARY KEY REFERENCES memory (id) ON DELETE CASCADE,
  value     REAL NOT NULL CHECK (value > 0),
  at        REAL NOT NULL
) STRICT;
"""
