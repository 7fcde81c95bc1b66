-- Tables of what late interaction compares.

-- The signs of the token vectors of a piece of a memory, a bit a number, one row of bytes a token.
CREATE TABLE IF NOT EXISTS chunk_tokens (
  chunk_id INTEGER PRIMARY KEY REFERENCES chunk (id) ON DELETE CASCADE,
  tokens   BLOB NOT NULL
) STRICT;
