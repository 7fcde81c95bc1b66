-- A promotion that was proposed is a plan; one that was declined stays left. What was accepted is
-- the memory's tier.
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
