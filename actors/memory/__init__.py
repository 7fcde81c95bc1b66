"""Long-term memory: its writes, its vectors, its strength, and what is watched of it."""
