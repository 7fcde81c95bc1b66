"""References of memories: files, symbols and commands of their project."""

TABLES = """
-- What a memory is about, with the hash of the lines that say it; it leaves with the memory.
CREATE TABLE IF NOT EXISTS reference (
  memory_id    INTEGER NOT NULL REFERENCES memory (id) ON DELETE CASCADE,
  place        INTEGER NOT NULL,        -- the order in which its text names them
  path         TEXT NOT NULL,           -- in the project; empty for a command that no file defines
  symbol       TEXT NOT NULL,           -- empty for the file itself, or a line of it
  command      TEXT NOT NULL,           -- the prefix of a command that these lines define
  digest       BLOB,                    -- of the lines; NULL: that the file is there is all
  state        TEXT NOT NULL CHECK (state IN ('held','changed','gone')),
  content_hash BLOB NOT NULL,           -- of the memory's text that names it
  PRIMARY KEY (memory_id, place)
) STRICT, WITHOUT ROWID;
"""

COLUMNS = {
    # What is said of a memory while what it is about is not what it was; empty otherwise.
    "stale": "TEXT NOT NULL DEFAULT ''",
    # What its stability is multiplied by: less than 1 while it is stale.
    "freshness": "REAL NOT NULL DEFAULT 1.0 CHECK (freshness > 0 AND freshness <= 1)",
}

# Number of a line when it was seen last, and whether whoever remembers gave it.
PLACES = {"line": "INTEGER NOT NULL DEFAULT 0", "given": "INTEGER NOT NULL DEFAULT 0"}
# The hash of the text that was searched for what it names; NULL: none was.
LOOKED = {"looked": "BLOB"}

HINTS = """
-- What came of a memory's hint in a file of a project: showings without a reaction, and silence.
CREATE TABLE IF NOT EXISTS hint (
  memory_id INTEGER NOT NULL REFERENCES memory (id) ON DELETE CASCADE,
  project   TEXT NOT NULL,
  path      TEXT NOT NULL,              -- in the project
  unheeded  INTEGER NOT NULL DEFAULT 0,
  shown_at  REAL NOT NULL DEFAULT 0,
  muted     INTEGER NOT NULL DEFAULT 0 CHECK (muted IN (0, 1)),
  PRIMARY KEY (memory_id, project, path)
) STRICT, WITHOUT ROWID;
"""
