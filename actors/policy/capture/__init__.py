"""What is worth keeping for good: arousal, novelty, importance, and what a moment captures around it."""
