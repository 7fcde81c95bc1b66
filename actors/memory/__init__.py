"""Long-term memory: the memories, everything that is written, and the one who writes it."""
