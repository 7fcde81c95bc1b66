"""From what was found to what is told: channels fused, stages, evidence, and what fits."""
