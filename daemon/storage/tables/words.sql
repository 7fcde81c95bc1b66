-- Tables that the words in memory are kept up to date by.

-- Memories whose words came, changed or went, in that order; holds no word. Whoever has
-- not seen the oldest row left reads everything anew.
CREATE TABLE IF NOT EXISTS word_change (
  seq       INTEGER PRIMARY KEY AUTOINCREMENT,
  memory_id INTEGER NOT NULL
) STRICT;
