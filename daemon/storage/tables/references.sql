-- References of memories: files, symbols and commands of their project.

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
