"""Long-term memory: the memories, all writes, and their one writer."""
