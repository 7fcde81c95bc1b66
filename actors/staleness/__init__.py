"""Staleness: what memories are about in their project, and whether that is still what it was."""
