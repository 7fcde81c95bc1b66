"""What consolidation computes of memories (features.md, section J)."""

TABLES = """
-- How relevant a memory is (J02): its own figure with one writer, never importance (finding 10).
CREATE TABLE IF NOT EXISTS relevance (
  memory_id INTEGER PRIMARY KEY REFERENCES memory (id) ON DELETE CASCADE,
  value     REAL NOT NULL CHECK (value > 0),
  at        REAL NOT NULL
) STRICT;
"""
