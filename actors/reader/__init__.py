"""The reader of sessions: what is read when, and what becomes of what it wrote."""
