"""Tables of what use and people made of a memory."""

from typing import Final

TABLES = """
-- Which session made use of which memory, and how it showed: once for each cause.
CREATE TABLE IF NOT EXISTS credit (
  memory_id INTEGER NOT NULL REFERENCES memory (id) ON DELETE CASCADE,
  session   TEXT NOT NULL,
  cause     TEXT NOT NULL,              -- cited, edited_after, confirmed, kept
  at        REAL NOT NULL,
  PRIMARY KEY (memory_id, session, cause)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS credit_at ON credit (at);
CREATE INDEX IF NOT EXISTS exposure_session ON exposure (session, at) WHERE session IS NOT NULL;
CREATE INDEX IF NOT EXISTS exposure_unasked ON exposure (memory_id, session, at)
  WHERE session IS NOT NULL AND place IN ('prompt', 'session_start');

-- What people said of a memory: how many verdicts, how often suppressed.
CREATE TABLE IF NOT EXISTS opinion (
  memory_id     INTEGER PRIMARY KEY REFERENCES memory (id) ON DELETE CASCADE,
  validations   INTEGER NOT NULL DEFAULT 0,
  suppressions  INTEGER NOT NULL DEFAULT 0,
  suppressed_at REAL                    -- the last time, while it can be taken back
) STRICT;

-- What a suppression took of the memories linked with it, so that it can be given back.
CREATE TABLE IF NOT EXISTS weakening (
  memory_id    INTEGER NOT NULL REFERENCES memory (id) ON DELETE CASCADE,
  neighbour_id INTEGER NOT NULL REFERENCES memory (id) ON DELETE CASCADE,
  at           REAL NOT NULL,
  factor       REAL NOT NULL,           -- of the neighbour's stability
  edge         REAL NOT NULL,           -- 0..1
  PRIMARY KEY (memory_id, neighbour_id, at)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS weakening_neighbour ON weakening (neighbour_id);

-- What reverie would do and a person decides. The reason has figures, no text.
CREATE TABLE IF NOT EXISTS proposal (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  kind       TEXT NOT NULL,             -- promote
  memory_id  INTEGER NOT NULL REFERENCES memory (id) ON DELETE CASCADE,
  reason     TEXT NOT NULL,
  at         REAL NOT NULL,
  state      TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'accepted', 'declined')),
  decided_at REAL,
  before     TEXT                       -- the tier until then, once accepted
) STRICT;
CREATE INDEX IF NOT EXISTS proposal_memory ON proposal (memory_id, kind);

-- Memories that were just recalled, and what was edited meanwhile. A window with
-- edits stays for 30 days after it was settled; one without leaves when it is over.
CREATE TABLE IF NOT EXISTS labile (
  memory_id  INTEGER NOT NULL REFERENCES memory (id) ON DELETE CASCADE,
  opened_at  REAL NOT NULL,
  edits      INTEGER NOT NULL DEFAULT 0,
  settled_at REAL,
  PRIMARY KEY (memory_id, opened_at)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS labile_unsettled ON labile (opened_at) WHERE settled_at IS NULL;
"""

# What was never reviewed has the stability of its type on the FSRS-6 curve: there it is at one half
# after 1, 7, 14, 30, 60, 90, 180 and 365 days, longer or shorter by what it is about and its tier.
# A summary keeps the best of what it was made of, and what a suppression took is still to be given
# back. The numbers are written out, as they were when this migration was released.
TYPICAL: Final = """
UPDATE memory SET stability = min(36500.0,
  CASE memory_type
    WHEN 'working' THEN 0.011068 WHEN 'episodic' THEN 0.077473 WHEN 'prospective' THEN 0.154945
    WHEN 'implicit' THEN 0.332025 WHEN 'declarative' THEN 0.664051
    WHEN 'procedural' THEN 0.996076 WHEN 'semantic' THEN 1.992153
    WHEN 'autobiographical' THEN 4.039643 WHEN 'meta-cognitive' THEN 1e9 ELSE 1.0 END
  * CASE context_type WHEN 'decision' THEN 1e9 WHEN 'research' THEN 2.0 ELSE 1.0 END
  * CASE tier
    WHEN 'constitutional' THEN 1e9 WHEN 'critical' THEN 1e9 WHEN 'important' THEN 1.5
    WHEN 'temporary' THEN 0.5 WHEN 'deprecated' THEN 0.25 ELSE 1.0 END)
WHERE last_review IS NULL AND source <> 'plan'
  AND NOT EXISTS (SELECT 1 FROM weakening WHERE neighbour_id = memory.id)
"""

# A promotion that was proposed is a plan; one that was declined stays left. What was accepted is
# the memory's tier.
PROMOTIONS = """
INSERT INTO plan (act, source, reason, state, identity, proposed_at, decided_at, note)
  SELECT 'retier', 'verdicts', p.reason, iif(p.state = 'open', 'open', 'dismissed'), x'', p.at,
    p.decided_at, 'proposal ' || p.id
  FROM proposal p JOIN memory m ON m.id = p.memory_id
  WHERE p.state <> 'accepted' AND m.ended IS NULL AND NOT m.pinned AND m.tier <> 'critical'
  ORDER BY p.id;
INSERT INTO plan_step (plan_id, memory_id, ordinal, act, argument, evidence, content_hash, uses)
  SELECT plan.id, m.id, 0, 'retier', 'critical', p.reason, m.content_hash, m.uses
  FROM proposal p JOIN memory m ON m.id = p.memory_id JOIN plan ON plan.note = 'proposal ' || p.id
  WHERE plan.source = 'verdicts';
UPDATE plan SET note = '' WHERE source = 'verdicts' AND note LIKE 'proposal %';
DELETE FROM proposal;
"""
