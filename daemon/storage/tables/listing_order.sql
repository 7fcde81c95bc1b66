-- Order of lists: memories by when they were made, and by when they ended, in every project; and what is counted of the living.

CREATE INDEX IF NOT EXISTS memory_made ON memory (created_at, id);
CREATE INDEX IF NOT EXISTS memory_over ON memory (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS memory_sort ON memory (kind, source, id) WHERE ended IS NULL;
