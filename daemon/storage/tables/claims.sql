-- Columns of how sure a memory's claim is and when it is true.

-- The X of "the current X is Y": which memory holds it now, and which held it before.
CREATE INDEX IF NOT EXISTS memory_subject ON memory (subject, project, ended)
  WHERE subject IS NOT NULL;
-- Few at a time: an outcome confirms or refutes them.
CREATE INDEX IF NOT EXISTS memory_hypothesis ON memory (session)
  WHERE status = 'hypothesis' AND ended IS NULL;
CREATE INDEX IF NOT EXISTS memory_until ON memory (valid_until)
  WHERE valid_until IS NOT NULL AND ended IS NULL;
