-- What was never reviewed has the stability of its type on the FSRS-6 curve: there it is at one half
-- after 1, 7, 14, 30, 60, 90, 180 and 365 days, longer or shorter by what it is about and its tier.
-- A summary keeps the best of what it was made of, and what a suppression took is still to be given
-- back. The numbers are written out, as they were when this migration was released.
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
  AND NOT EXISTS (SELECT 1 FROM weakening WHERE neighbour_id = memory.id);
