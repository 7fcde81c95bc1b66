"""The reader of sessions: its order of reading, and the way of its notes into memory."""
